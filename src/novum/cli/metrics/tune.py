"""`novum metrics tune`: fit the weights of a model to people's ratings, and print how well scores agree with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.options import DEFAULT_METRICS, MetricsName
from novum.cli.shell.terminal import one_line, print_heading, print_json, print_line, print_message, print_table
from novum.cli.shell.workplace import in_workplace
from novum.errors import BadInput
from novum.idea_metrics.ablation import AblationRow
from novum.idea_metrics.idea_ratings import IdeaRatings, RatingScale, read_ratings
from novum.idea_metrics.preference_agreement import PreferenceAgreement
from novum.idea_metrics.report.phrases import heading
from novum.idea_metrics.saved_models import find_model_folder, new_model_folder
from novum.idea_metrics.tuned_model import ModelTuning, tune_model
from novum.idea_metrics.tuning import ScoreAgreement, TuningResult
from novum.lab import Workplace
from novum.reports.phrases import count, percent
from novum.statistics.records import Correlation

_STOPPED = "Stopped. Nothing was written; the model is unchanged."
_MAX_REPORTED = 10
_HEADS = ("scores", "people", "score", "Pearson", "kappa", "weighted", "same grade", "within one", "error")


@examples(
    "novum metrics tune --ratings ratings.csv",
    "novum metrics tune --ratings ratings.jsonl --scale 1-10 --dry-run",
    "novum metrics tune --ratings pairs.jsonl --name mine",
    "novum metrics tune --ratings ratings.csv --creativity --ablation",
    "novum metrics tune --ratings few.csv --name trial --force",
)
def tune(
    *,
    ratings: Annotated[
        list[Path],
        typer.Option(
            metavar="FILE",
            help="JSONL or CSV. A rating: title, text (or abstract, summary), rating, and if known topic, criterion, "
            "rater, low, high. A comparison: a, b, preference (1: a strongly, 5: b strongly). Repeatable.",
            show_default=False,
        ),
    ],
    metrics: MetricsName = DEFAULT_METRICS,
    scale: Annotated[
        str, typer.Option(metavar="LOW-HIGH", help="Scale of ratings whose row has no low and high.")
    ] = "1-5",
    creativity: Annotated[
        bool, typer.Option("--creativity", help="Fit the weights of the Creativity Index too.")
    ] = False,
    ablation: Annotated[
        bool,
        typer.Option("--ablation", help="What each metric contributes, before tuning (Tables 3, 4)."),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Accept the new weights even if they agree no better with people.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the result and write nothing.")] = False,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Store it as a new model and keep the old one.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the cross-validation folds.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="The whole result as JSON on stdout.")] = False,
) -> None:
    """Fit the User Satisfaction Score to people's ratings of ideas, and measure how well it agrees with them.

    Weights come from non-negative least squares, predicted feedback from a regression on the ideas' embeddings.
    Agreement is measured on held-out ideas; where it is no better than before, the model is left unchanged. At least 20
    rated ideas are needed.
    """
    try:
        rated = read_ratings(ratings, RatingScale.parse(scale))
    except ValueError as error:
        raise BadInput(f"--scale {error}.") from error

    async def job(place: Workplace) -> ModelTuning:
        home = place.settings.metrics_folder
        return await tune_model(
            find_model_folder(metrics, home), place.library.embedder, rated,
            new_folder=new_model_folder(name, home) if name else None, new_name=name or "",
            creativity=creativity, with_ablation=ablation, force=force, dry_run=dry_run, seed=seed,
        )  # fmt: skip

    result = in_workplace(job, _STOPPED)
    _print_left_out(rated)
    if as_json:
        print_json(result.as_json(rated))
    else:
        _print(result, rated, name or metrics)


def _print_left_out(ratings: IdeaRatings) -> None:
    """Prints rows that do not count, each with its number and the reason, to stderr."""
    for line in ratings.left_out[:_MAX_REPORTED]:
        print_message(one_line(f"Left out: {line}", 300))
    if len(ratings.left_out) > _MAX_REPORTED:
        print_message(f"… and {len(ratings.left_out) - _MAX_REPORTED:,} more.")
    if ratings.repeated:
        print_message(f"Repeated by the same rater, counted once by their mean: {count(ratings.repeated, 'row')}.")


def _print(result: ModelTuning, ratings: IdeaRatings, name: str) -> None:
    raters = f" by {count(len(ratings.raters), 'rater')}" if ratings.raters else ""
    left = f"; {count(len(ratings.left_out), 'row')} left out" if ratings.left_out else ""
    print_line(f"{count(len(ratings.subjects), 'idea')}, {count(ratings.ratings, 'rating')}{raters}{left}.")
    for title, tuned in (("User Satisfaction Score", result.satisfaction), ("Creativity Index", result.creativity)):
        if tuned is not None:
            _print_agreement(title, tuned, ratings.scale, accepted=tuned in result.accepted)
    for index, rows in result.ablation.items():
        _print_ablation(index, rows)
    print_line()
    if result.folder is not None:
        print_line(f"Written: {result.folder} (the tuned model {one_line(name, 80)}).")
    else:
        print_line(
            "Nothing was written (--dry-run)." if result.accepted else "Nothing was written; the model is unchanged."
        )


def _print_agreement(title: str, tuned: TuningResult, scale: RatingScale, *, accepted: bool) -> None:
    print_heading(f"\n{title}: agreement with people, on held-out ideas")
    print_table(_HEADS, (_cells(line, scale) for line in tuned.lines))
    if tuned.criteria:
        print_heading("\nBy criterion (Table 12)")
        heads = ("criterion", "people", "score", "agreement", "Pearson", "ideas")
        print_table(heads, (_criterion(line, scale) for line in tuned.criteria))
    if tuned.pairs:
        print_heading("\nOn pairs (appendix F)")
        heads = ("preferences", "pairs", "kappa", "Pearson", "same", "same side of those decided")
        print_table(heads, (_pairs(name, agreement) for name, agreement in tuned.pairs.items()))
    print_line()
    for line in _verdict(tuned, accepted=accepted):
        print_line(line)


def _verdict(tuned: TuningResult, *, accepted: bool) -> list[str]:
    if tuned.weights is None:
        return ["No metric correlates with the ratings: the weights stay as they are."]
    fitted = ", ".join(f"{_words(name)} {weight:.2f}" for name, weight in tuned.weights.items())
    lines = [f"Weights: {fitted}." if accepted else f"Weights that would be used: {fitted}."]
    if tuned.unlearnt:
        names = ", ".join(_words(name) for name in tuned.unlearnt)
        lines.append(f"Known for too few of these ideas to fit their weight: {names}.")
    if not tuned.better:
        consequence = "it is used all the same (--force)." if accepted else "the weights stay as they are."
        lines.append(
            "On held-out ideas the tuned score agrees no better with people than the untuned score or the mean rating: "
            f"{consequence}"
        )
    if not accepted:
        lines.append("Have more ideas rated, or use these weights all the same: --force.")
    return lines


def _print_ablation(index: str, rows: Sequence[AblationRow]) -> None:
    table = "Table 3" if index == "creativity" else "Table 4"
    print_heading(f"\nWhat each metric contributes to the {heading(index)} ({table}; untuned weights)")
    print_table(
        ("metrics", "left out", "weights renewed", "weight dropped", "Pearson with ratings"),
        (
            (
                " + ".join(_words(name) for name in row.kept),
                _words(row.left_out or "–"),
                _number(row.renewed, 4),
                _number(row.dropped, 4),
                "–" if row.correlation is None else _pearson(row.correlation),
            )
            for row in rows
        ),
    )


def _cells(line: ScoreAgreement, scale: RatingScale) -> tuple[str, ...]:
    grades = line.grades
    return (
        line.name,
        _number(scale.rating(line.people)),
        _number(scale.rating(line.score)),
        _pearson(line.pearson),
        _number(grades.kappa),
        _number(grades.weighted_kappa),
        percent(grades.observed),
        percent(grades.close),
        _number(line.error * (scale.high - scale.low)),
    )


def _criterion(line: ScoreAgreement, scale: RatingScale) -> tuple[str, ...]:
    return (
        one_line(line.name, 40),
        _number(scale.rating(line.people)),
        _number(scale.rating(line.score)),
        percent(line.grades.observed),
        _pearson(line.pearson),
        f"{line.grades.n:,}",
    )


def _pairs(name: str, agreement: PreferenceAgreement) -> tuple[str, ...]:
    grades = agreement.grades
    return (
        name,
        f"{grades.n:,}",
        _number(grades.kappa),
        _pearson(agreement.pearson),
        percent(grades.observed),
        "–" if agreement.same_side is None else f"{percent(agreement.same_side)} of {agreement.decided:,}",
    )


def _pearson(of: Correlation) -> str:
    if of.r is None:
        return "–"
    interval = "" if of.low is None or of.high is None else f" [{_number(of.low)}, {_number(of.high)}]"
    return f"{_number(of.r)}{interval}"


def _number(value: float | None, digits: int = 2) -> str:
    """With a typographic minus sign, and none before zero."""
    return "–" if value is None else f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def _words(name: str) -> str:
    return name.replace("_", " ")
