"""Arenas for a user: found by a run's name or a file, printed as leaderboards, and written as tables."""

from __future__ import annotations

from pathlib import Path

from novum.benchmarks.arena.durable import ARENA
from novum.benchmarks.arena.exporting import FORMATS, read_arena, write_arena
from novum.benchmarks.arena.leaderboard import leaderboard
from novum.benchmarks.arena.plan import pairs_of
from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.report.study import study_report
from novum.benchmarks.arena.task import ArenaTask
from novum.cli.arena.study_table import print_study
from novum.cli.arena.table import print_leaderboard, remarks
from novum.cli.shell.arguments import folder_name, print_import_log
from novum.cli.shell.durable import check_finished, record_named, replay_run
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import print_json, print_line
from novum.errors import BadInput
from novum.ledger import RunRecord
from novum.reports.phrases import count, duration


def arena_named(name: str) -> ArenaRun:
    """An arena by a run's id, its beginning or `last`, or by a file or folder of matches. Calls no model.

    Rows of a file that cannot be read are printed. Raises BadInput when there is no such arena.
    """
    return arena_in(Path(name)) if Path(name).exists() else replay_run(ARENA, stored_run(name))


def arena_in(place: Path) -> ArenaRun:
    """The arena in a file or folder of matches; rows that cannot be read are printed."""
    if not place.exists():
        raise BadInput(f"{place} does not exist. Name a file of matches, or a folder that holds one (docs: Arena).")
    imported = read_arena(place)
    print_import_log(imported)
    return imported.run


def stored_run(name: str) -> RunRecord:
    """An arena in the ledger; `last` is the newest. Raises BadInput when there is none."""
    return record_named(
        name, ARENA.name, "There is no arena yet. Start one: novum arena run --topics FILE --method METHOD,METHOD"
    )


def announcement(task: ArenaTask) -> str:
    """The largest number of ideas, pairs and requests of an arena."""
    generators = sum(bool(each.method) for each in task.entrants)
    pairs = pairs_of(task)
    requests = 2 * pairs * len(task.judges) * len(task.kinds)
    ideas = f"{count(generators * len(task.topics), 'idea')} to generate; " if generators else ""
    return (
        f"{count(len(task.entrants), 'entrant')} on {count(len(task.topics), 'topic')}: {ideas}at most "
        f"{count(pairs, 'pair')} to judge, {count(requests, 'request')}."
    )


def deliver(run: ArenaRun, output: OutputOptions) -> None:
    """Prints the leaderboards and writes the files. Raises BudgetSpent at the end when the budget stopped the run."""
    show_and_write(run, output)
    check_finished(run, run.name)


def show_and_write(run: ArenaRun, output: OutputOptions) -> None:
    """Prints the leaderboards and writes the files."""
    show(run, output)
    for file in write_arena(run, output.folder(folder_name(run.name, "arena")), output.formats or FORMATS):
        output.note(str(file))
    command = "novum arena study report" if run.study else "novum arena report"
    output.note(f"The report, with both ideas of every pair side by side: {command} {run.name}")
    if run.account is not None:
        output.note(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")


def show(run: ArenaRun, output: OutputOptions) -> None:
    """Prints the leaderboards, as tables with remarks or as JSON."""
    board = leaderboard(run, draws=output.bootstrap_samples)
    if output.as_json:
        header = run.model_dump(mode="json", exclude={"entries", "judged_pairs"})
        study = study_report(run, draws=output.bootstrap_samples)[0].model_dump(mode="json") if run.study else None
        forfeits = [
            each.model_dump(mode="json", include={"topic", "entrant", "forfeit"})
            for each in run.entries
            if each.forfeit
        ]
        print_json({
            "run": header, "forfeits": forfeits, "leaderboard": board.model_dump(mode="json"),
            **({"study": study} if study else {}),
        })  # fmt: skip
        return
    if run.study:
        print_study(*study_report(run, draws=output.bootstrap_samples))
        return
    print_leaderboard(board)
    for line in remarks(run, board):
        print_line(line)
