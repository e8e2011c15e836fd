"""Ideas that people rated or compared, read from a table: `novum metrics tune` learns from them.

A rating is a row with the columns of an idea (title; text, abstract or summary; topic) and `rating`; a comparison is a
row with `a`, `b` and `preference`, from 1 (a strongly) to 5 (b strongly). What one rater says of the same thing several
times counts once, by its mean; rows that name no rater are each by another one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.core import Subject
    from novum.files.tables import Row
    from novum.idea_metrics.rated_columns import PreferencePair

Voices: TypeAlias = dict[str, list[float]]
"""What each rater said of one thing, mostly once."""
OVERALL = "overall"
COMPARED = "compared"
"""The criterion under which an idea's points from comparisons stand."""
MOST = 200_000
"""Rows that are read."""
_MOST_BEYOND = 0.02
"""Share of ratings beyond the scale up to which they are slips; more of them are of another scale."""
_SCALE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-|–|to|\.\.)\s*(-?\d+(?:\.\d+)?)\s*")
_NEEDS = (
    "It needs the columns title, text (or abstract, summary) and rating, or a, b and preference (1 to 5); topic, "
    "criterion, rater, low and high may be there, too."
)


@dataclass(frozen=True)
class Scale:
    """From the worst to the best that a person can say."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """From 0 to 1. Raises ValueError for a value beyond the scale."""
        if not self.low <= value <= self.high:
            raise ValueError(f"the rating {value:g} is not from {self.low:g} to {self.high:g}")
        return (value - self.low) / (self.high - self.low)

    def back(self, share: float) -> float:
        """The number on the scale."""
        return self.low + share * (self.high - self.low)


def scale_of(told: str) -> Scale:
    """`1-5`. Raises ValueError for anything else."""
    found = _SCALE.fullmatch(told)
    low, high = (float(end) for end in found.groups()) if found else (0.0, 0.0)
    if not low < high:
        raise ValueError(f"{told[:40]!r} is no scale: write the worst and the best rating, such as 1-5")
    return Scale(low, high)


@dataclass
class Rated:
    """Ideas with what was said of them, as far as it could be read."""

    subjects: dict[str, Subject] = field(default_factory=dict)
    said: dict[str, dict[str, Voices]] = field(default_factory=dict)
    """By idea and criterion, shares from 0 to 1."""
    pairs: dict[tuple[str, str], Voices] = field(default_factory=dict)
    """Preferences of 1 to 5 by first and second idea, in the order in which the two were met first."""
    raters: set[str] = field(default_factory=set)
    scales: set[Scale] = field(default_factory=set)
    ratings: int = 0
    repeated: int = 0
    """Of these, what the same rater had said something of before."""
    beyond: list[float] = field(default_factory=list)
    """Ratings beyond the scale that was given for rows that name none."""
    left_out: list[str] = field(default_factory=list)

    def take(self, subject: Subject, criterion: str, share: float, voice: str) -> bool:
        """One more thing said; whether this voice had not spoken of it before."""
        self.subjects.setdefault(subject.id, subject)
        return _hear(self.said.setdefault(subject.id, {}).setdefault(criterion, {}), voice, share)

    def compare(self, first: str, second: str, preference: int, voice: str) -> bool:
        """One more preference, likewise; told the other way round it is the same pair."""
        if (second, first) in self.pairs:
            first, second, preference = second, first, 6 - preference
        return _hear(self.pairs.setdefault((first, second), {}), voice, preference)

    def without(self, ids: set[str]) -> None:
        """Forgets ideas, with what was said of them."""
        for each in ids:
            del self.subjects[each], self.said[each]
        self.pairs = {ends: said for ends, said in self.pairs.items() if not ids & set(ends)}

    @property
    def scale(self) -> Scale:
        """That of all ratings, or from 0 to 1 where there were several."""
        return next(iter(self.scales)) if len(self.scales) == 1 else Scale(0, 1)

    @property
    def overall(self) -> NDArray[np.float64]:
        """One rating an idea: the mean of what raters said overall, else of the means of the criteria."""
        return np.array([_overall(said) for said in self.said.values()])

    @property
    def criteria(self) -> dict[str, NDArray[np.float64]]:
        """Means of raters by criterion, NaN where nobody said anything; without the one that is the overall rating."""
        names = dict.fromkeys(name for said in self.said.values() for name in said if name not in {OVERALL, COMPARED})
        return {name: np.array([_mean(said.get(name, {})) for said in self.said.values()]) for name in names}

    def compared(self) -> list[PreferencePair]:
        """Pairs by rows; the mean of what several raters said, to the nearest whole preference."""
        from novum.idea_metrics.rated_columns import PreferencePair

        row = {each: place for place, each in enumerate(self.subjects)}
        return [
            PreferencePair(row[first], row[second], math.floor(_mean(said) + 0.5))
            for (first, second), said in self.pairs.items()
        ]


def read_rated(file: Path, scale: Scale) -> Rated:
    """`scale`: of ratings whose row names none. Raises BadInput where nothing can be learnt from the file."""
    from novum.core.record import first_error
    from novum.files.tables import read_rows

    rated = Rated()
    for rows, (number, row) in enumerate(read_rows(file)):
        if rows == MOST:
            raise BadInput(f"{file} has more than {MOST:,} rows: keep fewer.")
        try:
            _take(row, scale, rated)
        except ValueError as error:  # of pydantic, too
            rated.left_out.append(f"{file.name}, row {number}: {first_error(error)}")
    _check_scale(rated, scale)
    if not rated.subjects:
        first = f" {rated.left_out[0]}." if rated.left_out else ""
        raise BadInput(f"{file} holds no ratings.{first} {_NEEDS}")
    return rated


def _check_scale(rated: Rated, scale: Scale) -> None:
    """Ratings from 1 to 10 read as from 1 to 5 would leave the better half of the ideas out, and teach by the rest."""
    beyond = rated.beyond
    if len(beyond) > max(1, _MOST_BEYOND * (rated.ratings + len(beyond))):
        raise BadInput(
            f"{len(beyond):,} ratings are not from {scale.low:g} to {scale.high:g} (they go from {min(beyond):g} to "
            f"{max(beyond):g}): say which scale they are on, such as --scale 1-10, or give each row its low and high."
        )


def _take(row: Row | str, scale: Scale, rated: Rated) -> None:
    """Raises ValueError for a row that cannot be read."""
    from novum.files.tables import text_of

    if isinstance(row, str):
        raise ValueError(row)
    row = {str(name).strip().lower(): value for name, value in row.items()}
    who = " ".join(text_of(row, "rater", "judge", "annotator").split())
    voice = who or f"\n{rated.ratings}"  # no rater has such a name
    new = _take_pair(row, rated, voice) if text_of(row, "preference") else _take_rating(row, scale, rated, voice)
    rated.repeated += not new
    rated.ratings += 1
    rated.raters |= {who} if who else set()


def _take_rating(row: Row, scale: Scale, rated: Rated, voice: str) -> bool:
    from novum.cli.ideas.scored_ideas import subject_of_row
    from novum.files.tables import text_of

    subject = subject_of_row(row)
    if subject is None:
        raise ValueError("it has neither a title nor a text")
    value = _number(row, "rating", "score")
    own = _own_scale(row)
    if own is None and not scale.low <= value <= scale.high:
        rated.beyond.append(value)
    own = own or scale
    new = rated.take(subject, text_of(row, "criterion").lower() or OVERALL, own.share(value), voice)
    rated.scales.add(own)
    return new


def _take_pair(row: Row, rated: Rated, voice: str) -> bool:
    """An idea's points from a comparison: 1 where it was strongly preferred, one half for neither, 0 for the other."""
    preference = _number(row, "preference")
    if preference not in {1, 2, 3, 4, 5}:
        raise ValueError(f"the preference {preference:g} is none of 1, 2, 3, 4 and 5")
    first, second = _end(row, "a"), _end(row, "b")
    if first.id == second.id:
        raise ValueError("a and b are the same idea")
    points = (5 - preference) / 4
    rated.take(first, COMPARED, points, f"{voice}\n{second.id}")
    rated.take(second, COMPARED, 1 - points, f"{voice}\n{first.id}")
    return rated.compare(first.id, second.id, int(preference), voice)


