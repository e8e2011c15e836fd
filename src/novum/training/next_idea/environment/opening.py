"""Open the environment of a data set for a trainer other than ours: tasks, rules, models, and the loop they run in.

opened = open_environment(Path("tasks"), reward_model="openai:gpt-5.5", comment_model="deepseek")
session = EpisodeSession(opened.tasks[0], opened.environment)
comment = await opened.wait(session.respond("<idea>…</idea>"))
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from novum.core.research_context import NextIdeaRecord, NextIdeaSplit
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.literature import StaticEmbedder
from novum.llm import ModelName
from novum.methods.deep_innovator.episode import IDEAS
from novum.runs.engine import settings_to_repeat
from novum.settings import LoadedSettings, load_settings
from novum.training.next_idea.data.files import open_next_ideas
from novum.training.next_idea.environment.commenters import ContextComments, ModelComments
from novum.training.next_idea.environment.loop import LoopThread
from novum.training.next_idea.environment.rewarding import ModelReward, SimilarityReward
from novum.training.next_idea.environment.session import IdeaEnvironment

RUN_KIND = "next-idea-environment"


@dataclass(frozen=True)
class OpenedEnvironment:
    """Tasks and rules. Models are asked in a thread of their own, from whatever loop or thread a trainer calls."""

    tasks: tuple[NextIdeaRecord, ...]
    environment: IdeaEnvironment
    loop: LoopThread
    workplace: Workplace | None = None

    async def wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        """The result of `work`, for code that is asynchronous itself."""
        return await asyncio.wrap_future(self.loop.submit(work))

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """The result of `work`, for code that is not asynchronous."""
        return self.loop.run(work)

    def task(self, name: str) -> NextIdeaRecord:
        """The task with this id. Raises BadInput when there is none."""
        found = next((each for each in self.tasks if each.id == name), None)
        if found is None:
            raise BadInput(f"There is no task {name!r} among these {len(self.tasks)}.")
        return found

    def close(self) -> None:
        """Ends the loop, and closes what the models needed."""
        if self.workplace is not None:
            self.loop.run(self.workplace.close())
        self.loop.close()


def open_environment(
    data: Path, split: NextIdeaSplit = "train", *, comment_model: str = "", reward_model: str = "",
    both_orders: bool = False, ideas: int = IDEAS, small_prompts: bool = False, settings: LoadedSettings | None = None,
) -> OpenedEnvironment:  # fmt: skip
    """The environment of a data set. Without a comment model, comments come from the context; without a reward model,
    the reward is the cosine with the truth: both are for trying a trainer, not for training.

    Raises BadInput for a folder without tasks, or a model that cannot be named.
    """
    tasks = open_next_ideas(data).records(split)
    if not tasks:
        raise BadInput(f"{data} has no tasks in the split {split}.")
    loop, workplace, lab = LoopThread(), None, None
    if comment_model or reward_model:
        workplace = Workplace(settings or load_settings())
        lab = _lab(loop, workplace, data)
    commenter = ModelComments(lab.models, ModelName.parse(comment_model)) if lab and comment_model else None
    reward = (
        ModelReward(lab.models, ModelName.parse(reward_model), both_orders=both_orders)
        if lab and reward_model
        else None
    )
    embedder = StaticEmbedder()
    environment = IdeaEnvironment(
        commenter or ContextComments(embedder), reward or SimilarityReward(embedder), ideas, small_prompts
    )
    return OpenedEnvironment(tuple(tasks), environment, loop, workplace)


def _lab(loop: LoopThread, workplace: Workplace, data: Path) -> Lab:
    params = {"method": RUN_KIND, "options": {"data": str(data)}, "settings": settings_to_repeat(workplace)}
    record = workplace.ledger.start_run(RUN_KIND, f"environment of {data.name}", params)  # type: ignore[arg-type]

    async def opened() -> Lab:
        await workplace.__aenter__()
        return workplace.lab(record).going_on()

    lab: Lab = loop.run(opened())
    return lab
