"""One session of work on an arena: watched, stoppable, its leaderboards shown and its files written."""

from __future__ import annotations

from math import comb

from novum.benchmarks.arena.exporting import write_arena
from novum.benchmarks.arena.leaderboard import ArenaLeaderboard, leaderboard
from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.task import ArenaTask
from novum.cli.arena.reports import folder_name
from novum.cli.arena.table import remarks, say_leaderboard
from novum.cli.shell.durable import check_finished
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import print_json, print_line
from novum.reports.phrases import count, duration


def announcement(assignment: ArenaTask) -> str:
    """What is about to happen, at most."""
    made = sum(bool(each.method) for each in assignment.entrants)
    pairs = comb(len(assignment.entrants), 2) * len(assignment.topics)
    if assignment.most_pairs is not None:
        pairs = min(pairs, assignment.most_pairs)
    askings = 2 * pairs * len(assignment.judges) * len(assignment.kinds)
    ideas = f"{count(made * len(assignment.topics), 'idea')} to be had; " if made else ""
    return (
        f"{count(len(assignment.entrants), 'entrant')} on {count(len(assignment.topics), 'topic')}: {ideas}at most "
        f"{count(pairs, 'pair')} to be judged, {count(askings, 'asking')}."
    )


def deliver(run: ArenaRun, output: OutputOptions) -> None:
    """Shows the leaderboards and writes the files. Raises BudgetSpent at the end where the budget had stopped it."""
    show_and_write(run, output)
    check_finished(run, run.name)


def show_and_write(run: ArenaRun, output: OutputOptions) -> None:
    """Shows the leaderboards and writes the files."""
    show(run, output)
    for file in write_arena(run, output.folder(folder_name(run.name)), output.formats or ("jsonl", "csv")):
        output.note(str(file))
    output.note(f"Both ideas of every pair, side by side, with ratings and judges: novum arena report {run.name}")
    if run.account is not None:
        output.note(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")


def show(run: ArenaRun, output: OutputOptions) -> ArenaLeaderboard:
    """The leaderboards: tables with remarks, or JSON."""
    found = leaderboard(run, draws=output.bootstrap_samples)
    if output.as_json:
        header = run.model_dump(mode="json", exclude={"entries", "judged_pairs"})
        forfeits = [each.model_dump(mode="json", include={"topic", "entrant", "forfeit"}) for each in run.entries]
        forfeits = [each for each in forfeits if each["forfeit"]]
        print_json({"run": header, "forfeits": forfeits, "leaderboard": found.model_dump(mode="json")})
        return found
    say_leaderboard(found)
    for line in remarks(run, found):
        print_line(line)
    return found
