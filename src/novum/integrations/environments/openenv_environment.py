"""Next-idea prediction as an environment of OpenEnv (`openenv-core`).

    from novum.integrations.environments.openenv_environment import create_next_idea_app

    app = create_next_idea_app("tasks", reward_model="openai:gpt-5.5", comment_model="deepseek")   # uvicorn serves it

An action is a response of the policy, an observation the conversation up to its next turn. The reward comes with the
last observation. Needs the extra `openenv`.
"""

from __future__ import annotations

import random
import uuid
from pathlib import Path
from typing import Any

from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from novum.core.research_context import NextIdeaSplit
from novum.errors import BadInput
from novum.training.next_idea.environment.opening import OpenedEnvironment, open_environment
from novum.training.next_idea.environment.session import EpisodeSession


class IdeaAction(Action):  # type: ignore[misc]  # the package is an extra
    """A response of the policy, with an idea between `<idea>` and `</idea>`."""

    response: str


class IdeaObservation(Observation):  # type: ignore[misc]
    """The conversation up to the policy's next turn, and the last comment."""

    messages: list[dict[str, str]] = []
    comment: str = ""
    ended: str = ""
    failed_steps: int = 0
    """Steps that could not be scored, at the end of an episode."""


class IdeaState(State):  # type: ignore[misc]
    """Which task is played, and how many ideas there are."""

    task_id: str = ""
    ideas: int = 0


class NextIdeaEnvironment(Environment[IdeaAction, IdeaObservation, IdeaState]):  # type: ignore[misc]
    """Episodes of next-idea prediction. Instances share tasks and models, and no state."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, opened: OpenedEnvironment) -> None:
        super().__init__()
        self._opened = opened
        self._session: EpisodeSession | None = None
        self._episode_id = ""

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, task_id: str = "", **_: Any
    ) -> IdeaObservation:
        """Begins an episode: of the named task, else of one that the seed draws."""
        draw = random.Random(seed)  # noqa: S311  not for secrets
        task = self._opened.task(task_id) if task_id else draw.choice(self._opened.tasks)
        self._session = EpisodeSession(task, self._opened.environment)
        self._episode_id = episode_id or uuid.uuid4().hex
        return IdeaObservation(messages=self._session.messages(), done=False, reward=None)

    def step(self, action: IdeaAction, timeout_s: float | None = None, **_: Any) -> IdeaObservation:
        """Takes a response. Raises BadInput before `reset` and after the end of an episode."""
        session = self._playing()
        comment = str(self._opened.run(session.respond(action.response)))
        if session.phase != "ended":
            return IdeaObservation(messages=session.messages(), comment=comment, done=False, reward=None)
        result = self._opened.run(session.result())
        return IdeaObservation(done=True, reward=result.value, ended=result.ended, failed_steps=result.failed)

    @property
    def state(self) -> IdeaState:
        """The state of the current episode; empty before the first one."""
        if self._session is None:
            return IdeaState()
        ideas = len(self._session.episode.ideas)
        return IdeaState(episode_id=self._episode_id, step_count=ideas, task_id=self._session.task.id, ideas=ideas)

    def _playing(self) -> EpisodeSession:
        if self._session is None or self._session.phase == "ended":
            raise BadInput("No episode is being played: call reset first.")
        return self._session


def create_next_idea_app(data: str, split: NextIdeaSplit = "train", **options: Any) -> Any:
    """A FastAPI application that serves the environment. `options`: as for `open_environment`."""
    opened = open_environment(Path(data), split, **options)
    return create_fastapi_app(lambda: NextIdeaEnvironment(opened), IdeaAction, IdeaObservation)
