"""Topics of candidates: small groups of neighbours, named by words that their titles share.

The topic is in the prompt of a preference pair. Its name comes from many titles, so that it does not reveal an answer.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from novum.core import Paper, normal_title
from novum.core.arrays import Floats, Vectors
from novum.idea_metrics.clusters import cluster, nearest
from novum.idea_metrics.topic_model import TopicModel
from novum.literature.search.ranking.concepts import concepts
from novum.literature.search.ranking.keywords import groups
from novum.prompts.untrusted import plain
from novum.training.preferences.pool import Pool, Rows

NAMES = 3
"""Phrases in the name of a topic."""
LDA_NAMES = 6
"""Words in the name of a topic of the topic model."""
NO_WORDS = "it has no word of the topic model"
_VOCABULARY = 16
"""Phrases that the overlap of two ideas on a topic is computed from."""
_FEWEST = 3
"""Least number of titles with a phrase, in total and in its topic. Fewer would reveal these titles."""
_LEAST_SHARE = 0.05
"""Least share of the titles of a topic that a phrase of its name occurs in."""
_MANY_WORDS = 1.5
"""Weight factor of phrases with several words."""
_COARSE = 1500
"""Candidates that are clustered at once: time grows with the square of the number of clusters."""
_LONGEST_NAME, _LONGEST_PHRASE = 250, 60
"""Characters; a prompt shows 300 of a topic."""
_AT_ONCE = 2000
_FITS = 0.3
"""Least share, by weight, of the phrases of a topic's name that an idea must mention to belong to the topic."""
_WIDEST = 10
"""The rarest phrase of a topic's name occurs at most in this many times the topic size of titles."""
_TRIED = 8
"""Number of nearest topics that are tried for an idea."""
OFF_TOPIC = "it hardly mentions what its neighbours share"


@dataclass(frozen=True)
class Topics:
    """The topics of candidates.

    `of[row]`: number of the candidate's topic, -1 without one. `phrase_weights[row, phrase]`: weight of a phrase of the
    topic that the idea mentions, else 0, shape (n, 16). Rare phrases have larger weights.
    """

    names: Sequence[str]
    of: Rows
    phrase_weights: Floats
    dropped: Counter[str]
    """Number of candidates without a topic by reason."""
    given: bool
    """Whether ideas were generated for these topics. Ideas on one such topic overlap fully."""

    def overlap(self, some: Rows, others: Rows) -> Floats:
        """Weighted Jaccard overlap of the phrases of two ideas on one topic.

        Shape (len(some), len(others)); 1 for given topics.
        """
        if self.given:
            return np.ones((len(some), len(others)))
        mine, theirs = self.phrase_weights[some], self.phrase_weights[others]
        both = mine @ (theirs > 0).T  # a phrase has the same weight in every idea
        either = mine.sum(axis=1)[:, None] + theirs.sum(axis=1)[None, :] - both
        share: Floats = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
        return share


def given_topics(pool: Pool) -> Topics:
    """The topics that ideas were generated for, as a prompt shows them."""
    topics = [plain(one.topic, _LONGEST_NAME) for one in pool.candidates]
    keys = [normal_title(topic) or topic for topic in topics]
    spellings: dict[str, str] = {}
    for key, topic in zip(keys, topics, strict=True):
        spellings[key] = min(spellings.get(key, topic), topic)
    number = {key: at for at, key in enumerate(sorted(spellings))}
    return Topics(
        [spellings[key] for key in sorted(spellings)],
        np.array([number[key] for key in keys], dtype=np.intp),
        np.zeros((len(pool), _VOCABULARY)),
        Counter(),
        given=True,
    )


def find_topics(pool: Pool, size: int, seed: int, model: TopicModel | None = None) -> Topics:
    """Find topics of about `size` candidates each: neighbours by embeddings, named by phrases of their titles.

    With `model`, neighbours are within one topic of it. A candidate belongs to the nearest topic whose name it
    mentions.
    """
    rough = _mainly_of(model, pool) if model else _clusters(pool.vectors, np.arange(len(pool)), _rough(pool), seed)
    named = _named_topics(pool, list(_groups(pool.vectors, rough, size, seed)), size)
    of = np.full(len(pool), -1, dtype=np.intp)
    phrase_weights = np.zeros((len(pool), _VOCABULARY))
    for row, near in enumerate(_nearest(pool.vectors, named)):
        text = f" {normal_title(pool.candidates[row].subject.whole)}"
        for number in near:
            topic = named[number]
            weights = topic.weights_in(text)
            if topic.fits(weights):
                of[row] = number
                phrase_weights[row, : len(weights)] = weights
                break
    return Topics(
        [topic.name for topic in named], of, phrase_weights, +Counter({OFF_TOPIC: int((of < 0).sum())}), given=False
    )


def lda_topics(pool: Pool, model: TopicModel) -> Topics:
    """The main topic of each candidate in `model`, named by its most frequent words, as in the DBLP study."""
    words = [model.top_words(topic, _VOCABULARY) for topic in range(len(model.phi))]
    of = _main_topics(model, pool)
    phrase_weights = np.zeros((len(pool), _VOCABULARY))
    for row in np.flatnonzero(of >= 0).tolist():
        text = f" {normal_title(pool.candidates[row].subject.whole)} "
        used = [f" {word} " in text for word in words[of[row]]]
        phrase_weights[row, : len(used)] = used
    names = [", ".join(each[:LDA_NAMES]) for each in words]
    return Topics(names, of, phrase_weights, +Counter({NO_WORDS: int((of < 0).sum())}), given=False)


