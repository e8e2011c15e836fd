"""How well people agree with the judges of an arena, and judges with each other: the study as a record."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.report.judge_comparison import CriterionRatings, compare_judges, ratings_by
from novum.benchmarks.arena.report.records import JudgeComparison
from novum.benchmarks.arena.statistics.agreement import JudgePair
from novum.core.comparison import CRITERIA, ComparisonKind, JudgedPair
from novum.core.record import Value
from novum.statistics.win_rates import Grade, WinShare, expert_share

PEOPLE, JUDGES = "people together", "judges together"
_REVERSED: Mapping[Grade, Grade] = {
    "much better": "much worse", "better": "worse", "worse": "better", "much worse": "much better",
    "both bad": "both bad",
}  # fmt: skip


class GradedComparison(Value):
    """One answer of an expert about two entrants, in five grades: the first compared with the second."""

    topic: str
    first: str
    second: str
    criterion: str
    grade: Grade


class ExpertWinRate(Value):
    """One entrant against all others on one criterion, by experts' grades."""

    entrant: str
    criterion: str
    counts: dict[Grade, int]
    share: WinShare
    """Better or much better, among all that are not "both bad"."""


class EntrantRatings(Value):
    """One entrant by two judges, on one criterion."""

    entrant: str
    one: float
    other: float


class KindAgreement(Value):
    """Agreement on one kind of comparison."""

    kind: ComparisonKind
    with_people: tuple[JudgeComparison, ...]
    """People together with each judge and with the judges together, and single people with each judge."""
    among_people: tuple[JudgeComparison, ...]
    among_judges: tuple[JudgeComparison, ...]
    ratings: dict[str, tuple[EntrantRatings, ...]]
    """By criterion: of the two that `rated_by` names."""
    rated_by: tuple[str, str] | None

    @property
    def all(self) -> tuple[JudgeComparison, ...]:
        return (*self.with_people, *self.among_people, *self.among_judges)


class ArenaAgreement(Value):
    """A whole study of agreement."""

    arena: str
    """Name of the run or file."""
    people: tuple[str, ...]
    judges: tuple[str, ...]
    kinds: tuple[KindAgreement, ...]
    grades: tuple[ExpertWinRate, ...]
    draws: int
    notes: tuple[str, ...] = ()
    """Rows that could not be used."""


def agreement_study(
    run: ArenaRun,
    people: Sequence[JudgedPair] = (),
    graded: Sequence[GradedComparison] = (),
    *,
    among_judges: bool = True,
    draws: int = 1000,
    notes: Sequence[str] = (),
) -> ArenaAgreement:
    """Compares judgements of people with those of the run's judges; without people, the judges with each other.

    Judgements on topics and entrants that the arena does not have are left out, with a note. A person with the name of
    a judge gets another name. `graded`: answers of experts in five grades.
    """
    known = list(_of_arena(run, people))
    renamed = {each.judge: f"{each.judge} (person)" for each in known if each.judge in run.judges}
    known = [each.model_copy(update={"judge": renamed.get(each.judge, each.judge)}) for each in known]
    names = tuple(dict.fromkeys(each.judge for each in known))
    judges = tuple(dict.fromkeys(each.judge for each in run.judged_pairs))
    all_notes = list(notes)
    if left := len(people) - len(known):
        all_notes.append(f"{left:,} of {len(people):,} judgements of people are on other topics or entrants.")
    kinds = [kind for kind in CRITERIA if any(each.kind == kind for each in (known or run.judged_pairs))]
    return ArenaAgreement(
        arena=run.name,
        people=names,
        judges=judges,
        kinds=tuple(_kind(run, kind, known, names, judges, among_judges, draws) for kind in kinds),
        grades=tuple(expert_win_rates(_of_arena(run, graded))),
        draws=draws,
        notes=tuple(all_notes),
    )


