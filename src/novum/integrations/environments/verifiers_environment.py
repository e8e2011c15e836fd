"""Next-idea prediction as an environment of verifiers (`verifiers` 0.1, whose environments are `MultiTurnEnv`).

    from novum.integrations.environments.verifiers_environment import load_environment

    environment = load_environment(data="tasks", reward_model="openai:gpt-5.5", comment_model="deepseek")

Needs the extra `verifiers`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import verifiers as vf
from datasets import Dataset

from novum.core.research_context import NextIdeaRecord, NextIdeaSplit
from novum.methods.deep_innovator.episode import IDEAS
from novum.training.next_idea.environment.opening import OpenedEnvironment, open_environment
from novum.training.next_idea.environment.session import EpisodeSession

_SESSION, _RESULT = "next_idea_session", "next_idea"


class NextIdeaEnvironment(vf.MultiTurnEnv):  # type: ignore[misc]  # the package is an extra
    """Episodes of next-idea prediction. The reward is the return; the watch's numbers are metrics."""

    def __init__(self, opened: OpenedEnvironment, **options: Any) -> None:
        self._opened = opened
        rows = [_row(each, opened) for each in opened.tasks]
        super().__init__(
            dataset=Dataset.from_list(rows),
            eval_dataset=Dataset.from_list(rows),
            rubric=vf.Rubric(
                funcs=[episode_return, first_score, last_score, well_formed], weights=[1.0, 0.0, 0.0, 0.0]
            ),
            **options,
        )

    async def setup_state(self, state: Any, **_: Any) -> Any:
        """Begins the episode of the task that the row names."""
        state[_SESSION] = EpisodeSession(self._opened.task(str(state["info"]["task_id"])), self._opened.environment)
        return state

    async def add_trajectory_step(self, state: Any, trajectory_step: Any) -> None:
        """Takes a response of the policy. Raises vf.Error where no step of a whole episode could be scored: such an
        episode must not count as one with a return of 0."""
        await super().add_trajectory_step(state, trajectory_step)
        session: EpisodeSession = state[_SESSION]
        message = trajectory_step["completion"][-1]
        content = message["content"] if isinstance(message, dict) else message.content
        await self._opened.wait(session.respond(str(content or "")))
        if session.phase == "ended":
            result = await self._opened.wait(session.result())
            state[_RESULT] = result.model_dump(mode="json")
            if result.value is None:
                raise vf.Error("no step of this episode could be scored")

    async def env_response(self, messages: Any, state: Any, **_: Any) -> Any:
        """The comment on the last idea."""
        session: EpisodeSession = state[_SESSION]
        turn = session.comment_turn(session.episode.comments[-1])
        return [vf.UserMessage(content=each["content"]) for each in turn]

    @vf.stop  # type: ignore[untyped-decorator,unused-ignore]
    async def episode_ended(self, state: Any) -> bool:
        """Whether the episode has ended."""
        session: EpisodeSession = state[_SESSION]
        return session.phase == "ended"

    @vf.cleanup  # type: ignore[untyped-decorator,unused-ignore]
    async def forget_session(self, state: Any) -> None:
        """The session is no data: it cannot be stored with the results."""
        state.pop(_SESSION, None)


def load_environment(
    data: str, split: NextIdeaSplit = "train", comment_model: str = "", reward_model: str = "",
    both_orders: bool = False, ideas: int = IDEAS, small_prompts: bool = False, **options: Any,
) -> NextIdeaEnvironment:  # fmt: skip
    """The environment of a data set of `novum data build next-idea`; see `open_environment`."""
    opened = open_environment(
        Path(data), split, comment_model=comment_model, reward_model=reward_model, both_orders=both_orders,
        ideas=ideas, small_prompts=small_prompts,
    )  # fmt: skip
    return NextIdeaEnvironment(opened, **options)


async def episode_return(state: Any) -> float:
    """The return of the episode (equation 1)."""
    return float(state[_RESULT]["value"])


async def first_score(state: Any) -> float:
    """The score of the first idea; -1 where there is none. A metric, not a reward."""
    return _number(state, "first_score")


async def last_score(state: Any) -> float:
    """The score of the last idea; -1 where there is none. A metric, not a reward."""
    return _number(state, "last_score")


async def well_formed(state: Any) -> float:
    """The share of well-formed ideas. A metric, not a reward."""
    marks = state.get(_RESULT, {}).get("well_formed") or [False]
    return sum(map(float, marks)) / len(marks)


def _number(state: Any, name: str) -> float:
    value = state.get(_RESULT, {}).get(name)
    return -1.0 if value is None else float(value)


def _row(task: NextIdeaRecord, opened: OpenedEnvironment) -> dict[str, Any]:
    return {"prompt": EpisodeSession(task, opened.environment).messages(), "info": {"task_id": task.id}}
