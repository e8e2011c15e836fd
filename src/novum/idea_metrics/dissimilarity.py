"""How far a subject stands from what was written before it and from what came after, weighed with what that brought.

Three numbers that work on ideas by several agents took up from studies of inventions, and one made of them. *Historical
dissimilarity* HD: the mean distance to the k nearest earlier papers; the larger, the less it repeats. *Contemporary
dissimilarity* CD: the same to the k nearest later ones; the smaller, the more it is what research turned to.
*Contemporary impact* CI: how often those later papers are cited. *Overall novelty* ON = HD × CI / CD.

Differs: citations are counted against what is usual for papers of the same year, as a paper of last year has had no
time to be cited.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

import numpy as np

from novum.core.record import Value
from novum.core.scorecard import Subject


class NeighbourPaper(Value):
    """A paper that a subject was measured against."""

    paper_id: str
    title: str
    year: int | None
    similarity: float
    """Cosine in the library's search space, -1 to 1."""
    citations: int | None
    relative_citations: float | None
    """1: as many as its library's papers of the same year have on average."""


class NoveltyMeasure(Value):
    """A number, None where it cannot be said, and where it stands among real papers."""

    value: float | None = None
    percentile: float | None = None
    """Share of real papers with less, in percent, those with as much counting half."""


class Novelty(Value):
    """What the literature before and since a day says of a subject."""

    subject: Subject
    day: dt.date
    """Papers that were certainly public before this day are the past; dated ones of this day or later came after."""
    historical: NoveltyMeasure = NoveltyMeasure()
    contemporary: NoveltyMeasure = NoveltyMeasure()
    impact: NoveltyMeasure = NoveltyMeasure()
    overall: NoveltyMeasure = NoveltyMeasure()
    earlier: tuple[NeighbourPaper, ...] = ()
    later: tuple[NeighbourPaper, ...] = ()
    compared_with: str = ""
    """Which real papers the percentiles are among, in words; empty where there are none."""
    notes: tuple[str, ...] = ()
    """What could not be said, and why."""


def distance(similarity: float) -> float:
    """Euclidean distance of two unit vectors of this cosine: 0 the same, √2 unrelated, 2 opposite."""
    return float(np.sqrt(max(0.0, 2 - 2 * similarity)))


def dissimilarity(similarities: Sequence[float]) -> float | None:
    """Mean distance to papers of these cosines; None of none."""
    return float(np.mean([distance(each) for each in similarities])) if similarities else None


def relative(citations: int | None, usual: float | None) -> float | None:
    """A count against what is usual; None where either is unknown, or nobody is cited at all."""
    return None if citations is None or not usual else citations / usual


def impact(relative_citations: Iterable[float | None]) -> float | None:
    """Mean of those that are known; None of none."""
    known = [each for each in relative_citations if each is not None]
    return float(np.mean(known)) if known else None


def overall_novelty(historical: float | None, contemporary: float | None, impact: float | None) -> float | None:
    """HD × CI / CD; None where one is missing, or where a later paper says the very same (CD = 0)."""
    if historical is None or impact is None or not contemporary:
        return None
    return historical * impact / contemporary


def percentile(value: float | None, sample: Sequence[float | None]) -> float | None:
    """Share in percent of what is known of `sample` that is less than `value`, equal ones half; None of nothing."""
    known = np.array([each for each in sample if each is not None], dtype=float)
    if value is None or not len(known):
        return None
    return float(100 * ((known < value).mean() + (known == value).mean() / 2))
