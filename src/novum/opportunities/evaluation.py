"""Evaluation of forecasts of past years, compared with simple scores, over several years.

For each year everything is computed from papers up to that year: concepts, graph and both models. The pairs are all
that were not linked, or a uniform sample of them. Intervals come from resampling concepts: a pair counts as often as
both of its concepts together, in all years at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from novum.core.arrays import Floats, Vectors
from novum.errors import BadInput
from novum.literature.embedding import Embedder
from novum.opportunities.attention import citation_rank_of, citation_ranks
from novum.opportunities.concepts import ConceptNames, extract_concepts, reads_gists
from novum.opportunities.evaluation_calibration import evaluate_attention, evaluate_calibration
from novum.opportunities.evaluation_fields import by_field, thin_fields
from novum.opportunities.evaluation_records import (
    MODEL,
    ForecastEvaluation,
    ModelMargin,
    ScoreEvaluation,
    YearEvaluation,
)
from novum.opportunities.features.table import COLUMNS
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.paper_columns import DatedPapers, PaperColumns, Progress, ignore_progress
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.synonyms import Synonym
from novum.opportunities.training import fit_forecast, training_window
from novum.opportunities.year_trial import ConceptFields, PairEnds, YearTrial
from novum.statistics.bootstrap import bootstrap_weights, estimate
from novum.statistics.ranking import MEASURES, RankedLinks

K = 100


async def try_out_year(
    papers: PaperColumns,
    shelf: DatedPapers,
    year: int,
    settings: OpportunitySettings,
    embedder: Embedder,
    *,
    most: int,
    edits: tuple[Synonym, ...] = (),
    progress: Progress = ignore_progress,
) -> YearTrial:
    """Forecasts at the end of `year`, with what came of them. Raises BadInput where too little is known."""
    progress(f"concepts of {year}", 0)
    concepts = await extract_concepts(papers, shelf, year, settings, embedder, edits)
    return await asyncio.to_thread(_year_trial, papers, shelf, year, settings, concepts, most, progress)


def _year_trial(
    papers: PaperColumns,
    shelf: DatedPapers,
    year: int,
    settings: OpportunitySettings,
    concepts: ConceptNames,
    most: int,
    progress: Progress,
) -> YearTrial:
    graph = DatedConceptGraph.of(concepts, shelf)
    forecast = fit_forecast(graph, concepts.units, year, settings, progress)
    progress(f"forecasting from {year}", 0)
    result = training_window(forecast.now, settings, most)
    if not result.outcomes.joined.any():
        raise BadInput(
            f"No pair of concepts became linked in the {settings.horizon} years after {year}: nothing can be evaluated "
            "there. Bring in more papers of those years, or name another year (`--year`)."
        )
    simple = {name: baseline(result.table, name) for name in BASELINES}
    scores = forecast.link_forecast.scores(result.table)
    return YearTrial(
        year=year,
        names=graph.names,
        one=result.pairs.one,
        other=result.pairs.other,
        of=result.pairs.of,
        joined=result.outcomes.joined,
        scores={MODEL: scores} | simple,
        probability=forecast.link_forecast.calibration.probability(scores),
        expected=forecast.attention.predict(result.table) if forecast.attention else None,
        standing=citation_rank_of(result.outcomes, citation_ranks(shelf)),
        filing=ConceptFields.of(graph, shelf.until(year), papers.filed.names),
    )


def testable_years(shelf: DatedPapers, settings: OpportunitySettings, count: int) -> list[int]:
    """The last years whose forecasts can be held against what came. Raises BadInput where there is none."""
    years = np.asarray(shelf.years)
    if not len(years):
        raise BadInput("No paper of the library has a year: nothing can be forecast. Bring in papers that have one.")
    last, first = int(years[-1]), int(years[0])
    results = [last - settings.horizon - back for back in range(count)]
    fit = [year for year in results if year - 2 * settings.horizon >= first]
    if not fit:
        raise BadInput(
            f"The library's papers are of {first} to {last}; to learn, to calibrate and to test over "
            f"{settings.horizon} years each, they must span {3 * settings.horizon} years: bring in older ones, or "
            "shorten `--horizon`."
        )
    return fit[::-1]


def summarise_trials(
    tried: Sequence[YearTrial],
    settings: OpportunitySettings,
    *,
    draws: int,
    shelf: DatedPapers,
    progress: Progress = ignore_progress,
) -> ForecastEvaluation:
    """All years together."""
    progress("intervals", 0)
    names = sorted(set().union(*(each.names for each in tried)))
    ends = [_ends(each, names) for each in tried]
    weights = (
        np.concatenate([*bootstrap_weights(len(names), draws, settings.seed)]) if draws else np.zeros((0, len(names)))
    )
    points, drawn = _all_measures(tried, ends, weights)
    return ForecastEvaluation(
        horizon=settings.horizon,
        joint=settings.joint,
        fewest=settings.fewest,
        k=K,
        draws=draws,
        years=tuple(_year(each, ends_of) for each, ends_of in zip(tried, ends, strict=True)),
        scores=tuple(_judged(name, points[name], drawn[name]) for name in points),
        margins=tuple(_margin(at, points, drawn) for at in range(len(MEASURES))),
        calibration=evaluate_calibration(tried, ends, weights),
        fields=by_field(tried, ends, weights, _best(points, 0)),
        thin=thin_fields(tried),
        attention=evaluate_attention(tried, ends, weights),
        titles_only=not reads_gists(shelf, shelf.until(tried[-1].year)),
    )


def _ends(tried: YearTrial, names: list[str]) -> PairEnds:
    place = {name: number for number, name in enumerate(names)}
    number = np.array([place[name] for name in tried.names], np.int64)
    return number[tried.one], number[tried.other]


def _all_measures(
    tried: Sequence[YearTrial], ends: Sequence[PairEnds], weights: Floats
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """By score: means over the years, shape (3,), and the same of each draw, (draws, 3)."""
    points, drawn = {}, {}
    for name in tried[0].scores:
        of_years, of_draws = [], []
        for each, (one, other) in zip(tried, ends, strict=True):
            ranked = RankedLinks.of(each.scores[name], each.joined, one, other)
            of_years.append(ranked.measured(K))
            of_draws.append([ranked.measured(K, row) for row in weights])
        points[name] = np.mean(of_years, axis=0)
        drawn[name] = np.mean(of_draws, axis=0).reshape(len(weights), len(MEASURES))
    return points, drawn


def _judged(name: str, points: Floats, drawn: Floats) -> ScoreEvaluation:
    mapping = {measure: estimate(points[at], drawn[:, at]) for at, measure in enumerate(MEASURES)}
    return ScoreEvaluation(name=name, **mapping)


def _best(points: dict[str, Floats], at: int) -> str:
    return max((name for name in points if name != MODEL), key=lambda name: points[name][at])


def _margin(at: int, points: dict[str, Floats], drawn: dict[str, Floats]) -> ModelMargin:
    best = _best(points, at)
    difference = estimate(points[MODEL][at] - points[best][at], drawn[MODEL][:, at] - drawn[best][:, at])
    return ModelMargin(measure=MEASURES[at], best=best, difference=difference)


def _year(tried: YearTrial, ends: PairEnds) -> YearEvaluation:
    auc, precision, at_k = RankedLinks.of(tried.scores[MODEL], tried.joined, *ends).measured(K).tolist()
    return YearEvaluation(
        year=tried.year, concepts=len(tried.names), pairs=len(tried.joined), of=tried.of,
        joined=int(tried.joined.sum()), told=float(tried.probability.sum()),
        auc=auc, average_precision=precision, precision_at_k=at_k,
    )  # fmt: skip


BASELINES = {
    "preferential attachment": "attachment",
    "common neighbours": "common",
    "Jaccard": "jaccard",
    "Adamic–Adar": "adamic_adar",
    "resource allocation": "allocation",
    "names alike (embedding)": "names_alike",
}
"""By the name that people know, and the column of it."""


def baseline(table: Vectors, name: str) -> Floats:
    """The score of each pair, shape (n,). Raises KeyError for an unknown name."""
    return table[:, COLUMNS.index(BASELINES[name])].astype(float)
