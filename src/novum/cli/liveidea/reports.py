"""`novum liveidea report` and `novum liveidea agree`: what was measured, to be read; no model is asked for a word."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.shell.group import examples

if TYPE_CHECKING:
    from novum.benchmarks.liveidea.ratings import RatingTable
    from novum.benchmarks.liveidea.report.agreement import AgreementStudy
    from novum.benchmarks.liveidea.report.records import LiveIdeaReport
    from novum.reports.folder import ReportFiles

REPORTS = Path("novum-reports")
_LARGEST = 100_000_000
"""Bytes of a CSV."""


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
            metavar="RUN|FILE", help="Id of a run, its beginning, `last`, or a data set's file.", show_default=False
        ),
    ],
    *,
    outside: Annotated[
        Path | None, typer.Option(metavar="FILE", help="CSV of another benchmark, with the columns model and score.")
    ] = None,
    outside_column: Annotated[str, typer.Option(metavar="NAME", help="Its column of the score.")] = "",
    outside_name: Annotated[str, typer.Option(metavar="NAME", help="What it is called; else the file's name.")] = "",
    linked_to: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RUN|DIR",
            help="Another run, or its data set, whose panel judged the same anchor ideas: how far the panels differ, "
            "and its models in points of this run. Repeatable.",
        ),
    ] = None,
    embedder: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Measures how far the ideas of a keyword lie apart: static (built in, costs nothing), PROVIDER:MODEL "
            "(is asked anew for each report, and costs), local: with a model that runs here, or none.",
        ),
    ] = "static",
    draws: Annotated[
        int,
        typer.Option(
            "--bootstrap-samples", min=0, max=100_000, metavar="N", help="Bootstrap samples behind the intervals."
        ),
    ] = 1000,
    example_count: Annotated[
        int, typer.Option("--examples", min=0, max=100, help="Ideas shown from the top and from the bottom.")
    ] = 5,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder; else novum-reports/RUN.")] = None,
) -> None:
    """Leaderboard, plots, judges, examples, energy: one page, with the numbers as data and the charts as files."""
    from novum.benchmarks.liveidea.other_benchmarks import read_benchmark_scores
    from novum.benchmarks.liveidea.report.numbers import liveidea_report
    from novum.benchmarks.liveidea.report.page import write_liveidea_report
    from novum.cli.liveidea.embedder import measured_distances
    from novum.cli.liveidea.lookup import run_named

    found = run_named(run)
    scores = (
        None if outside is None else read_benchmark_scores(_text(outside), outside.name, found.models, outside_column)
    )
    others = [run_named(name) for name in linked_to or ()]
    told = liveidea_report(
        found,
        draws=draws,
        seed=found.seed,
        examples=example_count,
        outside=scores,
        outside_name=outside_name or (outside.stem if outside else ""),
        linked_to=others,
        distances=measured_distances(found, embedder),
    )
    _tell_notes(told)
    _say_files(write_liveidea_report(told, out or REPORTS / _folder_name(found.name)))


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
        str | None, typer.Option(metavar="RUN|FILE", help="A run, or its data set, whose judges are the panel.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder; else novum-reports/RATINGS.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole result as JSON on stdout as well.")] = False,
) -> None:
    """Do people agree with each other, and the panel with them? Intraclass correlation and Pearson's r.

    Without --panel-scores and --run, the lines of the rater "panel" in RATINGS are the panel's.
    """
    from novum.benchmarks.liveidea.agreement import human_agreement
    from novum.benchmarks.liveidea.report.agreement import write_agreement
    from novum.cli.shell.terminal import print_json

    people, judges = _both(ratings, panel, run)
    study = human_agreement(people, judges)
    files = write_agreement(study, out or REPORTS / f"agreement-{_folder_name(ratings.stem)}")
    if as_json:
        print_json(study.model_dump(mode="json"))
        return
    _say_study(study)
    _say_files(files)


def _tell_notes(report: LiveIdeaReport) -> None:
    """What was asked for and is not in the report."""
    from novum.cli.shell.terminal import one_line, print_message

    for note in report.others.notes if report.others is not None else ():
        print_message(one_line(note))


def _both(ratings: Path, panel: Path | None, run: str | None) -> tuple[RatingTable, RatingTable]:
    """People and panel. Raises BadInput where the panel is named twice or nowhere."""
    from novum.benchmarks.liveidea.agreement import panel_inside, panel_of_run
    from novum.benchmarks.liveidea.ratings import read_ratings
    from novum.cli.liveidea.lookup import run_named
    from novum.errors import BadInput

    if panel is not None and run is not None:
        raise BadInput("The panel is named twice, by --panel and by --run: leave one of them out.")
    people = read_ratings(_text(ratings), ratings.name)
    if panel is not None:
        return people, read_ratings(_text(panel), panel.name)
    if run is not None:
        return people, panel_of_run(run_named(run))
    return panel_inside(people)


def _say_study(study: AgreementStudy) -> None:
    from novum.benchmarks.liveidea.report import phrases as words
    from novum.cli.shell.terminal import print_line, print_table

    print_table(
        ("dimension", "ICC(A,k)", "band", "ICC(C,k)", "band", "r with panel", "p", "ideas"),
        (
            (
                each.dimension,
                words.number(each.people.agreement_average.value, 3),
                each.people.agreement_average.band,
                words.number(each.people.consistency_average.value, 3),
                each.people.consistency_average.band,
                words.r_with_interval(each.with_panel),
                words.NONE if each.with_panel.p is None else words.p_value(each.with_panel.p),
                str(each.with_panel.n),
            )
            for each in study.dimensions
        ),
    )
    for note in study.notes:
        print_line(note)


def _say_files(files: ReportFiles) -> None:
    from novum.cli.shell.terminal import print_line

    print_line(str(files.html))
    print_line(str(files.json))
    for other in files.others:
        if other.parent == files.html.parent:
            print_line(str(other))
    charts = {str(other.parent) for other in files.others} - {str(files.html.parent)}
    for folder in sorted(charts):
        print_line(f"{folder} (each chart as SVG and PNG)")


def _text(path: Path) -> str:
    from novum.errors import BadInput

    try:
        with path.open("rb") as file:
            raw = file.read(_LARGEST + 1)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}. Name a CSV file.") from error
    if len(raw) > _LARGEST:
        raise BadInput(f"{path} is larger than {_LARGEST // 1_000_000} MB: leave out what is no rating or score.")
    return raw.decode("utf-8", "replace")


def _folder_name(name: str) -> str:
    """A run's name, or a file's, as the name of a folder."""
    plain = "".join(char if char.isalnum() or char in "-_." else "-" for char in Path(name).stem)
    return plain.strip("-.")[:80] or "liveidea"
