"""Learning to forecast at the end of a year from what could be seen by then.

Two spans of the horizon lie behind that year. Pairs not joined at the start of the first, with what became of them by
its end, are learnt from, and so is a random half of the pairs of the second span; the other half says how much the odds
are worth now. The next span will bring more papers than the last one, or fewer: so all odds are moved until the pairs
that are unjoined now come true in the share that is expected of them. Nothing after the year is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from novum.errors import BadInput
from novum.literature.embedding import Vectors
from novum.opportunities.attention import Attention, standing_of, standings
from novum.opportunities.expected_links import share_to_come
from novum.opportunities.features.table import Features
from novum.opportunities.graph import ConceptGraph
from novum.opportunities.inactive_links import joined_again, lapsed
from novum.opportunities.link_forecast import Joining
from novum.opportunities.pairs import Outcome, Pairs, outcome, unjoined
from novum.opportunities.paper_columns import Told, ignore_progress
from novum.opportunities.score_bins import ScoreBins
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.snapshot import Snapshot

_MOST = 250_000
"""Pairs learnt from in each span; of more, so many are drawn."""
_MOST_LAPSED = 50_000
"""Pairs let be that are looked at."""
_MOST_NOW = 50_000
"""Pairs of the year itself whose scores are looked at."""
FEWEST_JOINED = 20
"""Pairs that must have been joined in the first span."""
_LOWER = {False: "`--fewest`", True: "`--joint` or `--fewest`"}


@dataclass(frozen=True, eq=False)
class Window:
    """Pairs that were not joined by the end of `year`, what was known of them, and what became of them."""

    year: int
    pairs: Pairs
    table: Vectors
    outcome: Outcome


@dataclass(frozen=True, eq=False)
class Learnt:
    """The models, how much they learnt from, and how pairs of such scores fared: those that no paper had joined, and
    those that one or two had, long before. `now`: features of the year itself, made on the way."""

    joining: Joining
    attention: Attention | None
    pairs: int
    joined: int
    fared: ScoreBins | None
    lapsed: ScoreBins | None
    now: Features


def features_at(graph: ConceptGraph, units: Vectors, year: int, settings: OpportunitySettings) -> Features:
    """At the end of one year; `units`: vectors of the names."""
    return Features(Snapshot(graph, year, units), settings.fewest, settings.seed)


def window(features: Features, settings: OpportunitySettings, most: int) -> Window:
    """Pairs of the features' year, at most so many."""
    snapshot = features.snapshot
    rng = np.random.default_rng([settings.seed, snapshot.year])
    pairs = unjoined(snapshot, settings.fewest, most, rng)
    table = features.of(pairs.one, pairs.other)
    came = outcome(snapshot.graph, pairs, snapshot.year, settings.horizon, settings.joint)
    return Window(snapshot.year, pairs, table, came)


def learn(
    graph: ConceptGraph, units: Vectors, year: int, settings: OpportunitySettings, told: Told = ignore_progress
) -> Learnt:
    """For forecasts at the end of `year`. Raises BadInput where the years before do not hold enough to learn from."""
    horizon = settings.horizon
    _check_years(graph, year, settings)
    told(f"learning from {year - 2 * horizon} to {year - horizon}", 0)
    early = window(features_at(graph, units, year - 2 * horizon, settings), settings, _MOST)
    _check_joined(early, settings)
    told(f"learning from {year - horizon} to {year}", 0)
    late, let_be = _late(features_at(graph, units, year - horizon, settings), settings)
    half = np.random.default_rng(settings.seed).random(len(late.pairs)) < 0.5
    table = np.concatenate([early.table, late.table[half]])
    joined = np.concatenate([early.outcome.joined, late.outcome.joined[half]])
    told("growing trees", 0)
    joining = Joining.learnt(table, joined, late.table[~half], late.outcome.joined[~half], settings.seed)
    fared = ScoreBins.learnt(joining.scores(late.table[~half]), late.outcome.joined[~half])
    again = ScoreBins.learnt(joining.scores(let_be.table), let_be.joined) if len(let_be.table) else None
    attention = _attention(graph, (early, late), settings)
    told("how many will be joined", 0)
    now = features_at(graph, units, year, settings)
    by = _distance(now, settings, joining)
    return Learnt(
        joining=replace(joining, calibration=joining.calibration.moved(by)),
        attention=attention,
        pairs=len(joined),
        joined=int(joined.sum()),
        fared=fared and fared.moved(by),
        lapsed=again and again.moved(by),
        now=now,
    )


