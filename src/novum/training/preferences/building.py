"""Build preference pairs: candidates, their topics, their scores, and the pairs chosen from them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from novum.core import Subject
from novum.core.arrays import Vectors
from novum.errors import BadInput
from novum.idea_metrics.review_rating import ReviewedText
from novum.idea_metrics.topic_model import TopicModel
from novum.training.preferences.choosing import ChosenPairs, choose_pairs
from novum.training.preferences.human_ratings import HumanRatings, deciding_scores, human_ratings
from novum.training.preferences.pairing import PairingData
from novum.training.preferences.pool import PairCandidate, Pool, build_pool
from novum.training.preferences.records import PreferenceSettings
from novum.training.preferences.scores import Scorer, Scores, score_candidates
from novum.training.preferences.topics import Topics, find_topics, given_topics, lda_topics

UNSCORED = "no score"
BuildProgress = Callable[[str, int, int], None]
"""Called with a step (`topics`, `scores`, `pairs`), the number done, and the total."""


def ignore_progress(_step: str, _done: int, _total: int) -> None:
    """The progress of a caller that shows none."""


@dataclass(frozen=True)
class Preferences:
    """Pairs that are ready to be written. `dropped`: number of ideas that cannot be in a pair, by reason."""

    pool: Pool
    topics: Topics
    scores: Scores
    human: HumanRatings
    chosen: ChosenPairs
    settings: PreferenceSettings
    dropped: Counter[str]

    def subject(self, row: int) -> Subject:
        """The candidate in `row` with its topic, as it was scored."""
        return subject_on_topic(self.pool, self.topics, row)


async def build_preferences(
    candidates: Sequence[PairCandidate], vectors: Vectors, model: Scorer, settings: PreferenceSettings,
    progress: BuildProgress = ignore_progress, *, topic_model: TopicModel | None = None,
    ratings: Sequence[ReviewedText] = (),
) -> Preferences:  # fmt: skip
    """Pairs of `candidates`. `vectors`: theirs by the model's embedder, one row each, of unit length, in any order.

    Ideas alone keep the topics that they were made for. Otherwise topics are found by clustering, inside the topics of
    `topic_model` if it is given. `ratings`: real ratings of some of them, found by title. Raises BadInput when there
    are too few pairs for three splits.
    """
    pool = build_pool(candidates, vectors, dated=settings.apart == "time-and-topic")
    if not len(pool):
        raise BadInput(f"None of {len(candidates):,} ideas can be in a pair: {_reasons(pool.dropped)}.")
    human = human_ratings([each.subject for each in pool.candidates], ratings)
    progress("topics", 0, 1)
    topics = await asyncio.to_thread(_topics, pool, settings, topic_model)
    progress("topics", 1, 1)
    subjects = [subject_on_topic(pool, topics, row) for row in range(len(pool))]
    scores = await score_candidates(
        model, subjects, pool.vectors, settings.originality, lambda done: progress("scores", done, len(subjects))
    )
    ranks, groups = deciding_scores(scores, human, settings)
    known = ~np.isnan(ranks).any(axis=0)
    usable = replace(topics, of=np.where(known, topics.of, -1))
    data = PairingData(pool, usable, tuple(ranks), groups, settings)
    chosen = await asyncio.to_thread(choose_pairs, data, lambda done: progress("pairs", done, len(topics.names)))
    unscored = Counter({UNSCORED: int(((topics.of >= 0) & ~known).sum())})
    return Preferences(pool, usable, scores, human, chosen, settings, pool.dropped + topics.dropped + unscored)


def subject_on_topic(pool: Pool, topics: Topics, row: int) -> Subject:
    """The candidate in `row` with the name of its topic."""
    number = int(topics.of[row])
    return pool.candidates[row].subject.model_copy(update={"topic": topics.names[number] if number >= 0 else ""})


def _topics(pool: Pool, settings: PreferenceSettings, model: TopicModel | None) -> Topics:
    if all(one.generated and one.topic for one in pool.candidates):
        return given_topics(pool)
    if settings.topics == "lda":
        if model is None:
            raise BadInput("The fitted model has no topic model: fit it again, or choose --topics neighbours.")
        return lda_topics(pool, model)
    return find_topics(pool, settings.topic_size, settings.seed, model)


def _reasons(dropped: Counter[str]) -> str:
    return "; ".join(f"{number:,} for {why}" for why, number in dropped.most_common())
