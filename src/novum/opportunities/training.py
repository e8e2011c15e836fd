"""Learning to forecast at the end of a year from what could be seen by then.

Two spans of the horizon lie behind that year. Pairs not joined at the start of the first, with what became of them by
its end, are learnt from, and so is a random half of the pairs of the second span; the other half says how much the odds
are worth now. The next span will bring more papers than the last one, or fewer: so all odds are moved until the pairs
that are unjoined now come true in the share that is expected of them. Nothing after the year is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from novum.errors import BadInput
from novum.literature.embedding import Vectors
from novum.opportunities.attention import Attention, standing_of, standings
from novum.opportunities.expected import share_to_come
from novum.opportunities.fared import Fared
from novum.opportunities.features.table import Features
from novum.opportunities.graph import ConceptGraph
from novum.opportunities.joining import Joining
from novum.opportunities.lapsed import joined_again, lapsed
from novum.opportunities.pairs import Outcome, Pairs, outcome, unjoined
from novum.opportunities.reading import Told, silent
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
    those that one or two had, long before."""

    joining: Joining
    attention: Attention | None
    pairs: int
    joined: int
    fared: Fared | None
    lapsed: Fared | None


def window(graph: ConceptGraph, units: Vectors, year: int, settings: OpportunitySettings, most: int) -> Window:
    """That of one year; `units`: vectors of the names."""
    snapshot = Snapshot(graph, year, units)
    rng = np.random.default_rng([settings.seed, year])
    pairs = unjoined(snapshot, settings.fewest, most, rng)
    table = Features(snapshot, settings.fewest, settings.seed).of(pairs.one, pairs.other)
    return Window(year, pairs, table, outcome(graph, pairs, year, settings.horizon, settings.joint))


def learn(graph: ConceptGraph, units: Vectors, year: int, settings: OpportunitySettings, told: Told = silent) -> Learnt:
    """For forecasts at the end of `year`. Raises BadInput where the years before do not hold enough to learn from."""
    horizon = settings.horizon
    _check_years(graph, year, settings)
    told(f"learning from {year - 2 * horizon} to {year - horizon}", 0)
    early = window(graph, units, year - 2 * horizon, settings, _MOST)
    _check_joined(early, settings)
    told(f"learning from {year - horizon} to {year}", 0)
    late = window(graph, units, year - horizon, settings, _MOST)
    half = np.random.default_rng(settings.seed).random(len(late.pairs)) < 0.5
    table = np.concatenate([early.table, late.table[half]])
    joined = np.concatenate([early.outcome.joined, late.outcome.joined[half]])
    told("growing trees", 0)
    joining = Joining.learnt(table, joined, late.table[~half], late.outcome.joined[~half], settings.seed)
    fared = Fared.learnt(joining.scores(late.table[~half]), late.outcome.joined[~half])
    again = _lapsed_fared(graph, units, year - horizon, settings, joining)
    attention = _attention(graph, (early, late), settings)
    told("how many will be joined", 0)
    by = _distance(graph, units, year, settings, joining)
    moved = replace(joining, calibration=joining.calibration.moved(by))
    return Learnt(
        moved, attention, len(joined), int(joined.sum()), fared and fared.moved(by), again and again.moved(by)
    )


def _distance(graph: ConceptGraph, units: Vectors, year: int, settings: OpportunitySettings, joining: Joining) -> float:
    """By how much all log odds must move for the pairs that are unjoined at the end of `year` to be joined in the
    share that is expected of them."""
    now, before = Snapshot(graph, year, units), Snapshot(graph, year - settings.horizon, units)
    pairs = unjoined(now, settings.fewest, _MOST_NOW, np.random.default_rng(settings.seed))
    share = share_to_come(now, before, pairs.of, settings)
    if share is None:
        return 0.0
    scores = joining.scores(Features(now, settings.fewest, settings.seed).of(pairs.one, pairs.other))
    return joining.calibration.distance_to(share, scores)


def _lapsed_fared(
    graph: ConceptGraph, units: Vectors, year: int, settings: OpportunitySettings, joining: Joining
) -> Fared | None:
    """How pairs fared that had been joined once and then let be: none of them was learnt from."""
    snapshot = Snapshot(graph, year, units)
    pairs = lapsed(snapshot, settings.fewest)
    if len(pairs) > _MOST_LAPSED:
        drawn = np.random.default_rng(settings.seed).choice(len(pairs), _MOST_LAPSED, replace=False)
        pairs = pairs.chosen(np.sort(drawn))
    if not len(pairs):
        return None
    table = Features(snapshot, settings.fewest, settings.seed).of(pairs.one, pairs.other)
    return Fared.learnt(joining.scores(table), joined_again(graph, pairs, year, settings.horizon))


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
