"""Which scale a rating is on: the venue's where its form is known, else what the ratings seen there allow."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

import orjson

from novum.core.peer_review import PeerRating, ScaleFrom
from novum.training.reviews.ratings import parse_rating

FEWEST_SEEN = 10
"""Ratings of a venue and year from which a scale may be guessed."""
_GUESSED = (5, 6, 10)
"""Best ratings of forms; the first that holds nearly all that was seen counts."""
_MISTYPED = 0.01
"""Share of ratings that may lie outside: a single `11` does not make it a scale of 100."""
_HUNDREDS = 0.2
"""Share above 10 from which it is a scale of 100."""
_MOST_VALUES = 1000

VenueYear = tuple[str, int | None]


@dataclass(frozen=True)
class Scale:
    """The ends of a scale, and the numbers that stand for ratings in words."""

    low: float
    high: float
    told_by: ScaleFrom
    words: Mapping[str, float] = field(default_factory=dict)

    def scaled(self, value: float) -> float | None:
        """0 at the low end, 1 at the high one; None outside."""
        return (value - self.low) / (self.high - self.low) if self.low <= value <= self.high else None


@functools.cache
def known_scales() -> Mapping[VenueYear, Scale]:
    """By venue in lower case and year, of the forms in `scales.json`."""
    table = orjson.loads(resources.files(__package__).joinpath("scales.json").read_bytes())
    return {
        (each["venue"].lower(), year): Scale(each["low"], each["high"], "venue", each.get("words", {}))
        for each in table["scales"]
        for year in range(each["years"][0], each["years"][1] + 1)
    }


class ObservedScales:
    """The ratings seen of every venue and year."""

    def __init__(self) -> None:
        self._seen: dict[VenueYear, Counter[float]] = {}

    def see(self, venue: str, year: int | None, raw: str) -> None:
        """Counts one rating, if it has a number and does not tell its scale itself."""
        read = parse_rating(raw)
        if read.value is None or read.of is not None:
            return
        seen = self._seen.setdefault((venue.lower(), year), Counter())
        if len(seen) < _MOST_VALUES or read.value in seen:
            seen[read.value] += 1

    def scale(self, venue: str, year: int | None) -> Scale | None:
        """The known one, else the one guessed; None where too little was seen."""
        place = (venue.lower(), year)
        return known_scales().get(place) or _guessed(self._seen.get(place, Counter()))


def _guessed(seen: Counter[float]) -> Scale | None:
    total = seen.total()
    if total < FEWEST_SEEN:
        return None

    def share(low: float, high: float) -> float:
        return sum(number for value, number in seen.items() if low <= value <= high) / total

    low = 0 if share(0, 0.99) > _MISTYPED else 1
    fitting = next((high for high in _GUESSED if share(high + 1e-9, 1000) <= _MISTYPED), 100)
    if fitting == 100 and share(10 + 1e-9, 100) < _HUNDREDS:
        fitting = 10
    return Scale(low, fitting, "observed") if share(low, fitting) > 1 - _HUNDREDS else None


def to_unit_scale(raw: str, scale: Scale | None) -> PeerRating | None:
    """A rating with everything that is known of it; None where nothing was told."""
    read = parse_rating(raw)
    named = scale.words.get(raw.strip().lower()) if scale else None
    if named is not None and scale:
        return _rated(raw, named, scale)
    if read.told == "nothing":
        return None
    if read.told == "words":
        return PeerRating(raw=raw, scaled=read.scaled, scale_from="words")
    if read.value is None:
        return PeerRating(raw=raw)
    if read.of:
        return _rated(raw, read.value, Scale(1 if read.value >= 1 else 0, read.of, "form") if read.of > 1 else None)
    return _rated(raw, read.value, scale)


def _rated(raw: str, value: float, scale: Scale | None) -> PeerRating:
    if scale is None:
        return PeerRating(raw=raw, value=value)
    return PeerRating(
        raw=raw, value=value, low=scale.low, high=scale.high, scaled=scale.scaled(value), scale_from=scale.told_by
    )
