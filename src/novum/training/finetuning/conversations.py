"""A data set of conversations, read line by line: facts about rows, and selected conversations.

Those of `novum data build judge` and `novum data build ideas` have this form: prompts and completions in `data/`, facts
about them in `about/`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field, ValidationError, field_validator

from novum.errors import BadInput
from novum.files.folder import CARD
from novum.files.inputs import open_plain, read_plain
from novum.training.finetuning.job import digest_of
from novum.training.ideas.card import IdeaDataCard
from novum.training.recipes.recipe import RowTask
from novum.training.reviews.card import JudgeDataCard
from novum.training.reviews.files import ABOUT, DATA
from novum.training.reviews.settings import RatingAt
from novum.training.reviews.tasks import Turns

Shape = TypeVar("Shape", bound=BaseModel)
_LONGEST_LINE = 4_000_000


class RowFacts(BaseModel):
    """Facts about one row."""

    task: RowTask
    paper: str
    review: int = 0
    rating: Annotated[float, Field(ge=0, le=1)] | None = None
    topic: str = ""
    prompt_tokens: int
    completion_tokens: int


class Conversation(BaseModel):
    """One row: the turns of the prompt, and one turn of the completion."""

    prompt: Annotated[Turns, Field(min_length=1)]
    completion: Annotated[Turns, Field(min_length=1, max_length=1)]

    @field_validator("prompt", "completion")
    @classmethod
    def _turns_have_roles(cls, turns: Turns) -> Turns:
        if any(turn.keys() != {"role", "content"} for turn in turns):
            raise ValueError("a turn has a role and a content")
        return turns

    @field_validator("completion")
    @classmethod
    def _answers_have_words(cls, turns: Turns) -> Turns:
        if not turns[0]["content"].strip():
            raise ValueError("the answer is empty")
        return turns


@dataclass(frozen=True)
class ConversationSet:
    """The folder of a data set, the digest of its card, the position of ratings in its reviews, and the command that
    builds such a set."""

    folder: Path
    digest: str
    rating_at: RatingAt = "none"
    builder: str = "novum data build judge"

    def about(self, split: str) -> list[RowFacts]:
        """Facts about all rows of a split, in order. Raises BadInput for a damaged file."""
        return [self._checked(RowFacts, line, self._file(ABOUT, split)) for line in self._lines(ABOUT, split)]

    def conversations(self, split: str, rows: Collection[int]) -> Iterator[tuple[int, Conversation]]:
        """The rows with these numbers, in the order of the file. Raises BadInput for a damaged file."""
        wanted = rows if isinstance(rows, set | frozenset) else frozenset(rows)
        remaining = len(wanted)
        for number, line in enumerate(self._lines(DATA, split)):
            if not remaining:
                return
            if number in wanted:
                remaining -= 1
                yield number, self._checked(Conversation, line, self._file(DATA, split))
        if remaining:  # the file has fewer rows than the table of facts
            raise self._damaged(self._file(DATA, split))

    def check(self, split: str, rows: Collection[int]) -> None:
        """Read these rows. Raises BadInput for the first that is damaged or has an empty answer."""
        for _ in self.conversations(split, frozenset(rows)):
            pass

    def _file(self, table: str, split: str) -> Path:
        return self.folder / table / f"{split}.jsonl"

    def _lines(self, table: str, split: str) -> Iterator[bytes]:
        file = self._file(table, split)
        try:
            with open_plain(file) as lines:
                while line := lines.readline(_LONGEST_LINE + 1):
                    if len(line) > _LONGEST_LINE:
                        raise self._damaged(file)
                    yield line
        except FileNotFoundError:
            return
        except OSError as error:
            raise BadInput(f"{file} cannot be read: {error.strerror or error}.") from error

    def _checked(self, shape: type[Shape], line: bytes, file: Path) -> Shape:
        try:
            return shape.model_validate_json(line)
        except ValidationError as error:
            raise self._damaged(file, error) from error

    def _damaged(self, file: Path, error: ValidationError | None = None) -> BadInput:
        where = ".".join(map(str, error.errors()[0]["loc"])) if error else ""
        why = f" ({where}: {error.errors()[0]['msg'].lower()})" if error and where else ""
        return BadInput(f"{file} is damaged{why}: build the data set again with `{self.builder}`.")


def open_set(folder: Path) -> ConversationSet:
    """Open the data set in `folder`. Raises BadInput if there is none."""
    try:
        content = read_plain(folder / CARD)
        card = JudgeDataCard.model_validate_json(content)
    except (OSError, ValidationError) as error:
        raise BadInput(
            f"{folder} is not a data set for reviewers: build one with `novum data build judge REVIEWS --out {folder}`."
        ) from error
    return ConversationSet(folder, digest_of(content), card.settings.rating_at)


def open_ideas(folder: Path) -> ConversationSet:
    """Open a data set of `novum data build ideas`. Raises BadInput if there is none."""
    try:
        content = read_plain(folder / CARD)
        IdeaDataCard.model_validate_json(content)
    except (OSError, ValidationError) as error:
        raise BadInput(
            f"{folder} is not a data set of ideas: build one with `novum data build ideas --out {folder}`."
        ) from error
    return ConversationSet(folder, digest_of(content), builder="novum data build ideas")
