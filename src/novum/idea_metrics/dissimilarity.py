"""Dissimilarity of a subject from earlier and later papers, and the impact of the later ones.

Three numbers from studies of inventions, which work on ideas by several agents has adopted, and one made of them.
*Historical dissimilarity* HD: mean distance to the k nearest earlier papers; the larger, the less it repeats.
*Contemporary dissimilarity* CD: the same for the k nearest later papers; the smaller, the closer it is to what research
turned to. *Contemporary impact* CI: citations of those later papers. *Overall novelty* ON = HD × CI / CD.

Difference: citations are divided by the mean of the papers of the same year, since recent papers had less time to be
cited.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

import numpy as np

from novum.core.record import Value
from novum.core.scorecard import Subject
from novum.statistics.quantile_table import share_below


class NeighbourPaper(Value):
    """A paper near a subject."""

    paper_id: str
    title: str
    year: int | None
    similarity: float
    """Cosine in the library's search space, -1 to 1."""
    citations: int | None
    relative_citations: float | None
    """Citations divided by the mean of the library's papers of the same year."""


class NoveltyMeasure(Value):
    """A number, None where it is not available, and its rank among real papers."""

    value: float | None = None
    percentile: float | None = None
    """Percentage of real papers with a smaller number, equal ones counting half."""


class Novelty(Value):
    """Novelty of a subject against the literature before and since a day."""

    subject: Subject
    day: dt.date
    """Earlier papers are those that were certainly public before this day; later ones are dated papers of this day or
    later."""
    historical: NoveltyMeasure = NoveltyMeasure()
    contemporary: NoveltyMeasure = NoveltyMeasure()
    impact: NoveltyMeasure = NoveltyMeasure()
    overall: NoveltyMeasure = NoveltyMeasure()
    earlier: tuple[NeighbourPaper, ...] = ()
    later: tuple[NeighbourPaper, ...] = ()
    compared_with: str = ""
    """The real papers that percentiles refer to, in words; empty where there are none."""
    notes: tuple[str, ...] = ()
    """Numbers that are not available, and why."""


def distance(similarity: float) -> float:
    """Euclidean distance of two unit vectors with this cosine: 0 equal, √2 unrelated, 2 opposite."""
    return float(np.sqrt(max(0.0, 2 - 2 * similarity)))


def dissimilarity(similarities: Sequence[float]) -> float | None:
    """Mean distance to papers with these cosines; None without papers."""
    return float(np.mean([distance(each) for each in similarities])) if similarities else None


def relative(citations: int | None, usual: float | None) -> float | None:
    """A citation count divided by the usual one; None where one of them is unknown or the usual one is 0."""
    return None if citations is None or not usual else citations / usual


def impact(relative_citations: Iterable[float | None]) -> float | None:
    """Mean of the known numbers; None without any."""
    known = [each for each in relative_citations if each is not None]
    return float(np.mean(known)) if known else None


def overall_novelty(historical: float | None, contemporary: float | None, impact: float | None) -> float | None:
    """HD × CI / CD; None where one is missing, or where a later paper is identical (CD = 0)."""
    if historical is None or impact is None or not contemporary:
        return None
    return historical * impact / contemporary


def percentile(value: float | None, sample: Sequence[float | None]) -> float | None:
    """Percentage of the known numbers of `sample` that are smaller than `value`, equal ones counting half; None without
    any."""
    known = np.sort([each for each in sample if each is not None])
    if value is None or not len(known):
        return None
    return float(100 * share_below(known, np.array(value)))
