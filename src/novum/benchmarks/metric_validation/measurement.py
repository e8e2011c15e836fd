"""Cases with outcomes as columns: the scores of each metric and baseline beside the outcomes.

Only numbers are stored of a case, so that a hundred thousand fit into memory; texts are scored in batches. A case that
occurs again, in another file, is scored once and its outcomes are merged.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.metric_validation.records import ACCEPTED, MIXED_FROM, OutcomeCase
from novum.core import Paper, PartScore, Scorecard, Subject
from novum.core.arrays import Bools, Floats
from novum.core.scorecard import RATING
from novum.idea_metrics.novelty import NoveltyMeter
from novum.idea_metrics.readability import count_text
from novum.literature import Library
from novum.statistics.weighted import has_both

BATCH_SIZE = 512
COMPOSITES = ("creativity_published", "creativity_corrected", "satisfaction", "combined")
NOVELTY = ("historical", "contemporary", "overall")
LENGTH, READABILITY, TITLE_LENGTH = "length", "readability", "title length"
IsKnown = Callable[[Subject], bool]
_MAX_UNSETTLED = 50
"""Different wordings of decisions that are counted separately."""
_LEFT_OUT = -1


def _length(subject: Subject) -> float:
    """Words of the text; NaN where there is none."""
    return float(len(subject.text.split())) or math.nan


def _readability(subject: Subject) -> float:
    """Flesch reading ease of the text, higher is easier; NaN where there is no text."""
    counts = count_text(subject.text)
    return math.nan if counts is None else counts.ease


def _title_length(subject: Subject) -> float:
    """Words of the title."""
    return float(len(subject.title.split())) or math.nan


BASELINES = {LENGTH: _length, READABILITY: _readability, TITLE_LENGTH: _title_length}
"""Numbers that need no fitting, by name. A model's metric `readability` is the same number and counts as a baseline."""


class CaseScorer(Protocol):
    """A fitted model, as far as it is needed here."""

    async def score(self, subjects: Sequence[Subject], *, explain: bool = True) -> list[Scorecard]:
        """A card for each subject, in their order."""
        ...


@dataclass(frozen=True)
class MeasuredCases:
    """`n` cases. The columns of `values`, shape (n, m), are `metrics` and then `baselines`, NaN where missing."""

    metrics: tuple[str, ...]
    baselines: tuple[str, ...]
    values: Floats
    outcomes: dict[str, Floats]
    """By name, shape (n,); NaN where not known."""
    groups: NDArray[np.str_]
    strata: NDArray[np.str_]
    """Groups, divided further by which metadata of a case are known: metrics use keywords and authors where they exist,
    and where files differ in them, the difference must not count as skill."""
    years: Floats
    learnt_from: int
    """Papers that the model was fitted to; they are left out unless wanted."""
    repeated: int
    """Records of cases that an earlier record had."""
    unsettled: dict[str, int]
    """Decisions that are neither acceptance nor rejection, by their wording."""
    ratings: tuple[tuple[float, ...], ...] = ()
    """Of each case, the overall rating of each reviewer."""

    def mixed(self) -> Bools:
        """Whether at least a tenth of the decided cases of the group were accepted, and a tenth rejected."""
        accepted = self.outcomes.get(ACCEPTED, np.full(len(self), np.nan))
        return has_both(accepted, self.groups, MIXED_FROM)

    def __len__(self) -> int:
        return len(self.groups)


@dataclass
class _Rows:
    """The cases so far, a row each."""

    row_of: dict[str, int] = field(default_factory=dict)
    outcomes: list[dict[str, float]] = field(default_factory=list)
    values: list[dict[str, float]] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    strata: list[str] = field(default_factory=list)
    years: list[float] = field(default_factory=list)
    learnt_from: int = 0
    repeated: int = 0
    unsettled: Counter[str] = field(default_factory=Counter)
    ratings: list[tuple[float, ...]] = field(default_factory=list)

    def add(self, cases: Sequence[OutcomeCase], is_known: IsKnown, *, with_known: bool) -> list[OutcomeCase]:
        """Adds cases and returns the new ones among them. Of repeated ones only further outcomes are added."""
        new = []
        for case in cases:
            row = self.row_of.get(case.id)
            if row is not None:
                self.repeated += 1
                if row != _LEFT_OUT:
                    self.outcomes[row] = case.outcomes | self.outcomes[row]
                continue
            known = is_known(case.subject)
            self.learnt_from += known
            if with_known or not known:
                self._append(case)
                new.append(case)
            else:
                self.row_of[case.id] = _LEFT_OUT
        return new

    def _append(self, case: OutcomeCase) -> None:
        self.row_of[case.id] = len(self.outcomes)
        self.outcomes.append(case.outcomes)
        self.groups.append(case.group)
        self.ratings.append(case.ratings)
        self.years.append(math.nan if case.subject.year is None else case.subject.year)
        if case.unsettled and (case.unsettled in self.unsettled or len(self.unsettled) < _MAX_UNSETTLED):
            self.unsettled[case.unsettled] += 1


