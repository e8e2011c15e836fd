"""Commenters for sessions: a language model, or a rule that needs none."""

from __future__ import annotations

import numpy as np

from novum.core.research_context import NextIdeaRecord
from novum.literature import Embedder
from novum.literature.embedding import vectors_of
from novum.llm import ModelName, Models, Role
from novum.methods.deep_innovator.commenting import comment_on
from novum.methods.deep_innovator.episode import IdeaComment


class ModelComments:
    """A language model comments. `sees_truth`: it is shown the hidden idea, as the published prompt does."""

    def __init__(self, models: Models, role: Role | ModelName = "judge", *, sees_truth: bool = False) -> None:
        self._models, self._role, self._sees_truth = models, role, sees_truth

    async def __call__(self, task: NextIdeaRecord, idea: str, number: int) -> IdeaComment | None:
        """The comment on an idea; None when the model gives no usable answer."""
        truth = task.truth.text if self._sees_truth else ""
        return await comment_on(self._models, task.encoded.text, idea, role=self._role, truth=truth)


class ContextComments:
    """A rule for learning and for tests: it names the signal of the context that an idea is farthest from. It sees
    neither truth nor rewards."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def of(self, task: NextIdeaRecord) -> list[str]:
        """The suggestions of a context: its signals, else the limitations of its ideas."""
        signals = [each.text for each in task.context.signals]
        return signals or [each.limitation for each in task.context.ideas if each.limitation]

    async def __call__(self, task: NextIdeaRecord, idea: str, number: int) -> IdeaComment | None:
        """The comment on an idea; None where the context suggests nothing."""
        suggestions = self.of(task)
        if not suggestions:
            return None
        vectors = await vectors_of(self._embedder, [idea, *suggestions])
        unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        farthest = int(np.argmin(unit[1:] @ unit[0]))
        return IdeaComment(f"The idea does not take this up: {suggestions[farthest]}")
