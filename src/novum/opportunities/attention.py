"""Expected attention of the first papers that link two concepts: their citation rank among papers of the same year.

Citation counts grow with the age of a paper. The share of papers of its year with fewer citations does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from novum.core.arrays import Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.impact.trees_file import FILE
from novum.opportunities.boosted_trees import BoostedTrees
from novum.opportunities.features.table import COLUMNS
from novum.opportunities.paper_columns import DatedPapers
from novum.opportunities.unlinked_pairs import LinkOutcomes
from novum.statistics.quantile_table import share_below

FEWEST = 100
"""Linked pairs with a known citation rank that are needed for a fit."""
_OF_A_YEAR = 10
"""Papers of a year with a citation count that are needed for ranks."""


@dataclass(frozen=True, eq=False)
class AttentionForecast:
    """Boosted trees that predict the citation rank of the first joint papers, 0 to 1."""

    trees: BoostedTrees
    errors: tuple[float, float] | None = None
    """The 2.5 % and 97.5 % quantiles of actual minus predicted ranks of held-out pairs; None where there were too
    few."""

    @classmethod
    def fit(cls, table: Vectors, ranks: Floats, seed: int) -> Self | None:
        """Fits the model to linked pairs: `table` of shape (n, p), `ranks` of shape (n,), NaN where unknown. None where
        too few ranks are known."""
        known = np.isfinite(ranks)
        if known.sum() < FEWEST or np.ptp(ranks[known]) == 0:
            return None
        return cls(_fit_trees(table[known], ranks[known], seed), _errors(table[known], ranks[known], seed))

    def predict(self, table: Vectors) -> Floats:
        """Expected citation ranks, 0 to 1, shape (n,)."""
        values: Floats = np.clip(self.trees.predict(table), 0, 1)
        return values

    def state(self) -> ModelState:
        """The state to store."""
        errors = {"errors": np.array(self.errors)} if self.errors else {}
        return ModelState(errors, {"base": self.trees.base, "columns": list(COLUMNS)}, {FILE: self.trees.file})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The model from its stored state. Raises KeyError or ValueError where that is damaged or of other columns."""
        if state.texts("columns") != list(COLUMNS):
            raise ValueError("it was fitted to other columns")
        trees = BoostedTrees.from_stored(state.files[FILE], state.number("base"), len(COLUMNS))
        if "errors" not in state.arrays:
            return cls(trees)
        errors = state.arrays["errors"].astype(float)
        if errors.shape != (2,) or not np.isfinite(errors).all() or errors[0] > errors[1]:
            raise ValueError("its errors are damaged")
        return cls(trees, (float(errors[0]), float(errors[1])))


def _fit_trees(table: Vectors, ranks: Floats, seed: int) -> BoostedTrees:
    return BoostedTrees.fit(table, ranks, "reg:squarederror", seed)


def _errors(table: Vectors, ranks: Floats, seed: int) -> tuple[float, float] | None:
    """Quantiles of the errors on a fifth of the pairs, predicted from the others."""
    held_out = np.random.default_rng(seed).random(len(table)) < 0.2
    if held_out.sum() < FEWEST or np.ptp(ranks[~held_out]) == 0:
        return None
    expected = np.clip(_fit_trees(table[~held_out], ranks[~held_out], seed).predict(table[held_out]), 0, 1)
    low, high = np.quantile(ranks[held_out] - expected, (0.025, 0.975))
    return float(low), float(high)


def citation_ranks(dated: DatedPapers) -> Floats:
    """Citation ranks of papers, 0 to 1, shape (n,): the share of the papers of the same year with fewer citations,
    equal ones counting half. NaN without a count, and in a year in which too few papers have one or all have the same.

    Counts are those of the papers' sources; where no paper has one, the citations by papers of the library.
    """
    counts = np.asarray(dated.tokens.citations).astype(float)
    counts[counts < 0] = np.nan
    if not np.isfinite(counts).any() and len(dated.cites):
        counts = np.bincount(dated.cites, minlength=len(dated)).astype(float)
    values = np.full(len(dated), np.nan)
    years = np.asarray(dated.years)
    for year in np.unique(years[np.isfinite(counts)]):
        rows = np.flatnonzero((years == year) & np.isfinite(counts))
        if len(rows) >= _OF_A_YEAR and np.ptp(counts[rows]) > 0:
            values[rows] = share_below(np.sort(counts[rows]), counts[rows])
    return values


def citation_rank_of(outcomes: LinkOutcomes, ranks: Floats) -> Floats:
    """Mean citation rank of the first joint papers of each pair, shape (pairs,); NaN where none is known. `ranks`: of
    papers, shape (papers,)."""
    sizes = np.diff(outcomes.first_to, prepend=0)
    pair = np.repeat(np.arange(len(sizes)), sizes)
    values = ranks[outcomes.first]
    known = np.isfinite(values)
    sums = np.bincount(pair[known], values[known], len(sizes))
    counts = np.bincount(pair[known], minlength=len(sizes))
    mean: Floats = np.divide(sums, counts, out=np.full(len(sizes), np.nan), where=counts > 0)
    return mean
