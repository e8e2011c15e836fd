"""Evaluation of the citation predictor: trained on earlier years, tested on later ones, compared with simpler
models."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from novum.core import normal_title
from novum.core.arrays import Floats
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.impact.features import ImpactFeatures
from novum.idea_metrics.impact.training import Target, train, training_rows, without_groups
from novum.idea_metrics.publication_history import PublicationHistory
from novum.statistics.correlation import spearman

_LATER = 0.2
"""Smallest share of the papers in the test set."""
_FEWEST_TRAINED, _FEWEST_TESTED, _FEWEST_OF_A_YEAR = 30, 10, 10
_ANY = "*"
"""Key of all venues together; normalised names of venues have no asterisk."""
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class YearSplit:
    """Rows of the papers before `year`, and of the papers of that year and later."""

    year: int
    earlier: Rows
    later: Rows


def split_by_year(years: Floats, rows: Rows) -> YearSplit | None:
    """The split at the latest year that leaves a fifth of the papers for the test and enough for training; None where
    there is none."""
    dated = rows[~np.isnan(years[rows])]
    for year in np.unique(years[dated])[::-1]:
        earlier, later = dated[years[dated] < year], dated[years[dated] >= year]
        if len(later) >= max(_LATER * len(dated), _FEWEST_TESTED):
            return YearSplit(int(year), earlier, later) if len(earlier) >= _FEWEST_TRAINED else None
    return None


def evaluate_predictor(corpus: Corpus, history: PublicationHistory, target: Target, seed: int) -> dict[str, JsonValue]:
    """Spearman's correlation and RMSE in log space, on later papers, of the predictor and of simpler models."""
    quality: dict[str, JsonValue] = {"target": target.source, "papers": len(target.rows)}
    parts = split_by_year(corpus.years, target.rows)
    if parts is None:
        return quality | {"untested": "the papers span too few years to train on earlier and test on later ones"}
    rows = training_rows(parts.earlier, seed)
    features = ImpactFeatures.fit(corpus, rows, history, seed)
    predictor = train(features, features.of_papers(corpus, rows), target.values[rows], seed)
    later = features.of_papers(corpus, parts.later)
    text_only = without_groups(features, later, ("venue", "field", "references", "authors"))
    predictions = {
        "xgboost": predictor.predict(later),
        "linear": predictor.linear.predict(later),
        "venue_year_mean": venue_year_mean(corpus, parts, target.values),
        "xgboost_on_text_alone": predictor.predict(text_only),
    }
    years, values = corpus.years[parts.later], target.values[parts.later]
    quality |= {"split_year": parts.year, "trained_on": len(rows), "tested_on": len(parts.later)}
    return quality | {name: _agreement(each, values, years) for name, each in predictions.items()}


def venue_year_mean(corpus: Corpus, parts: YearSplit, values: Floats) -> Floats:
    """A prediction for each later paper, shape (later papers,): the mean of its venue in the last earlier year with
    papers of it, else the mean of the last earlier year."""
    seen: defaultdict[tuple[str, float], list[float]] = defaultdict(list)
    last: dict[str, float] = {}
    for row in parts.earlier:  # in the order of their years
        year = float(corpus.years[row])
        for name in (normal_title(corpus.papers[row].venue), _ANY):
            seen[name, year].append(float(values[row]))
            last[name] = year
    means = {name: float(np.mean(seen[name, year])) for name, year in last.items() if name}
    return np.array([means.get(normal_title(corpus.papers[row].venue), means[_ANY]) for row in parts.later])


def _agreement(predicted: Floats, values: Floats, years: Floats) -> dict[str, JsonValue]:
    return {
        "spearman": _spearman(predicted, values),
        "spearman_within_years": _spearman_within_years(predicted, values, years),
        "rmse": round(float(np.sqrt(np.mean((predicted - values) ** 2))), 4),
    }


def _spearman(predicted: Floats, values: Floats) -> float | None:
    """Spearman's correlation; None where one side is constant."""
    result = spearman(predicted, values).r
    return None if result is None else round(result, 4)


def _spearman_within_years(predicted: Floats, values: Floats, years: Floats) -> float | None:
    """Mean correlation over years, weighted by papers, so that the age of papers does not help."""
    results: list[tuple[float, int]] = []
    for year in np.unique(years):
        rows = years == year
        rho = _spearman(predicted[rows], values[rows]) if rows.sum() >= _FEWEST_OF_A_YEAR else None
        results += [(rho, int(rows.sum()))] if rho is not None else []
    if not results:
        return None
    return round(sum(rho * papers for rho, papers in results) / sum(papers for _, papers in results), 4)
