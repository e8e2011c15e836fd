"""The leaderboards of an arena on the terminal, and how to read them."""

from __future__ import annotations

from novum.benchmarks.arena.leaderboard import ArenaBoard, ArenaLeaderboard, ArenaLeaderboardRow
from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.report.phrases import judging_protocol, shared_rank
from novum.cli.shell.terminal import one_line, print_heading, print_table
from novum.core import Cost, Spend
from novum.reports import phrases
from novum.reports.phrases import count
from novum.statistics.bradley_terry import FEWEST_TOPICS
from novum.statistics.records import Estimate

_FORFEITS = 10
"""Listed one by one, at most."""
_HEADS = {"idea": "Ideas", "experiment": "Experiments"}


def print_leaderboard(found: ArenaLeaderboard) -> None:
    """Prints a table for each kind, one line per entrant, best first."""
    for board in found.boards:
        if len(found.boards) > 1:
            print_heading(f"\n{_HEADS[board.kind]}")
        criteria = list(board.tallies)
        heads = ("rank", "entrant", "rating", *criteria, "elo", "won", "tied", "lost", "entries", "forfeits", "price")
        print_table(heads, (_cells(line, criteria) for line in board.lines))


def remarks(run: ArenaRun, found: ArenaLeaderboard) -> list[str]:
    """How to read the tables, and what did not succeed."""
    forfeits = [each for each in run.entries if each.forfeit]
    return [
        "Ratings: Bradley-Terry, 1000 on average, with 95% bootstrap intervals over topics where these can be given. "
        "Entrants that cannot be distinguished share their ranks. Elo: as "
        "published, averaged over random orders. A pair whose two orders disagree is a tie.",
        *_standing(found),
        f"Judging protocol: {one_line(judging_protocol(run))}. Verdicts by different protocols cannot be compared.",
        *(["Fewer than three topics give no intervals."] if len(run.topics) < FEWEST_TOPICS else []),
        *(_counts(board, len(found.boards) > 1) for board in found.boards),
        *(
            f"{_HEADS[board.kind]}: not all entrants are linked by comparisons, so not all ratings can be compared."
            for board in found.boards
            if not board.connected
        ),
        *(
            f"Forfeit: {one_line(each.entrant, 80)} on «{one_line(each.topic, 80)}»: {one_line(each.forfeit, 200)}"
            for each in forfeits[:_FORFEITS]
        ),
        *([f"… and {len(forfeits) - _FORFEITS:,} more forfeits."] if len(forfeits) > _FORFEITS else []),
        *([f"Not complete: {one_line(run.stopped)}"] if run.stopped else []),
        *(f"Note: {one_line(note)}" for note in run.notes),
    ]


def _standing(found: ArenaLeaderboard) -> list[str]:
    """Who leads, or that nobody does."""
    said = []
    for board in found.boards:
        lead = f"{_HEADS[board.kind]}: " if len(found.boards) > 1 else ""
        if len(board.leading) == 1:
            said.append(f"{lead}{one_line(board.leading[0])} leads by more than chance between topics explains.")
        elif board.leading:
            names = phrases.listed([one_line(name, 80) for name in board.leading])
            said.append(f"{lead}No significant leader: {names} cannot be distinguished.")
    return said


def _counts(board: ArenaBoard, several: bool) -> str:
    lead = f"{_HEADS[board.kind]}: " if several else ""
    asked, failed = count(board.tally.asked, "request"), board.tally.failed
    decisions, split, dropped = (
        sum(getattr(each, name) for each in board.tallies.values()) for name in ("games", "split", "dropped")
    )
    unpaired = f"; {count(dropped, 'verdict')} not counted, as the other order failed" if dropped else ""
    return (
        f"{lead}{asked}, {failed:,} of them without a verdict; of {count(decisions, 'decision')} on a pair and "
        f"criterion, {split:,} are ties because the two orders disagreed{unpaired}."
    )


def _cells(line: ArenaLeaderboardRow, criteria: list[str]) -> tuple[str, ...]:
    rating = line.rating
    return (
        shared_rank(line.shared_rank),
        line.entrant,
        _interval(rating.rating),
        *(_plain(line.by_criterion[name]) for name in criteria),
        "–" if line.elo is None else f"{line.elo:.0f}",
        *(f"{round(number, 1):g}" for number in (rating.won, rating.tied, rating.lost)),
        f"{line.entries:,}",
        f"{line.forfeits:,}",
        _price(line.cost),
    )


def _interval(rating: Estimate) -> str:
    """`1043 [1021, 1066]`."""
    bounds = "" if rating.low is None or rating.high is None else f" [{rating.low:.0f}, {rating.high:.0f}]"
    return _plain(rating) + bounds


def _plain(rating: Estimate) -> str:
    return "–" if rating.value is None else f"{rating.value:.0f}"


def _price(cost: Cost) -> str:
    """The cost of its entries, as far as prices are known."""
    if not cost.calls:
        return "–"
    return phrases.cost_in_brief(Spend(**cost.model_dump()))
