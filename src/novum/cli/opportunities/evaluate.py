"""`novum opportunities evaluate`: forecasts of past years compared with what happened."""

from __future__ import annotations

from typing import Annotated

import typer

from novum.cli.opportunities.options import AsJson, LibraryNamed, SettingsOptions, print_steps, with_settings
from novum.cli.shell.group import examples
from novum.cli.shell.paper_source import add_and_embed_papers, paper_source
from novum.cli.shell.terminal import print_json, print_line, print_message, print_table
from novum.cli.shell.workplace import in_workplace
from novum.lab import Workplace
from novum.opportunities.building import evaluate_forecast
from novum.opportunities.evaluation_records import ForecastEvaluation
from novum.statistics.records import Estimate

_STOPPED = "Stopped. An evaluation stores nothing."
_MAX_FIELDS = 8
_SMALL = 0.1
"""Numbers below it are printed with one more digit."""


@examples(
    "novum opportunities evaluate",
    "novum opportunities evaluate --years 5 --horizon 2",
    "novum opportunities evaluate --library papers.jsonl.gz --year 2019 --json",
)
@with_settings
def evaluate(
    *,
    library: LibraryNamed = None,
    years: Annotated[int, typer.Option(min=1, max=30, help="How many of the last years that can be evaluated.")] = 3,
    year: Annotated[list[int] | None, typer.Option(help="Evaluate these years instead; repeatable.")] = None,
    pairs: Annotated[
        int, typer.Option(min=1000, max=5_000_000, help="Pairs for each year; of more, a uniform sample.")
    ] = 700_000,
    draws: Annotated[
        int,
        typer.Option(
            "--bootstrap-samples", min=0, max=2_000, metavar="N", help="Bootstrap samples behind the intervals."
        ),
    ] = 200,
    options: SettingsOptions,
    as_json: AsJson = False,
) -> None:
    """Evaluate the forecast on past years, compared with simpler scores.

    For each year everything is computed from papers up to that year.
    All pairs that were not linked by then are ranked, or a uniform sample of them.
    """
    source = paper_source(library)

    async def job(place: Workplace) -> ForecastEvaluation:
        await add_and_embed_papers(place, source)
        settings = options.settings(place.library.size().papers, place.settings.values.seed)
        with print_steps() as progress:
            return await evaluate_forecast(
                place.library, settings, years=year or years, most=pairs, draws=draws, progress=progress
            )

    result = in_workplace(job, _STOPPED, {"library": source.library})
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        _print(result)


def _print(evaluation: ForecastEvaluation) -> None:
    if evaluation.titles_only:
        print_line("Hardly any paper has an abstract, so only titles and keywords were read.")
    for year, why in evaluation.skipped.items():
        print_message(f"{year} was skipped. {why}")
    measures = ("AUC", "average precision", f"precision@{evaluation.k}")
    print_table(("from", "concepts", "pairs", "of", "linked", "predicted", *measures), (
        (str(each.year), f"{each.concepts:,}", f"{each.pairs:,}", f"{each.of:,}", f"{each.joined:,}",
         f"{each.told:,.0f}", *(_plain(value) for value in (each.auc, each.average_precision, each.precision_at_k)))
        for each in evaluation.years
    ))  # fmt: skip
    print_line()
    print_table(("mean of the years", *measures), (
        (each.name, *map(_with_interval, (each.auc, each.average_precision, each.precision_at_k)))
        for each in evaluation.scores
    ))  # fmt: skip
    print_line()
    for margin in evaluation.margins:
        what = margin.measure.replace("_at_k", f"@{evaluation.k}").replace("_", " ")
        verdict = f", {margin.verdict}" if margin.verdict else ""
        print_line(f"{what}: the model minus {margin.best}: {_with_interval(margin.difference)}{verdict}")
    ratio, error = _with_interval(evaluation.calibration.ratio), evaluation.calibration.error
    print_line(f"linked pairs, predicted divided by actual: {ratio}; mean error of a probability {error:.4f}")
    if evaluation.attention:
        print_line(
            f"attention: rank correlation {_with_interval(evaluation.attention.model)} over "
            f"{evaluation.attention.pairs:,} linked pairs "
            f"(preferential attachment {_with_interval(evaluation.attention.attachment)})"
        )
    _print_fields(evaluation)


def _print_fields(evaluation: ForecastEvaluation) -> None:
    if evaluation.fields:
        best = evaluation.fields[0].best
        print_line()
        heads = ("AUC", f"{best}: AUC", "average precision", f"{best}: average precision")
        print_table(("field", "pairs", "linked", *heads), (
            (each.field, f"{each.pairs:,}", f"{each.joined:,}", _with_interval(each.auc), _with_interval(each.best_auc),
             _with_interval(each.average_precision), _with_interval(each.best_average_precision))
            for each in evaluation.fields
        ))  # fmt: skip
    if evaluation.thin:
        selected = [f"{name} ({linked})" for name, linked in evaluation.thin.items()][:_MAX_FIELDS]
        rest = len(evaluation.thin) - len(selected)
        print_line()
        print_line(
            f"Too few pairs became linked to evaluate the forecast within these fields: {', '.join(selected)}"
            + (f", and {rest} more." if rest else ".")
        )


def _plain(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if 0 < abs(value) < _SMALL else f"{value:.3f}"


def _with_interval(of: Estimate) -> str:
    if of.value is None or of.low is None or of.high is None:
        return _plain(of.value)
    return f"{_plain(of.value)} [{_plain(of.low)}, {_plain(of.high)}]"
