"""Reward models: they see the old idea, the new idea and the truth, and score both (DeepInnovator, appendix C).

They share nothing with the comment model: neither prompt nor answers nor state. The policy never sees their text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from pydantic import Field

from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.literature import Embedder
from novum.literature.embedding import vectors_of
from novum.llm import Answer, ModelName, Models, Question, Role, prose
from novum.methods.deep_innovator.episode import Refinement
from novum.training.next_idea.environment.returns import StepScores


class RewardModel(Protocol):
    """Scores steps. None for a step that could not be scored."""

    async def score(self, step: Refinement, truth: str) -> StepScores | None: ...


class IdeaScores(Answer):
    """The answer to `reward_ideas`: the reason before the scores."""

    reason: str = prose(600, "what each idea shares with the reference in problem and mechanism, and what it lacks")
    first: float = Field(description="score of the first idea, 0 to 1", ge=0, le=1, allow_inf_nan=False)
    second: float = Field(description="score of the second idea, 0 to 1", ge=0, le=1, allow_inf_nan=False)


class ModelReward:
    """A language model as the reward model. `both_orders`: each step is scored twice, with the ideas exchanged, and
    averaged; where one of the two fails, the step fails."""

    def __init__(self, models: Models, role: Role | ModelName = "judge", *, both_orders: bool = False) -> None:
        self._models, self._role, self._both_orders = models, role, both_orders

    async def score(self, step: Refinement, truth: str) -> StepScores | None:
        """The scores of a step; None when the model gives no usable answer, such as a score outside 0 to 1."""
        orders = [(step.before.text, step.after.text)]
        if self._both_orders:
            orders.append((step.after.text, step.before.text))
        seen = await run_concurrently(self._ask(first, second, truth) for first, second in orders)
        forward, *reverse = seen
        if forward is None or None in reverse:
            return None
        return forward.averaged_with(reverse[0].swapped) if reverse and reverse[0] else forward

    async def _ask(self, first: str, second: str, truth: str) -> StepScores | None:
        needs = {"first": first, "second": second, "truth": truth}
        try:
            scores = await self._models.ask(
                Question("reward_ideas", needs, IdeaScores, role=self._role, temperature=0.0)
            )
        except NoUsableAnswer:
            return None
        return StepScores(scores.first, scores.second)


class SimilarityReward:
    """The cosine of an idea with the truth as its score, 0 where it is negative: a stand-in that needs no model, for
    learning how training works and for tests. It rewards shared words, not good ideas."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def score(self, step: Refinement, truth: str) -> StepScores:
        """The scores of a step."""
        before, after = await self.similarities([step.before.text, step.after.text], truth)
        return StepScores(before, after)

    async def similarities(self, texts: Sequence[str], truth: str) -> list[float]:
        """The score of each text, 0 to 1."""
        vectors = await vectors_of(self._embedder, [truth, *texts])
        unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return [float(min(1.0, max(0.0, each))) for each in unit[1:] @ unit[0]]
