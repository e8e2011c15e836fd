"""Topic by topic: all entries, and the verdicts of each judge on each pair in both orders.

The size of a page is limited. Each topic gets an equal share: first its ideas, then as many pairs as fit. What is left
out is counted, and all of it is in the data beside the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.statistics.comparisons import pair_outcomes
from novum.core.comparison import ArenaEntry, ComparisonKind, JudgedPair
from novum.reports.sanitizing import beginning, clean, clean_line

PAGE_LIMIT = 12_000_000
"""Approximate number of characters of ideas and verdicts on one page."""
IDEA_LIMIT, REASON_LIMIT = 6_000, 800
"""Characters of one part of an idea, and of one reason."""
_MARKED = re.compile(r"[*_`#\[<&]")
_IDEA_PARTS = ("title", "motivation", "novelty", "method", "summary")
_MARKUP_OF_IDEA, _MARKUP_OF_PAIR, _MARKUP_OF_VERDICT = 900, 600, 170
"""Approximate number of characters of HTML around a text."""


@dataclass(frozen=True)
class EntryView:
    """One entry as the page displays it; `anchor` is its HTML id."""

    anchor: str
    entry: ArenaEntry
    won: int = 0
    """Over the criteria, judges and opponents of its topic, as `tied` and `lost`."""
    tied: int = 0
    lost: int = 0
    whole: bool = True
    """Whether its text fits on the page."""

    @property
    def points(self) -> float | None:
        """Share of the points on the topic, a tie as half; None without a comparison."""
        games = self.won + self.tied + self.lost
        return (self.won + self.tied / 2) / games if games else None


@dataclass(frozen=True)
class VerdictView:
    """One verdict: the winner (empty: a tie) and the reason."""

    winner: str
    reason: str


@dataclass(frozen=True)
class ComparisonRow:
    """The verdicts of one judge on one criterion, with either of the two shown first."""

    judge: str
    criterion: str
    one_first: tuple[VerdictView, ...]
    other_first: tuple[VerdictView, ...]

    @property
    def by_order(self) -> bool:
        """Whether both orders were judged and the verdicts differ."""
        winners = [{verdict.winner for verdict in side} for side in (self.one_first, self.other_first)]
        return all(winners) and winners[0] != winners[1]


@dataclass(frozen=True)
class FailedComparison:
    """A request without a verdict; `first` was shown first."""

    judge: str
    first: str
    why: str


@dataclass(frozen=True)
class TopicComparison:
    """Two entrants on one topic, with all verdicts on them."""

    kind: ComparisonKind
    one: str
    other: str
    lines: tuple[ComparisonRow, ...]
    failed: tuple[FailedComparison, ...]

    @property
    def score(self) -> tuple[int, int, int]:
        """Number of verdicts for the one, for the other, and ties."""
        winners = [each.winner for line in self.lines for each in (*line.one_first, *line.other_first)]
        return winners.count(self.one), winners.count(self.other), winners.count("")

    @property
    def by_order(self) -> int:
        """Number of rows in which the two orders disagree."""
        return sum(line.by_order for line in self.lines)

    @property
    def size(self) -> int:
        """Approximate number of characters on the page."""
        reasons = sum(
            _MARKUP_OF_VERDICT + len(verdict.reason)
            for line in self.lines
            for verdict in (*line.one_first, *line.other_first)
        )
        return _MARKUP_OF_PAIR + reasons + sum(_MARKUP_OF_VERDICT + len(each.why) for each in self.failed)


@dataclass(frozen=True)
class TopicView:
    """Everything about one topic."""

    number: int
    topic: str
    paper: str
    entries: tuple[EntryView, ...]
    comparisons: tuple[TopicComparison, ...]
    left_out: int
    """Pairs that do not fit on the page."""
    anchors: Mapping[str, str] = field(default_factory=dict)
    """HTML id of each entrant's idea on the page."""

    @property
    def failed(self) -> bool:
        """Whether there are entries but no idea."""
        return bool(self.entries) and all(each.entry.idea is None for each in self.entries)

    @property
    def most_points(self) -> tuple[str, ...]:
        """The entrants with the most points on the topic; empty without comparisons."""
        known = {each.entry.entrant: each.points for each in self.entries if each.points is not None}
        return tuple(name for name, points in known.items() if points == max(known.values()))