def _end(row: Row, column: str) -> Subject:
    from novum.cli.ideas.scored_ideas import subject_of_row, subject_of_text
    from novum.files.tables import text_of

    told: Any = row.get(column)
    topic = text_of(row, "topic")
    subject = subject_of_row(told, topic) if isinstance(told, Mapping) else subject_of_text(text_of(row, column), topic)
    if subject is None:
        raise ValueError(f"{column} says nothing")
    return subject


def _own_scale(row: Row) -> Scale | None:
    """Raises ValueError for what is no scale."""
    from novum.files.tables import text_of

    if told := text_of(row, "scale"):
        return scale_of(told)
    if not (text_of(row, "low") and text_of(row, "high")):
        return None
    low, high = _number(row, "low"), _number(row, "high")
    if not low < high:
        raise ValueError(f"low ({low:g}) is not below high ({high:g})")
    return Scale(low, high)


def _number(row: Row, *columns: str) -> float:
    from novum.files.tables import text_of

    told = text_of(row, *columns)
    try:
        value = float(told)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{columns[0]} is {f'{told[:40]!r}, no number' if told else 'missing'}")
    return value


def _hear(voices: Voices, voice: str, value: float) -> bool:
    new = voice not in voices
    voices.setdefault(voice, []).append(value)
    return new


def _overall(said: Mapping[str, Voices]) -> float:
    return _mean(said[OVERALL]) if OVERALL in said else fmean(_mean(each) for each in said.values())


def _mean(voices: Voices) -> float:
    return fmean(fmean(said) for said in voices.values()) if voices else math.nan
