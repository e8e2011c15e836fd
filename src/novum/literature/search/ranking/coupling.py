"""Bibliographic coupling: how much two papers rest on the same earlier work (Kessler 1963)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Set

from novum.literature.search.ranking.counted import Scores, as_scores


def coupling(one: Set[int], other: Set[int]) -> float:
    """Shared references relative to the geometric mean of both lists' lengths (Salton's cosine), 0 to 1."""
    if not one or not other:
        return 0.0
    return len(one & other) / math.sqrt(len(one) * len(other))


def strongest_coupling(papers: Iterable[Set[int]], given: Collection[Set[int]]) -> Scores:
    """For each paper's references its coupling with that one of the `given` that it is coupled with most, 0 to 1."""
    return as_scores(max((coupling(references, other) for other in given), default=0.0) for references in papers)
