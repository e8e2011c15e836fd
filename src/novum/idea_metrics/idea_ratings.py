"""Ideas that people rated or compared, read from a table: a fitted model is tuned to them.

A rating is a row with the columns of an idea (title; text, abstract or summary; topic) and `rating`. A comparison is
a row with `a`, `b` and `preference`, from 1 (a strongly) to 5 (b strongly). Repeated ratings of an idea by one rater
count once, by their mean. Each row without a rater counts as another rater.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

import numpy as np

from novum.core import Subject
from novum.core.arrays import Floats
from novum.core.record import first_error
from novum.errors import BadInput
from novum.files.tables import Row, read_rows, text_of
from novum.idea_metrics.rated_ideas import HumanPreference
from novum.idea_metrics.subject_rows import subject_of_row, subject_of_text

RatingsByRater: TypeAlias = dict[str, list[float]]
"""The ratings of one idea on one criterion, mostly one a rater."""
OVERALL = "overall"
COMPARED = "compared"
"""The criterion of an idea's points from comparisons."""
MAX_ROWS = 200_000
_MAX_OUT_OF_RANGE = 0.02
"""Share of ratings beyond the scale up to which they are slips; more of them are of another scale."""
_SCALE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-|–|to|\.\.)\s*(-?\d+(?:\.\d+)?)\s*")
_COLUMNS_NEEDED = (
    "It needs the columns title, text (or abstract, summary) and rating, or a, b and preference (1 to 5). The columns "
    "topic, criterion, rater, low and high are optional."
)


@dataclass(frozen=True)
class RatingScale:
    """The lowest and the highest rating."""

    low: float
    high: float

    @classmethod
    def parse(cls, text: str) -> RatingScale:
        """From text such as `1-5`. Raises ValueError for anything else."""
        match = _SCALE.fullmatch(text)
        low, high = (float(end) for end in match.groups()) if match else (0.0, 0.0)
        if not low < high:
            raise ValueError(f"{text[:40]!r} is no scale: write the worst and the best rating, such as 1-5")
        return cls(low, high)

    def share(self, rating: float) -> float:
        """The rating from 0 to 1. Raises ValueError for one beyond the scale."""
        if not self.low <= rating <= self.high:
            raise ValueError(f"the rating {rating:g} is not from {self.low:g} to {self.high:g}")
        return (rating - self.low) / (self.high - self.low)

    def rating(self, share: float) -> float:
        """The rating for a share from 0 to 1."""
        return self.low + share * (self.high - self.low)


@dataclass
class IdeaRatings:
    """Rated ideas, as far as their rows could be read."""

    subjects: dict[str, Subject] = field(default_factory=dict)
    by_criterion: dict[str, dict[str, RatingsByRater]] = field(default_factory=dict)
    """By idea and criterion, as shares from 0 to 1."""
    pairs: dict[tuple[str, str], RatingsByRater] = field(default_factory=dict)
    """Preferences from 1 to 5 by first and second idea, in the order of the first row that has the two."""
    raters: set[str] = field(default_factory=set)
    scales: set[RatingScale] = field(default_factory=set)
    ratings: int = 0
    """Rows with a usable rating or comparison."""
    repeated: int = 0
    """Of these, rows that repeat what the same rater had rated before."""
    out_of_range: list[float] = field(default_factory=list)
    """Ratings beyond the scale that was given for rows without a scale."""
    left_out: list[str] = field(default_factory=list)
    """A line for each row that does not count, with the reason."""

    def add(self, subject: Subject, criterion: str, share: float, rater: str) -> bool:
        """Adds a rating; whether this rater had not rated the idea on this criterion before."""
        self.subjects.setdefault(subject.id, subject)
        return _add(self.by_criterion.setdefault(subject.id, {}).setdefault(criterion, {}), rater, share)

    def add_pair(self, first: str, second: str, preference: int, rater: str) -> bool:
        """Adds a comparison, likewise. In the other order it is the same pair."""
        if (second, first) in self.pairs:
            first, second, preference = second, first, 6 - preference
        return _add(self.pairs.setdefault((first, second), {}), rater, preference)

    def remove(self, ids: set[str]) -> None:
        """Removes ideas with all their ratings and comparisons."""
        for each in ids:
            del self.subjects[each], self.by_criterion[each]
        self.pairs = {ends: ratings for ends, ratings in self.pairs.items() if not ids & set(ends)}

    @property
    def scale(self) -> RatingScale:
        """The scale of all ratings, or 0 to 1 where there were several."""
        return next(iter(self.scales)) if len(self.scales) == 1 else RatingScale(0, 1)

    @property
    def overall(self) -> Floats:
        """One rating an idea, shape (n,): the mean of its overall ratings, else of the means of its criteria."""
        return np.array([_overall(criteria) for criteria in self.by_criterion.values()])

    @property
    def criteria(self) -> dict[str, Floats]:
        """Mean ratings by criterion, each of shape (n,), NaN where nobody rated; without the overall rating."""
        named = self.by_criterion.values()
        names = dict.fromkeys(name for criteria in named for name in criteria if name not in {OVERALL, COMPARED})
        return {name: np.array([_mean(criteria.get(name, {})) for criteria in named]) for name in names}

    def preference_pairs(self) -> list[HumanPreference]:
        """Comparisons by the rows of their ideas, with the mean preference rounded to a whole one."""
        row = {each: place for place, each in enumerate(self.subjects)}
        return [
            HumanPreference(row[first], row[second], math.floor(_mean(ratings) + 0.5))
            for (first, second), ratings in self.pairs.items()
        ]


