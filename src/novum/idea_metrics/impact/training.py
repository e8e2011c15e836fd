"""Training data of the citation predictor: citation counts, training papers, and papers in the form of ideas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats, Vectors
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.impact.booster import Predictor
from novum.idea_metrics.impact.features import ImpactFeatures
from novum.idea_metrics.publication_history import PublicationHistory

FEWEST = 50
"""Papers with known citations that a fit needs."""
_MOST = 100_000
"""Training papers at most; of more, a random sample."""
_NOT_OF_IDEAS = ("venue", "field", "authors")


@dataclass(frozen=True)
class Target:
    """log(1 + citations) of each paper of the corpus, shape (n,), NaN where unknown, and the source of the counts."""

    values: Floats
    source: str

    @property
    def rows(self) -> NDArray[np.intp]:
        """Rows of the papers whose citations are known."""
        return np.flatnonzero(~np.isnan(self.values))


def target_of(corpus: Corpus, history: PublicationHistory) -> Target | None:
    """Citations according to the papers' sources; where too few are known, those by papers of the library. None where
    these are too few as well."""
    within = history.cited.before(history.references([[paper.id] for paper in corpus.papers]).values, np.inf)
    for counts, source in ((corpus.citations, "counted by the papers' sources"), (within, "by papers of the library")):
        known = counts[~np.isnan(counts)]
        if len(known) >= FEWEST and known.min() < known.max():
            return Target(np.log1p(counts), source)
    return None


def training_rows(rows: NDArray[np.intp], seed: int) -> NDArray[np.intp]:
    """The rows, or a random sample of `_MOST` of them, in ascending order."""
    if len(rows) <= _MOST:
        return rows
    return np.sort(np.random.default_rng(seed).choice(rows, _MOST, replace=False))


def train(features: ImpactFeatures, matrix: Vectors, target: Floats, seed: int) -> Predictor:
    """Fits the predictor. Each paper is used twice: as it is, and in the form of an idea, without venue, fields and
    authors, half of them also without references. Otherwise the columns that every idea lacks would hardly be missing
    in training."""
    as_idea = without_groups(features, matrix, _NOT_OF_IDEAS)
    bare = np.random.default_rng(seed).random(len(matrix)) < 0.5
    as_idea[bare] = without_groups(features, as_idea[bare], ("references",))
    return Predictor.fit(np.vstack([matrix, as_idea]), np.tile(target, 2), seed)


def without_groups(features: ImpactFeatures, matrix: Vectors, groups: Iterable[str]) -> Vectors:
    """A copy of the columns with those of some groups set to NaN."""
    copied = matrix.copy()
    for group in groups:
        copied[:, features.columns(group)] = np.nan
    return copied
