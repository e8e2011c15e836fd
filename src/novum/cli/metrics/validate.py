"""`novum metrics validate`: compare every metric of a fitted model with known outcomes of papers and ideas."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from novum.benchmarks.metric_validation.outcomes import OutcomeLog, check_files, check_library
from novum.benchmarks.metric_validation.report import phrases as words
from novum.benchmarks.metric_validation.report.page import write_validation
from novum.benchmarks.metric_validation.report.records import Validation
from novum.benchmarks.metric_validation.reviewed_texts import read_reviewed_texts
from novum.benchmarks.metric_validation.study import ValidationOptions, validate_model
from novum.cli.shell.group import examples
from novum.cli.shell.library_progress import library_progress
from novum.cli.shell.options import DEFAULT_METRICS, MetricsName
from novum.cli.shell.output import checked_report_folder
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import one_line, print_heading, print_json, print_line, print_message, print_table
from novum.cli.shell.workplace import in_workplace
from novum.errors import BadInput
from novum.idea_metrics.review_rating import fit_rating_model
from novum.idea_metrics.saved_models import load_model
from novum.lab import Workplace
from novum.runs.library import Rate

_STOPPED = "Stopped. Nothing was written; run the same command again."


@with_pdf
@examples(
    "novum metrics validate reviews.jsonl.gz",
    "novum metrics validate reviews.jsonl.gz ideas.jsonl --subset neurips2025-review-scores --out validity",
    "novum metrics validate --citations --metrics until-2020",
    "novum metrics validate reviews.jsonl.gz --library my-library --json",
)
def validate(
    outcomes: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Files of reviews (ratings, decisions) or of ideas that people scored: JSON lines, also gzipped.",
            show_default=False,
        ),
    ] = None,
    *,
    metrics: MetricsName = DEFAULT_METRICS,
    library: Annotated[
        str,
        typer.Option(
            metavar="DIR",
            help="The library that the model was fitted to; by default your own. It shows which papers the model has "
            "seen, and has their authors and references.",
            show_default=False,
        ),
    ] = "",
    train: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Reviewed papers that the predicted rating is fitted to, such as those of earlier years. Default: the "
            "installed model, which says nothing of the venues and years that it knows. Repeatable.",
            show_default=False,
        ),
    ] = None,
    citations: Annotated[
        bool,
        typer.Option("--citations", help="Also citations of the library's papers, compared within a venue and year."),
    ] = False,
    across_venues: Annotated[
        bool, typer.Option("--across-venues", help="Compare citations within a year, whatever the venue.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option("--subset", metavar="NAME", help="Of scored ideas only this subset; repeatable."),
    ] = None,
    with_known: Annotated[
        bool, typer.Option("--with-known", help="Also papers that the model was fitted to, which favours it.")
    ] = False,
    novelty: Annotated[
        bool, typer.Option("--novelty", help="Also literature novelty: some ten milliseconds a paper.")
    ] = False,
    draws: Annotated[
        int,
        typer.Option(
            "--bootstrap-samples", min=100, max=20_000, metavar="N", help="Bootstrap samples behind the intervals."
        ),
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the report: page, Markdown, data and plots.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole result as JSON on stdout.")] = False,
) -> None:
    """Do metrics predict what became of papers and ideas, and do they predict it better than the length of the text?

    Prints Spearman's correlation with ratings, decisions, scores and citations within each venue and year, with
    confidence intervals, AUC, and length and readability as baselines. Papers that the model was fitted to are
    left out.
    """
    options = ValidationOptions(
        tuple(outcomes or ()), tuple(only or ()), citations or across_venues, across_venues, with_known, draws, seed
    )
    if not options.files and not options.citations:
        raise BadInput("Name files of outcomes (reviews, scored ideas), or add --citations of the library's papers.")
    check_files([*options.files, *(train or ())])
    if library:
        check_library(library)
    folder = None if out is None else checked_report_folder(out)

    async def job(place: Workplace) -> Validation:
        model = load_model(metrics, place.settings.metrics_folder, place.library.embedder)
        if train:
            rating = fit_rating_model(read_reviewed_texts(train, OutcomeLog()), seed=seed)
            model = replace(model, rating=rating)
        with library_progress() as show:
            rate = Rate("papers", show)
            return await validate_model(
                model, place.library, options, novelty=novelty, progress=lambda done: rate("scoring", done, None)
            )

    validation = in_workplace(job, _STOPPED, {"library": library})
    if as_json:
        print_json(validation.model_dump(mode="json"))
    else:
        _print(validation)
    if folder is not None:
        _write(validation, folder, as_json=as_json)


def _print(validation: Validation) -> None:
    for table in validation.tables:
        print_heading(f"\n{one_line(words.table_title(table), 300)}")
        print_table(words.HEADS, (words.cells(each, table) for each in table.rows))
        if words.agreement_line(table):
            print_line(words.agreement_line(table))
    print_heading("\nVerdicts")
    for name, verdict in validation.verdicts.items():
        print_line(one_line(f"{words.metric_title(name)}: {verdict}."))
    print_line()
    for line in (words.headline(validation), *words.remarks(validation), *words.account(validation)):
        print_line(one_line(line))


def _write(validation: Validation, folder: Path, *, as_json: bool) -> None:
    show = print_message if as_json else print_line
    files = write_validation(validation, folder)
    for file in (files.html, files.json, *(other for other in files.others if other.parent == folder)):
        show(str(file))
    if any(other.parent != folder for other in files.others):
        show(f"{folder / 'charts'} (each plot as SVG and PNG)")