def _distance(features: Features, settings: OpportunitySettings, joining: Joining) -> float:
    """By how much all log odds must move for the pairs that are unjoined at the end of the features' year to be joined
    in the share that is expected of them."""
    now = features.snapshot
    before = Snapshot(now.graph, now.year - settings.horizon, now.units)
    pairs = unjoined(now, settings.fewest, _MOST_NOW, np.random.default_rng(settings.seed))
    share = share_to_come(now, before, pairs.of, settings)
    if share is None:
        return 0.0
    return joining.calibration.distance_to(share, joining.scores(features.of(pairs.one, pairs.other)))


@dataclass(frozen=True, eq=False)
class _LetBe:
    """Pairs that had been joined once and then let be, and whether they were joined again: none is learnt from."""

    table: Vectors
    joined: NDArray[np.bool_]


def _late(features: Features, settings: OpportunitySettings) -> tuple[Window, _LetBe]:
    """Both of one year: its tables are large, so they are made once, and let go before trees are grown."""
    snapshot = features.snapshot
    found = window(features, settings, _MOST)
    pairs = lapsed(snapshot, settings.fewest)
    if len(pairs) > _MOST_LAPSED:
        drawn = np.random.default_rng(settings.seed).choice(len(pairs), _MOST_LAPSED, replace=False)
        pairs = pairs.chosen(np.sort(drawn))
    again = joined_again(snapshot.graph, pairs, snapshot.year, settings.horizon)
    return found, _LetBe(features.of(pairs.one, pairs.other), again)


def _attention(graph: ConceptGraph, windows: tuple[Window, ...], settings: OpportunitySettings) -> Attention | None:
    standing = standings(graph.shelf)
    rows = [each.outcome.joined for each in windows]
    tables = [each.table[those] for each, those in zip(windows, rows, strict=True)]
    found = [standing_of(each.outcome, standing)[those] for each, those in zip(windows, rows, strict=True)]
    return Attention.learnt(np.concatenate(tables), np.concatenate(found), settings.seed)


def _check_years(graph: ConceptGraph, year: int, settings: OpportunitySettings) -> None:
    years = np.asarray(graph.shelf.years)
    first = int(years[0]) if len(years) else year
    needed = year - 2 * settings.horizon
    if not len(years) or first > needed:
        raise BadInput(
            f"To forecast {settings.horizon} years from {year}, papers since {needed} are needed to learn from, and "
            f"the library's begin in {first if len(years) else 'no year'}: name a later year, bring in older papers, "
            "or shorten `--horizon`."
        )


def _check_joined(found: Window, settings: OpportunitySettings) -> None:
    joined = int(found.outcome.joined.sum())
    if joined < FEWEST_JOINED or joined == len(found.pairs):
        raise BadInput(
            f"Of the concepts known by {found.year}, {joined} of {len(found.pairs):,} pairs were joined in the "
            f"{settings.horizon} years after{_in_so_many(settings)}, and {FEWEST_JOINED} of more pairs are needed to "
            f"learn from: bring in more papers of those years, or lower {_LOWER[settings.joint > 1]}."
        )


def _in_so_many(settings: OpportunitySettings) -> str:
    return f" in {settings.joint} papers or more" if settings.joint > 1 else ""
