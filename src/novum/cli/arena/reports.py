"""`novum arena report` and `novum arena agree`: what an arena found, to be read; no model is asked for a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.shell.group import examples

if TYPE_CHECKING:
    from novum.benchmarks.arena.records import ArenaRun
    from novum.benchmarks.arena.report.agreement import ArenaAgreement
    from novum.cli.shell.terminal import Printer
    from novum.reports.folder import ReportFiles

RunOrFile = Annotated[
    str, typer.Argument(metavar="RUN|FILE", help="A run, or a file or folder of matches.", show_default=False)
]
Draws = Annotated[
    int,
    typer.Option(
        "--bootstrap-samples", min=0, max=100_000, metavar="N", help="Bootstrap samples behind the intervals."
    ),
]


@examples(
    "novum arena report last",
    "novum arena report last --equal-length --out my-report",
    "novum arena report ablations --reference chain-of-ideas",
    "novum arena report matches-of-others.csv --family 'their-method=gpt'",
)
def report(
    run: RunOrFile,
    *,
    equal_length: Annotated[
        bool,
        typer.Option("--equal-length", help="Ratings with the length of texts held equal, beside the plain ones."),
    ] = False,
    reference: Annotated[
        str, typer.Option(metavar="ENTRANT", help="Whom points 2/1/0 are counted against; else the first entrant.")
    ] = "",
    family: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FAMILY",
            help="Which family of models a judge is of, or wrote an entrant's ideas, where names do not tell. "
            "Repeatable.",
        ),
    ] = None,
    draws: Draws = 1000,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder; else novum-reports/RUN.")] = None,
) -> None:
    """Ratings, who beats whom, every idea and verdict, how judges lean, what it cost: one page, with all as data."""
    from novum.benchmarks.arena.report.numbers import arena_report
    from novum.benchmarks.arena.report.page import write_arena_report
    from novum.cli.arena.lookup import run_named
    from novum.cli.shell.output import REPORTS_FOLDER, check_writable
    from novum.errors import BadInput

    families = dict(_named(family or ()))
    found = run_named(run)
    known = {each.name for each in found.entrants}
    if reference and reference not in known:
        raise BadInput(f"--reference {reference!r} did not take part. There are: {', '.join(sorted(known))}.")
    if strangers := sorted(set(families) - known - set(found.judges)):
        raise BadInput(f"--family: {strangers[0]!r} is neither an entrant nor a judge of this arena.")
    folder = out or REPORTS_FOLDER / folder_name(found.name)
    check_writable(folder)
    told = arena_report(found, draws=draws, equal_length=equal_length, reference=reference, families=families)
    _say_files(write_arena_report(told, folder))


@examples(
    "novum arena agree last --people experts.csv",
    "novum arena agree last --people experts.csv --among-judges --out study",
    "novum arena agree matches.jsonl --among-judges --json",
)
def agree(
    run: RunOrFile,
    *,
    people: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Matches that people judged, with the columns of a matches file; the outcome may be one of five "
            "grades, from `much better` to `both bad`.",
        ),
    ] = None,
    judges: Annotated[bool, typer.Option("--among-judges", help="Also between the judges of the arena.")] = False,
    draws: Draws = 1000,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="A page, the data and the plots there.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole result as JSON on stdout.")] = False,
) -> None:
    """Do people agree with the judges, and judges with each other? On single matches, and on ratings."""
    from novum.benchmarks.arena.report.agreement_page import write_agreement
    from novum.cli.arena.lookup import run_named
    from novum.cli.shell.output import check_writable
    from novum.cli.shell.terminal import print_json, print_line, print_message
    from novum.errors import BadInput

    if people is None and not judges:
        raise BadInput("Name matches of people by --people FILE, or add --among-judges for the judges.")
    if out is not None:
        check_writable(out)
    study = _study(run_named(run), people, among_judges=judges, draws=draws)
    if as_json:
        print_json(study.model_dump(mode="json"))
    else:
        _say_study(study)
    if out is not None:
        _say_files(write_agreement(study, out), print_message if as_json else print_line)


def _study(found: ArenaRun, people: Path | None, *, among_judges: bool, draws: int) -> ArenaAgreement:
    """Raises BadInput where nothing can be held against anything."""
    from novum.benchmarks.arena.report.agreement import agreement_study
    from novum.cli.arena.human_judgements import read_people
    from novum.errors import BadInput

    if people is None:
        if len({each.judge for each in found.judged_pairs}) < 2:
            raise BadInput("This arena has fewer than two judges: name matches of people by --people FILE.")
        return agreement_study(found, draws=draws)
    said = read_people(people)
    study = agreement_study(
        found, said.judged_pairs, said.graded, among_judges=among_judges, draws=draws, notes=said.notes
    )
    if not study.people:
        raise BadInput(
            f"Nothing in {people} is about a topic and entrants of this arena. Topics and names have to be the same "
            "as in its own matches file (novum arena export)."
        )
    return study


def _say_study(study: ArenaAgreement) -> None:
    from novum.benchmarks.arena.report.agreement_page import HEADS, grade_rows, headline, rows
    from novum.cli.shell.terminal import one_line, print_line, print_table

    print_table(HEADS, rows(study))
    if study.grades:
        print_table(("entrant", "criterion", "experts' win rate", *study.grades[0].counts), grade_rows(study))
    print_line(one_line(headline(study)))
    for note in study.notes:
        print_line(f"Note: {one_line(note)}")


def _say_files(files: ReportFiles, speak: Printer | None = None) -> None:
    from novum.cli.shell.terminal import print_line

    tell = speak or print_line
    folder = files.html.parent
    for file in (files.html, files.json, *(other for other in files.others if other.parent == folder)):
        tell(str(file))
    for charts in sorted({str(other.parent) for other in files.others} - {str(folder)}):
        tell(f"{charts} (each chart as SVG and PNG)")


def _named(given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """`NAME=FAMILY`, told apart at the last sign. Raises BadInput."""
    from novum.errors import BadInput

    for each in given:
        name, mark, family = each.rpartition("=")
        if not mark or not name.strip() or not family.strip():
            raise BadInput(f"--family {each!r}: write NAME=FAMILY, as in 'gpt-judge=gpt'.")
        yield name.strip(), family.strip().casefold()


def folder_name(name: str) -> str:
    """A run's name, or a file's, as the name of a folder."""
    plain = "".join(char if char.isalnum() or char in "-_." else "-" for char in Path(name).stem)
    return plain.strip("-.")[:80] or "arena"
