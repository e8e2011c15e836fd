"""What a study came to: agreement of the participants, scores of ideas and sources, and agreement with model judges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean

import numpy as np

from novum.core.record import Value
from novum.statistics.agreement import krippendorff_alpha, quadratic_kappa, reliability
from novum.statistics.correlation import spearman
from novum.statistics.records import Correlation, KrippendorffAlpha, Reliability
from novum.studies.forms import Question
from novum.studies.records import Answer, Comment, Participant, Study, StudyItem

_DRAWS = 1000


class Rating(Value):
    """One answer as a number about one item, seen from its first idea whatever was shown as A."""

    item: str
    participant: int
    criterion: str
    value: str
    """The answer as the form names it, seen from the first idea."""
    score: float | None


class SourceScore(Value):
    """The mean score of the ideas of one source on one criterion. Of pairs: the share of decided comparisons won."""

    source: str
    criterion: str
    mean: float | None
    answers: int


class CriterionResult(Value):
    """The agreement on one criterion."""

    criterion: str
    answers: int
    alpha: KrippendorffAlpha
    icc: Reliability
    kappa: float | None
    """Mean quadratic kappa over all pairs of participants that judged the same items; None without such a pair."""
    kappa_pairs: int
    with_judges: Correlation | None
    """Spearman's correlation of the participants' mean with that of the model judges, over items; None where the judges
    judged fewer than four of them."""
    scores: dict[str, float]
    """Mean score of each item."""


class ParticipantResult(Value):
    """How far one participant came. `passed`: whether all attention checks were passed; None before the first."""

    number: int
    answered: int
    """Tasks with all questions answered."""
    tasks: int
    passed: bool | None


class StudyResult(Value):
    """Everything that is reported about a study. Participants who failed a check are left out of all numbers but their
    own row."""

    study_id: str
    title: str
    form: str
    participants: tuple[ParticipantResult, ...]
    left_out: tuple[int, ...]
    criteria: tuple[CriterionResult, ...]
    sources: tuple[SourceScore, ...]
    comments: tuple[Comment, ...] = ()


def study_result(
    study: Study, participants: Sequence[Participant], answers: Sequence[Answer], comments: Sequence[Comment] = ()
) -> StudyResult:
    """The result as far as there are answers."""
    rows = participant_results(study, participants, answers)
    left_out = tuple(each.number for each in rows if each.passed is False)
    ratings = counted(ratings_of(study, participants, answers), rows)
    return StudyResult(
        study_id=study.id, title=study.title, form=study.form_name, participants=tuple(rows), left_out=left_out,
        criteria=tuple(_criterion(study, question, ratings) for question in study.form.questions),
        sources=tuple(_source_scores(study, ratings)), comments=tuple(comments),
    )  # fmt: skip


def counted(ratings: Sequence[Rating], people: Sequence[ParticipantResult]) -> list[Rating]:
    """The ratings without those of participants who failed an attention check."""
    failed = {each.number for each in people if each.passed is False}
    return [each for each in ratings if each.participant not in failed]


def undefined_coefficients(result: StudyResult) -> list[str]:
    """A sentence for each coefficient of a criterion with answers that has no value, with the reason."""
    return [
        f"{each.criterion}, {icc.form}: undefined. {icc.reason}"
        for each in result.criteria
        if each.answers
        for icc in (each.icc.agreement_single, each.icc.agreement_average)
        if icc.value is None and icc.reason
    ]


def ratings_of(study: Study, participants: Sequence[Participant], answers: Sequence[Answer]) -> list[Rating]:
    """The answers about items, without attention checks, each seen from the first idea of its item."""
    plans = {each.number: each.plan for each in participants}
    found = []
    for answer in answers:
        task = plans[answer.participant][answer.task]
        if task.item:
            question = study.form.question(answer.question)
            value = opposite(question, answer.value) if task.swapped else answer.value
            score = next(choice.score for choice in question.choices if choice.value == value)
            found.append(
                Rating(
                    item=task.item, participant=answer.participant, criterion=question.name, value=value, score=score
                )
            )
    return found


def opposite(question: Question, value: str) -> str:
    """The answer that says the same with the two ideas exchanged; one that is no comparison stays."""
    scored = [choice for choice in question.choices if choice.score is not None]
    mirror = dict(zip((each.value for each in scored), (each.value for each in reversed(scored)), strict=True))
    return mirror.get(value, value)


def participant_results(
    study: Study, participants: Sequence[Participant], answers: Sequence[Answer]
) -> list[ParticipantResult]:
    """How far each participant came, and whether the attention checks were passed."""
    return [_participant(study, each, answers) for each in participants]


def _participant(study: Study, participant: Participant, answers: Sequence[Answer]) -> ParticipantResult:
    own: dict[int, dict[str, str]] = defaultdict(dict)
    for each in answers:
        if each.participant == participant.number:
            own[each.task][each.question] = each.value
    checks = [
        value == task.expected
        for at, task in enumerate(participant.plan)
        if not task.item
        for value in own.get(at, {}).values()
    ]
    done = sum(len(given) == len(study.form.questions) for given in own.values())
    return ParticipantResult(
        number=participant.number, answered=done, tasks=len(participant.plan), passed=all(checks) if checks else None
    )


def _criterion(study: Study, question: Question, ratings: Sequence[Rating]) -> CriterionResult:
    own = [each for each in ratings if each.criterion == question.name and each.score is not None]
    table = _table(own)
    kappas = _kappas(table)
    scores = _means(own)
    units = np.array([each.item for each in own])
    values = np.array([each.score for each in own], dtype=float)
    return CriterionResult(
        criterion=question.name, answers=len(own),
        alpha=krippendorff_alpha(units, values, draws=_DRAWS if len(own) > 3 else 0, seed=study.seed),
        icc=reliability(table), kappa=fmean(kappas) if kappas else None, kappa_pairs=len(kappas),
        with_judges=_with_judges(study, question.name, scores), scores=scores,
    )  # fmt: skip


def _means(ratings: Sequence[Rating]) -> dict[str, float]:
    given: dict[str, list[float]] = defaultdict(list)
    for each in ratings:
        if each.score is not None:
            given[each.item].append(each.score)
    return {item: fmean(scores) for item, scores in given.items()}


def _table(ratings: Sequence[Rating]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Items × participants, NaN where somebody did not answer."""
    items = {item: at for at, item in enumerate(dict.fromkeys(each.item for each in ratings))}
    people = {number: at for at, number in enumerate(dict.fromkeys(each.participant for each in ratings))}
    table = np.full((len(items), len(people)), np.nan)
    for each in ratings:
        if each.score is not None:
            table[items[each.item], people[each.participant]] = each.score
    return table


