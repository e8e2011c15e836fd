"""Rewards and returns of an episode as plain arithmetic (DeepInnovator, section 4.2, equation 1).

The reward of a step is the difference of two scores from one look at both ideas; the return is the sum over steps. With
a reward model that scores consistently the sum is the last score minus the first one: a policy can also gain by writing
a worse first idea. `first_score` shows that, and `loss_on = "refinements"` in a recipe takes away the incentive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from novum.core.record import Value
from novum.methods.deep_innovator.episode import EndReason

NO_IDEA = -1.0
"""The reward of a response without an idea: the lowest that a step can have."""


@dataclass(frozen=True)
class StepScores:
    """The scores of two ideas by their nearness to the truth, both from 0 to 1. Raises ValueError for others."""

    before: float
    after: float

    def __post_init__(self) -> None:
        for each in (self.before, self.after):
            if not 0 <= each <= 1:  # also false for NaN
                raise ValueError(f"A score of the reward model must be from 0 to 1, and it is {each}.")

    @property
    def reward(self) -> float:
        """The gain of the step, -1 to 1."""
        return self.after - self.before

    @property
    def swapped(self) -> StepScores:
        """The scores of the same ideas in the other order."""
        return StepScores(self.after, self.before)

    def averaged_with(self, other: StepScores) -> StepScores:
        """The mean of two looks at the same ideas."""
        return StepScores((self.before + other.before) / 2, (self.after + other.after) / 2)


@dataclass(frozen=True)
class EpisodeReturn:
    """The return of an episode. `value`: None where no step could be scored. `failed`: steps without a score."""

    value: float | None
    rewards: tuple[float | None, ...] = ()
    failed: int = 0
    first_score: float | None = None
    last_score: float | None = None


def episode_return(steps: Sequence[StepScores | None], ended: EndReason = "limit") -> EpisodeReturn:
    """The return of the steps of an episode, in order; None among them is a step whose reward failed. It is dropped and
    counted, and never taken as 0. A response without an idea counts as a step with `NO_IDEA`."""
    rewards = [None if each is None else each.reward for each in steps]
    if ended == "no idea":
        rewards.append(NO_IDEA)
    known = [each for each in rewards if each is not None]
    scored = [each for each in steps if each is not None]
    return EpisodeReturn(
        value=math.fsum(known) if known else None,
        rewards=tuple(rewards),
        failed=len(rewards) - len(known),
        first_score=scored[0].before if steps and scored and steps[0] else None,
        last_score=scored[-1].after if steps and scored and steps[-1] else None,
    )


class RewardShaping(Value):
    """What becomes of a return before it is used as the reward of a trajectory."""

    weight: float = Field(1.0, gt=0, le=100)
    """Factor of the return; 5 in the released code."""
    clamp: float | None = Field(None, gt=0, le=100)
    """Largest size of the weighted return; 1 in the released code, so that a mean gain of 0.2 is the most."""
    length_weight: float = Field(0.0, ge=0, le=10)
    """Factor of the reward for the length of the last idea; 0.1 in the released code."""
    length_from: int = Field(3_000, ge=1)
    length_to: int = Field(5_000, ge=1)
    """Characters between which the length is right (section 5.1)."""
    length_most: int = Field(10_000, ge=2)
    """Characters from which the reward for the length is 0."""

    def length_reward(self, characters: int) -> float:
        """1 for a length in range; falls linearly to 0 at no characters and at `length_most`."""
        if characters < self.length_from:
            return characters / self.length_from
        if characters <= self.length_to:
            return 1.0
        return max(0.0, 1 - (characters - self.length_to) / max(1, self.length_most - self.length_to))

    def shaped(self, value: float | None, characters: int) -> float | None:
        """The reward of a trajectory from its return and the length of its last idea; None where the return is."""
        if value is None:
            return None
        weighted = self.weight * value
        if self.clamp is not None:
            weighted = min(self.clamp, max(-self.clamp, weighted))
        return weighted + self.length_weight * self.length_reward(characters)


def mean_return(copies: Sequence[float | None]) -> float | None:
    """The mean over continuations of one trajectory, without those that have no return."""
    known = [each for each in copies if each is not None]
    return math.fsum(known) / len(known) if known else None


def group_advantages(rewards: Sequence[float | None], *, epsilon: float = 1e-4) -> list[float | None]:
    """Advantages within one group: rewards minus their mean, over their standard deviation (n - 1). A trajectory
    without a reward has none; a group of equal rewards has zeros. The trainer computes them itself: these are the
    reference that its tests use."""
    known = [each for each in rewards if each is not None]
    if not known:
        return [None] * len(rewards)
    mean = math.fsum(known) / len(known)
    spread = math.sqrt(math.fsum((each - mean) ** 2 for each in known) / (len(known) - 1)) if len(known) > 1 else 0.0
    return [None if each is None else (each - mean) / (spread + epsilon) for each in rewards]
