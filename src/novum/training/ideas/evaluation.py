"""What models write on topics that are not trained on: scores, diversity, and a judge that was not optimised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

import numpy as np

from novum.core.record import Value
from novum.files.atomic import write_atomic
from novum.idea_metrics.model import embedded
from novum.lab import Workplace
from novum.runs.engine import start
from novum.runs.judge import WIN_RATE, WinRateTask, contest_between
from novum.statistics.bootstrap import bootstrap_weights, percentile_interval
from novum.training.ideas.diversity import Diversity, diversity_of
from novum.training.ideas.scoring import Objective, Scorer
from novum.training.ideas.writing import WritingSettings, WrittenIdea, write_ideas

DRAWS = 1000
OBJECTIVE, CREATIVITY, SATISFACTION, RATING = "objective", "CI", "USS", "predicted rating"
_USS_SCALE = 5.0
"""The study's tables have the User Satisfaction Score from 0 to 5."""


class MeanScore(Value):
    """A mean over topics, with its bootstrap interval of 95 %; `ideas`: those that have the score."""

    mean: float | None
    low: float | None = None
    high: float | None = None
    ideas: int = 0


class WinRate(Value):
    """How often an entrant wins against the first one, by `judge`; ties count half."""

    judge: str
    share: float | None
    low: float | None = None
    high: float | None = None
    pairs: int = 0


class Entrant(Value):
    """One model, and what it wrote."""

    name: str
    model: str
    ideas: int
    usable: float
    """Share of the ideas with the form that was asked for."""
    scores: dict[str, MeanScore]
    diversity: Diversity
    win: WinRate | None = None
    """None for the first entrant."""


class IdeaRecord(Value):
    """A raw record: one idea with its scores."""

    entrant: str
    topic: str
    sample: int
    title: str
    abstract: str
    scores: dict[str, float | None]


class Evaluated(Value):
    """All entrants in order, and every idea."""

    entrants: tuple[Entrant, ...]
    records: tuple[IdeaRecord, ...]


@dataclass(frozen=True)
class EvaluationSettings:
    """How models are evaluated. `judges`: models that compare ideas in pairs; without any, a score that was not
    optimised decides."""

    objective: Objective
    writing: WritingSettings
    judges: tuple[str, ...] = ()
    metrics: str = "default"
    seed: int = 0


@dataclass(frozen=True)
class EntrantModel:
    """A model to evaluate: its name in tables and its place. `examples`: by topic, ideas that it is shown."""

    name: str
    model: str
    examples: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ideas: Sequence[WrittenIdea] | None = None
    """What it wrote, where that is known."""


async def evaluate(
    workplace: Workplace, models: Sequence[EntrantModel], topics: Sequence[str], settings: EvaluationSettings,
    folder: Path,
) -> Evaluated:  # fmt: skip
    """Evaluates models on the same topics. What they write is kept in `folder`, so that a repeated call writes nothing
    twice. The first model is the one that the others are compared with."""
    scorer = Scorer(workplace, settings.metrics)
    written = {
        each.name: each.ideas
        if each.ideas is not None
        else await write_ideas(
            workplace, each.model, topics, settings.writing, folder / f"{_plain(each.name)}.jsonl", each.examples
        )
        for each in models
    }
    scored = {name: await _scores(scorer, settings.objective, ideas) for name, ideas in written.items()}
    wins = await _wins(workplace, written, scored, settings)
    entrants = []
    for each in models:
        ideas, scores = written[each.name], scored[each.name]
        entrants.append(
            Entrant(
                name=each.name,
                model=each.model,
                ideas=len(ideas),
                usable=fmean(idea.usable for idea in ideas) if ideas else 0.0,
                scores={
                    name: mean_by_topic([idea.topic for idea in ideas], values, settings.seed)
                    for name, values in scores.items()
                },
                diversity=await _diversity(scorer, ideas),
                win=wins.get(each.name),
            )
        )
    records = [
        IdeaRecord(
            entrant=name, topic=idea.topic, sample=idea.sample, title=idea.title, abstract=idea.abstract,
            scores={key: values[row] for key, values in scored[name].items()},
        )
        for name, ideas in written.items()
        for row, idea in enumerate(ideas)
    ]  # fmt: skip
    return Evaluated(entrants=tuple(entrants), records=tuple(records))


async def _scores(scorer: Scorer, objective: Objective, ideas: Sequence[WrittenIdea]) -> dict[str, list[float | None]]:
    usable = [row for row, idea in enumerate(ideas) if idea.usable]
    cards = await scorer.fitted.score([ideas[row].subject for row in usable], explain=False)
    by_row = dict(zip(usable, cards, strict=True))

    def values(name: str, factor: float = 1.0) -> list[float | None]:
        found = [by_row[row].of(name) if row in by_row else None for row in range(len(ideas))]
        return [None if value is None else factor * value for value in found]

    return {
        OBJECTIVE: await scorer.scores(objective, ideas),
        CREATIVITY: values("creativity"),
        SATISFACTION: values("satisfaction", _USS_SCALE),
        RATING: values("rating"),
    }