def read_ratings(files: Sequence[Path], scale: RatingScale) -> IdeaRatings:
    """The ratings in JSONL and CSV files. `scale`: of ratings whose row names none.

    Rows that cannot be used are reported in `left_out`. Raises BadInput where the files have no usable row, too many
    rows (`MAX_ROWS`), or ratings that are obviously on another scale.
    """
    ratings = IdeaRatings()
    numbered = ((file, number, row) for file in files for number, row in read_rows(file))
    for rows, (file, number, row) in enumerate(numbered):
        if rows == MAX_ROWS:
            raise BadInput(f"There are more than {MAX_ROWS:,} rows up to {file}: keep fewer.")
        try:
            _add_row(row, scale, ratings)
        except ValueError as error:  # of pydantic, too
            ratings.left_out.append(f"{file.name}, row {number}: {first_error(error)}")
    _check_scale(ratings, scale)
    if not ratings.subjects:
        first = f" {ratings.left_out[0]}." if ratings.left_out else ""
        named = " and ".join(str(file) for file in files[:3])
        raise BadInput(f"{named} {'holds' if len(files) == 1 else 'hold'} no ratings.{first} {_COLUMNS_NEEDED}")
    return ratings


def _check_scale(ratings: IdeaRatings, scale: RatingScale) -> None:
    """Ratings from 1 to 10 read as from 1 to 5 would leave out the better half of the ideas and learn from the rest."""
    beyond = ratings.out_of_range
    if len(beyond) > max(1, _MAX_OUT_OF_RANGE * (ratings.ratings + len(beyond))):
        raise BadInput(
            f"{len(beyond):,} ratings are not from {scale.low:g} to {scale.high:g} (they go from {min(beyond):g} to "
            f"{max(beyond):g}): name their scale, such as --scale 1-10, or give each row its low and high."
        )


def _add_row(row: Row | str, scale: RatingScale, ratings: IdeaRatings) -> None:
    """Raises ValueError for a row that cannot be used."""
    if isinstance(row, str):
        raise ValueError(row)
    row = {str(name).strip().lower(): value for name, value in row.items()}
    named = " ".join(text_of(row, "rater", "judge", "annotator").split())
    rater = named or f"\n{ratings.ratings}"  # no rater has such a name
    is_pair = text_of(row, "preference") or (text_of(row, "a") and text_of(row, "b"))
    is_new = (_add_pair if is_pair else _add_rating)(row, scale, ratings, rater)
    ratings.repeated += not is_new
    ratings.ratings += 1
    ratings.raters |= {named} if named else set()


def _add_rating(row: Row, scale: RatingScale, ratings: IdeaRatings, rater: str) -> bool:
    subject = subject_of_row(row)
    if subject is None:
        raise ValueError("it has neither a title nor a text")
    value = _number(row, "rating", "score")
    own = _own_scale(row)
    if own is None and not scale.low <= value <= scale.high:
        ratings.out_of_range.append(value)
    own = own or scale
    is_new = ratings.add(subject, text_of(row, "criterion").lower() or OVERALL, own.share(value), rater)
    ratings.scales.add(own)
    return is_new


def _add_pair(row: Row, scale: RatingScale, ratings: IdeaRatings, rater: str) -> bool:
    """The points of the two ideas: 1 for a strong preference, one half for none, 0 for the other idea."""
    preference = _number(row, "preference")
    if preference not in {1, 2, 3, 4, 5}:
        raise ValueError(f"the preference {preference:g} is none of 1, 2, 3, 4 and 5")
    first, second = _compared_subject(row, "a"), _compared_subject(row, "b")
    if first.id == second.id:
        raise ValueError("a and b are the same idea")
    points = (5 - preference) / 4
    ratings.add(first, COMPARED, points, f"{rater}\n{second.id}")
    ratings.add(second, COMPARED, 1 - points, f"{rater}\n{first.id}")
    return ratings.add_pair(first.id, second.id, int(preference), rater)


def _compared_subject(row: Row, column: str) -> Subject:
    """An idea as an object or as text. Raises ValueError where it is empty."""
    value = row.get(column)
    topic = text_of(row, "topic")
    subject = (
        subject_of_row(value, topic) if isinstance(value, Mapping) else subject_of_text(text_of(row, column), topic)
    )
    if subject is None:
        raise ValueError(f"{column} says nothing")
    return subject


def _own_scale(row: Row) -> RatingScale | None:
    """The scale that the row names. Raises ValueError for one that cannot be read."""
    if text := text_of(row, "scale"):
        return RatingScale.parse(text)
    if not (text_of(row, "low") and text_of(row, "high")):
        return None
    low, high = _number(row, "low"), _number(row, "high")
    if not low < high:
        raise ValueError(f"low ({low:g}) is not below high ({high:g})")
    return RatingScale(low, high)


def _number(row: Row, *columns: str) -> float:
    text = text_of(row, *columns)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{columns[0]} is {f'{text[:40]!r}, no number' if text else 'missing'}")
    return value


def _add(ratings: RatingsByRater, rater: str, value: float) -> bool:
    is_new = rater not in ratings
    ratings.setdefault(rater, []).append(value)
    return is_new


def _overall(criteria: Mapping[str, RatingsByRater]) -> float:
    return _mean(criteria[OVERALL]) if OVERALL in criteria else fmean(_mean(each) for each in criteria.values())


def _mean(ratings: RatingsByRater) -> float:
    return fmean(fmean(values) for values in ratings.values()) if ratings else math.nan
