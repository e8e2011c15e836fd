"""Learning to forecast at the end of a year from what could be seen by then.

Two spans of the horizon lie behind that year. Pairs not joined at the start of the first, with what became of them by
its end, are learnt from, and so is a random half of the pairs of the second span; the other half says how much the odds
are worth now. The next span will bring more papers than the last one, or fewer: so all odds are moved until the pairs
that are unjoined now come true in the share that is expected of them. Nothing after the year is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from novum.core.arrays import Bools, Vectors
from novum.errors import BadInput
from novum.opportunities.attention import AttentionForecast, citation_rank_of, citation_ranks
from novum.opportunities.expected_links import share_to_come
from novum.opportunities.features.table import PairFeatures
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.inactive_links import inactive_links, linked_again
from novum.opportunities.link_forecast import LinkForecast
from novum.opportunities.paper_columns import Progress, ignore_progress
from novum.opportunities.score_bins import ScoreBins
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.snapshot import Snapshot
from novum.opportunities.unlinked_pairs import LinkOutcomes, UnlinkedPairs, link_outcomes, unlinked_pairs

_MOST = 250_000
"""Pairs learnt from in each span; of more, so many are drawn."""
_MOST_LAPSED = 50_000
"""Pairs let be that are looked at."""
_MOST_NOW = 50_000
"""Pairs of the year itself whose scores are looked at."""
FEWEST_JOINED = 20
"""Pairs that must have been joined in the first span."""
_LOWER = {False: "`--min-papers`", True: "`--min-joint-papers` or `--min-papers`"}


@dataclass(frozen=True, eq=False)
class TrainingWindow:
    """Pairs that were not linked by the end of `year`, their features, and whether they became linked."""

    year: int
    pairs: UnlinkedPairs
    table: Vectors
    outcomes: LinkOutcomes


@dataclass(frozen=True, eq=False)
class FittedForecast:
    """The fitted models, the number of training pairs, and observed shares by score for pairs never linked and for
    pairs linked once, long before. `now`: features of the year itself."""

    link_forecast: LinkForecast
    attention: AttentionForecast | None
    pairs: int
    linked: int
    score_bins: ScoreBins | None
    inactive: ScoreBins | None
    now: PairFeatures


def features_at(graph: DatedConceptGraph, units: Vectors, year: int, settings: OpportunitySettings) -> PairFeatures:
    """At the end of one year; `units`: vectors of the names."""
    return PairFeatures(Snapshot(graph, year, units), settings.fewest, settings.seed)


def training_window(features: PairFeatures, settings: OpportunitySettings, most: int) -> TrainingWindow:
    """Pairs of the features' year, at most so many."""
    snapshot = features.snapshot
    rng = np.random.default_rng([settings.seed, snapshot.year])
    pairs = unlinked_pairs(snapshot, settings.fewest, most, rng)
    table = features.of(pairs.one, pairs.other)
    came = link_outcomes(snapshot.graph, pairs, snapshot.year, settings.horizon, settings.joint)
    return TrainingWindow(snapshot.year, pairs, table, came)


def fit_forecast(
    graph: DatedConceptGraph,
    units: Vectors,
    year: int,
    settings: OpportunitySettings,
    progress: Progress = ignore_progress,
) -> FittedForecast:
    """For forecasts at the end of `year`. Raises BadInput where the years before do not hold enough to learn from."""
    horizon = settings.horizon
    _check_years(graph, year, settings)
    progress(f"training on {year - 2 * horizon} to {year - horizon}", 0)
    early = training_window(features_at(graph, units, year - 2 * horizon, settings), settings, _MOST)
    _check_joined(early, settings)
    progress(f"training on {year - horizon} to {year}", 0)
    late, inactive = _late(features_at(graph, units, year - horizon, settings), settings)
    half = np.random.default_rng(settings.seed).random(len(late.pairs)) < 0.5
    table = np.concatenate([early.table, late.table[half]])
    linked = np.concatenate([early.outcomes.linked, late.outcomes.linked[half]])
    progress("training trees", 0)
    link_forecast = LinkForecast.fit(table, linked, late.table[~half], late.outcomes.linked[~half], settings.seed)
    score_bins = ScoreBins.fit(link_forecast.scores(late.table[~half]), late.outcomes.linked[~half])
    again = ScoreBins.fit(link_forecast.scores(inactive.table), inactive.linked) if len(inactive.table) else None
    attention = _attention(graph, (early, late), settings)
    progress("expected number of links", 0)
    now = features_at(graph, units, year, settings)
    by = _distance(now, settings, link_forecast)
    return FittedForecast(
        link_forecast=replace(link_forecast, calibration=link_forecast.calibration.shifted(by)),
        attention=attention,
        pairs=len(linked),
        linked=int(linked.sum()),
        score_bins=score_bins and score_bins.shifted(by),
        inactive=again and again.shifted(by),
        now=now,
    )


