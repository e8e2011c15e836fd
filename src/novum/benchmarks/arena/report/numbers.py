"""An arena brought down to the numbers of its report. No model is asked, and a failed verdict is nobody's win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.report.judge_comparison import compare_judges
from novum.benchmarks.arena.report.model_families import families_in
from novum.benchmarks.arena.report.records import ArenaReport, Board, MethodCost, RatedEntrant
from novum.benchmarks.arena.statistics.judge_bias import bias_of_judges
from novum.benchmarks.arena.statistics.points import mean_points, points_against
from novum.core.comparison import CRITERIA, Entry, Kind
from novum.core.cost import Cost
from novum.statistics.bradley_terry import BradleyTerry, bradley_terry
from novum.statistics.elo import K, elo
from novum.statistics.games import AVERAGE, Settled, settled

Lengths = Mapping[tuple[str, str], float]


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

    `draws` of topics give the intervals, `orders` of the games the published Elo. `equal_length` rates a second time
    with the length of the texts as a covariate. `reference`: the entrant that points are counted against, else the
    first. `families`: which family of models a judge is of, or wrote an entrant's ideas, where names do not say it.
    The same run gives the same report. Raises ValueError for a reference who did not take part.
    """
    names = [each.name for each in run.entrants]
    if reference and reference not in names:
        raise ValueError(f"{reference!r} did not take part; there are: {', '.join(names)}")
    asked = _Asked(draws, orders, equal_length, reference or next(iter(names), ""), families or {})
    boards = tuple(_board(run, kind, asked) for kind in run.kinds)
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


def words_of(run: ArenaRun, kind: Kind) -> dict[tuple[str, str], float]:
    """Words of each text that was compared, by topic and entrant."""
    texts = ((each, each.idea if kind == "idea" else each.experiment) for each in run.entries)
    return {(each.topic, each.entrant): len(text.text.split()) for each, text in texts if text is not None}


def failed_topics(run: ArenaRun) -> tuple[str, ...]:
    """Topics that everybody who entered forfeits."""
    ideas: dict[str, int] = {}
    for each in run.entries:
        ideas[each.topic] = ideas.get(each.topic, 0) + (each.idea is not None)
    return tuple(topic for topic in run.topics if ideas.get(topic) == 0)


@dataclass(frozen=True)
class _Asked:
    draws: int
    orders: int
    equal_length: bool
    reference: str
    families: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class _Fits:
    """Everything that is computed for all entrants together."""

    found: dict[str, Settled]
    """By criterion, and the average."""
    fits: dict[str, BradleyTerry]
    equal: BradleyTerry | None


def _board(run: ArenaRun, kind: Kind, asked: _Asked) -> Board:
    lengths = words_of(run, kind)
    fits = _fits(run, kind, asked, lengths)
    judges, entrants = families_in(run, asked.families)
    return Board(
        kind=kind,
        standings=_standings(run, kind, asked, fits, lengths),
        average=fits.fits[AVERAGE],
        tally=fits.found[AVERAGE].tally,
        tallies={name: fits.found[name].tally for name in CRITERIA[kind]},
        length=fits.equal.effects[0] if fits.equal else None,
        unmeasured=fits.equal.unmeasured if fits.equal else 0,
        reference=asked.reference,
        bias=bias_of_judges(
            run.bouts, kind, lengths=lengths, judge_families=judges, entrant_families=entrants,
            draws=asked.draws, seed=run.seed,
        ),
        agreement=compare_judges(run.bouts, kind, draws=asked.draws, seed=run.seed),
    )  # fmt: skip


def _fits(run: ArenaRun, kind: Kind, asked: _Asked, lengths: Lengths) -> _Fits:
    players = [each.name for each in run.entrants]
    wanted = (AVERAGE, *CRITERIA[kind])
    found = {name: settled(run.bouts, kind, name, players=players, lengths=lengths) for name in wanted}
    fits = {name: bradley_terry(each.games, draws=asked.draws, seed=run.seed) for name, each in found.items()}
    equal = None
    if asked.equal_length and lengths:
        equal = bradley_terry(found[AVERAGE].games, draws=asked.draws, seed=run.seed, length=True)
    return _Fits(found, fits, equal)


def _standings(run: ArenaRun, kind: Kind, asked: _Asked, of: _Fits, lengths: Lengths) -> tuple[RatedEntrant, ...]:
    criteria = CRITERIA[kind]
    games = {name: of.found[name].games for name in criteria}
    published = elo(*games.values(), orders=asked.orders, seed=run.seed)
    by_criterion = {name: elo(each, orders=asked.orders, seed=run.seed) for name, each in games.items()}
    against = {
        name: {each.player: each for each in points_against(asked.reference, games[name], draws=asked.draws)}
        for name in criteria
        if run.entrants
    }
    standings = []
    for place, entrant in enumerate(run.entrants):
        rating = published.ratings[place]
        points = {name: against[name][entrant.name] for name in criteria if entrant.name in against[name]}
        own = [words for (_, who), words in lengths.items() if who == entrant.name]
        entries = [each for each in run.entries if each.entrant == entrant.name]
        standings.append(
            RatedEntrant(
                entrant=entrant.name,
                method=entrant.method,
                options=entrant.options,
                rating=of.fits[AVERAGE].ratings[place],
                by_criterion={name: of.fits[name].ratings[place] for name in criteria},
                at_equal_length=of.equal.ratings[place] if of.equal else None,
                elo=rating if rating.games else None,
                elo_by_criterion={
                    name: each.ratings[place] for name, each in by_criterion.items() if each.ratings[place].games
                },
                points=points,
                mean_points=mean_points(tuple(points.values())),
                handed_in=len(own),
                forfeits=len(entries) - len(own) if entries else 0,
                mean_words=sum(own) / len(own) if own else None,
            )
        )
    return tuple(sorted(standings, key=_rank))


def _rank(standing: RatedEntrant) -> tuple[bool, int, str]:
    return standing.rating.rank is None, standing.rating.rank or 0, standing.entrant


def _cost(name: str, entries: list[Entry]) -> MethodCost:
    ideas = sum(each.idea is not None for each in entries)
    total = {field: sum(getattr(each.cost, field) for each in entries) for field in Cost.model_fields}
    return MethodCost(
        entrant=name,
        ideas=ideas,
        forfeits=len(entries) - ideas,
        cost=Cost(**total),
        seconds=sum(each.seconds for each in entries),
    )