def topic_views(run: ArenaRun, limit: int = PAGE_LIMIT) -> Iterator[TopicView]:
    """Every topic in the run's order, together about `limit` characters of the page."""
    entries: dict[str, dict[str, ArenaEntry]] = {}
    for entry in run.entries:
        entries.setdefault(entry.topic, {})[entry.entrant] = entry
    judged_pairs: dict[str, list[JudgedPair]] = {}
    for judged in run.judged_pairs:
        judged_pairs.setdefault(judged.topic, []).append(judged)
    records = _records(run)
    order = {each.name: place for place, each in enumerate(run.entrants)}
    for number, topic in enumerate(run.topics, 1):
        own = sorted(entries.get(topic, {}).values(), key=lambda each: order.get(each.entrant, len(order)))
        space = _SpaceLeft(limit // len(run.topics))
        views = tuple(
            _entry_view(f"idea-{number}-{place}", each, records.get((topic, each.entrant), (0, 0, 0)), space)
            for place, each in enumerate(own, 1)
        )
        met = list(_pairs(judged_pairs.get(topic, ()), order))
        fitting = [each for each in (_topic_comparison(*pair) for pair in met) if space.take(each.size)]
        yield TopicView(
            number=number,
            topic=topic,
            paper=run.papers.get(topic, ""),
            entries=views,
            comparisons=tuple(fitting),
            left_out=len(met) - len(fitting),
            anchors={each.entry.entrant: each.anchor for each in views if each.entry.idea is not None},
        )


class _SpaceLeft:
    """The space left in a topic's share of the page, in characters."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, size: int) -> bool:
        """Whether `size` characters fit; then they are used."""
        fits = size <= self.left
        self.left -= size if fits else 0
        return fits


def _entry_view(anchor: str, entry: ArenaEntry, record: tuple[int, int, int], space: _SpaceLeft) -> EntryView:
    if entry.idea is None:
        return EntryView(anchor, entry, *record)
    parts = {name: clean(getattr(entry.idea, name), IDEA_LIMIT) for name in _IDEA_PARTS}
    idea = entry.idea.model_copy(update=parts)
    size = _MARKUP_OF_IDEA + len(idea.text) + (len(entry.experiment.text) if entry.experiment else 0)
    return EntryView(anchor, entry.model_copy(update={"idea": idea}), *record, whole=space.take(size))


def _records(run: ArenaRun) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Ideas won, tied and lost, by topic and entrant; the two orders of a pair count once."""
    found = pair_outcomes(run.judged_pairs, "idea")
    counts: dict[tuple[str, str], list[int]] = {}
    columns = (found.topic, found.low, found.high, found.points)
    for topic, low, high, points in zip(*(each.tolist() for each in columns), strict=True):
        for player, share in ((low, points), (high, 1 - points)):
            record = counts.setdefault((found.topics[topic], found.players[player]), [0, 0, 0])
            record[round(2 - 2 * share)] += 1
    return {key: (won, tied, lost) for key, (won, tied, lost) in counts.items()}


def _pairs(
    judged_pairs: Iterable[JudgedPair], order: Mapping[str, int]
) -> Iterator[tuple[ComparisonKind, str, str, list[JudgedPair]]]:
    """The judged pairs of each two entrants, ideas before experiments, in the order of the entrants."""
    kinds: tuple[ComparisonKind, ...] = ("idea", "experiment")
    pairs: dict[tuple[int, int, int], list[JudgedPair]] = {}
    for judged in judged_pairs:
        low, high = sorted((order[judged.first], order[judged.second]))
        pairs.setdefault((kinds.index(judged.kind), low, high), []).append(judged)
    names = list(order)
    for (kind, low, high), compared in sorted(pairs.items(), key=lambda item: item[0]):
        yield kinds[kind], names[low], names[high], compared


def _topic_comparison(
    kind: ComparisonKind, one: str, other: str, judged_pairs: Sequence[JudgedPair]
) -> TopicComparison:
    sides: dict[tuple[str, str], tuple[list[VerdictView], list[VerdictView]]] = {}
    for judged in judged_pairs:
        winners = {"first": judged.first, "second": judged.second, "tie": ""}
        for verdict in judged.verdicts:
            side = sides.setdefault((judged.judge, verdict.criterion), ([], []))[judged.first != one]
            side.append(VerdictView(winners[verdict.outcome], _plain(verdict.reason)))
    return TopicComparison(
        kind=kind,
        one=one,
        other=other,
        lines=tuple(ComparisonRow(judge, name, tuple(a), tuple(b)) for (judge, name), (a, b) in sides.items()),
        failed=tuple(
            FailedComparison(each.judge, each.first, clean_line(each.failure, REASON_LIMIT))
            for each in judged_pairs
            if not each.verdicts
        ),
    )


def _plain(reason: str) -> str:
    """Without Markdown, which is parsed only where there is any, since parsing is slow."""
    return beginning(reason, REASON_LIMIT) if _MARKED.search(reason) else clean_line(reason, REASON_LIMIT)
