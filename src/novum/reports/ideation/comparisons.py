"""Comparisons between ideas by pair, so that both orders of one judge are shown together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from novum.core import Candidate, Ideation, Match, Verdict
from novum.statistics.records import Estimate
from novum.statistics.win_rates import wilson_interval


@dataclass(frozen=True)
class JudgeOpinion:
    """One verdict: the number of the idea it was for (0: a tie), and why."""

    winner: int
    reason: str


@dataclass(frozen=True)
class CriterionRow:
    """One judge on one criterion: what it said with either idea shown first."""

    judge: str
    criterion: str
    one_first: tuple[JudgeOpinion, ...]
    other_first: tuple[JudgeOpinion, ...]

    @property
    def decided_by_order(self) -> bool:
        """Both orders were judged, and the verdict was not the same."""
        winners = [{opinion.winner for opinion in side} for side in (self.one_first, self.other_first)]
        return all(winners) and winners[0] != winners[1]


@dataclass(frozen=True)
class UnreadableAnswer:
    """A request without a usable answer. `first`: the number of the idea in the first position."""

    judge: str
    first: int
    failure: str


@dataclass(frozen=True)
class PairComparison:
    """All verdicts on one pair of ideas, by their numbers in the report (0: an idea that is not in it)."""

    one: int
    other: int
    rows: tuple[CriterionRow, ...]
    unreadable: tuple[UnreadableAnswer, ...]

    @property
    def tally(self) -> Counter[int]:
        """Verdicts by winner; 0 counts the ties."""
        return Counter(said.winner for row in self.rows for said in (*row.one_first, *row.other_first))

    @property
    def decided_by_order(self) -> int:
        """Rows in which the order decided."""
        return sum(row.decided_by_order for row in self.rows)


@dataclass(frozen=True)
class JudgingRecord:
    """How the comparisons of one idea came out. One comparison is one judge's answer in one order; it is won where the
    idea was preferred on more criteria than its rival.
    """

    won: int
    tied: int
    lost: int
    unreadable: int
    """Requests without a usable answer, which count for neither idea."""
    pairs: int
    """Rivals times judges: both orders of a pair depend on each other, so only pairs are independent."""
    both_orders: bool
    """Whether every judged pair was judged in both orders."""
    judges: tuple[str, ...] = ()

    @property
    def judged(self) -> int:
        """Comparisons with a usable answer."""
        return self.won + self.tied + self.lost

    @property
    def interval(self) -> Estimate | None:
        """The share won, a tie counting half, with Wilson's 95 % interval for as many cases as there are pairs; None
        for fewer than `_FEWEST_FOR_A_SHARE`, whose plain count says as much."""
        if self.pairs < _FEWEST_FOR_A_SHARE:
            return None
        share = (self.won + self.tied / 2) / self.judged
        return wilson_interval(round(share * self.pairs), self.pairs)


_FEWEST_FOR_A_SHARE = 10


def judging_record(ideation: Ideation, idea_id: str) -> JudgingRecord:
    """The record over all comparisons of one idea or a draft of it with other ideas; those between its own versions
    say nothing about other ideas."""
    numbers = _numbers(ideation)
    number = numbers.get(idea_id)
    own = [match for match in _between_ideas(ideation, numbers) if number in _sides(match, numbers)]
    judged = [match for match in own if match.verdicts]
    results = [_balance(match, number == numbers.get(match.first_id, 0)) for match in judged]
    orders: dict[tuple[str, frozenset[str]], set[str]] = {}
    for match in judged:
        orders.setdefault((match.judge, frozenset((match.first_id, match.second_id))), set()).add(match.first_id)
    return JudgingRecord(
        won=sum(each > 0 for each in results),
        tied=sum(each == 0 for each in results),
        lost=sum(each < 0 for each in results),
        unreadable=len(own) - len(judged),
        pairs=len(orders),
        both_orders=bool(orders) and all(len(each) > 1 for each in orders.values()),
        judges=tuple(dict.fromkeys(match.judge for match in judged)),
    )


def _balance(match: Match, is_first: bool) -> int:
    """Criteria on which the idea was preferred, less those on which its rival was."""
    outcomes = Counter(verdict.outcome for verdict in match.verdicts)
    return (outcomes["first"] - outcomes["second"]) * (1 if is_first else -1)


def pair_comparisons(ideation: Ideation) -> list[PairComparison]:
    """One for each compared pair of ideas, the best ideas first."""
    numbers = _numbers(ideation)
    return _by_pair(_between_ideas(ideation, numbers), numbers)


def version_comparisons(ideation: Ideation, candidate: Candidate) -> list[PairComparison]:
    """The comparisons between versions of one idea, by the numbers of its versions from 1, oldest first."""
    versions = (*candidate.earlier_drafts, candidate.idea)
    numbers = {version.id: number for number, version in enumerate(versions, 1)}
    matches = [match for match in ideation.matches if match.first_id in numbers and match.second_id in numbers]
    return _by_pair(matches, numbers)


def versions_in_words(candidate: Candidate) -> tuple[str, ...]:
    """A name for each version, in the order of their numbers."""
    return (*(f"draft {number}" for number, _ in enumerate(candidate.earlier_drafts, 1)), "the idea above")


def _by_pair(matches: Iterable[Match], numbers: dict[str, int]) -> list[PairComparison]:
    pairs: dict[tuple[int, int, str], list[Match]] = {}
    for match in matches:
        pairs.setdefault(_pair(match, numbers), []).append(match)
    return [_pair_comparison(pairs[pair], numbers) for pair in sorted(pairs)]


def _sides(match: Match, numbers: dict[str, int]) -> tuple[int, int]:
    return numbers.get(match.first_id, 0), numbers.get(match.second_id, 0)


def _between_ideas(ideation: Ideation, numbers: dict[str, int]) -> Iterator[Match]:
    """The matches of different ideas; two ideas that are not in the report (0) are taken to be different."""
    for match in ideation.matches:
        one, other = _sides(match, numbers)
        if one != other or not one:
            yield match


def _numbers(ideation: Ideation) -> dict[str, int]:
    """Number of each idea and of its drafts. Of two ideas with the same draft the better one has it."""
    ranked = list(enumerate(ideation.candidates, 1))
    drafts = {draft.id: number for number, candidate in ranked[::-1] for draft in candidate.earlier_drafts}
    return drafts | {candidate.idea.id: number for number, candidate in ranked}


def _pair(match: Match, numbers: dict[str, int]) -> tuple[int, int, str]:
    """The two numbers, lower first; for ideas that are not in the report also their ids, to keep pairs apart."""
    one, other = sorted((match.first_id, match.second_id), key=lambda idea_id: (numbers.get(idea_id, 0), idea_id))
    strangers = [idea_id for idea_id in (one, other) if idea_id not in numbers]
    return numbers.get(one, 0), numbers.get(other, 0), " ".join(strangers)


def _pair_comparison(matches: Sequence[Match], numbers: dict[str, int]) -> PairComparison:
    first, second = matches[0].first_id, matches[0].second_id
    one, other = sorted((first, second), key=lambda idea_id: (numbers.get(idea_id, 0), idea_id))
    failed = tuple(
        UnreadableAnswer(match.judge, numbers.get(match.first_id, 0), match.failure)
        for match in matches
        if not match.verdicts
    )
    asked = dict.fromkeys((match.judge, verdict.criterion) for match in matches for verdict in match.verdicts)
    rows = tuple(
        CriterionRow(
            judge,
            criterion,
            _opinions(matches, judge, criterion, one, numbers),
            _opinions(matches, judge, criterion, other, numbers),
        )
        for judge, criterion in asked
    )
    return PairComparison(numbers.get(one, 0), numbers.get(other, 0), rows, failed)


def _opinions(
    matches: Sequence[Match], judge: str, criterion: str, shown_first: str, numbers: dict[str, int]
) -> tuple[JudgeOpinion, ...]:
    return tuple(
        JudgeOpinion(_winner(match, verdict, numbers), verdict.reason)
        for match in matches
        if match.judge == judge and match.first_id == shown_first
        for verdict in match.verdicts
        if verdict.criterion == criterion
    )


def _winner(match: Match, verdict: Verdict, numbers: dict[str, int]) -> int:
    winners = {"first": numbers.get(match.first_id, 0), "second": numbers.get(match.second_id, 0), "tie": 0}
    return winners[verdict.outcome]
