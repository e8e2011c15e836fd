"""What the predictor learns from: which citations, of which papers, and papers as if they were ideas."""

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
"""Papers whose citations are known, below which nothing is learnt."""
_MOST = 100_000
"""Papers learnt from; of more, so many are drawn."""
_NOT_OF_IDEAS = ("venue", "field", "authors")


@dataclass(frozen=True)
class Target:
    """log(1 + citations) of each paper of the corpus, shape (n,), NaN where not known, and whose count it is."""

    values: Floats
    source: str

    @property
    def rows(self) -> NDArray[np.intp]:
        """Of the papers whose citations are known."""
        return np.flatnonzero(~np.isnan(self.values))


def target_of(corpus: Corpus, history: PublicationHistory) -> Target | None:
    """Citations as counted by the papers' sources; where these say too little, those by papers of the library. None
    where both do."""
    within = history.cited.before(history.references([[paper.id] for paper in corpus.papers]).values, np.inf)
    for counts, source in ((corpus.citations, "counted by the papers' sources"), (within, "by papers of the library")):
        known = counts[~np.isnan(counts)]
        if len(known) >= FEWEST and known.min() < known.max():
            return Target(np.log1p(counts), source)
    return None


def training_rows(rows: NDArray[np.intp], seed: int) -> NDArray[np.intp]:
    """All of them, or as many of them as can be learnt from, in order."""
    if len(rows) <= _MOST:
        return rows
    return np.sort(np.random.default_rng(seed).choice(rows, _MOST, replace=False))


def train(features: ImpactFeatures, matrix: Vectors, target: Floats, seed: int) -> Predictor:
    """Each paper is shown twice: as it is, and as an idea would come, without venue, fields and authors, half of these
    without references too. Else what is missing in every idea would be missing in hardly any paper."""
    as_idea = without_groups(features, matrix, _NOT_OF_IDEAS)
    bare = np.random.default_rng(seed).random(len(matrix)) < 0.5
    as_idea[bare] = without_groups(features, as_idea[bare], ("references",))
    return Predictor.fit(np.vstack([matrix, as_idea]), np.tile(target, 2), seed)


def without_groups(features: ImpactFeatures, matrix: Vectors, groups: Iterable[str]) -> Vectors:
    """A copy of the columns, those of some groups not known."""
    copied = matrix.copy()
    for group in groups:
        copied[:, features.columns(group)] = np.nan
    return copied
