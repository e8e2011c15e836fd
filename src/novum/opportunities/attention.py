"""How much attention the first papers that join two concepts find: their standing among papers of the same year.

Citations as sources count them grow with the years; the share of the papers of one year that have fewer does not.
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
from novum.statistics.correlation import mean_ranks

FEWEST = 100
"""Joined pairs whose papers have counts, below which nothing is learnt."""
_OF_A_YEAR = 10
"""Counted papers of a year below which they say nothing of each other."""


@dataclass(frozen=True, eq=False)
class AttentionForecast:
    """The model."""

    trees: BoostedTrees
    errors: tuple[float, float] | None = None
    """What came less what was expected, of pairs not learnt from: 2.5 % are below the first, 2.5 % above the second;
    None where there were too few."""

    @classmethod
    def fit(cls, table: Vectors, standing: Floats, seed: int) -> Self | None:
        """Fits the model to linked pairs. `standing`: citation rank of the first joint papers, shape (n,), NaN where
        unknown. None with too few known ranks."""
        known = np.isfinite(standing)
        if known.sum() < FEWEST or np.ptp(standing[known]) == 0:
            return None
        return cls(_grown(table[known], standing[known], seed), _errors(table[known], standing[known], seed))

    def predict(self, table: Vectors) -> Floats:
        """The expected standing, 0 to 1, shape (n,)."""
        values: Floats = np.clip(self.trees.predict(table), 0, 1)
        return values

    def state(self) -> ModelState:
        """As it is kept."""
        errors = {"errors": np.array(self.errors)} if self.errors else {}
        return ModelState(errors, {"base": self.trees.base, "columns": list(COLUMNS)}, {FILE: self.trees.file})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """Raises KeyError or ValueError where it is damaged or of other columns."""
        if state.texts("columns") != list(COLUMNS):
            raise ValueError("it was fitted to other columns")
        trees = BoostedTrees.from_stored(state.files[FILE], state.number("base"), len(COLUMNS))
        if "errors" not in state.arrays:
            return cls(trees)
        errors = state.arrays["errors"].astype(float)
        if errors.shape != (2,) or not np.isfinite(errors).all() or errors[0] > errors[1]:
            raise ValueError("its errors are damaged")
        return cls(trees, (float(errors[0]), float(errors[1])))


def _grown(table: Vectors, standing: Floats, seed: int) -> BoostedTrees:
    return BoostedTrees.grown(table, standing, "reg:squarederror", seed)


def _errors(table: Vectors, standing: Floats, seed: int) -> tuple[float, float] | None:
    """Of a fifth that the others were asked about."""
    aside = np.random.default_rng(seed).random(len(table)) < 0.2
    if aside.sum() < FEWEST or np.ptp(standing[~aside]) == 0:
        return None
    expected = np.clip(_grown(table[~aside], standing[~aside], seed).predict(table[aside]), 0, 1)
    low, high = np.quantile(standing[aside] - expected, (0.025, 0.975))
    return float(low), float(high)


def citation_ranks(shelf: DatedPapers) -> Floats:
    """For each paper the share of the counted papers of its year that have fewer citations, equals counting half, shape
    (n,); NaN without a count, or in a year in which too few have one or all have the same.

    Counts are those of the papers' sources; where no paper has one, how often papers of the library cite it.
    """
    counts = np.asarray(shelf.tokens.citations).astype(float)
    counts[counts < 0] = np.nan
    if not np.isfinite(counts).any() and len(shelf.cites):
        counts = np.bincount(shelf.cites, minlength=len(shelf)).astype(float)
    values = np.full(len(shelf), np.nan)
    years = np.asarray(shelf.years)
    for year in np.unique(years[np.isfinite(counts)]):
        rows = np.flatnonzero((years == year) & np.isfinite(counts))
        if len(rows) >= _OF_A_YEAR and np.ptp(counts[rows]) > 0:
            values[rows] = (mean_ranks(counts[rows]) - 0.5) / len(rows)
    return values


def citation_rank_of(found: LinkOutcomes, standing: Floats) -> Floats:
    """Of each pair the mean standing of its first joint papers, NaN where none is known; shape (pairs,)."""
    sizes = np.diff(found.first_to, prepend=0)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    values = standing[found.first]
    known = np.isfinite(values)
    sums = np.bincount(owner[known], values[known], len(sizes))
    counts = np.bincount(owner[known], minlength=len(sizes))
    mean: Floats = np.divide(sums, counts, out=np.full(len(sizes), np.nan), where=counts > 0)
    return mean