def expert_win_rates(graded: Iterable[GradedComparison]) -> Iterator[ExpertWinRate]:
    """Each entrant against all others, criterion by criterion, in order of appearance."""
    counts: dict[str, dict[str, Counter[Grade]]] = {}
    for each in graded:
        entrants = counts.setdefault(each.criterion, {})
        for entrant, grade in ((each.first, each.grade), (each.second, _REVERSED[each.grade])):
            entrants.setdefault(entrant, Counter())[grade] += 1
    for criterion, entrants in counts.items():
        for entrant, grades in entrants.items():
            every = {grade: grades[grade] for grade in _REVERSED}
            yield ExpertWinRate(entrant=entrant, criterion=criterion, counts=every, share=expert_share(every))


_Judgement = TypeVar("_Judgement", JudgedPair, GradedComparison)


def _of_arena(run: ArenaRun, people: Iterable[_Judgement]) -> Iterator[_Judgement]:
    """The judgements about the arena's topics, ignoring case, and about its entrants."""
    topics = {each.casefold(): each for each in run.topics}
    entrants = {each.name for each in run.entrants}
    for each in people:
        topic = topics.get(each.topic.casefold())
        if topic is not None and {each.first, each.second} <= entrants:
            yield each.model_copy(update={"topic": topic})


def _kind(
    run: ArenaRun,
    kind: ComparisonKind,
    people: Sequence[JudgedPair],
    names: Sequence[str],
    judges: Sequence[str],
    among_judges: bool,
    draws: int,
) -> KindAgreement:
    several = {PEOPLE: names, JUDGES: judges}
    together = {name: members for name, members in several.items() if len(members) > 1 and names}
    judged_pairs = [*people, *run.judged_pairs]
    comparisons = compare_judges(judged_pairs, kind, together=together, draws=draws, seed=run.seed)
    person_names, judge_names = {PEOPLE, *names}, {JUDGES, *judges}
    main = [PEOPLE] if PEOPLE in together else list(names)
    with_people = [
        _with_person_first(each, person_names)
        for each in comparisons
        if (each.first in person_names) != (each.second in person_names)
    ]
    rest = [each for each in comparisons if not {each.first, each.second} & set(together)]
    rated_by = (main[0], JUDGES if JUDGES in together else judges[0]) if main and judges else None
    return KindAgreement(
        kind=kind,
        with_people=tuple(sorted(with_people, key=lambda each: (each.first not in main, each.second != JUDGES))),
        among_people=tuple(each for each in rest if {each.first, each.second} <= person_names),
        among_judges=tuple(each for each in rest if {each.first, each.second} <= judge_names) if among_judges else (),
        ratings=_rated(run, kind, judged_pairs, [set(several.get(name, [name])) for name in rated_by])
        if rated_by
        else {},
        rated_by=rated_by,
    )


def _with_person_first(of: JudgeComparison, person_names: set[str]) -> JudgeComparison:
    """With the person first; all that is measured is the same either way."""
    if of.first in person_names:
        return of
    turned = {"first": of.second, "second": of.first}
    matches: JudgePair = of.matches.model_copy(update=turned)
    return of.model_copy(update={**turned, "matches": matches})


def _rated(
    run: ArenaRun, kind: ComparisonKind, judged_pairs: Iterable[JudgedPair], sides: Sequence[set[str]]
) -> dict[str, tuple[EntrantRatings, ...]]:
    """Each entrant by two sides, criterion by criterion."""
    players = [each.name for each in run.entrants]
    known = list(judged_pairs)
    one, other = (
        ratings_by([each for each in known if each.judge in side and each.kind == kind], kind, players)
        for side in sides
    )
    return {name: tuple(_points(one, other, name, players)) for name in one if name in other}


def _points(
    one: CriterionRatings, other: CriterionRatings, criterion: str, players: Sequence[str]
) -> Iterator[EntrantRatings]:
    for name, here, there in zip(players, one[criterion], other[criterion], strict=True):
        if math.isfinite(here) and math.isfinite(there):
            yield EntrantRatings(entrant=name, one=here, other=there)
