"""The environment of a training process, with the language models that it asks, and the independent judge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from novum.core import Topic
from novum.core.concurrency import run_concurrently
from novum.judges.pair import compare_in_both_orders
from novum.lab import Lab, Workplace
from novum.literature import StaticEmbedder
from novum.llm import ModelName, Role, conduct
from novum.methods.deep_innovator.episode import PolicyIdea
from novum.methods.deep_innovator.refining import step_gain, version_of
from novum.settings import load_settings
from novum.training.next_idea.environment.commenters import ContextComments, ModelComments
from novum.training.next_idea.environment.loop import LoopThread
from novum.training.next_idea.environment.rewarding import ModelReward, RewardModel, SimilarityReward
from novum.training.next_idea.environment.session import Commenter, EpisodeResult, IdeaEnvironment
from novum.training.next_idea.grpo.job import NextIdeaJob


class TrainingModels:
    """The environment of a training, the loop that its models are asked in, and the independent judge."""

    def __init__(self, job: NextIdeaJob, loop: LoopThread, lab: Lab | None) -> None:
        self._job, self._lab, self.run = job, lab, loop.run
        self.environment = _environment(job, lab)

    def judge_gains(self, results: list[EpisodeResult]) -> list[float]:
        """For each episode the preference of the independent judge for the last idea over the first, -0.5 to 0.5."""
        name = self._job.recipe.roles.watch_model
        if self._lab is None or not name:
            return []
        model = ModelName.parse(name)
        gains: list[float] = self.run(run_concurrently(_gain(self._lab, each, model) for each in results))
        return gains


async def _gain(lab: Lab, result: EpisodeResult, model: ModelName) -> float:
    topic = Topic(text="the research context of the two ideas")
    first, last = (version_of(PolicyIdea(text), topic, "") for text in (result.ideas[0], result.ideas[-1]))
    return step_gain([await conduct(lab.models, compare_in_both_orders(topic, first, last, model))])


def _environment(job: NextIdeaJob, lab: Lab | None) -> IdeaEnvironment:
    rules = job.recipe.episode
    return IdeaEnvironment(
        _commenter(job, lab), _reward(job, lab), ideas=rules.ideas, small_prompts=rules.small_prompts
    )


def role_of(name: str) -> Role | ModelName:
    """The model of this name; the first judge where none is named."""
    return ModelName.parse(name) if name else "judge"


def _commenter(job: NextIdeaJob, lab: Lab | None) -> Commenter:
    roles = job.recipe.roles
    if roles.comments == "context" or lab is None:
        return ContextComments(StaticEmbedder())
    return ModelComments(lab.models, role_of(roles.comment_model), sees_truth=job.recipe.episode.comment_sees_truth)


def _reward(job: NextIdeaJob, lab: Lab | None) -> RewardModel:
    roles = job.recipe.roles
    if roles.reward == "model" and lab is not None:
        return ModelReward(lab.models, role_of(roles.reward_model), both_orders=job.recipe.episode.both_orders)
    return SimilarityReward(StaticEmbedder())


@contextmanager
def training_models(job: NextIdeaJob) -> Iterator[TrainingModels]:
    """The models of a training. Calls belong to the run of the job, whose budget and ledger they use."""
    loop = LoopThread()
    workplace: Workplace | None = None
    try:
        lab = None
        if job.run_id:
            workplace = Workplace(load_settings(job.settings))
            record = workplace.ledger.run(job.run_id)
            lab = loop.run(_opened(workplace)).lab(record).going_on()
        yield TrainingModels(job, loop, lab)
    finally:
        if workplace is not None:
            loop.run(workplace.close())
        loop.close()


async def _opened(workplace: Workplace) -> Workplace:
    return await workplace.__aenter__()
