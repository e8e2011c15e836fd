"""Read texts that people rated, choose some of them, and pair those on which people clearly differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from novum.benchmarks.judge_validation.task import JudgeValidationTask, ValidatedText
from novum.benchmarks.metric_validation.outcomes import OutcomeLog, read_cases
from novum.benchmarks.metric_validation.records import ACCEPTED, OutcomeCase
from novum.benchmarks.metric_validation.reviewed_texts import read_reviewed_texts
from novum.core import Idea, Subject
from novum.errors import BadInput
from novum.idea_metrics.review_rating import RatingModel, fit_rating_model, rating_model
from novum.idea_metrics.review_rating.training import standard_scores

CLEAR = 1.0
"""Standard deviations of its group by which people's means of two texts differ at least in a pair."""


@dataclass(frozen=True)
class ValidationChoice:
    """Which texts, and how many of them. `outcome`: `rating`, or the name of a score. `subsets`: of scored ideas only
    these; empty: all. `train`: reviewed papers that the predicted rating is fitted to; empty: the installed model.
    `most`: texts at most. `opponents`: pairs that a text is in, about."""

    files: Sequence[Path]
    outcome: str = "rating"
    subsets: Sequence[str] = ()
    train: Sequence[Path] = ()
    most: int = 100
    opponents: int = 2
    seed: int = 0


def read_texts(choice: ValidationChoice) -> tuple[list[ValidatedText], dict[str, int]]:
    """Every text with this outcome whose group has at least ten, and counts of the others by reason.

    Raises BadInput where a file cannot be read or none is left.
    """
    log = OutcomeLog()
    cases: dict[str, OutcomeCase] = {}
    for case in read_cases(choice.files, log, choice.subsets):
        cases.setdefault(case.id, case)
    rated = [case for case in cases.values() if choice.outcome in case.outcomes]
    values = np.array([case.outcomes[choice.outcome] for case in rated])
    people = standard_scores(values, [case.group for case in rated])
    texts = [_text(case, float(z)) for case, z in zip(rated, people, strict=True) if np.isfinite(z)]
    left_out = Counter(log.reasons)
    left_out[f"no {choice.outcome!r}"] += len(cases) - len(rated)
    left_out["fewer than ten of their venue and year"] += len(rated) - len(texts)
    if len(texts) < 2:
        known = ", ".join(name for name in log.names if name != ACCEPTED) or "none"
        raise BadInput(
            f"There are {len(texts)} texts with {choice.outcome!r} in groups of at least ten. These ratings are in the "
            f"files: {known}. Choose one of them by --outcome, or add files."
        )
    return texts, dict(+left_out)


def _text(case: OutcomeCase, people: float) -> ValidatedText:
    accepted = case.outcomes.get(ACCEPTED)
    subject = case.subject
    idea = Idea(topic=subject.topic, title=subject.title, motivation="", novelty="", method="", summary=subject.text)
    return ValidatedText(
        idea=idea,
        group=case.group,
        people=people,
        ratings=case.ratings,
        accepted=None if accepted is None else accepted > 0.5,
    )


def choose_texts(texts: Sequence[ValidatedText], most: int, seed: int) -> list[ValidatedText]:
    """At most so many, at random; every group has about its share of them."""
    order = np.random.default_rng(seed).permutation(len(texts)).tolist()
    sizes = Counter(each.group for each in texts)
    wanted = {group: round(most * size / len(texts)) for group, size in sizes.items()}
    chosen: list[ValidatedText] = []
    for row in order:
        if wanted[texts[row].group] > 0 and len(chosen) < most:
            wanted[texts[row].group] -= 1
            chosen.append(texts[row])
    return chosen


def clear_pairs(texts: Sequence[ValidatedText], opponents: int, seed: int) -> tuple[tuple[int, int], ...]:
    """Pairs of one group on which people clearly differ, the better one first or second at random. A text is in about
    `opponents` pairs, with those first that are in the fewest."""
    rng = np.random.default_rng(seed)
    rows_of: dict[str, list[int]] = defaultdict(list)
    for row, each in enumerate(texts):
        rows_of[each.group].append(row)
    used: Counter[int] = Counter()
    pairs: dict[frozenset[int], tuple[int, int]] = {}
    for _ in range(opponents):
        for row in rng.permutation(len(texts)).tolist():
            others = [
                other
                for other in rows_of[texts[row].group]
                if abs(texts[other].people - texts[row].people) >= CLEAR and frozenset((row, other)) not in pairs
            ]
            if used[row] >= opponents or not others:
                continue
            other = min(others, key=lambda each: (used[each], each))
            pairs[frozenset((row, other))] = (row, other) if rng.random() < 0.5 else (other, row)
            used.update((row, other))
    return tuple(pairs.values())


def with_predictions(texts: Sequence[ValidatedText], model: RatingModel) -> list[ValidatedText]:
    """The texts with their predicted ratings, where the model was not fitted to papers of their group."""
    subjects = [Subject(title=each.idea.title, text=each.idea.summary) for each in texts]
    made = model.predict(subjects)
    return [
        each if each.group in model.card.groups else each.model_copy(update={"predicted": of.value})
        for each, of in zip(texts, made, strict=True)
    ]


def validation_task(
    choice: ValidationChoice, judges: tuple[str, ...], by: str, metrics_folder: Path
) -> JudgeValidationTask:
    """The task of these judges. `metrics_folder`: beside it the user's own rating model lies. Raises BadInput where a
    file cannot be read, or holds too little."""
    texts, left_out = read_texts(choice)
    chosen = choose_texts(texts, choice.most, choice.seed)
    model = (
        fit_rating_model(read_reviewed_texts(choice.train, OutcomeLog()), seed=choice.seed)
        if choice.train
        else rating_model(metrics_folder)
    )
    return JudgeValidationTask(
        judges=judges,
        by=by,
        outcome=choice.outcome,
        texts=tuple(with_predictions(chosen, model)),
        pairs=clear_pairs(chosen, choice.opponents, choice.seed),
        sources=tuple(file.name for file in choice.files),
        left_out=left_out,
        seed=choice.seed,
    )


def topic_of(text: ValidatedText) -> str:
    """The topic that judges are told of a pair: what both have in common."""
    return text.idea.topic or f"research, as submitted to {text.group}"
