"""`novum metrics tune`: what people said of ideas in, weights and predicted feedback that agree with them out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novum.cli.fitted import DEFAULT, MetricsName
from novum.cli.group import examples
from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.cli.rated_ideas import Rated
    from novum.core import Scorecard
    from novum.lab import Workplace
    from novum.metrics.ablation import AblationRow
    from novum.scoring.feedback import Feedback
    from novum.scoring.model import FittedMetrics
    from novum.scoring.part import Batch
    from novum.scoring.teaching import Teaching
    from novum.scoring.tuning import Tuned

EPILOG = examples(
    "novum metrics tune --ratings ratings.csv",
    "novum metrics tune --ratings ratings.jsonl --scale 1-10 --dry-run",
    "novum metrics tune --ratings pairs.jsonl --as mine",
    "novum metrics tune --ratings ratings.csv --creativity --ablation",
)
_STOPPED = "Stopped. Nothing was written; the model is as it was."


@dataclass(frozen=True)
class Done:
    """What came of it."""

    satisfaction: Tuned
    creativity: Tuned | None
    ablation: Mapping[str, Sequence[AblationRow]]
    folder: Path | None
    """Where it was written; None for a dry run."""


def tune(
    *,
    ratings: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="JSONL or CSV. A rating: title, text (or abstract, summary), rating, and if known topic, criterion, "
            "rater, low, high. A comparison: a, b, preference (1: a strongly, 5: b strongly).",
            show_default=False,
        ),
    ],
    metrics: MetricsName = DEFAULT,
    scale: Annotated[str, typer.Option(metavar="LOW-HIGH", help="Of ratings whose row names no low and high.")] = "1-5",
    creativity: Annotated[
        bool, typer.Option("--creativity", help="Fit the weights of the Creativity Index, too.")
    ] = False,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="What each part is worth on these ideas, before tuning (Tables 3, 4).")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would come of it, and write nothing.")] = False,
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="Write it under this name and leave the old one.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the parts that ideas are left out in.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Fit the User Satisfaction Score to what people said of ideas, and say how well it agrees with them.

    Weights come from non-negative least squares, predicted feedback from a regression on the ideas' embeddings. How
    well they agree with people is measured on ideas that they were not fitted to. 20 rated ideas are the least.
    """
    from novum.cli.metrics_tune_table import say_tuned, tell_left_out
    from novum.cli.rated_ideas import read_rated, scale_of
    from novum.cli.terminal import say_json
    from novum.cli.workplace import in_workplace

    try:
        given = scale_of(scale)
    except ValueError as error:
        raise BadInput(f"--scale {error}.") from error
    rated = read_rated(ratings, given)

    async def job(place: Workplace) -> Done:
        return await _tuned(place, rated, metrics, name, creativity, ablation, dry_run, seed)

    done = in_workplace(job, _STOPPED)
    tell_left_out(rated)
    if as_json:
        say_json(_as_json(done, rated))
    else:
        say_tuned(done, rated, name or metrics)


async def _tuned(
    place: Workplace, rated: Rated, named: str, new_name: str | None, creativity: bool, ablation: bool, dry: bool,
    seed: int,
) -> Done:  # fmt: skip
    from novum.cli.fitted import folder_named, folder_of
    from novum.scoring.model import FittedMetrics, batch_of

    old = folder_of(named, place.settings)
    folder = folder_named(new_name, place.settings) if new_name else old
    model = _untuned(FittedMetrics.load(old, place.library.embedder))
    batch = await batch_of(list(rated.subjects.values()), place.library.embedder)
    if batch.empty.any():
        _leave_out_wordless(rated, batch)
        batch = await batch_of(list(rated.subjects.values()), place.library.embedder)
    _check_enough(rated)
    cards = model.score_batch(batch, explain=False)
    worth = _ablation(model, cards, rated) if ablation else {}
    satisfaction, feedback = _satisfaction(model, batch, cards, rated, seed)
    index = _creativity(model, cards, rated, seed) if creativity else None
    if not dry:
        _with(model, satisfaction, index, feedback, new_name).save(folder)
    return Done(satisfaction, index, worth, None if dry else folder)


def _untuned(model: FittedMetrics) -> FittedMetrics:
    """As it was before any rating: tuning twice is tuning once, and what is compared with has seen no ratings. Parts of
    other packages count for nothing until here."""
    from novum.metrics.composite import SATISFACTION_WEIGHTS
    from novum.scoring.parts import OWN

    feedback = _feedback(model).untaught()
    scale = feedback.scale
    others = dict.fromkeys(set(model.parts) - {kind.name for kind in OWN}, 0.0)
    card = model.card.model_copy(update={"satisfaction_weights": {**SATISFACTION_WEIGHTS, **others}})
    return model.but(card=card, parts={feedback.name: feedback}, scales={feedback.name: scale} if scale else None)


def _feedback(model: FittedMetrics) -> Feedback:
    from novum.scoring.feedback import Feedback

    part = model.parts[Feedback.name]
    assert isinstance(part, Feedback)
    return part


