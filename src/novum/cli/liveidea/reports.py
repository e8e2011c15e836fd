"""`novum liveidea report` and `novum liveidea agree`: reports on a stored run, without any model call."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from novum.benchmarks.liveidea.agreement import human_agreement, panel_inside, panel_of_run
from novum.benchmarks.liveidea.other_benchmarks import read_benchmark_scores
from novum.benchmarks.liveidea.ratings import RatingTable, read_ratings
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.benchmarks.liveidea.report import phrases as words
from novum.benchmarks.liveidea.report.agreement import AgreementStudy, write_agreement
from novum.benchmarks.liveidea.report.numbers import liveidea_report
from novum.benchmarks.liveidea.report.page import write_liveidea_report
from novum.cli.liveidea.embedder import measured_distances
from novum.cli.liveidea.session import run_named
from novum.cli.shell.arguments import folder_name, print_report_files, text_of_file
from novum.cli.shell.group import examples
from novum.cli.shell.options import Draws
from novum.cli.shell.output import OutputOptions, report_folder
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import one_line, print_json, print_line, print_message, print_table
from novum.errors import BadInput
from novum.reports import phrases


@with_pdf
@examples(
    "novum liveidea report last",
    "novum liveidea report last --outside livebench.csv --out my-report",
    "novum liveidea report last --linked-to 20261101 --linked-to earlier-data",
    "novum liveidea report last --embedder openai:text-embedding-3-large",
    "novum liveidea report ideas-of-others.parquet",
)
def report(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN|FILE",
            help="Id of a run, its beginning, `last`, or the file of a data set.",
            show_default=False,
        ),
    ],
    *,
    outside: Annotated[
        Path | None, typer.Option(metavar="FILE", help="CSV of another benchmark with the columns model and score.")
    ] = None,
    outside_column: Annotated[str, typer.Option(metavar="NAME", help="Its column with the score.")] = "",
    outside_name: Annotated[str, typer.Option(metavar="NAME", help="Its name. Default: that of the file.")] = "",
    linked_to: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RUN|DIR",
            help="Another run or data set whose panel scored the same anchor ideas: shows how the panels differ, and "
            "its models in points of this run; repeatable.",
        ),
    ] = None,
    embedder: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Measures the distance between the ideas of a keyword: static (built in, free), PROVIDER:MODEL "
            "(called for each report, not free), local: and a model on this machine, or none.",
        ),
    ] = "static",
    draws: Draws = 1000,
    example_count: Annotated[
        int, typer.Option("--examples", min=0, max=100, metavar="N", help="Best and worst ideas to show, of each.")
    ] = 5,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the report. Default: novum-reports/RUN.")
    ] = None,
) -> None:
    """Write leaderboard, plots, judge audit, examples and energy use as one page, with data and charts as files."""
    measured = run_named(run)
    folder = report_folder(out, folder_name(measured.name, "liveidea"))
    scores = None
    if outside is not None:
        scores = read_benchmark_scores(text_of_file(outside), outside.name, measured.models, outside_column)
    numbers = liveidea_report(
        measured,
        draws=draws,
        seed=measured.seed,
        examples=example_count,
        outside=scores,
        outside_name=outside_name or (outside.stem if outside else ""),
        linked_to=[run_named(name) for name in linked_to or ()],
        distances=measured_distances(measured, embedder),
    )
    for note in numbers.others.notes if numbers.others is not None else ():
        print_message(one_line(note))
    print_report_files(write_liveidea_report(numbers, folder))


def write_page(run: LiveIdeaRun, output: OutputOptions) -> None:
    """Writes the report of a run as `novum liveidea report` does by default."""
    numbers = liveidea_report(
        run, draws=output.bootstrap_samples, seed=run.seed, distances=measured_distances(run, "static")
    )
    write_liveidea_report(numbers, output.folder(run.name))


@with_pdf
@examples(
    "novum liveidea agree ratings.csv --run last",
    "novum liveidea agree experts.csv --panel-scores judges.csv --out study",
)
def agree(
    ratings: Annotated[
        Path,
        typer.Argument(
            metavar="RATINGS",
            help="CSV with the columns idea, rater, originality, feasibility, clarity.",
            show_default=False,
        ),
    ],
    *,
    panel: Annotated[
        Path | None,
        typer.Option("--panel-scores", metavar="FILE", help="CSV of the panel's scores, with the same columns."),
    ] = None,
    run: Annotated[
        str | None, typer.Option(metavar="RUN|FILE", help="A run or data set whose judges are the panel.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the report. Default: novum-reports/agreement-RATINGS.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Also print the result as JSON.")] = False,
) -> None:
    """Measure how well people agree with each other and with the panel: intraclass correlation and Pearson's r.

    Without --panel-scores and --run, the lines of the rater "panel" in RATINGS are the panel's.
    """
    folder = report_folder(out, f"agreement-{folder_name(ratings.stem, 'ratings')}")
    study = human_agreement(*_people_and_panel(ratings, panel, run))
    files = write_agreement(study, folder)
    if as_json:
        print_json(study.model_dump(mode="json"))
        return
    _print_study(study)
    print_report_files(files)


def _people_and_panel(ratings: Path, panel: Path | None, run: str | None) -> tuple[RatingTable, RatingTable]:
    """Raises BadInput when the panel is named twice or not at all."""
    if panel is not None and run is not None:
        raise BadInput("The panel is named twice, by --panel-scores and by --run: leave one of them out.")
    people = read_ratings(text_of_file(ratings), ratings.name)
    if panel is not None:
        return people, read_ratings(text_of_file(panel), panel.name)
    if run is not None:
        return people, panel_of_run(run_named(run))
    return panel_inside(people)


def _print_study(study: AgreementStudy) -> None:
    print_table(
        ("dimension", "ICC(A,k)", "band", "ICC(C,k)", "band", "r with panel", "p", "ideas"),
        (
            (
                each.dimension,
                phrases.number(each.people.agreement_average.value, 3),
                each.people.agreement_average.band,
                phrases.number(each.people.consistency_average.value, 3),
                each.people.consistency_average.band,
                words.r_with_interval(each.with_panel),
                phrases.NONE if each.with_panel.p is None else phrases.p_value(each.with_panel.p),
                str(each.with_panel.n),
            )
            for each in study.dimensions
        ),
    )
    for note in study.notes:
        print_line(note)