def _kappas(table: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[float]:
    """Quadratic kappa of each pair of participants with at least two items in common."""
    found = []
    for one, other in combinations(range(table.shape[1]), 2):
        if np.isfinite(table[:, [one, other]]).all(axis=1).sum() >= 2:
            kappa = quadratic_kappa(table[:, one], table[:, other])
            found += [kappa] if kappa is not None else []
    return found


def _with_judges(study: Study, criterion: str, people: Mapping[str, float]) -> Correlation | None:
    given: dict[str, list[float]] = defaultdict(list)
    for each in study.judged:
        if each.criterion == criterion and each.item in people:
            given[each.item].append(each.score)
    items = list(given)
    if len(items) < 4:
        return None
    return spearman([people[item] for item in items], [fmean(given[item]) for item in items])


def _source_scores(study: Study, ratings: Sequence[Rating]) -> list[SourceScore]:
    earned: dict[tuple[str, str], list[float]] = defaultdict(list)
    for each in ratings:
        item = study.item(each.item)
        if item is not None and each.score is not None:
            for source, points in _points(study, item, each.score):
                earned[source, each.criterion].append(points)
    return [
        SourceScore(source=source, criterion=name, mean=fmean(points), answers=len(points))
        for (source, name), points in sorted(earned.items())
    ]


def _points(study: Study, item: StudyItem, score: float) -> list[tuple[str, float]]:
    """Of a single idea its score; of a pair what each source won: 1, or 0, or a half for a draw."""
    if item.second is None:
        return [(item.first_source, score)]
    if item.first_source == item.second_source:
        return []
    middle = (study.form.low + study.form.high) / 2
    won = 0.5 if score == middle else float(score > middle)
    return [(item.first_source, won), (item.second_source, 1.0 - won)]
