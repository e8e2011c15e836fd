"""What is asked for in bulk, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, JsonValue

from novum.core import TOPIC_LIMIT, Account
from novum.core.record import Value
from novum.errors import BadInput
from novum.files.tables import Row, jsonl_rows
from novum.idea_metrics.duplicates import Threshold
from novum.methods import get_method
from novum.methods.method import FROM_OPPORTUNITIES, MethodOptions

MOST_IDEAS, MOST_QUESTIONS = 100_000, 20_000
LARGEST_TURN = 10
"""Ideas that one exploration of a question is to bring, unless told otherwise: it costs as much as several ideas, and
ideas of one exploration run dry."""
_COUNT = "ideas"
"""The option by which a method is told how many ideas to have; one without it has as many as it likes."""
_EXPERIMENT = "experiment"

Question = Annotated[str, Field(min_length=1, max_length=TOPIC_LIMIT)]


class BulkTask(Value):
    """`number` ideas in all, spread over `questions`. `options`: the method's own, for every question."""

    questions: Annotated[tuple[Question, ...], Field(min_length=1, max_length=MOST_QUESTIONS)]
    number: Annotated[int, Field(ge=1, le=MOST_IDEAS)]
    method: str
    options: dict[str, JsonValue] = {}
    near: Threshold | None = None
    """From which cosine on an idea is a twin of another; None: as the library says, 1: none is."""

    def options_for(self, ideas: int = 0) -> MethodOptions:
        """Those of one turn that is to bring so many. An experiment is designed where that was asked for only: it
        would be for the best idea of each turn alone. Raises BadInput."""
        method = get_method(self.method)
        known = method.options.model_fields
        given: dict[str, Any] = dict(self.options)
        if _EXPERIMENT in known:
            given.setdefault(_EXPERIMENT, False)
        if ideas and _COUNT in known:
            given[_COUNT] = ideas
            if FROM_OPPORTUNITIES in given:  # each has an idea of its own
                given[FROM_OPPORTUNITIES] = min(given[FROM_OPPORTUNITIES], ideas)
        return method.options_from(given)

    def openings_for(self, sizes: Sequence[int]) -> int:
        """How many openings turns that are asked for so many ideas start from together."""
        wanted = int(str(self.options.get(FROM_OPPORTUNITIES) or 0))
        return sum(min(wanted, size) if size else wanted for size in sizes)

    @property
    def largest_turn(self) -> int:
        """Ideas that one turn is asked for at most; 0 where the method has as many as it likes."""
        if _COUNT not in get_method(self.method).options.model_fields:
            return 0
        if _COUNT in self.options:
            return int(getattr(self.options_for(), _COUNT))
        for ideas in range(LARGEST_TURN, 0, -1):
            try:
                self.options_for(ideas)
            except BadInput:  # a method of another package may be content with fewer
                continue
            return ideas
        return 0


class Failure(Value):
    """A question, and why nothing came of one turn of it."""

    question: str
    why: str


class Bulk(Value):
    """What came of all questions; the ideas themselves are in `file`, a row each, what was dropped in `dropped`."""

    wanted: int
    ideas: int
    questions: int
    without: int
    """Questions that no idea was kept of."""
    turns: int
    rounds: int
    repeated: int
    """Left out: in the words, or under the title, of another."""
    twins: int
    """Left out: too like another by their embeddings."""
    surplus: int
    """Left out: more than were asked for."""
    failed: int
    """Turns that came to nothing by an error."""
    failures: tuple[Failure, ...] = ()
    """The first of them."""
    near: Threshold
    file: str
    dropped: str
    stopped: str = ""
    """Why it is not whole; empty when it is."""
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
