"""A data set of preferences: pairs of a chosen and a rejected idea, grouped by prompt and chosen idea."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field, ValidationError, field_validator

from novum.errors import BadInput
from novum.files.folder import CARD
from novum.files.inputs import open_plain, read_plain
from novum.training.finetuning.job import digest_of
from novum.training.ideas.card import RoundCard
from novum.training.preferences.files import DATA
from novum.training.preferences.records import PreferenceCard
from novum.training.recipes.recipe import Recipe
from novum.training.reviews.tasks import Turns

_LONGEST_LINE = 4_000_000
_CHARACTERS = 4.5
"""Characters of a token of English prose, roughly, for estimates."""


class Pair(BaseModel):
    """One row: a prompt, a chosen answer, and a rejected one."""

    prompt: Annotated[Turns, Field(min_length=1)]
    chosen: Annotated[Turns, Field(min_length=1, max_length=1)]
    rejected: Annotated[Turns, Field(min_length=1, max_length=1)]

    @field_validator("prompt", "chosen", "rejected")
    @classmethod
    def _turns_have_words(cls, turns: Turns) -> Turns:
        if any(turn.keys() != {"role", "content"} for turn in turns):
            raise ValueError("a turn has a role and a content")
        if not turns[-1]["content"].strip():
            raise ValueError("the text is empty")
        return turns


@dataclass(frozen=True)
class PreferenceRow:
    """A prompt, its chosen answer, and the answers that were rejected for it."""

    prompt: Turns
    chosen: Turns
    rejected: tuple[Turns, ...]

    @property
    def candidates(self) -> tuple[Turns, ...]:
        """The chosen answer first."""
        return (self.chosen, *self.rejected)

    @property
    def tokens(self) -> int:
        """Tokens of all candidates with their prompts, estimated from their lengths."""
        prompt = sum(len(turn["content"]) for turn in self.prompt)
        return round(sum(prompt + len(each[0]["content"]) for each in self.candidates) / _CHARACTERS)


@dataclass(frozen=True)
class SelectedPreferences:
    """Rows for training, for the held-out measures, and for choosing the best adapter."""

    training: tuple[PreferenceRow, ...]
    held_out: tuple[PreferenceRow, ...]
    choosing: tuple[PreferenceRow, ...]


@dataclass(frozen=True)
class PreferenceSet:
    """The folder of a data set and the digest of its card."""

    folder: Path
    digest: str
    rating_at: Literal["none"] = "none"

    def pairs(self, split: str) -> Iterator[Pair]:
        """The pairs of a split. Raises BadInput for a damaged file; a missing one has none."""
        file = self.folder / DATA / f"{split}.jsonl"
        try:
            with open_plain(file) as lines:
                for number, line in enumerate(iter(lambda: lines.readline(_LONGEST_LINE), b""), 1):
                    yield _checked(line, file, number)
        except FileNotFoundError:
            return
        except OSError as error:
            raise BadInput(f"{file} cannot be read: {error.strerror or error}.") from error

    def rows(self, split: str, most_candidates: int = 2) -> tuple[PreferenceRow, ...]:
        """Rows with at most `most_candidates` answers: pairs with the same prompt and the same chosen answer are one
        row, in the order of the file. With 2, each pair is a row."""
        grouped: dict[tuple[str, str], list[Pair]] = {}
        for number, pair in enumerate(self.pairs(split)):
            key = (str(pair.prompt), str(pair.chosen) if most_candidates > 2 else str(number))
            grouped.setdefault(key, []).append(pair)
        width = most_candidates - 1
        return tuple(
            PreferenceRow(some[0].prompt, some[0].chosen, tuple(each.rejected for each in some))
            for pairs in grouped.values()
            for start in range(0, len(pairs), width)
            if (some := pairs[start : start + width])
        )

    def select(self, recipe: Recipe) -> SelectedPreferences:
        """The rows that a recipe uses, sampled by its seed. Raises BadInput if there is none to train on."""
        preference, held_out = recipe.preference, recipe.held_out
        width = preference.candidates if preference.objective == "softmax" else 2
        training = _sample(self.rows("train", width), recipe.rows.most, recipe.seed)
        if not training:
            raise BadInput(
                f"{self.folder} has no training pair: build it from a larger library (`novum data build preferences`)."
            )
        choosing = _sample(self.rows("validation", width), held_out.choosing_rows, recipe.seed)
        measured = self.rows(held_out.split, width)
        if held_out.split == "validation":
            measured = tuple(row for row in measured if row not in choosing)
        return SelectedPreferences(training, _sample(measured, held_out.rows, recipe.seed), choosing)


def open_preferences(folder: Path) -> PreferenceSet:
    """Open the data set of preferences in `folder`. Raises BadInput if there is none."""
    try:
        content = read_plain(folder / CARD)
        _check_card(content)
    except (OSError, ValidationError) as error:
        raise BadInput(
            f"{folder} is not a data set of preferences: build one with `novum data build preferences --out {folder}`."
        ) from error
    return PreferenceSet(folder, digest_of(content))


def _check_card(content: bytes) -> None:
    try:
        PreferenceCard.model_validate_json(content)
    except ValidationError:
        RoundCard.model_validate_json(content)


def _sample(rows: tuple[PreferenceRow, ...], most: int | None, seed: int) -> tuple[PreferenceRow, ...]:
    """At most so many rows, in their order. None: all."""
    if most is None or len(rows) <= most:
        return rows
    ranked = sorted(range(len(rows)), key=lambda at: blake2b(f"{seed} {rows[at].chosen} {at}".encode()).digest())
    return tuple(rows[at] for at in sorted(ranked[:most]))


def _checked(line: bytes, file: Path, number: int) -> Pair:
    try:
        return Pair.model_validate_json(line)
    except ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(map(str, wrong["loc"])) or "the row"
        raise BadInput(
            f"{file}, line {number}: {where}: {wrong['msg'].lower()}. A row has the columns prompt, chosen and "
            "rejected, each a list of turns."
        ) from error
