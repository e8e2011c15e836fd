"""Which comparisons tell most about the best of several items.

Unlike a schedule for a whole ranking, it spends nothing on the order of items that are surely not the best. The value
of a comparison is the product of three numbers: for each of the two the probability that it is better than the leader,
and the information p (1 - p) of the result. At first all items are alike and every one is compared once; then winners
meet winners, and items whose chance has become small are left out.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from novum.core.arrays import Bools, Floats
from novum.statistics.ranking_posterior import Comparisons, RankingPosterior

_WORTHWHILE = 0.5
"""A pair joins a round only if its value is at least this share of the best."""
_STEPS = 30
"""Of Newton's method; a concave problem with a prior needs fewer than ten."""


def strength_posterior(comparisons: Comparisons) -> RankingPosterior:
    """The posterior of the strengths under a normal prior of variance 1, approximated at its mode (Laplace).

    `ranking_posterior` estimates the width of the prior, which needs several comparisons of each item: after one each,
    it finds no differences at all, and the next round could not prefer the winners.
    """
    items = len(comparisons.count)
    strengths: Floats = np.zeros(items)
    for _ in range(_STEPS):
        expected = expit(strengths[:, None] - strengths[None, :])
        weights = comparisons.count * expected * (1 - expected)
        precision: Floats = np.diag(weights.sum(axis=1)) - weights + np.eye(items)
        gradient = (comparisons.won - comparisons.count * expected).sum(axis=1) - strengths
        strengths = strengths + np.linalg.solve(precision, gradient)
    covariance: Floats = np.linalg.inv(precision).astype(float, copy=False)
    return RankingPosterior(strengths, precision, covariance, 1.0)


def chances_against_leader(posterior: RankingPosterior) -> Floats:
    """(n,): the probability that each item is better than the one with the highest mean strength; 0.5 for that one."""
    leader = int(np.argmax(posterior.strengths))
    behind = posterior.strengths <= posterior.strengths[leader]
    chances: Floats = np.where(behind, posterior.wrong[leader], 1 - posterior.wrong[leader])
    chances[leader] = 0.5
    return chances


def probability_of_leader(posterior: RankingPosterior) -> float:
    """About the probability that the item with the highest mean strength is the best, 0 to 1: a product over the others
    as if they were independent. 1 for a single item."""
    chances = np.delete(chances_against_leader(posterior), int(np.argmax(posterior.strengths)))
    return float(np.prod(1 - chances))


def pairs_about_best(posterior: RankingPosterior, judged: Bools, rng: np.random.Generator) -> list[tuple[int, int]]:
    """The pairs of one round, each item at most once, the most valuable first; empty when all pairs were judged.

    `judged`: (n, n), symmetric, the pairs that are not compared again. `rng` orders pairs of equal value.
    """
    chances = chances_against_leader(posterior)
    expected = expit(posterior.apart)
    value = np.round(np.outer(chances, chances) * expected * (1 - expected), 9)
    first, second = np.triu_indices(len(chances), 1)
    open_pairs = np.flatnonzero(~judged[first, second])
    values = value[first, second][open_pairs]
    taken: set[int] = set()
    chosen: list[tuple[int, int]] = []
    for place in np.lexsort((rng.random(len(values)), -values)):
        one, other = int(first[open_pairs[place]]), int(second[open_pairs[place]])
        if values[place] < _WORTHWHILE * values.max() or not taken.isdisjoint((one, other)):
            continue
        taken.update((one, other))
        chosen.append((one, other))
    return chosen