def _leave_out_wordless(rated: Rated, batch: Batch) -> None:
    empty = {subject.id for subject, none in zip(batch.subjects, batch.empty, strict=True) if none}
    rated.left_out += [f"the idea {rated.subjects[each].whole[:60]!r}: there are no words in it" for each in empty]
    rated.without(empty)


def _check_enough(rated: Rated) -> None:
    from novum.reports.phrases import count
    from novum.scoring.tuning import FEWEST

    n = len(rated.subjects)
    if n < FEWEST:
        raise BadInput(
            f"There {'is' if n == 1 else 'are'} {count(n, 'rated idea')}, and {FEWEST} at least are needed to tell "
            "weights from chance. Have more ideas rated; until then the weights stay as they are."
        )


def _satisfaction(
    model: FittedMetrics, batch: Batch, cards: Sequence[Scorecard], rated: Rated, seed: int
) -> tuple[Tuned, Feedback | None]:
    from novum.scoring.teaching import teaching_of, told_apart

    teaching = told_apart(teaching_of(cards, model.card.satisfaction_weights, rated.overall), rated.compared())
    teaching = replace(teaching, criteria=rated.criteria, vectors=batch.vectors, feedback=_feedback(model))
    return _fitted(teaching, seed), teaching.relearnt()


def _creativity(model: FittedMetrics, cards: Sequence[Scorecard], rated: Rated, seed: int) -> Tuned:
    from novum.metrics.composite import CREATIVITY_WEIGHTS
    from novum.scoring.teaching import teaching_of, told_apart

    corrected = model.card.settings.originality == "corrected"
    teaching = teaching_of(cards, CREATIVITY_WEIGHTS, rated.overall, corrected=corrected)
    return _fitted(replace(told_apart(teaching, rated.compared()), criteria=rated.criteria), seed)


def _fitted(teaching: Teaching, seed: int) -> Tuned:
    from novum.reports.phrases import count
    from novum.scoring.tuning import FOLDS, tune

    groups = len(set(teaching.groups.tolist()))
    if groups < FOLDS:
        raise BadInput(
            f"The comparisons link all ideas into {count(groups, 'group')}, and {FOLDS} are needed to foretell one "
            "from the others: have other ideas compared, or some rated by themselves."
        )
    return tune(teaching, seed=seed)


def _with(
    model: FittedMetrics, satisfaction: Tuned, index: Tuned | None, feedback: Feedback | None, name: str | None
) -> FittedMetrics:
    """The model with what was learnt in place of what was there."""
    card = model.card
    told = {"USS, tuned": _quality(satisfaction)} | ({"CI, tuned": _quality(index)} if index else {})
    quality = {**card.quality, **told} | ({feedback.name: feedback.quality} if feedback else {})
    changed: dict[str, Any] = {"quality": quality, "made": dt.datetime.now(dt.UTC).replace(microsecond=0)}
    if satisfaction.weights:
        changed["satisfaction_weights"] = satisfaction.weights
    if index and index.weights:
        changed["creativity_weights"] = index.weights
    if name:
        changed["settings"] = card.settings.model_copy(update={"name": name})
    scale = feedback.scale if feedback else None
    return model.but(
        card=card.model_copy(update=changed),
        parts={feedback.name: feedback} if feedback else None,
        scales={feedback.name: scale} if feedback and scale else None,
    )


def _quality(tuned: Tuned) -> dict[str, Any]:
    """For the card: agreement with people on ratings that were not seen, before and after."""
    told: dict[str, Any] = {"rated_ideas": tuned.rated}
    for line in tuned.lines[1:]:
        found = {"pearson": line.pearson.r, "kappa": line.grades.kappa, "same_grade": line.grades.observed}
        told[line.name] = found | {"error": line.error}
    return told


def _ablation(model: FittedMetrics, cards: Sequence[Scorecard], rated: Rated) -> dict[str, Sequence[AblationRow]]:
    from novum.metrics.ablation import ablation
    from novum.scoring.teaching import teaching_of

    corrected = model.card.settings.originality == "corrected"
    found: dict[str, Sequence[AblationRow]] = {}
    for name, weights in (("CI", model.card.creativity_weights), ("USS", model.card.satisfaction_weights)):
        columns = teaching_of(cards, weights, rated.overall, corrected=corrected).parts.T.tolist()
        found[name] = ablation(dict(zip(weights, columns, strict=True)), weights, rated.overall.tolist())
    return found


def _as_json(done: Done, rated: Rated) -> dict[str, Any]:
    return {
        "satisfaction": done.satisfaction.model_dump(mode="json"),
        "creativity": done.creativity.model_dump(mode="json") if done.creativity else None,
        "better": done.satisfaction.better,
        "ablation": {name: [row.model_dump(mode="json") for row in rows] for name, rows in done.ablation.items()},
        "ideas": len(rated.subjects),
        "ratings": rated.ratings,
        "raters": len(rated.raters),
        "scale": [rated.scale.low, rated.scale.high],
        "left_out": rated.left_out,
        "written": str(done.folder) if done.folder else None,
    }
