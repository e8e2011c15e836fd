"""`novum metrics tune`: what people said of ideas in, weights and predicted feedback that agree with them out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novum.cli.shell.fitted_models import DEFAULT, MetricsName
from novum.cli.shell.group import examples
from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.cli.metrics.rated_ideas import Rated
    from novum.core import Scorecard
    from novum.idea_metrics.ablation import AblationRow
    from novum.idea_metrics.feedback import Feedback
    from novum.idea_metrics.metric import Batch
    from novum.idea_metrics.model import FittedMetrics
    from novum.idea_metrics.rated_columns import RatedIdeas
    from novum.idea_metrics.tuning import TuningResult
    from novum.lab import Workplace

_STOPPED = "Stopped. Nothing was written; the model is as it was."


@dataclass(frozen=True)
class Done:
    """What came of it."""

    satisfaction: TuningResult
    creativity: TuningResult | None
    ablation: Mapping[str, Sequence[AblationRow]]
    taken: Sequence[TuningResult]
    """Of the two, what takes the place of what was there."""
    folder: Path | None
    """Where it was written; None where nothing was taken, and for a dry run."""


@examples(
    "novum metrics tune --ratings ratings.csv",
    "novum metrics tune --ratings ratings.jsonl --scale 1-10 --dry-run",
    "novum metrics tune --ratings pairs.jsonl --as mine",
    "novum metrics tune --ratings ratings.csv --creativity --ablation",
    "novum metrics tune --ratings few.csv --as trial --anyway",
)
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
    anyway: Annotated[
        bool,
        typer.Option("--force", help="Take what was learnt even where it is no nearer to people than before."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would come of it, and write nothing.")] = False,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Write it under this name and leave the old one.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the parts that ideas are left out in.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Fit the User Satisfaction Score to what people said of ideas, and say how well it agrees with them.

    Weights come from non-negative least squares, predicted feedback from a regression on the ideas' embeddings. How
    well they agree with people is measured on ideas that they were not fitted to; where that is no better than before,
    the model stays as it was. 20 rated ideas are the least.
    """
    from novum.cli.metrics.rated_ideas import read_rated, scale_of
    from novum.cli.metrics.tune_table import say_tuned, tell_left_out
    from novum.cli.shell.terminal import print_json
    from novum.cli.shell.workplace import in_workplace

    try:
        given = scale_of(scale)
    except ValueError as error:
        raise BadInput(f"--scale {error}.") from error
    rated = read_rated(ratings, given)

    async def job(place: Workplace) -> Done:
        return await _tuned(
            place, rated, metrics, name, creativity=creativity, ablation=ablation, anyway=anyway, dry=dry_run, seed=seed
        )

    done = in_workplace(job, _STOPPED)
    tell_left_out(rated)
    if as_json:
        print_json(_as_json(done, rated))
    else:
        say_tuned(done, rated, name or metrics)


async def _tuned(
    place: Workplace, rated: Rated, named: str, new_name: str | None, *, creativity: bool, ablation: bool,
    anyway: bool, dry: bool, seed: int,
) -> Done:  # fmt: skip
    from novum.idea_metrics.model import FittedMetrics, batch_of
    from novum.idea_metrics.saved_models import find_model_folder, new_model_folder

    home = place.settings.metrics_folder
    old = find_model_folder(named, home)
    folder = new_model_folder(new_name, home) if new_name else old
    before = FittedMetrics.load(old, place.library.embedder)
    model = _untuned(before)
    batch = await batch_of(list(rated.subjects.values()), place.library.embedder)
    if batch.empty.any():
        batch = _without_wordless(rated, batch)
    _check_enough(rated)
    cards = model.score_batch(batch, explain=False)
    worth = _ablation(model, cards, rated) if ablation else {}
    satisfaction, feedback = _satisfaction(model, batch, cards, rated, seed)
    index = _creativity(model, cards, rated, seed) if creativity else None
    taken = [each for each in (satisfaction, index) if each and each.weights and (each.better or anyway)]
    writes = bool(taken) and not dry
    if writes:
        _with(before, satisfaction, index, feedback, taken, new_name).save(folder)
    return Done(satisfaction, index, worth, taken, folder if writes else None)


def _untuned(model: FittedMetrics) -> FittedMetrics:
    """As it was before any rating: tuning twice is tuning once, and what is compared with has seen no ratings. Parts of
    other packages count for nothing until here."""
    from novum.idea_metrics.composite import SATISFACTION_WEIGHTS
    from novum.idea_metrics.registered import OWN

    feedback = _feedback(model).untaught()
    scale = feedback.scale
    others = dict.fromkeys(set(model.parts) - {kind.name for kind in OWN}, 0.0)
    card = model.card.model_copy(update={"satisfaction_weights": {**SATISFACTION_WEIGHTS, **others}})
    return model.but(card=card, parts={feedback.name: feedback}, scales={feedback.name: scale} if scale else None)


def _feedback(model: FittedMetrics) -> Feedback:
    from novum.idea_metrics.feedback import Feedback

    part = model.parts[Feedback.name]
    assert isinstance(part, Feedback)
    return part


def _without_wordless(rated: Rated, batch: Batch) -> Batch:
    """What is left of both; nothing is embedded again."""
    import numpy as np

    from novum.idea_metrics.metric import Batch

    empty = [each for each, none in zip(rated.subjects, batch.empty, strict=True) if none]
    rated.left_out += [f"the idea {rated.subjects[each].whole[:60]!r}: there are no words in it" for each in empty]
    rated.without(set(empty))
    rows = np.flatnonzero(~batch.empty).tolist()
    subjects, samples = [batch.subjects[row] for row in rows], [batch.samples[row] for row in rows]
    return Batch(subjects, batch.vectors[rows], batch.interests[rows], samples)


