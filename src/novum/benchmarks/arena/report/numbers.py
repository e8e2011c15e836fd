"""The numbers of an arena's report. No model is called, and a comparison without a verdict counts for nobody."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.report.judge_comparison import compare_judges
from novum.benchmarks.arena.report.records import ArenaReport, ComparisonReport, EntrantCost, RatedEntrant
from novum.benchmarks.arena.statistics.judge_bias import bias_of_judges
from novum.benchmarks.arena.statistics.points import mean_points, points_against
from novum.benchmarks.arena.statistics.ratings import ArenaRatings, TextLengths, rate_entrants
from novum.benchmarks.arena.statistics.shared_ranks import shared_ranks
from novum.core.comparison import ArenaEntry, ComparisonKind
from novum.core.cost import sum_costs
from novum.statistics.elo import K
from novum.statistics.games import AVERAGE

_FIRST_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class _ReportOptions:
    draws: int
    orders: int
    equal_length: bool
    reference: str
    families: Mapping[str, str]


def arena_report(
    run: ArenaRun,
    *,
    draws: int = 1000,
    orders: int = 100,
    equal_length: bool = False,
    reference: str = "",
    families: Mapping[str, str] | None = None,
) -> ArenaReport:
    """The whole report of an arena, finished or not.

    `draws`, `orders` and `equal_length` are those of `rate_entrants`. `reference`: the entrant that points are counted
    against, by default the first. `families`: the model family of a judge, or of the model that wrote an entrant's
    ideas, where names do not show it. The same run gives the same report. Raises ValueError for an unknown reference.
    """
    names = [each.name for each in run.entrants]
    if reference and reference not in names:
        raise ValueError(f"{reference!r} did not take part; there are: {', '.join(names)}")
    options = _ReportOptions(draws, orders, equal_length, reference or next(iter(names), ""), families or {})
    boards = tuple(_board(run, kind, options) for kind in run.kinds)
    best_first = [each.entrant for each in boards[0].standings] if boards else names
    return ArenaReport(
        run=run,
        boards=boards,
        costs=tuple(_cost(name, [each for each in run.entries if each.entrant == name]) for name in best_first),
        failed_topics=failed_topics(run),
        draws=draws,
        orders=orders,
        k=K,
        equal_length=equal_length,
    )


def words_of(run: ArenaRun, kind: ComparisonKind) -> dict[tuple[str, str], float]:
    """Words of each compared text as judges saw it, by (topic, entrant)."""
    texts = ((each, each.judged_idea if kind == "idea" else each.experiment) for each in run.entries)
    return {(each.topic, each.entrant): len(text.text.split()) for each, text in texts if text is not None}


def failed_topics(run: ArenaRun) -> tuple[str, ...]:
    """Topics on which no entrant has an idea, although at least one has an entry."""
    ideas: dict[str, int] = {}
    for each in run.entries:
        ideas[each.topic] = ideas.get(each.topic, 0) + (each.idea is not None)
    return tuple(topic for topic in run.topics if ideas.get(topic) == 0)


def _board(run: ArenaRun, kind: ComparisonKind, options: _ReportOptions) -> ComparisonReport:
    lengths = words_of(run, kind)
    ratings = rate_entrants(
        run, kind, draws=options.draws, orders=options.orders, lengths=lengths, equal_length=options.equal_length
    )
    equal = ratings.at_equal_length
    judges, entrants = families_in(run, options.families)
    return ComparisonReport(
        kind=kind,
        standings=_standings(run, ratings, options, lengths),
        average=ratings.bradley_terry[AVERAGE],
        tally=ratings.games[AVERAGE].tally,
        tallies={name: ratings.games[name].tally for name in ratings.criteria},
        length=equal.effects[0] if equal else None,
        unmeasured=equal.unmeasured if equal else 0,
        reference=options.reference,
        bias=bias_of_judges(
            run.judged_pairs, kind, lengths=lengths, judge_families=judges, entrant_families=entrants,
            draws=options.draws, seed=run.seed,
        ),
        agreement=compare_judges(run.judged_pairs, kind, draws=options.draws, seed=run.seed),
    )  # fmt: skip


def _standings(
    run: ArenaRun, ratings: ArenaRatings, options: _ReportOptions, lengths: TextLengths
) -> tuple[RatedEntrant, ...]:
    against = {
        name: {each.player: each for each in points_against(options.reference, ratings.games[name].games)}
        for name in (AVERAGE, *ratings.criteria)
        if run.entrants
    }
    standings = []
    ranks = shared_ranks(ratings.bradley_terry[AVERAGE])
    for position, entrant in enumerate(run.entrants):
        elo = ratings.elo.ratings[position]
        elo_by_criterion = {name: each.ratings[position] for name, each in ratings.elo_by_criterion.items()}
        every = {name: each[entrant.name] for name, each in against.items() if entrant.name in each}
        points = {name: each for name, each in every.items() if name != AVERAGE}
        words = [number for (_, name), number in lengths.items() if name == entrant.name]
        entries = [each for each in run.entries if each.entrant == entrant.name]
        standings.append(
            RatedEntrant(
                entrant=entrant.name,
                method=entrant.method,
                options=entrant.options,
                rating=ratings.bradley_terry[AVERAGE].ratings[position],
                shared_rank=ranks[position],
                by_criterion={name: ratings.bradley_terry[name].ratings[position] for name in ratings.criteria},
                at_equal_length=ratings.at_equal_length.ratings[position] if ratings.at_equal_length else None,
                elo=elo if elo.games else None,
                elo_by_criterion={name: each for name, each in elo_by_criterion.items() if each.games},
                points=points,
                average_points=average if (average := every.get(AVERAGE)) and average.most else None,
                mean_points=mean_points(tuple(points.values())),
                handed_in=len(words),
                forfeits=len(entries) - len(words) if entries else 0,
                mean_words=sum(words) / len(words) if words else None,
            )
        )
    return tuple(sorted(standings, key=lambda each: (each.rating.rank is None, each.rating.rank or 0, each.entrant)))


def _cost(name: str, entries: list[ArenaEntry]) -> EntrantCost:
    ideas = sum(each.idea is not None for each in entries)
    return EntrantCost(
        entrant=name,
        ideas=ideas,
        forfeits=len(entries) - ideas,
        cost=sum_costs(each.cost for each in entries),
        seconds=sum(each.seconds for each in entries),
    )


def family_of(model: str) -> str:
    """The first word of a model's own name: `openai:gpt-5.5` and `openrouter:openai/gpt-4.1` are both `gpt`."""
    name = model.partition("@")[0].rpartition("/")[2].rpartition(":")[2]
    found = _FIRST_WORD.search(name)
    return found[0].casefold() if found else ""


def families_in(run: ArenaRun, given: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Model families of the judges and of the entrants: as `given`, otherwise by name.

    An entrant that ran a method was written by the run's writer model. The family of ideas read from a file is known
    only when it is given.
    """
    writer = run.account.models.get("writer", "") if run.account else ""
    generated = {each.name: family_of(writer) for each in run.entrants if each.method and writer}
    judges = {name: given.get(name) or family_of(name) for name in run.judges}
    entrants = {each.name: given.get(each.name) or generated.get(each.name, "") for each in run.entrants}
    return ({name: each for name, each in judges.items() if each}, {n: each for n, each in entrants.items() if each})
