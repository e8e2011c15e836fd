"""Topics of papers by Latent Dirichlet Allocation; their number is the one with the largest coherence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats
from novum.errors import BadInput
from novum.idea_metrics.topic_model import TopicModel, count_texts, fit_counted
from novum.idea_metrics.word_counts import WordCounts
from novum.training.ideas.card import TriedTopics

_TOP_WORDS = 10
"""Words of a topic that its coherence is computed from."""
NO_WORDS = "it has no word of the topics"


@dataclass(frozen=True)
class ChosenTopics:
    """The topic model that is used, the coherence of each of its topics, and all that were tried."""

    model: TopicModel
    coherence: Sequence[float]
    tried: Sequence[TriedTopics]

    def names(self, words: int) -> list[str]:
        """The names of the topics: their most frequent words."""
        return [", ".join(self.model.top_words(number, words)) for number in range(len(self.model.phi))]

    def main(self, texts: Sequence[str]) -> NDArray[np.intp]:
        """The main topic of each text, −1 where no word is known; shape (n,)."""
        mixtures = self.model.mixtures(self.model.counts(texts))
        known = ~np.isnan(mixtures[:, 0])
        return np.where(known, np.nan_to_num(mixtures).argmax(axis=1), -1)


def choose_topics(
    texts: Sequence[str], numbers: Sequence[int], seed: int, progress: Callable[[int], None] = lambda done: None
) -> ChosenTopics:
    """Fit a topic model for each number of topics, and choose the most coherent one; of equal ones the smallest.

    `progress` is called with how many were fitted. Raises BadInput where the texts share too few words.
    """
    counted = count_texts(texts)
    if counted is None:
        raise BadInput("The texts of these papers share too few words for topics: use more papers.")
    fitted: dict[int, tuple[TopicModel, list[float]]] = {}
    for done, number in enumerate(sorted(set(numbers)), 1):
        model = fit_counted(counted, number, seed)
        if len(model.phi) not in fitted:  # few texts have fewer topics than wanted
            fitted[len(model.phi)] = (model, list(coherences(model, counted.counts)))
        progress(done)
    tried = [TriedTopics(topics=size, coherence=fmean(found)) for size, (_, found) in sorted(fitted.items())]
    best = max(tried, key=lambda each: (each.coherence, -each.topics))
    model, found = fitted[best.topics]
    return ChosenTopics(model, found, tried)


def coherences(model: TopicModel, counts: WordCounts) -> Iterator[float]:
    """The coherence of each topic: the mean normalised pointwise mutual information of the pairs of its ten most
    frequent words, by the texts in which both occur (Bouma 2009; Lau, Newman and Baldwin 2014). From −1, never
    together, to 1, always together; 0 if independent."""
    for number in range(len(model.phi)):
        words = [model.places[word] for word in model.top_words(number, _TOP_WORDS)]
        yield _coherence(_occurrences(counts, words))


def _occurrences(counts: WordCounts, words: Sequence[int]) -> Floats:
    """Whether each word occurs in each text, shape (words, texts)."""
    lengths = np.diff(counts.starts)
    text_of = np.repeat(np.arange(len(lengths)), lengths)
    found = np.zeros((len(words), len(lengths)))
    for row, word in enumerate(words):
        found[row, text_of[counts.word == word]] = 1
    return found


def _coherence(occurs: Floats) -> float:
    texts = occurs.shape[1]
    together = occurs @ occurs.T / texts
    values = []
    for first, second in combinations(range(len(occurs)), 2):
        both, chance = together[first, second], together[first, first] * together[second, second]
        if not both or not chance:
            values.append(-1.0)
        elif both == 1:
            values.append(1.0)
        else:
            values.append(float(np.log(both / chance) / -np.log(both)))
    return fmean(values) if values else 0.0