def _check_enough(rated: Rated) -> None:
    from novum.idea_metrics.tuning import FEWEST
    from novum.reports.phrases import count

    n = len(rated.subjects)
    if n < FEWEST:
        raise BadInput(
            f"There {'is' if n == 1 else 'are'} {count(n, 'rated idea')}, and {FEWEST} at least are needed to tell "
            "weights from chance. Have more ideas rated; until then the weights stay as they are."
        )


def _satisfaction(
    model: FittedMetrics, batch: Batch, cards: Sequence[Scorecard], rated: Rated, seed: int
) -> tuple[TuningResult, Feedback | None]:
    from novum.idea_metrics.rated_columns import rated_ideas, with_pairs

    ideas = with_pairs(rated_ideas(cards, model.card.satisfaction_weights, rated.overall), rated.compared())
    ideas = replace(ideas, criteria=rated.criteria, vectors=batch.vectors, feedback=_feedback(model))
    return _fitted(ideas, seed), ideas.relearned_feedback()


def _creativity(model: FittedMetrics, cards: Sequence[Scorecard], rated: Rated, seed: int) -> TuningResult:
    from novum.idea_metrics.composite import CREATIVITY_WEIGHTS
    from novum.idea_metrics.rated_columns import rated_ideas, with_pairs

    corrected = model.card.settings.originality == "corrected"
    ideas = rated_ideas(cards, CREATIVITY_WEIGHTS, rated.overall, corrected=corrected)
    return _fitted(replace(with_pairs(ideas, rated.compared()), criteria=rated.criteria), seed)


def _fitted(ideas: RatedIdeas, seed: int) -> TuningResult:
    from novum.idea_metrics.tuning import FOLDS, tune
    from novum.reports.phrases import count

    groups = len(set(ideas.groups.tolist()))
    if groups < FOLDS:
        raise BadInput(
            f"Comparisons and ideas in the same words link all into {count(groups, 'group')}, and {FOLDS} are needed "
            "to foretell one from the others: have other ideas compared, or some rated by themselves."
        )
    return tune(ideas, seed=seed)


def _with(
    model: FittedMetrics, satisfaction: TuningResult, index: TuningResult | None, feedback: Feedback | None,
    taken: Sequence[TuningResult], name: str | None,
) -> FittedMetrics:  # fmt: skip
    """The model with what was taken in place of what was there. Predicted feedback is a part of the score that it was
    learnt for."""
    card = model.card
    changed: dict[str, Any] = {"made": dt.datetime.now(dt.UTC).replace(microsecond=0)}
    quality = dict(card.quality)
    if satisfaction in taken:
        changed["satisfaction_weights"] = satisfaction.weights
        quality |= {"USS, tuned": _quality(satisfaction)} | ({feedback.name: feedback.quality} if feedback else {})
    else:
        feedback = None
    if index and index in taken:
        changed["creativity_weights"] = index.weights
        quality["CI, tuned"] = _quality(index)
    changed["quality"] = quality
    if name:
        changed["settings"] = card.settings.model_copy(update={"name": name})
    scale = feedback.scale if feedback else None
    return model.but(
        card=card.model_copy(update=changed),
        parts={feedback.name: feedback} if feedback else None,
        scales={feedback.name: scale} if feedback and scale else None,
    )


def _quality(tuned: TuningResult) -> dict[str, Any]:
    """For the card: agreement with people on ratings that were not seen, before and after."""
    told: dict[str, Any] = {"rated_ideas": tuned.rated}
    for line in tuned.lines[1:]:
        found = {"pearson": line.pearson.r, "kappa": line.grades.kappa, "same_grade": line.grades.observed}
        told[line.name] = found | {"error": line.error}
    return told


def _ablation(model: FittedMetrics, cards: Sequence[Scorecard], rated: Rated) -> dict[str, Sequence[AblationRow]]:
    from novum.idea_metrics.ablation import ablation
    from novum.idea_metrics.rated_columns import rated_ideas

    corrected = model.card.settings.originality == "corrected"
    found: dict[str, Sequence[AblationRow]] = {}
    for name, weights in (("CI", model.card.creativity_weights), ("USS", model.card.satisfaction_weights)):
        columns = rated_ideas(cards, weights, rated.overall, corrected=corrected).columns.T.tolist()
        found[name] = ablation(dict(zip(weights, columns, strict=True)), weights, rated.overall.tolist())
    return found


def _as_json(done: Done, rated: Rated) -> dict[str, Any]:
    return {
        "satisfaction": done.satisfaction.model_dump(mode="json"),
        "creativity": done.creativity.model_dump(mode="json") if done.creativity else None,
        "better": done.satisfaction.better,
        "taken": {"satisfaction": done.satisfaction in done.taken, "creativity": done.creativity in done.taken},
        "repeated": rated.repeated,
        "ablation": {name: [row.model_dump(mode="json") for row in rows] for name, rows in done.ablation.items()},
        "ideas": len(rated.subjects),
        "ratings": rated.ratings,
        "raters": len(rated.raters),
        "scale": [rated.scale.low, rated.scale.high],
        "left_out": rated.left_out,
        "written": str(done.folder) if done.folder else None,
    }