def _distance(features: PairFeatures, settings: OpportunitySettings, link_forecast: LinkForecast) -> float:
    """By how much all log odds must move for the pairs that are unjoined at the end of the features' year to be joined
    in the share that is expected of them."""
    now = features.snapshot
    before = Snapshot(now.graph, now.year - settings.horizon, now.units)
    pairs = unlinked_pairs(now, settings.fewest, _MOST_NOW, np.random.default_rng(settings.seed))
    share = share_to_come(now, before, pairs.of, settings)
    if share is None:
        return 0.0
    return link_forecast.calibration.shift_to(share, link_forecast.scores(features.of(pairs.one, pairs.other)))


@dataclass(frozen=True, eq=False)
class _InactivePairs:
    """Pairs that were linked once and then no more, and whether they became linked again; not used for training."""

    table: Vectors
    linked: Bools


def _late(features: PairFeatures, settings: OpportunitySettings) -> tuple[TrainingWindow, _InactivePairs]:
    """Both of one year: its tables are large, so they are made once, and let go before trees are grown."""
    snapshot = features.snapshot
    result = training_window(features, settings, _MOST)
    pairs = inactive_links(snapshot, settings.fewest)
    if len(pairs) > _MOST_LAPSED:
        drawn = np.random.default_rng(settings.seed).choice(len(pairs), _MOST_LAPSED, replace=False)
        pairs = pairs.take(np.sort(drawn))
    again = linked_again(snapshot.graph, pairs, snapshot.year, settings.horizon)
    return result, _InactivePairs(features.of(pairs.one, pairs.other), again)


def _attention(
    graph: DatedConceptGraph, windows: tuple[TrainingWindow, ...], settings: OpportunitySettings
) -> AttentionForecast | None:
    citation_rank = citation_ranks(graph.dated)
    rows = [each.outcomes.linked for each in windows]
    tables = [each.table[those] for each, those in zip(windows, rows, strict=True)]
    results = [citation_rank_of(each.outcomes, citation_rank)[those] for each, those in zip(windows, rows, strict=True)]
    return AttentionForecast.fit(np.concatenate(tables), np.concatenate(results), settings.seed)


def _check_years(graph: DatedConceptGraph, year: int, settings: OpportunitySettings) -> None:
    years = np.asarray(graph.dated.years)
    first = int(years[0]) if len(years) else year
    needed = year - 2 * settings.horizon
    if not len(years) or first > needed:
        raise BadInput(
            f"To forecast {settings.horizon} years from {year}, papers since {needed} are needed for training, and "
            f"the library's begin in {first if len(years) else 'no year'}: name a later year, add older papers, "
            "or shorten `--horizon`."
        )


def _check_joined(found: TrainingWindow, settings: OpportunitySettings) -> None:
    linked = int(found.outcomes.linked.sum())
    if linked < FEWEST_JOINED or linked == len(found.pairs):
        raise BadInput(
            f"Of the concepts known by {found.year}, {linked} of {len(found.pairs):,} pairs became linked in the "
            f"{settings.horizon} years after{_in_so_many(settings)}, and {FEWEST_JOINED} of more pairs are needed "
            f"for training: add papers of those years, or lower {_LOWER[settings.joint > 1]}."
        )


def _in_so_many(settings: OpportunitySettings) -> str:
    return f" in {settings.joint} papers or more" if settings.joint > 1 else ""