@dataclass(frozen=True)
class _NamedTopic:
    """A topic: the phrases of its name first, then other phrases of its titles, with their weights and its centroid."""

    name: str
    phrases: int
    words: Sequence[str]
    weights: Floats
    centre: Vectors

    def weights_in(self, text: str) -> Floats:
        """The weights of the phrases that occur in a normalised text, 0 for the others."""
        return self.weights * [f" {normal_title(word)}" in text for word in self.words]

    def fits(self, phrase_weights: Floats) -> bool:
        """Whether a text with these weights is on the topic. Squares give the rarest phrase the most influence."""
        return bool((phrase_weights[: self.phrases] ** 2).sum() >= _FITS * (self.weights[: self.phrases] ** 2).sum())


def _named_topics(pool: Pool, members: Sequence[Rows], size: int) -> list[_NamedTopic]:
    """Topics in the order of their names.

    Groups with the same name are merged. Groups whose titles share nothing, or only very frequent phrases, are dropped.
    """
    phrases_of = _concepts(pool)
    common = Counter(name for phrases in phrases_of for name in phrases)
    rarity = {name: math.log((len(pool) + 1) / number) for name, number in common.items()}
    merged: dict[tuple[str, ...], tuple[list[str], list[Rows]]] = defaultdict(lambda: ([], []))
    for rows in members:
        words = _characteristic(rows, phrases_of, rarity)
        name_words = _distinct(words)
        if name_words and min(common[word] for word in name_words) <= _WIDEST * size:
            more, groups_of_it = merged[tuple(sorted(name_words))]
            more += words
            groups_of_it.append(rows)
    topics = []
    for name in sorted(merged):
        words = list(dict.fromkeys([*name, *merged[name][0]]))[:_VOCABULARY]
        centre = pool.vectors[np.concatenate(merged[name][1])].mean(axis=0)
        weights = np.array([rarity[word] for word in words])
        topics.append(_NamedTopic(", ".join(name), len(name), words, weights, centre))
    return topics


def _nearest(vectors: Vectors, named: Sequence[_NamedTopic]) -> Iterator[list[int]]:
    """For each candidate the numbers of a few topics, nearest first."""
    if not named:
        yield from ([] for _ in vectors)
        return
    centres = np.stack([topic.centre for topic in named])
    for begin in range(0, len(vectors), _AT_ONCE):
        order = np.argsort(-(vectors[begin : begin + _AT_ONCE] @ centres.T), axis=1, kind="stable")
        yield from order[:, :_TRIED].tolist()


def _main_topics(model: TopicModel, pool: Pool) -> Rows:
    """The main topic of each candidate in `model`, -1 without a known word, shape (n,)."""
    main = np.full(len(pool), -1, dtype=np.intp)
    for begin in range(0, len(pool), _AT_ONCE):
        counts = model.counts([one.subject.whole for one in pool.candidates[begin : begin + _AT_ONCE]])
        mixtures = model.mixtures(counts)
        main[begin : begin + len(mixtures)] = np.where(np.isnan(mixtures[:, 0]), -1, mixtures.argmax(axis=1))
    return main


def _mainly_of(model: TopicModel, pool: Pool) -> Iterator[Rows]:
    """Group candidates by their main topic in `model`, whose topics are far wider than the subject of one idea."""
    main = _main_topics(model, pool)
    yield from (rows for topic in range(-1, len(model.phi)) if len(rows := np.flatnonzero(main == topic)))


def _rough(pool: Pool) -> int:
    return -(-len(pool) // _COARSE)


def _groups(vectors: Vectors, rough: Iterable[Rows], size: int, seed: int) -> Iterator[Rows]:
    """Cluster in two steps, coarse and fine, which is much faster than one step and similar for near neighbours."""
    for rows in rough:
        yield from _clusters(vectors, rows, max(1, round(len(rows) / size)), seed)


def _clusters(vectors: Vectors, rows: Rows, count: int, seed: int) -> Iterator[Rows]:
    if count < 2:
        yield rows
        return
    inside = vectors[rows]
    which, _ = nearest(inside, cluster(inside, count, seed).centroids)
    yield from (members for at in range(count) if len(members := rows[which == at]))


def _concepts(pool: Pool) -> list[set[str]]:
    """Phrases of titles only: titles name the subject, and abstracts of a large library would not fit into memory."""
    titles = [Paper(title=one.subject.title) for one in pool.candidates]
    shared = concepts(titles, _FEWEST)
    if any(shared):
        return shared
    return [set(groups(paper.title)) for paper in titles]


def _characteristic(rows: Rows, phrases_of: Sequence[set[str]], rarity: Mapping[str, float]) -> list[str]:
    """Phrases of several titles of a group that are rare elsewhere, most characteristic first.

    Phrases of several words have more weight, because single words such as `reflection` are ambiguous.
    """
    counted = Counter(name for row in rows for name in phrases_of[row])
    fewest = min(max(_FEWEST, _LEAST_SHARE * len(rows)), len(rows))
    weight = {
        name: count * rarity[name] * (_MANY_WORDS if " " in name else 1)
        for name, count in counted.items()
        if count >= fewest and len(name) <= _LONGEST_PHRASE
    }
    return sorted(weight, key=lambda name: (-weight[name], name))[:_VOCABULARY]


def _distinct(words: Sequence[str]) -> list[str]:
    """The first few phrases that do not contain each other."""
    distinct: list[str] = []
    for word in words:
        if len(distinct) < NAMES and not any(_within(word, other) or _within(other, word) for other in distinct):
            distinct.append(word)
    return distinct


def _within(word: str, other: str) -> bool:
    return set(word.split()) <= set(other.split())