async def _diversity(scorer: Scorer, ideas: Sequence[WrittenIdea]) -> Diversity:
    usable = [idea for idea in ideas if idea.usable]
    vectors = await embedded([idea.subject.whole for idea in usable], scorer.fitted.embedder)
    return diversity_of(
        [idea.topic for idea in usable], [idea.text for idea in usable], [idea.title for idea in usable], vectors
    )


def mean_by_topic(topics: Sequence[str], values: Sequence[float | None], seed: int) -> MeanScore:
    """The mean over topics of the means of their ideas, with an interval from resampled topics."""
    by_topic: dict[str, list[float]] = {}
    for topic, value in zip(topics, values, strict=True):
        if value is not None:
            by_topic.setdefault(topic, []).append(value)
    if not by_topic:
        return MeanScore(mean=None)
    means = np.array([fmean(each) for each in by_topic.values()])
    low, high = _interval(means, seed)
    return MeanScore(mean=float(means.mean()), low=low, high=high, ideas=sum(map(len, by_topic.values())))


def _interval(values: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int) -> tuple[float | None, float | None]:
    if len(values) < 2:
        return None, None
    draws = [weights @ values / weights.sum(axis=1) for weights in bootstrap_weights(len(values), DRAWS, seed)]
    return percentile_interval(np.concatenate(draws))


async def _wins(
    workplace: Workplace, written: Mapping[str, Sequence[WrittenIdea]],
    scored: Mapping[str, Mapping[str, Sequence[float | None]]], settings: EvaluationSettings,
) -> dict[str, WinRate]:  # fmt: skip
    first, *others = written
    if not settings.judges:
        key = CREATIVITY if settings.objective.kind == "rating" else RATING
        return {
            name: _wins_by_score(
                key, written[name], scored[name][key], written[first], scored[first][key], settings.seed
            )
            for name in others
        }
    return {name: await _wins_by_judges(workplace, name, first, written, settings) for name in others}


def _wins_by_score(
    key: str, ideas: Sequence[WrittenIdea], values: Sequence[float | None], others: Sequence[WrittenIdea],
    other_values: Sequence[float | None], seed: int,
) -> WinRate:  # fmt: skip
    """Ideas on one topic are paired by their number; the one with the higher score wins."""
    theirs = {(idea.topic, idea.sample): value for idea, value in zip(others, other_values, strict=True)}
    topics, results = [], []
    for idea, value in zip(ideas, values, strict=True):
        other = theirs.get((idea.topic, idea.sample))
        if value is not None and other is not None:
            topics.append(idea.topic)
            results.append(1.0 if value > other else 0.5 if value == other else 0.0)
    mean = mean_by_topic(topics, results, seed)
    return WinRate(judge=key, share=mean.mean, low=mean.low, high=mean.high, pairs=len(results))


async def _wins_by_judges(
    workplace: Workplace, name: str, first: str, written: Mapping[str, Sequence[WrittenIdea]],
    settings: EvaluationSettings,
) -> WinRate:  # fmt: skip
    judges = ", ".join(settings.judges)
    mine, theirs = ([idea.idea(each) for idea in written[each] if idea.usable] for each in (name, first))
    contest, _ = contest_between(name, mine, first, theirs)
    if contest is None:
        return WinRate(judge=judges, share=None)
    rates = await start(WIN_RATE, workplace, WinRateTask(contests=(contest,), judges=settings.judges))
    points = [
        {"first": 1.0, "tie": 0.5, "second": 0.0}[verdict.outcome] if pair.first == name else
        {"first": 0.0, "tie": 0.5, "second": 1.0}[verdict.outcome]
        for pair in rates.contests[0].bouts
        for verdict in pair.verdicts
        if verdict.criterion == "overall"
    ]  # fmt: skip
    of = [pair.topic for pair in rates.contests[0].bouts for each in pair.verdicts if each.criterion == "overall"]
    mean = mean_by_topic(of, points, settings.seed)
    return WinRate(judge=judges, share=mean.mean, low=mean.low, high=mean.high, pairs=len(contest.pairs))


def save(folder: Path, name: str, content: Value) -> None:
    """Write a record as JSON. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / name, content.model_dump_json(indent=1))


def _plain(name: str) -> str:
    return "".join(char if char.isalnum() or char in "-_." else "-" for char in name)[:80] or "model"
