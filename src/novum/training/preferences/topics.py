"""What candidates are about: small groups of neighbours, each named by the words that its titles share.

A topic is what the model that learns is asked for. Its name comes from many titles and never from one, so that it does
not tell the answer.
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
_VOCABULARY = 16
"""Phrases by which the overlap of two ideas of a topic is told."""
_FEWEST = 3
"""Titles in which a phrase stands at least, in all and in its topic: from one or two it would tell them."""
_LEAST_SHARE = 0.05
"""Of a topic's titles, in which its phrases stand."""
_MANY_WORDS = 1.5
"""How much more a phrase of several words counts."""
_COARSE = 1500
"""Candidates that are grouped at once: time grows with the square of the groups."""
_LONGEST_NAME, _LONGEST_PHRASE = 250, 60
"""Characters; a prompt shows 300 of a topic."""
_AT_ONCE = 2000
_FITS = 0.3
"""Share of its topic's name, by weight, that an idea speaks of at least: it would else be no answer to it."""
_WIDEST = 10
"""Times as many titles as a topic has candidates, in which the rarest phrase of its name stands at most."""
_TRIED = 8
"""Topics, the nearest first, that are looked at for an idea."""
OFF_TOPIC = "it hardly speaks of what its neighbours share"


@dataclass(frozen=True)
class Topics:
    """`of[row]`: number of the candidate's topic, -1 without one. `said[row, word]`: which phrases of its topic an
    idea speaks of, shape (n, 16), as the weight of the phrase: the rarer, the more it says."""

    names: Sequence[str]
    of: Rows
    said: Floats
    dropped: Counter[str]
    """Candidates without a topic, by the reason."""
    given: bool
    """Whether ideas were made for these topics: then those of one overlap entirely."""

    def overlap(self, some: Rows, others: Rows) -> Floats:
        """Of the phrases that either of two ideas of one topic speaks of, by their weight, the share that both do:
        shape (len(some), len(others)); for given topics 1."""
        if self.given:
            return np.ones((len(some), len(others)))
        mine, theirs = self.said[some], self.said[others]
        both = mine @ (theirs > 0).T  # a phrase has one weight, whoever says it
        either = mine.sum(axis=1)[:, None] + theirs.sum(axis=1)[None, :] - both
        share: Floats = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
        return share


def given_topics(pool: Pool) -> Topics:
    """Those that ideas were made for, as far as a prompt shows them."""
    shown = [plain(one.topic, _LONGEST_NAME) for one in pool.candidates]
    keys = [normal_title(topic) or topic for topic in shown]
    spelt: dict[str, str] = {}
    for key, topic in zip(keys, shown, strict=True):
        spelt[key] = min(spelt.get(key, topic), topic)
    number = {key: at for at, key in enumerate(sorted(spelt))}
    return Topics(
        [spelt[key] for key in sorted(spelt)],
        np.array([number[key] for key in keys], dtype=np.intp),
        np.zeros((len(pool), _VOCABULARY)),
        Counter(),
        given=True,
    )


def find_topics(pool: Pool, size: int, seed: int, model: TopicModel | None = None) -> Topics:
    """Topics of about `size` candidates: neighbours by their embeddings, within one topic of `model` where there is
    one, named by phrases of their titles. A candidate belongs to the nearest topic of whose name it speaks."""
    rough = _mainly_of(model, pool) if model else _clusters(pool.vectors, np.arange(len(pool)), _rough(pool), seed)
    named = _named(pool, list(_groups(pool.vectors, rough, size, seed)), size)
    of = np.full(len(pool), -1, dtype=np.intp)
    said = np.zeros((len(pool), _VOCABULARY))
    for row, near in enumerate(_nearest(pool.vectors, named)):
        text = f" {normal_title(pool.candidates[row].subject.whole)}"
        for number in near:
            topic = named[number]
            weights = topic.said_in(text)
            if topic.fits(weights):
                of[row] = number
                said[row, : len(weights)] = weights
                break
    return Topics([topic.name for topic in named], of, said, +Counter({OFF_TOPIC: int((of < 0).sum())}), given=False)


@dataclass(frozen=True)
class _Named:
    """A topic with the phrases of its name first, then others of its titles, and their weights."""

    name: str
    phrases: int
    words: Sequence[str]
    weights: Floats
    centre: Vectors

    def said_in(self, text: str) -> Floats:
        """The weights of those phrases that stand in a text in its normal form, 0 for the others."""
        return self.weights * [f" {normal_title(word)}" in text for word in self.words]

    def fits(self, said: Floats) -> bool:
        """Whether a text that says so much is about it. Squares let the rarest phrase of a name decide."""
        return bool((said[: self.phrases] ** 2).sum() >= _FITS * (self.weights[: self.phrases] ** 2).sum())


