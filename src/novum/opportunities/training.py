"""Fits the forecast at the end of a year to what was known by then.

The training data are two spans of the horizon before that year: all pairs that were unlinked at the start of the first
span, with whether they became linked by its end, and a random half of the same pairs of the second span. The other half
calibrates the odds. The next span will bring more or fewer papers than the last one; so all log odds are shifted until
the mean probability of the pairs that are unlinked now is the expected share of new links. No later paper is used.
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
"""Training pairs of each span at most; of more, a random sample."""
_MOST_INACTIVE = 50_000
"""Inactive pairs at most; of more, a random sample."""
_MOST_NOW = 50_000
"""Pairs of the year itself, for the shift of the log odds; of more, a random sample."""
FEWEST_LINKED = 20
"""Newly linked pairs of the first span that training needs."""
_LOWER = {False: "`--min-papers`", True: "`--min-joint-papers` or `--min-papers`"}


@dataclass(frozen=True, eq=False)
class TrainingWindow:
    """Pairs that were unlinked at the end of `year`, their features, shape (pairs, columns), and their outcomes."""

    year: int
    pairs: UnlinkedPairs
    table: Vectors
    outcomes: LinkOutcomes


@dataclass(frozen=True, eq=False)
class FittedForecast:
    """The fitted models. `pairs`, `linked`: numbers of training pairs and of newly linked ones; `score_bins`,
    `inactive`: observed shares by score, of pairs that were never linked and of inactive pairs; `now`: features of the
    year."""

    link_forecast: LinkForecast
    attention: AttentionForecast | None
    pairs: int
    linked: int
    score_bins: ScoreBins | None
    inactive: ScoreBins | None
    now: PairFeatures


def features_at(graph: DatedConceptGraph, units: Vectors, year: int, settings: OpportunitySettings) -> PairFeatures:
    """Features at the end of one year. `units`: vectors of the names."""
    return PairFeatures(Snapshot(graph, year, units), settings.fewest, settings.seed)


def training_window(features: PairFeatures, settings: OpportunitySettings, most: int) -> TrainingWindow:
    """At most `most` unlinked pairs of the features' year, with their outcomes after it."""
    snapshot = features.snapshot
    rng = np.random.default_rng([settings.seed, snapshot.year])
    pairs = unlinked_pairs(snapshot, settings.fewest, most, rng)
    table = features.of(pairs.one, pairs.other)
    outcomes = link_outcomes(snapshot.graph, pairs, snapshot.year, settings.horizon, settings.joint)
    return TrainingWindow(snapshot.year, pairs, table, outcomes)


def fit_forecast(
    graph: DatedConceptGraph,
    units: Vectors,
    year: int,
    settings: OpportunitySettings,
    progress: Progress = ignore_progress,
) -> FittedForecast:
    """Fits the models for forecasts at the end of `year`. Raises BadInput where the years before have too few data."""
    horizon = settings.horizon
    _check_years(graph, year, settings)
    progress(f"training on {year - 2 * horizon} to {year - horizon}", 0)
    early = training_window(features_at(graph, units, year - 2 * horizon, settings), settings, _MOST)
    _check_linked(early, settings)
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
    by = _shift(now, settings, link_forecast)
    return FittedForecast(
        link_forecast=replace(link_forecast, calibration=link_forecast.calibration.shifted(by)),
        attention=attention,
        pairs=len(linked),
        linked=int(linked.sum()),
        score_bins=score_bins and score_bins.shifted(by),
        inactive=again and again.shifted(by),
        now=now,
    )


def _shift(features: PairFeatures, settings: OpportunitySettings, link_forecast: LinkForecast) -> float:
    """The shift of all log odds by which the mean probability of the pairs that are unlinked at the end of the
    features' year becomes the expected share of new links."""
    now = features.snapshot
    before = Snapshot(now.graph, now.year - settings.horizon, now.units)
    pairs = unlinked_pairs(now, settings.fewest, _MOST_NOW, np.random.default_rng(settings.seed))
    share = share_to_come(now, before, pairs.of, settings)
    if share is None:
        return 0.0
    return link_forecast.calibration.shift_to(share, link_forecast.scores(features.of(pairs.one, pairs.other)))


@dataclass(frozen=True, eq=False)
class _InactivePairs:
    """Features of pairs that were linked once and then no more, and whether they became linked again; not for
    training."""

    table: Vectors
    linked: Bools


def _late(features: PairFeatures, settings: OpportunitySettings) -> tuple[TrainingWindow, _InactivePairs]:
    """Training window and inactive pairs of one year, together, so that the large tables of the year are computed once
    and freed before the trees are trained."""
    snapshot = features.snapshot
    result = training_window(features, settings, _MOST)
    pairs = inactive_links(snapshot, settings.fewest)
    if len(pairs) > _MOST_INACTIVE:
        sample = np.random.default_rng(settings.seed).choice(len(pairs), _MOST_INACTIVE, replace=False)
        pairs = pairs.take(np.sort(sample))
    again = linked_again(snapshot.graph, pairs, snapshot.year, settings.horizon)
    return result, _InactivePairs(features.of(pairs.one, pairs.other), again)


def _attention(
    graph: DatedConceptGraph, windows: tuple[TrainingWindow, ...], settings: OpportunitySettings
) -> AttentionForecast | None:
    ranks = citation_ranks(graph.dated)
    tables = [each.table[each.outcomes.linked] for each in windows]
    results = [citation_rank_of(each.outcomes, ranks)[each.outcomes.linked] for each in windows]
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


def _check_linked(window: TrainingWindow, settings: OpportunitySettings) -> None:
    linked = int(window.outcomes.linked.sum())
    if linked < FEWEST_LINKED or linked == len(window.pairs):
        raise BadInput(
            f"Of the concepts known by {window.year}, {linked} of {len(window.pairs):,} pairs became linked in the "
            f"{settings.horizon} years after{_condition(settings)}, and {FEWEST_LINKED} of more pairs are needed "
            f"for training: add papers of those years, or lower {_LOWER[settings.joint > 1]}."
        )


def _condition(settings: OpportunitySettings) -> str:
    return f" in {settings.joint} papers or more" if settings.joint > 1 else ""
