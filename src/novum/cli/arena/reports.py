"""`novum arena report` and `novum arena agree`: reports on a stored arena, without any model call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from novum.benchmarks.arena.human_judgements import read_human_judgements
from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.report.agreement import ArenaAgreement, agreement_study
from novum.benchmarks.arena.report.agreement_page import HEADS, grade_rows, headline, rows, write_agreement
from novum.benchmarks.arena.report.numbers import arena_report
from novum.benchmarks.arena.report.page import write_arena_report
from novum.benchmarks.arena.report.study import study_report
from novum.benchmarks.arena.report.study_page import write_study_report
from novum.cli.arena.options import RunOrFile
from novum.cli.arena.session import arena_named
from novum.cli.shell.arguments import folder_name, print_report_files
from novum.cli.shell.group import examples
from novum.cli.shell.options import Draws
from novum.cli.shell.output import OutputOptions, check_writable, report_folder
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import one_line, print_json, print_line, print_table
from novum.errors import BadInput


@with_pdf
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
        bool, typer.Option("--equal-length", help="Add ratings with the length of texts held equal.")
    ] = False,
    reference: Annotated[
        str, typer.Option(metavar="ENTRANT", help="Entrant that points are counted against. Default: the first.")
    ] = "",
    family: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FAMILY",
            help="Model family of a judge, or of the model that wrote an entrant's ideas, where the name does not show "
            "it; repeatable.",
        ),
    ] = None,
    draws: Draws = 1000,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the report. Default: novum-reports/RUN.")
    ] = None,
) -> None:
    """Write ratings, pairwise results, every idea and verdict, judge biases and costs as one page, with the data."""
    families = dict(_named_families(family or ()))
    arena = arena_named(run)
    known = {each.name for each in arena.entrants}
    if reference and reference not in known:
        raise BadInput(f"--reference {reference!r} did not take part. There are: {', '.join(sorted(known))}.")
    if strangers := sorted(set(families) - known - set(arena.judges)):
        raise BadInput(f"--family: {strangers[0]!r} is neither an entrant nor a judge of this arena.")
    folder = report_folder(out, folder_name(arena.name, "arena"))
    check_writable(folder)
    numbers = arena_report(arena, draws=draws, equal_length=equal_length, reference=reference, families=families)
    print_report_files(write_arena_report(numbers, folder))


def write_page(run: ArenaRun, output: OutputOptions) -> None:
    """Writes the report of an arena, and before it that of the study that it is."""
    folder = output.folder(folder_name(run.name, "arena"))
    if run.study:
        numbers, whole = study_report(run, draws=output.bootstrap_samples)
        write_study_report(numbers, whole, folder)
    else:
        whole = arena_report(run, draws=output.bootstrap_samples)
    write_arena_report(whole, folder)


@with_pdf
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
            help="Matches that people judged, with the columns of a matches file; an outcome may be one of five "
            "grades, from `much better` to `both bad`.",
        ),
    ] = None,
    among_judges: Annotated[bool, typer.Option("--among-judges", help="Compare the arena's judges too.")] = False,
    draws: Draws = 1000,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also write a page, the data and the plots to this folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Measure how well judges agree with people and with each other, on single matches and on ratings."""
    if people is None and not among_judges:
        raise BadInput("Name matches of people by --people FILE, or compare the judges by --among-judges.")
    output = OutputOptions(out, as_json)
    if out is not None:
        check_writable(output.folder(""))
    study = _study(arena_named(run), people, among_judges=among_judges, draws=draws)
    if as_json:
        print_json(study.model_dump(mode="json"))
    else:
        _print_study(study)
    if out is not None:
        print_report_files(write_agreement(study, out), output.print)


def _study(arena: ArenaRun, people: Path | None, *, among_judges: bool, draws: int) -> ArenaAgreement:
    """Raises BadInput when there is nothing to compare."""
    if people is None:
        if len({each.judge for each in arena.judged_pairs}) < 2:
            raise BadInput("This arena has fewer than two judges: name matches of people by --people FILE.")
        return agreement_study(arena, draws=draws)
    human = read_human_judgements(people)
    study = agreement_study(
        arena, human.judged_pairs, human.graded, among_judges=among_judges, draws=draws, notes=human.notes
    )
    if not study.people:
        raise BadInput(
            f"Nothing in {people} is about a topic and entrants of this arena. Topics and names have to be the same "
            "as in its own matches file (novum arena export)."
        )
    return study


def _print_study(study: ArenaAgreement) -> None:
    print_table(HEADS, rows(study))
    if study.grades:
        print_table(("entrant", "criterion", "experts' win rate", *study.grades[0].counts), grade_rows(study))
    print_line(one_line(headline(study)))
    for note in study.notes:
        print_line(f"Note: {one_line(note)}")


def _named_families(given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """`NAME=FAMILY`, split at the last sign. Raises BadInput."""
    for each in given:
        name, mark, family = each.rpartition("=")
        if not mark or not name.strip() or not family.strip():
            raise BadInput(f"--family {each!r}: write NAME=FAMILY, as in 'gpt-judge=gpt'.")
        yield name.strip(), family.strip().casefold()
