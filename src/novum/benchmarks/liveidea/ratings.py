"""Ratings of ideas by people or judges, read from CSV: one line for each idea and rater, one column per dimension."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from novum.core.record import Value
from novum.errors import BadInput
from novum.files.tables import columns_by_name, csv_from_text

LARGEST = 50_000_000
"""Characters. A study has thousands of lines; the judgements of a whole run, some hundred thousand."""
DIMENSIONS = ("originality", "feasibility", "clarity", "fluency")
LOWEST, HIGHEST = 1.0, 10.0
_COLUMNS: Mapping[str, Sequence[str]] = {
    "idea": ("idea", "id", "idea id", "item"),
    "rater": ("rater", "person", "expert", "annotator", "judge", "critic model"),
} | {name: (name,) for name in DIMENSIONS}
_MOST_LISTED = 20
"""Refused lines that are listed one by one."""


class IdeaRating(Value):
    """One rater's score for one idea in one dimension."""

    idea: str
    rater: str
    dimension: str
    score: float


class RatingTable(Value):
    """The ratings of a file in its order; `refused` lists what could not be read."""

    name: str
    """Of the file."""
    ratings: tuple[IdeaRating, ...]
    refused: tuple[str, ...] = ()

    @property
    def raters(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.rater for each in self.ratings))

    def of(self, *, raters: Sequence[str]) -> RatingTable:
        """The ratings by these raters; `refused` stays."""
        return self.model_copy(update={"ratings": tuple(each for each in self.ratings if each.rater in raters)})


def read_ratings(text: str, name: str) -> RatingTable:
    """The ratings in a CSV with the columns idea, rater and at least one dimension; other columns are ignored.

    `idea`: a number, a name or the text of the idea; without a rater's name a line is the rater "1". Scores are from 1
    to 10, an empty cell is a missing rating. The delimiter is a comma, semicolon or tab. Raises BadInput when a column
    is missing or no rating can be read.
    """
    if len(text) > LARGEST:
        raise BadInput(f"{name} has over {LARGEST:,} characters: leave out the columns and lines that hold no rating.")
    found: dict[tuple[str, str, str], IdeaRating] = {}
    refused: list[str] = []
    with csv_from_text(text, name, longest=LARGEST) as rows:  # published tables hold whole answers beside the scores
        columns = _columns(rows.fieldnames or (), name)
        for row in rows:
            for rating in _of_row(row, columns, refused, f"line {rows.line_num} of {name}"):
                key = (rating.idea, rating.rater, rating.dimension)
                if key in found:
                    refused.append(f"line {rows.line_num} of {name}: {rating.rater} rated that idea before")
                else:
                    found[key] = rating
    if not found:
        first = f" The first: {refused[0]}." if refused else ""
        raise BadInput(f"{name} holds no rating from 1 to 10.{first} Give one line for each idea and rater.")
    if (more := len(refused) - _MOST_LISTED) > 0:
        refused[_MOST_LISTED:] = [f"{more:,} more lines of {name}"]
    return RatingTable(name=name, ratings=tuple(found.values()), refused=tuple(refused))


def _columns(names: Sequence[str], file: str) -> dict[str, str]:
    columns = columns_by_name(names, _COLUMNS)
    if "idea" not in columns or not set(DIMENSIONS) & set(columns):
        raise BadInput(
            f"{file} has the columns {', '.join(names) or '(none)'}: name them idea, rater and originality, "
            "feasibility, clarity (as many of these as were rated)."
        )
    return columns


def _of_row(
    row: Mapping[str, str | None], columns: Mapping[str, str], refused: list[str], where: str
) -> Iterator[IdeaRating]:
    idea, rater = ((row.get(columns.get(name, "")) or "").strip() for name in ("idea", "rater"))
    if not idea:
        refused.append(f"{where}: no idea is named")
        return
    for dimension in DIMENSIONS:
        cell = (row.get(columns.get(dimension, "")) or "").strip()
        if not cell:
            continue
        score = _number(cell)
        if score is None:
            refused.append(f"{where}: {dimension} is {cell[:40]!r}, not a number from 1 to 10")
        else:
            yield IdeaRating(idea=same_idea(idea), rater=rater or "1", dimension=dimension, score=score)


def same_idea(text: str) -> str:
    """The text in a form in which blanks and case do not count."""
    return " ".join(text.split()).casefold()


def _number(cell: str) -> float | None:
    try:
        value = float(cell.replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) and LOWEST <= value <= HIGHEST else None
