"""How well citations are foretold: learnt from earlier years, tried on later ones, beside what is simpler."""

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
"""At least so large a share of the papers is kept for the test."""
_FEWEST_TRAINED, _FEWEST_TESTED, _FEWEST_OF_A_YEAR = 30, 10, 10
_ANY = "*"
"""All venues: the normal name of one holds letters, digits and spaces only."""
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class YearSplit:
    """Rows of papers before `year`, and of that year and later."""

    year: int
    earlier: Rows
    later: Rows


def split_by_year(years: Floats, rows: Rows) -> YearSplit | None:
    """At the latest year that leaves a fifth of the papers for the test, and enough to learn from. None where there is
    none: papers of one year, or of no known year."""
    dated = rows[~np.isnan(years[rows])]
    for year in np.unique(years[dated])[::-1]:
        earlier, later = dated[years[dated] < year], dated[years[dated] >= year]
        if len(later) >= max(_LATER * len(dated), _FEWEST_TESTED):
            return YearSplit(int(year), earlier, later) if len(earlier) >= _FEWEST_TRAINED else None
    return None


def evaluate_predictor(corpus: Corpus, history: PublicationHistory, target: Target, seed: int) -> dict[str, JsonValue]:
    """Spearman and RMSE, in log space, of the predictor and of two simpler ones on the same later papers."""
    mapping: dict[str, JsonValue] = {"target": target.source, "papers": len(target.rows)}
    parts = split_by_year(corpus.years, target.rows)
    if parts is None:
        return mapping | {
            "untested": "the papers do not span years enough to learn from earlier and test on later ones"
        }
    rows = training_rows(parts.earlier, seed)
    features = ImpactFeatures.fit(corpus, rows, history, seed)
    predictor = train(features, features.of_papers(corpus, rows), target.values[rows], seed)
    later = features.of_papers(corpus, parts.later)
    alone = without_groups(features, later, ("venue", "field", "references", "authors"))
    predictions = {
        "xgboost": predictor.predict(later),
        "linear": predictor.linear.predict(later),
        "venue_year_mean": venue_year_mean(corpus, parts, target.values),
        "xgboost_on_text_alone": predictor.predict(alone),
    }
    years, values = corpus.years[parts.later], target.values[parts.later]
    mapping |= {"split_year": parts.year, "trained_on": len(rows), "tested_on": len(parts.later)}
    return mapping | {name: _agreement(made, values, years) for name, made in predictions.items()}


def venue_year_mean(corpus: Corpus, parts: YearSplit, values: Floats) -> Floats:
    """For each later paper the mean of its venue in the last earlier year that had any of it; else of the last earlier
    year."""
    seen: defaultdict[tuple[str, float], list[float]] = defaultdict(list)
    last: dict[str, float] = {}
    for row in parts.earlier:  # in the order of their years
        year = float(corpus.years[row])
        for name in (normal_title(corpus.papers[row].venue), _ANY):
            seen[name, year].append(float(values[row]))
            last[name] = year
    means = {name: float(np.mean(seen[name, year])) for name, year in last.items() if name}
    return np.array([means.get(normal_title(corpus.papers[row].venue), means[_ANY]) for row in parts.later])


def _agreement(made: Floats, values: Floats, years: Floats) -> dict[str, JsonValue]:
    return {
        "spearman": _rank(made, values),
        "spearman_within_years": _within(made, values, years),
        "rmse": round(float(np.sqrt(np.mean((made - values) ** 2))), 4),
    }


def _rank(made: Floats, values: Floats) -> float | None:
    """None where one of them has no order."""
    result = spearman(made, values).r
    return None if result is None else round(result, 4)


def _within(made: Floats, values: Floats, years: Floats) -> float | None:
    """Mean over years, by their papers: what is left when age is no help."""
    results: list[tuple[float, int]] = []
    for year in np.unique(years):
        its = years == year
        rank = _rank(made[its], values[its]) if its.sum() >= _FEWEST_OF_A_YEAR else None
        results += [(rank, int(its.sum()))] if rank is not None else []
    if not results:
        return None
    return round(sum(rank * many for rank, many in results) / sum(many for _, many in results), 4)