def _named(pool: Pool, members: Sequence[Rows], size: int) -> list[_Named]:
    """A topic for each name, in the order of names. Groups with one name are one topic; those that share nothing, or
    nothing but what a great many titles share, are none."""
    held = _concepts(pool)
    common = Counter(name for found in held for name in found)
    rarity = {name: math.log((len(pool) + 1) / number) for name, number in common.items()}
    found: dict[tuple[str, ...], tuple[list[str], list[Rows]]] = defaultdict(lambda: ([], []))
    for rows in members:
        words = _characteristic(rows, held, rarity)
        telling = _apart(words)
        if telling and min(common[word] for word in telling) <= _WIDEST * size:
            more, groups_of_it = found[tuple(sorted(telling))]
            more += words
            groups_of_it.append(rows)
    topics = []
    for name in sorted(found):
        words = list(dict.fromkeys([*name, *found[name][0]]))[:_VOCABULARY]
        centre = pool.vectors[np.concatenate(found[name][1])].mean(axis=0)
        weights = np.array([rarity[word] for word in words])
        topics.append(_Named(", ".join(name), len(name), words, weights, centre))
    return topics


def _nearest(vectors: Vectors, named: Sequence[_Named]) -> Iterator[list[int]]:
    """For each candidate the numbers of a few topics, the nearest first."""
    if not named:
        yield from ([] for _ in vectors)
        return
    centres = np.stack([topic.centre for topic in named])
    for begin in range(0, len(vectors), _AT_ONCE):
        order = np.argsort(-(vectors[begin : begin + _AT_ONCE] @ centres.T), axis=1, kind="stable")
        yield from order[:, :_TRIED].tolist()


def _mainly_of(model: TopicModel, pool: Pool) -> Iterator[Rows]:
    """Candidates by the topic of the model that they are mostly of. A topic model's own topics are far wider than what
    one idea is about: of fifty of them, each holds a fiftieth of a library."""
    main = np.full(len(pool), -1, dtype=np.intp)
    for begin in range(0, len(pool), _AT_ONCE):
        found = model.counts([one.subject.whole for one in pool.candidates[begin : begin + _AT_ONCE]])
        mixtures = model.mixtures(found)
        main[begin : begin + len(mixtures)] = np.where(np.isnan(mixtures[:, 0]), -1, mixtures.argmax(axis=1))
    yield from (rows for topic in range(-1, len(model.phi)) if len(rows := np.flatnonzero(main == topic)))


def _rough(pool: Pool) -> int:
    return -(-len(pool) // _COARSE)


def _groups(vectors: Vectors, rough: Iterable[Rows], size: int, seed: int) -> Iterator[Rows]:
    """Neighbours in two steps, rough and fine, which is far quicker than one and as good for what lies close."""
    for rows in rough:
        yield from _clusters(vectors, rows, max(1, round(len(rows) / size)), seed)


def _clusters(vectors: Vectors, rows: Rows, count: int, seed: int) -> Iterator[Rows]:
    if count < 2:
        yield rows
        return
    inside = vectors[rows]
    which, _ = nearest(inside, cluster(inside, count, seed).centroids)
    yield from (found for at in range(count) if len(found := rows[which == at]))


def _concepts(pool: Pool) -> list[set[str]]:
    """Of titles alone: they name what they are about, and abstracts of a large library would not fit into memory."""
    titles = [Paper(title=one.subject.title) for one in pool.candidates]
    found = concepts(titles, _FEWEST)
    if any(found):
        return found
    return [set(groups(paper.title)) for paper in titles]


def _characteristic(rows: Rows, held: Sequence[set[str]], rarity: Mapping[str, float]) -> list[str]:
    """Phrases of several titles of a group that are rarer elsewhere, the most telling first. A phrase of more than
    one word names its matter better: `reflection` is said of light and of language models."""
    counted = Counter(name for row in rows for name in held[row])
    fewest = min(max(_FEWEST, _LEAST_SHARE * len(rows)), len(rows))
    weight = {
        name: count * rarity[name] * (_MANY_WORDS if " " in name else 1)
        for name, count in counted.items()
        if count >= fewest and len(name) <= _LONGEST_PHRASE
    }
    return sorted(weight, key=lambda name: (-weight[name], name))[:_VOCABULARY]


def _apart(words: Sequence[str]) -> list[str]:
    """The first few of which none says over again what another does."""
    chosen: list[str] = []
    for word in words:
        if len(chosen) < NAMES and not any(_within(word, other) or _within(other, word) for other in chosen):
            chosen.append(word)
    return chosen


def _within(word: str, other: str) -> bool:
    return set(word.split()) <= set(other.split())
