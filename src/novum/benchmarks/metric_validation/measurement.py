"""Cases turned into columns: what each metric and each baseline says of them, beside what became of them.

Only numbers are kept of a case, so that a hundred thousand of them fit; texts go through in batches. A case that is met
again, in another file, is scored once and gets its further outcomes.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.metric_validation.baselines import BASELINES
from novum.benchmarks.metric_validation.records import Case
from novum.core import Scorecard, Subject

AT_ONCE = 512
COMPOSITES = ("creativity_published", "creativity_corrected", "satisfaction", "combined")
Known = Callable[[Subject], bool]
_MOST_UNSETTLED = 50
"""Different words of decisions that are counted one by one."""
_LEFT_OUT = -1


class Scorer(Protocol):
    """A fitted model, as far as it is needed here."""

    async def score(self, subjects: Sequence[Subject], *, explain: bool = True) -> list[Scorecard]:
        """A card for each subject, in their order."""
        ...


@dataclass(frozen=True)
class Measured:
    """`n` cases; the columns of `values`, shape (n, m), are `metrics` and then `baselines`, NaN where missing."""

    metrics: tuple[str, ...]
    baselines: tuple[str, ...]
    values: NDArray[np.float64]
    outcomes: dict[str, NDArray[np.float64]]
    """By name, shape (n,); NaN where not told."""
    groups: NDArray[np.str_]
    strata: NDArray[np.str_]
    """Groups, parted by what is known of a case: one with keywords or authors is scored by more than one without, and
    where files differ in that, the difference must not pass for skill."""
    years: NDArray[np.float64]
    learnt_from: int
    """Papers that the model was fitted on; unless asked for, they are no cases."""
    repeated: int
    """Records of cases that had been met before."""
    unsettled: dict[str, int]
    """Decisions that are neither acceptance nor rejection, in their own words."""

    def __len__(self) -> int:
        return len(self.groups)


@dataclass
class _Rows:
    """What is known so far, a row a case."""

    at: dict[str, int] = field(default_factory=dict)
    told: list[dict[str, float]] = field(default_factory=list)
    values: list[dict[str, float]] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    strata: list[str] = field(default_factory=list)
    years: list[float] = field(default_factory=list)
    learnt_from: int = 0
    repeated: int = 0
    unsettled: Counter[str] = field(default_factory=Counter)

    def new(self, cases: Sequence[Case], known: Known, *, with_known: bool) -> list[Case]:
        """Those that have not been met; the outcomes of the others are added, and do not change what was told."""
        found = []
        for case in cases:
            if (row := self.at.get(case.id)) is None:
                seen = known(case.subject)
                self.learnt_from += seen
                if with_known or not seen:
                    self._begin(case)
                    found.append(case)
                else:
                    self.at[case.id] = _LEFT_OUT
            else:
                self.repeated += 1
                if row != _LEFT_OUT:
                    self.told[row] = case.outcomes | self.told[row]
        return found

    def _begin(self, case: Case) -> None:
        self.at[case.id] = len(self.told)
        self.told.append(case.outcomes)
        self.groups.append(case.group)
        self.years.append(math.nan if case.subject.year is None else case.subject.year)
        if case.unsettled and (case.unsettled in self.unsettled or len(self.unsettled) < _MOST_UNSETTLED):
            self.unsettled[case.unsettled] += 1


async def measure(
    cases: Iterable[Case],
    model: Scorer,
    *,
    better: Mapping[str, int],
    known: Known = lambda subject: False,
    with_known: bool = False,
    filled: Callable[[Sequence[Subject]], Sequence[Subject]] = lambda subjects: subjects,
    told: Callable[[int], None] = lambda done: None,
) -> Measured:
    """Every case scored once.

    `better`: -1 for metrics of which a lower number is meant to be better; they are turned round. `known`: whether the
    model learnt from this paper, which is then counted, and left out unless `with_known`. `filled`: subjects with what
    else is known of them. `told` hears how many are done.
    """
    rows = _Rows()
    for batch in _batches(cases):
        subjects = filled([case.subject for case in rows.new(batch, known, with_known=with_known)])
        for card in await model.score(subjects, explain=False) if subjects else ():
            rows.values.append(_numbers(card, better))
            rows.strata.append(f"{rows.groups[len(rows.strata)]} {_known_of(card.subject)}")
        told(len(rows.values))
        await asyncio.sleep(0)  # Ctrl-C is heard between batches
    return _columns(rows)


def _batches(cases: Iterable[Case]) -> Iterator[list[Case]]:
    remaining = iter(cases)
    while batch := list(islice(remaining, AT_ONCE)):
        yield batch


def _known_of(subject: Subject) -> str:
    """A sign for each thing that scoring may rest on, `-` where it is missing."""
    given = (subject.text.strip(), subject.interests, subject.authors, subject.fields, subject.references)
    return "".join("+" if each else "-" for each in given)


def _numbers(card: Scorecard, better: Mapping[str, int]) -> dict[str, float]:
    names = [name for name in (*card.parts, *COMPOSITES) if name not in BASELINES]
    raw = {name: card.of(name) for name in names}
    found = {name: math.nan if value is None else better.get(name, 1) * value for name, value in raw.items()}
    return found | {name: baseline(card.subject) for name, baseline in BASELINES.items()}


def _columns(rows: _Rows) -> Measured:
    metrics = tuple(name for name in (rows.values[0] if rows.values else ()) if name not in BASELINES)
    names = (*metrics, *BASELINES)
    outcomes = dict.fromkeys(name for told in rows.told for name in told)
    return Measured(
        metrics=metrics,
        baselines=tuple(BASELINES),
        values=np.array([[row[name] for name in names] for row in rows.values], float).reshape(-1, len(names)),
        outcomes={name: np.array([told.get(name, math.nan) for told in rows.told]) for name in outcomes},
        groups=np.array(rows.groups, dtype=str),
        strata=np.array(rows.strata, dtype=str),
        years=np.array(rows.years, float),
        learnt_from=rows.learnt_from,
        repeated=rows.repeated,
        unsettled=dict(rows.unsettled),
    )
