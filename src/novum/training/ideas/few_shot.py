"""Examples for few-shot prompts: the training rows nearest to a topic, by similarity search over embeddings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novum.idea_metrics.model import embedded
from novum.lab import Workplace
from novum.training.finetuning.conversations import ConversationSet

_MOST = 20_000
"""Training rows that are searched at most."""


async def nearest_examples(
    workplace: Workplace, data: ConversationSet, topics: Sequence[str], most: int
) -> dict[str, list[str]]:
    """For each topic, the answers of the nearest training rows, the nearest first (DBLP study, Table 6)."""
    rows = range(min(_MOST, len(data.about("train"))))
    answers = [row.completion[0]["content"] for _, row in data.conversations("train", rows)]
    embedder = workplace.library.embedder
    vectors, wanted = await embedded(answers, embedder), await embedded(topics, embedder)
    order = np.argsort(-(wanted @ vectors.T), axis=1, kind="stable")[:, :most]
    return {topic: [answers[row] for row in near] for topic, near in zip(topics, order.tolist(), strict=True)}
