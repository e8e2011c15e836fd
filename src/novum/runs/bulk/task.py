"""The task of a run in bulk, and its outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, JsonValue

from novum.core import TOPIC_LIMIT, Account
from novum.core.record import Value
from novum.errors import BadInput
from novum.files.tables import Row, jsonl_rows
from novum.idea_metrics.duplicates import DuplicateThreshold
from novum.methods import get_method
from novum.methods.method import FROM_OPPORTUNITIES, MethodOptions

MOST_IDEAS, MOST_QUESTIONS = 100_000, 20_000
LARGEST_TURN = 10
"""Ideas of one turn by default. Exploring a question costs as much as several ideas, and the ideas of one exploration
become repetitive."""
_COUNT = "ideas"
"""The option of a method that says how many ideas to generate. A method without it decides itself."""
_EXPERIMENT = "experiment"

Question = Annotated[str, Field(min_length=1, max_length=TOPIC_LIMIT)]


class BulkTask(Value):
    """`number` ideas in all, spread over `questions`. `options`: of the method, for every question."""

    questions: Annotated[tuple[Question, ...], Field(min_length=1, max_length=MOST_QUESTIONS)]
    number: Annotated[int, Field(ge=1, le=MOST_IDEAS)]
    method: str
    options: dict[str, JsonValue] = {}
    near: DuplicateThreshold | None = None
    """The cosine from which two ideas are near-duplicates; None: as the library says, 1: never."""

    def options_for(self, ideas: int = 0) -> MethodOptions:
        """The options of one turn for so many ideas. An experiment, which is for the best idea of a turn alone, is only
        designed on request. Raises BadInput."""
        method = get_method(self.method)
        known = method.options.model_fields
        given: dict[str, Any] = dict(self.options)
        if _EXPERIMENT in known:
            given.setdefault(_EXPERIMENT, False)
        if ideas and _COUNT in known:
            given[_COUNT] = ideas
            if FROM_OPPORTUNITIES in given:  # each has its own idea
                given[FROM_OPPORTUNITIES] = min(given[FROM_OPPORTUNITIES], ideas)
        return method.options_from(given)

    def opportunities_for(self, sizes: Sequence[int]) -> int:
        """Number of opportunities that turns of these sizes start from together."""
        wanted = int(str(self.options.get(FROM_OPPORTUNITIES) or 0))
        return sum(min(wanted, size) if size else wanted for size in sizes)

    @property
    def largest_turn(self) -> int:
        """Ideas requested in one turn at most; 0 where the method decides itself."""
        if _COUNT not in get_method(self.method).options.model_fields:
            return 0
        if _COUNT in self.options:
            return int(getattr(self.options_for(), _COUNT))
        for ideas in range(LARGEST_TURN, 0, -1):
            try:
                self.options_for(ideas)
            except BadInput:  # a method of another package may allow fewer
                continue
            return ideas
        return 0


class QuestionFailure(Value):
    """A question, and why one of its turns had no ideas."""

    question: str
    why: str


class BulkResult(Value):
    """The outcome. The ideas are rows of `file`, those left out rows of `dropped`."""

    wanted: int
    ideas: int
    questions: int
    without: int
    """Number of questions without any idea."""
    turns: int
    rounds: int
    repeated: int
    """Left out: with the words or the title of another."""
    twins: int
    """Left out: near-duplicates by their embeddings."""
    surplus: int
    """Left out: more than requested."""
    failed: int
    """Number of turns that failed."""
    failures: tuple[QuestionFailure, ...] = ()
    """The first failures."""
    near: DuplicateThreshold
    file: str
    dropped: str
    stopped: str = ""
    """Why the run is not finished; empty when it is."""
    account: Account

    def rows(self) -> Iterator[Row]:
        """The ideas, one row in memory at a time. Raises BadInput where the file is not there any more."""
        return rows_in(self.file)


def rows_in(file: str) -> Iterator[Row]:
    """The rows of a file that a run has left, one in memory at a time. Raises BadInput where it is not there."""
    try:
        for _, row in jsonl_rows(Path(file)):
            if not isinstance(row, str):
                yield row
    except OSError as error:
        raise BadInput(
            f"{file} cannot be read: {error.strerror or error}. Generate the ideas again: recorded answers are used."
        ) from error
