"""Play many episodes at once: responses are sampled in batches, comments and rewards asked for concurrently."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from novum.core.concurrency import run_concurrently
from novum.core.research_context import NextIdeaRecord
from novum.training.next_idea.environment.returns import RewardShaping, mean_return
from novum.training.next_idea.environment.session import EpisodeResult, EpisodeSession, IdeaEnvironment
from novum.training.next_idea.grpo.trajectories import ChatTokens, LossOn, Trajectory


class Sample(Protocol):
    """Samples a response to each row of tokens: the tokens of the responses, and their log-probabilities or None."""

    def __call__(self, rows: list[list[int]], /) -> tuple[list[list[int]], list[list[float]] | None]: ...


RunAsync = Callable[[Coroutine[Any, Any, Any]], Any]
"""Runs a coroutine to its end from code that is not asynchronous."""


@dataclass(frozen=True)
class Rollout:
    """One trajectory with its episodes: the one that is trained on, and further continuations of its first idea."""

    trajectory: Trajectory
    results: tuple[EpisodeResult, ...]
    reward: float | None
    """The reward of the trajectory, shaped; None where no step of any continuation could be scored."""

    @property
    def result(self) -> EpisodeResult:
        return self.results[0]


@dataclass
class _Played:
    session: EpisodeSession
    trajectory: Trajectory


@dataclass(frozen=True)
class RolloutRules:
    """`copies`: continuations of each first idea."""

    copies: int = 1
    loss_on: LossOn = "all"
    shaping: RewardShaping = field(default_factory=RewardShaping)


def play_rollouts(
    tasks: Sequence[NextIdeaRecord], environment: IdeaEnvironment, rules: RolloutRules, chat: ChatTokens,
    sample: Sample, run: RunAsync,
) -> list[Rollout]:  # fmt: skip
    """One rollout for each of `tasks`, in order; a task that occurs several times is sampled several times."""
    played = [_Played(session := EpisodeSession(task, environment), _opening(chat, session)) for task in tasks]
    _respond(played, chat, sample, run)
    copies = [[each, *(_copy(each) for _ in range(rules.copies - 1))] for each in played]
    active = [each for group in copies for each in group]
    while waiting := [each for each in active if each.session.phase == "idea"]:
        _respond(waiting, chat, sample, run)
    results = run(run_concurrently(each.session.result() for each in active))
    by_group = [results[at : at + rules.copies] for at in range(0, len(results), rules.copies)]
    return [_rollout(one.trajectory, group, rules) for one, group in zip(played, by_group, strict=True)]


def _opening(chat: ChatTokens, session: EpisodeSession) -> Trajectory:
    return Trajectory(tuple(chat.prompt(session.messages())))


def _copy(played: _Played) -> _Played:
    session = EpisodeSession(played.session.task, played.session.environment)
    session.episode = played.session.episode
    return _Played(session, played.trajectory)


def _respond(waiting: Sequence[_Played], chat: ChatTokens, sample: Sample, run: RunAsync) -> None:
    """One response in each episode, and the comment on it where the episode goes on."""
    responses, logprobs = sample([each.trajectory.tokens for each in waiting])
    for place, each in enumerate(waiting):
        given = logprobs[place] if logprobs else ()
        each.trajectory = each.trajectory.with_response(responses[place], given)
    comments = run(
        run_concurrently(
            each.session.respond(chat.spoken(response)) for each, response in zip(waiting, responses, strict=True)
        )
    )
    for each, response, comment in zip(waiting, responses, comments, strict=True):
        if comment:
            added = chat.between(response, each.session.comment_turn(comment))
            each.trajectory = each.trajectory.with_environment(added)


def _rollout(trajectory: Trajectory, results: Sequence[EpisodeResult], rules: RolloutRules) -> Rollout:
    shaped = [rules.shaping.shaped(each.value, len(each.ideas[-1]) if each.ideas else 0) for each in results]
    trained = trajectory.only_first() if rules.loss_on == "first" else trajectory
    return Rollout(trained, tuple(results), mean_return(shaped))


def as_rollout_output(rollouts: Sequence[Rollout], loss_on: LossOn) -> dict[str, Any]:
    """The rollouts in the form that TRL's trainer takes from `rollout_func`."""
    logprobs = [each.trajectory.logprobs for each in rollouts]
    return {
        "prompt_ids": [list(each.trajectory.prompt) for each in rollouts],
        "completion_ids": [each.trajectory.completion for each in rollouts],
        "env_mask": [each.trajectory.mask(loss_on) for each in rollouts],
        "logprobs": None if any(each is None for each in logprobs) else logprobs,
        "episode_reward": [each.reward for each in rollouts],
    }
