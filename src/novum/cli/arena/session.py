"""One session of work on an arena: watched, stoppable, its leaderboards shown and its files written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

from novum.benchmarks.arena.exporting import write_arena
from novum.benchmarks.arena.leaderboard import ArenaLeaderboard, leaderboard
from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.task import ArenaTask
from novum.cli.arena.reports import folder_name
from novum.cli.arena.table import remarks, say_leaderboard
from novum.cli.shell.durable import check_finished
from novum.cli.shell.phrases import bill
from novum.cli.shell.session import REPORTS_FOLDER
from novum.cli.shell.terminal import print_nothing, print_line, print_json, print_message
from novum.reports.phrases import count, duration


@dataclass(frozen=True)
class Manner:
    """How the outcome is shown. `out` None: a folder of the run's name under `novum-reports`."""

    out: Path | None = None
    as_json: bool = False
    quiet: bool = False
    formats: Sequence[str] = ("jsonl", "csv")
    draws: int = 1000

    def folder(self, name: str) -> Path:
        return self.out or REPORTS_FOLDER / folder_name(name)


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


def deliver(run: ArenaRun, manner: Manner) -> None:
    """Shows the leaderboards and writes the files. Raises BudgetSpent at the end where the budget had stopped it."""
    show_and_write(run, manner)
    check_finished(run, run.name)


def show_stored(run: ArenaRun, *, out: Path | None, as_json: bool, quiet: bool) -> None:
    """Shows the outcome of a stored run and writes its files."""
    show_and_write(run, Manner(out, as_json, quiet))


def show_and_write(run: ArenaRun, manner: Manner) -> None:
    """Shows the leaderboards and writes the files."""
    show(run, manner)
    speak = print_nothing if manner.quiet else print_message if manner.as_json else print_line
    for file in write_arena(run, manner.folder(run.name), manner.formats):
        speak(str(file))
    speak(f"Both ideas of every pair, side by side, with ratings and judges: novum arena report {run.name}")
    if run.account is not None:
        speak(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")


def show(run: ArenaRun, manner: Manner) -> ArenaLeaderboard:
    """The leaderboards: tables with remarks, or JSON."""
    found = leaderboard(run, draws=manner.draws)
    if manner.as_json:
        header = run.model_dump(mode="json", exclude={"entries", "judged_pairs"})
        forfeits = [each.model_dump(mode="json", include={"topic", "entrant", "forfeit"}) for each in run.entries]
        forfeits = [each for each in forfeits if each["forfeit"]]
        print_json({"run": header, "forfeits": forfeits, "leaderboard": found.model_dump(mode="json")})
        return found
    say_leaderboard(found)
    for line in remarks(run, found):
        print_line(line)
    return found
