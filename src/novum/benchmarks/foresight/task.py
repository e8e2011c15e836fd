"""The task of a foresight study: methods, topics, cut-offs, and the number of years after them.

It is stored in the parameters of the run and read back when the run is resumed.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Self

from pydantic import Field, JsonValue, model_validator

from novum.benchmarks.foresight.records import EARLIER, TOPIC, Cutoff, FutureYear
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
from novum.core.record import Value
from novum.errors import BadInput
from novum.ledger.run import STEP_SEPARATOR
from novum.methods import MethodOptions, get_method
from novum.methods.real_paper import NAME as REAL_PAPER

PLAIN = Entrant(name="plain prompt", method="plain")
"""The baseline method that reads nothing."""


class ForesightTask(Value):
    """What to compare with which papers. Raises ValueError when something is missing, duplicated or inconsistent."""

    cutoffs: tuple[Cutoff, ...]
    horizon: int = Field(3, ge=1, le=30)
    topics: tuple[ArenaTopic, ...]
    drawn: bool = False
    methods: tuple[Entrant, ...] = ()
    plain: str = ""
    writers: dict[str, str] = {}
    """By label of a cut-off: the model that writes its ideas, `provider:model`, in place of the writer of the run."""
    given: tuple[ArenaEntry, ...] = ()
    """Existing ideas; several by one author on one topic all count."""
    beware: tuple[str, ...] = ()
    """Remarks on the given ideas for the report, in sentences."""
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
                raise ValueError(f"two {what}s are called {twice!r}: leave one out, or give it another name (name=…)")
        if stray := next((label for label in self.writers if label not in named["cut-off"]), ""):
            raise ValueError(f"a model is named for {stray!r}, which is no cut-off of this study")
        if not self.methods and not self.given:
            raise ValueError("there is no method and no idea")
        authors = {each.entrant for each in self.given}
        for name in (*named["method"], *authors):
            if name in {EARLIER, TOPIC} or not name.strip() or not name.isprintable() or STEP_SEPARATOR in name:
                raise ValueError(f"{name!r} cannot be a name here: choose another one")
        if both := authors & set(named["method"]):
            raise ValueError(f"{min(both)!r} is the name of a method and of an author in a file: rename one of them")
        if self.neighbours > self.pool:
            raise ValueError(f"{self.neighbours} nearest neighbours are more than the {self.pool} papers of a year")
        return self

    @property
    def authors(self) -> tuple[str, ...]:
        """The names of all that have ideas: methods, then the authors of given ideas."""
        return tuple(each.name for each in self.participants)

    @property
    def participants(self) -> tuple[Entrant, ...]:
        """The same as records; those without a method have given ideas."""
        return (*self.methods, *(Entrant(name=name) for name in dict.fromkeys(each.entrant for each in self.given)))


def cutoff_of(text: str) -> Cutoff:
    """A cut-off from text: the last year that is read (`2019`), or the first day that is not. Raises BadInput."""
    text = text.strip()
    try:
        if len(text) == 4 and text.isdecimal():
            return Cutoff(label=text, day=dt.date(int(text) + 1, 1, 1))
        return Cutoff(label=text, day=dt.date.fromisoformat(text))
    except ValueError as error:
        raise BadInput(f"{text!r} is neither a year nor a date: write 2019, or 2020-01-01.") from error


def years_after(cutoff: Cutoff, horizon: int) -> list[FutureYear]:
    """The years after a cut-off, the first one beginning on its day; their papers are not counted yet."""
    edges = [_years_on(cutoff.day, number) for number in range(horizon + 1)]
    return [
        FutureYear(cutoff=cutoff.label, year=number, since=since, before=before, papers=0, used=False)
        for number, (since, before) in enumerate(pairwise(edges), 1)
    ]


def future_span(cutoffs: Sequence[Cutoff], horizon: int) -> tuple[dt.date, dt.date]:
    """The first day of the earliest future, and the first day after the latest."""
    days = [each.day for each in cutoffs]
    return min(days), _years_on(max(days), horizon)


def options_for(entrant: Entrant, cutoff: Cutoff) -> MethodOptions:
    """The options of a method under one cut-off: it sees only papers that were certainly public before the day.

    Experiments are not generated, since they are not compared. Raises BadInput for a wrong option, with its name, and
    for the method that returns papers of the future as ideas.
    """
    if entrant.method == REAL_PAPER:
        raise BadInput(
            f"{entrant.name} returns papers from after the cut-off, which would be compared with themselves: leave "
            "it out. Earlier papers are a baseline in any case."
        )
    method = get_method(entrant.method)
    options: dict[str, JsonValue] = dict(entrant.options) | {"before": cutoff.day.isoformat()}
    if "experiment" in method.options.model_fields:
        options.setdefault("experiment", False)
    return method.options_from(options)


def _years_on(day: dt.date, years: int) -> dt.date:
    """The same day a number of years later; 28 February for 29 February."""
    try:
        return day.replace(year=min(day.year + years, dt.MAXYEAR))
    except ValueError:
        return day.replace(year=day.year + years, day=28)
