"""What is to be found out: which methods, on which topics, with literature up to where, and how much of the future.

It is all that a run's parameters hold beside its settings, and is read back from them when the run is taken up again.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Self

from pydantic import Field, JsonValue, model_validator

from novum.benchmarks.foresight.records import EARLIER, TOPIC, Cutoff, FutureYear
from novum.core.comparison import ArenaTopic, Entrant, Entry
from novum.core.record import Value
from novum.errors import BadInput
from novum.ledger.run import STEP_SEPARATOR
from novum.methods import MethodOptions, get_method
from novum.methods.real_paper import NAME as REAL_PAPER

PLAIN = Entrant(name="plain prompt", method="plain")
"""The baseline that reads nothing."""


class ForesightTask(Value):
    """Raises ValueError when something is missing, is there twice, or belongs to nothing."""

    cutoffs: tuple[Cutoff, ...]
    horizon: int = Field(3, ge=1, le=30)
    topics: tuple[ArenaTopic, ...]
    drawn: bool = False
    methods: tuple[Entrant, ...] = ()
    plain: str = ""
    given: tuple[Entry, ...] = ()
    """Ideas that were made before; several by one maker on one topic all count."""
    beware: tuple[str, ...] = ()
    """What is known of the given ideas that a reader has to know, in sentences."""
    neighbours: int = Field(5, ge=1, le=1000)
    pool: int = Field(50, ge=1, le=5000)
    earlier: int = Field(10, ge=1, le=1000)
    false_positives: float = Field(0.01, gt=0, lt=0.5)

    @model_validator(mode="after")
    def _usable(self) -> Self:
        named = {
            "cut-off": [each.label for each in self.cutoffs],
            "topic": [each.topic for each in self.topics],
            "method": [each.name for each in self.methods],
        }
        for what, names in named.items():
            if not names and what != "method":
                raise ValueError(f"no {what} is named")
            if twice := next((name for name, number in Counter(names).items() if number > 1), ""):
                raise ValueError(f"two {what}s are called {twice!r}: leave one out, or name it otherwise (name=…)")
        if not self.methods and not self.given:
            raise ValueError("there is neither a method nor an idea")
        makers = {each.entrant for each in self.given}
        for name in (*named["method"], *makers):
            if name in {EARLIER, TOPIC} or not name.strip() or not name.isprintable() or STEP_SEPARATOR in name:
                raise ValueError(f"nobody can be called {name!r} here: choose another name")
        if both := makers & set(named["method"]):
            raise ValueError(f"{min(both)!r} is a method and has ideas in a file too: name one of them otherwise")
        if self.neighbours > self.pool:
            raise ValueError(f"of {self.pool} papers there are no {self.neighbours} nearest")
        return self

    @property
    def makers(self) -> tuple[str, ...]:
        """Whoever has ideas: methods, then the makers of ideas that were given."""
        return tuple(each.name for each in self.takers)

    @property
    def takers(self) -> tuple[Entrant, ...]:
        """The same as records; those without a method have had their ideas before."""
        return (*self.methods, *(Entrant(name=name) for name in dict.fromkeys(each.entrant for each in self.given)))


def cutoff_of(text: str) -> Cutoff:
    """`2019`: all that was published up to the end of 2019 is read. A day: all before it. Raises BadInput."""
    text = text.strip()
    try:
        if len(text) == 4 and text.isdecimal():
            return Cutoff(label=text, day=dt.date(int(text) + 1, 1, 1))
        return Cutoff(label=text, day=dt.date.fromisoformat(text))
    except ValueError as error:
        raise BadInput(f"{text!r} is neither a year nor a day: write 2019, or 2020-01-01.") from error


def years_after(cutoff: Cutoff, horizon: int) -> list[FutureYear]:
    """The years after a cut-off, the first one beginning on its day; nothing is in them yet."""
    edges = [_years_on(cutoff.day, number) for number in range(horizon + 1)]
    return [
        FutureYear(cutoff=cutoff.label, year=number, since=since, before=before, papers=0, used=False)
        for number, (since, before) in enumerate(pairwise(edges), 1)
    ]


def span_of(cutoffs: Sequence[Cutoff], horizon: int) -> tuple[dt.date, dt.date]:
    """The first day of any future, and the first day after all of them."""
    days = [each.day for each in cutoffs]
    return min(days), _years_on(max(days), horizon)


def options_for(entrant: Entrant, cutoff: Cutoff) -> MethodOptions:
    """The options of a method under one cut-off: it sees only what was certainly public before the day.

    Experiments are not compared, and not asked for. Raises BadInput naming the option at fault, and for the method that
    takes its ideas from the future.
    """
    if entrant.method == REAL_PAPER:
        raise BadInput(
            f"{entrant.name} hands in papers from after the day, which would be held against themselves: leave it out. "
            "Earlier papers stand beside the methods in any case."
        )
    method = get_method(entrant.method)
    options: dict[str, JsonValue] = dict(entrant.options) | {"before": cutoff.day.isoformat()}
    if "experiment" in method.options.model_fields:
        options.setdefault("experiment", False)
    return method.options_from(options)


def _years_on(day: dt.date, years: int) -> dt.date:
    """The same day so many years later; of 29 February the 28th."""
    try:
        return day.replace(year=min(day.year + years, dt.MAXYEAR))
    except ValueError:
        return day.replace(year=day.year + years, day=28)
