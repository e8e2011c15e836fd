"""Topics learnt from papers with scikit-learn's Latent Dirichlet Allocation. Imported when something is fitted, and not
when something is scored."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from novum.idea_metrics.topic_model import TopicModel
from novum.idea_metrics.word_counts import counts, vocabulary

MOST_WORDS = 10_000
_PAPERS_PER_TOPIC = 10
_PASSES = 3
_TOPIC_PRIOR = 0.1
_WORD_PRIOR = 0.01
_LEAST_CHANCE = 1e-12


def fit_topics(texts: Sequence[str], topics: int, seed: int) -> TopicModel | None:
    """At most one topic for ten texts. About 20 seconds for 20,000 abstracts and 50 topics.

    None where no two words are shared by some of the texts and not by most: there are no topics to be found.
    """
    fewest = 5 if len(texts) >= 1000 else 2
    known = vocabulary(texts, MOST_WORDS, fewest, frozenset(ENGLISH_STOP_WORDS))
    if len(known) < 2:
        return None
    found = counts(texts, {word: place for place, word in enumerate(known)})
    model = LatentDirichletAllocation(  # type: ignore[no-untyped-call]
        n_components=min(topics, max(2, len(texts) // _PAPERS_PER_TOPIC)),
        doc_topic_prior=_TOPIC_PRIOR,
        topic_word_prior=_WORD_PRIOR,
        learning_method="online",
        learning_offset=10.0,
        batch_size=512,
        max_iter=_PASSES,
        max_doc_update_iter=20,
        mean_change_tol=0.01,
        total_samples=len(texts),
        random_state=seed,
    )
    shape = (len(texts), len(known))
    model.fit(csr_matrix((found.times, found.word, found.starts), shape=shape))  # type: ignore[no-untyped-call]
    weight = np.asarray(model.components_, dtype=float)
    phi = np.maximum(weight / weight.sum(axis=1, keepdims=True), _LEAST_CHANCE)
    return TopicModel(phi.astype(np.float32), known, _TOPIC_PRIOR)
