"""Evaluation of forecasts of past years, compared with simple scores.

For each year everything is computed from papers up to that year: concepts, graph and both models. The pairs are all
unlinked ones, or a uniform sample of them. Intervals come from a bootstrap over concepts: a pair counts as often as the
product of the counts of its two concepts, with the same counts in all years.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from novum.core.arrays import Floats
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


async def try_year(
    papers: PaperColumns,
    dated: DatedPapers,
    year: int,
    settings: OpportunitySettings,
    embedder: Embedder,
    most: int,
    edits: tuple[Synonym, ...] = (),
    progress: Progress = ignore_progress,
) -> YearTrial:
    """Forecasts at the end of `year` with the actual links. `most`: pairs; `edits`: the user's decisions on synonyms.
    Raises BadInput where there are too few data."""
    progress(f"concepts of {year}", 0)
    concepts = await extract_concepts(papers, dated, year, settings, embedder, edits)
    return await asyncio.to_thread(_year_trial, papers, dated, year, settings, concepts, most, progress)


def _year_trial(
    papers: PaperColumns,
    dated: DatedPapers,
    year: int,
    settings: OpportunitySettings,
    concepts: ConceptNames,
    most: int,
    progress: Progress,
) -> YearTrial:
    graph = DatedConceptGraph.of(concepts, dated)
    forecast = fit_forecast(graph, concepts.units, year, settings, progress)
    progress(f"forecasting from {year}", 0)
    result = training_window(forecast.now, settings, most)
    if not result.outcomes.linked.any():
        raise BadInput(
            f"No pair of concepts became linked in the {settings.horizon} years after {year}: nothing can be evaluated "
            "there. Add more papers of those years, or name another year (`--year`)."
        )
    columns = {name: COLUMNS.index(column) for name, column in BASELINES.items()}
    simple = {name: result.table[:, at].astype(float) for name, at in columns.items()}
    scores = forecast.link_forecast.scores(result.table)
    return YearTrial(
        year=year,
        names=graph.names,
        one=result.pairs.one,
        other=result.pairs.other,
        of=result.pairs.of,
        linked=result.outcomes.linked,
        scores={MODEL: scores} | simple,
        probability=forecast.link_forecast.calibration.probability(scores),
        expected=forecast.attention.predict(result.table) if forecast.attention else None,
        citation_rank=citation_rank_of(result.outcomes, citation_ranks(dated)),
        fields=ConceptFields.of(graph, dated.until(year), papers.filed.names),
    )


def testable_years(dated: DatedPapers, settings: OpportunitySettings, count: int) -> list[int]:
    """The last `count` years whose forecasts can be compared with actual links. Raises BadInput where there is none."""
    years = np.asarray(dated.years)
    if not len(years):
        raise BadInput("No paper of the library has a year, which a forecast needs: add papers that have one.")
    last, first = int(years[-1]), int(years[0])
    candidates = [last - settings.horizon - back for back in range(count)]
    testable = [year for year in candidates if year - 2 * settings.horizon >= first]
    if not testable:
        raise BadInput(
            f"The library's papers are of {first} to {last}; training, calibration and test over {settings.horizon} "
            f"years each need papers that span {3 * settings.horizon} years: add older ones, or shorten `--horizon`."
        )
    return testable[::-1]


def summarise_trials(
    tried: Sequence[YearTrial],
    settings: OpportunitySettings,
    *,
    draws: int,
    dated: DatedPapers,
    progress: Progress = ignore_progress,
) -> ForecastEvaluation:
    """The evaluation over all years. `draws`: bootstrap samples for the intervals."""
    progress("intervals", 0)
    names = sorted(set().union(*(each.names for each in tried)))
    ends = [_ends(each, names) for each in tried]
    weights = (
        np.concatenate([*bootstrap_weights(len(names), draws, settings.seed)]) if draws else np.zeros((0, len(names)))
    )
    points, samples = _all_measures(tried, ends, weights)
    return ForecastEvaluation(
        horizon=settings.horizon,
        joint=settings.joint,
        fewest=settings.fewest,
        k=K,
        draws=draws,
        years=tuple(_year(each, ends_of) for each, ends_of in zip(tried, ends, strict=True)),
        scores=tuple(_score(name, points[name], samples[name]) for name in points),
        margins=tuple(_margin(at, points, samples) for at in range(len(MEASURES))),
        calibration=evaluate_calibration(tried, ends, weights),
        fields=by_field(tried, ends, weights, _best(points, 0)),
        thin=thin_fields(tried),
        attention=evaluate_attention(tried, ends, weights),
        titles_only=not reads_gists(dated, dated.until(tried[-1].year)),
    )


def _ends(tried: YearTrial, names: list[str]) -> PairEnds:
    """The ends of the pairs of one year as indices of `names`, the concepts of all years."""
    place = {name: number for number, name in enumerate(names)}
    number = np.array([place[name] for name in tried.names], np.int64)
    return number[tried.one], number[tried.other]


def _all_measures(
    tried: Sequence[YearTrial], ends: Sequence[PairEnds], weights: Floats
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """For each score the means of the measures over the years, shape (3,), and those of each bootstrap sample, shape
    (samples, 3). `weights`: counts of concepts, shape (samples, concepts)."""
    points, samples = {}, {}
    for name in tried[0].scores:
        of_years, of_samples = [], []
        for each, (one, other) in zip(tried, ends, strict=True):
            ranked = RankedLinks.of(each.scores[name], each.linked, one, other)
            of_years.append(ranked.measured(K))
            of_samples.append([ranked.measured(K, row) for row in weights])
        points[name] = np.mean(of_years, axis=0)
        samples[name] = np.mean(of_samples, axis=0).reshape(len(weights), len(MEASURES))
    return points, samples


def _score(name: str, points: Floats, samples: Floats) -> ScoreEvaluation:
    measures = {measure: estimate(points[at], samples[:, at]) for at, measure in enumerate(MEASURES)}
    return ScoreEvaluation(name=name, **measures)


def _best(points: dict[str, Floats], at: int) -> str:
    return max((name for name in points if name != MODEL), key=lambda name: points[name][at])


def _margin(at: int, points: dict[str, Floats], samples: dict[str, Floats]) -> ModelMargin:
    best = _best(points, at)
    difference = estimate(points[MODEL][at] - points[best][at], samples[MODEL][:, at] - samples[best][:, at])
    return ModelMargin(measure=MEASURES[at], best=best, difference=difference)


def _year(tried: YearTrial, ends: PairEnds) -> YearEvaluation:
    auc, precision, at_k = RankedLinks.of(tried.scores[MODEL], tried.linked, *ends).measured(K).tolist()
    return YearEvaluation(
        year=tried.year, concepts=len(tried.names), pairs=len(tried.linked), of=tried.of,
        joined=int(tried.linked.sum()), told=float(tried.probability.sum()),
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
"""Simple scores by name, with their columns."""
