"""Determine the scale of a rating: that of the venue's form if it is known, else from the observed ratings."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

import orjson

from novum.core.peer_review import PeerRating, ScaleFrom
from novum.training.reviews.ratings import parse_rating

FEWEST_RATINGS = 10
"""Least number of ratings of a venue and year for an inferred scale."""
_FORM_MAXIMA = (5, 6, 10)
"""Largest ratings of common forms; the first that covers nearly all observed ratings counts."""
_MISTYPED = 0.01
"""Share of ratings that may lie outside, so that a single `11` does not imply a scale to 100."""
_HUNDREDS = 0.2
"""Share of ratings above 10 from which the scale is up to 100."""
_MOST_VALUES = 1000

VenueYear = tuple[str, int | None]


@dataclass(frozen=True)
class Scale:
    """Both ends of a scale, its source, and the numbers of ratings in words."""

    low: float
    high: float
    source: ScaleFrom
    words: Mapping[str, float] = field(default_factory=dict)

    def scaled(self, value: float) -> float | None:
        """Map a value to 0 at the low end and 1 at the high end; None outside of the scale."""
        return (value - self.low) / (self.high - self.low) if self.low <= value <= self.high else None


@functools.cache
def known_scales() -> Mapping[VenueYear, Scale]:
    """Known scales by lower-case venue and year, from `scales.json`."""
    table = orjson.loads(resources.files(__package__).joinpath("scales.json").read_bytes())
    return {
        (each["venue"].lower(), year): Scale(each["low"], each["high"], "venue", each.get("words", {}))
        for each in table["scales"]
        for year in range(each["years"][0], each["years"][1] + 1)
    }


class ObservedScales:
    """Counts of the ratings of every venue and year."""

    def __init__(self) -> None:
        self._counts: dict[VenueYear, Counter[float]] = {}

    def see(self, venue: str, year: int | None, raw: str) -> None:
        """Count one rating if it is a number without its own scale."""
        read = parse_rating(raw)
        if read.value is None or read.of is not None:
            return
        counts = self._counts.setdefault((venue.lower(), year), Counter())
        if len(counts) < _MOST_VALUES or read.value in counts:
            counts[read.value] += 1

    def scale(self, venue: str, year: int | None) -> Scale | None:
        """The known scale, else the inferred one; None if there are too few ratings."""
        place = (venue.lower(), year)
        return known_scales().get(place) or _inferred(self._counts.get(place, Counter()))


def _inferred(counts: Counter[float]) -> Scale | None:
    total = counts.total()
    if total < FEWEST_RATINGS:
        return None

    def share(low: float, high: float) -> float:
        return sum(number for value, number in counts.items() if low <= value <= high) / total

    low = 0 if share(0, 0.99) > _MISTYPED else 1
    fitting = next((high for high in _FORM_MAXIMA if share(high + 1e-9, 1000) <= _MISTYPED), 100)
    if fitting == 100 and share(10 + 1e-9, 100) < _HUNDREDS:
        fitting = 10
    return Scale(low, fitting, "observed") if share(low, fitting) > 1 - _HUNDREDS else None


def to_unit_scale(raw: str, scale: Scale | None) -> PeerRating | None:
    """Convert a rating to the scale from 0 to 1; None if no rating was given."""
    read = parse_rating(raw)
    named = scale.words.get(raw.strip().lower()) if scale else None
    if named is not None and scale:
        return _on_scale(raw, named, scale)
    if read.form == "nothing":
        return None
    if read.form == "words":
        return PeerRating(raw=raw, scaled=read.scaled, scale_from="words")
    if read.value is None:
        return PeerRating(raw=raw)
    if read.of:
        return _on_scale(raw, read.value, Scale(1 if read.value >= 1 else 0, read.of, "form") if read.of > 1 else None)
    return _on_scale(raw, read.value, scale)


def _on_scale(raw: str, value: float, scale: Scale | None) -> PeerRating:
    if scale is None:
        return PeerRating(raw=raw, value=value)
    return PeerRating(
        raw=raw, value=value, low=scale.low, high=scale.high, scaled=scale.scaled(value), scale_from=scale.source
    )