async def measure(
    cases: Iterable[OutcomeCase],
    scorer: CaseScorer,
    *,
    direction: Mapping[str, int],
    rated_groups: Collection[str] = (),
    is_known: IsKnown = lambda subject: False,
    with_known: bool = False,
    fill: Callable[[Sequence[Subject]], Sequence[Subject]] = lambda subjects: subjects,
    progress: Callable[[int], None] = lambda done: None,
) -> MeasuredCases:
    """Scores every case once.

    `direction`: -1 for metrics of which less is meant to be better; they are negated. `rated_groups`: those that the
    rating model was fitted to, whose predicted rating counts as missing. `is_known`: whether the model was
    fitted to a paper; such papers are counted, and left out unless `with_known`. `fill` adds missing metadata.
    `progress` is called with the number of scored cases.
    """
    rows = _Rows()
    for batch in _batches(cases):
        subjects = fill([case.subject for case in rows.add(batch, is_known, with_known=with_known)])
        for card in await scorer.score(subjects, explain=False) if subjects else ():
            group = rows.groups[len(rows.strata)]
            rows.values.append(
                _numbers(card, direction) | ({RATING: math.nan} if group in rated_groups and card.rating else {})
            )
            rows.strata.append(f"{group} {_known_metadata(card.subject)}")
        progress(len(rows.values))
        await asyncio.sleep(0)  # so that Ctrl-C is noticed between batches
    return _columns(rows)


def _batches(cases: Iterable[OutcomeCase]) -> Iterator[list[OutcomeCase]]:
    remaining = iter(cases)
    while batch := list(islice(remaining, BATCH_SIZE)):
        yield batch


def _known_metadata(subject: Subject) -> str:
    """A sign for each kind of metadata that scores use, `-` where it is missing."""
    kinds = (subject.text.strip(), subject.interests, subject.authors, subject.fields, subject.references)
    return "".join("+" if each else "-" for each in kinds)


def _numbers(card: Scorecard, direction: Mapping[str, int]) -> dict[str, float]:
    rating = (RATING,) if card.rating else ()
    raw = {name: card.of(name) for name in (*rating, *card.parts, *COMPOSITES) if name not in BASELINES}
    numbers = {name: math.nan if value is None else direction.get(name, 1) * value for name, value in raw.items()}
    return numbers | {name: baseline(card.subject) for name, baseline in BASELINES.items()}


def _columns(rows: _Rows) -> MeasuredCases:
    metrics = tuple(name for name in (rows.values[0] if rows.values else ()) if name not in BASELINES)
    names = (*metrics, *BASELINES)
    outcomes = dict.fromkeys(name for row in rows.outcomes for name in row)
    return MeasuredCases(
        metrics=metrics,
        baselines=tuple(BASELINES),
        values=np.array([[row[name] for name in names] for row in rows.values], float).reshape(-1, len(names)),
        outcomes={name: np.array([row.get(name, math.nan) for row in rows.outcomes]) for name in outcomes},
        groups=np.array(rows.groups, dtype=str),
        strata=np.array(rows.strata, dtype=str),
        years=np.array(rows.years, float),
        learnt_from=rows.learnt_from,
        repeated=rows.repeated,
        unsettled=dict(rows.unsettled),
        ratings=tuple(rows.ratings),
    )


class NoveltyScorer:
    """A scorer that adds literature novelty to the scores of another: how far a paper is from the earlier papers of a
    library. Contemporary and overall novelty use later papers too, and could not have been computed on its day."""

    def __init__(self, scorer: CaseScorer, library: Library) -> None:
        self._scorer, self._meter = scorer, NoveltyMeter(library)

    async def score(self, subjects: Sequence[Subject], *, explain: bool = True) -> list[Scorecard]:
        """The cards with novelty. A paper is not compared with itself."""
        return [await self._with_novelty(card) for card in await self._scorer.score(subjects, explain=explain)]

    async def _with_novelty(self, card: Scorecard) -> Scorecard:
        own_id = Paper(title=card.subject.title, year=card.subject.year).id
        novelty = await self._meter.measure(card.subject, own_id)
        numbers = {f"novelty_{name}": getattr(novelty, name).value for name in NOVELTY}
        parts = {name: PartScore(name=name, raw=value, why="") for name, value in numbers.items()}
        return card.model_copy(update={"parts": {**card.parts, **parts}})
