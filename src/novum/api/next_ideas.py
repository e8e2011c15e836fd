"""Next-idea prediction: tasks from the literature, a trained policy, its evaluation, the check of a reward model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from novum.api.judging import judges_of
from novum.api.running import RunOptions, SettingOptions, checked, opened, split_options, synchronous
from novum.core.research_context import NextIdeaSplit
from novum.settings import load_settings
from novum.training.launching.child import Child
from novum.training.next_idea.data.card import NextIdeaCard
from novum.training.next_idea.data.durable import NEXT_IDEA_DATA, NextIdeaTask
from novum.training.next_idea.data.settings import NextIdeaSettings
from novum.training.next_idea.evaluation.durable import NEXT_IDEA_EVALUATION
from novum.training.next_idea.evaluation.forms import read_ratings
from novum.training.next_idea.evaluation.page import write_evaluation
from novum.training.next_idea.evaluation.records import OUT_OF_DOMAIN, DomainTopic, Evaluation, EvaluationTask
from novum.training.next_idea.grpo.job import NextIdeaTraining
from novum.training.next_idea.reward_check import REWARD_CHECK, RewardCheck, RewardCheckTask
from novum.training.next_idea.session import PolicyOptions, prepare_policy, require_usable_reward, train_policy_session


async def build_next_ideas_async(
    out: str | Path,
    *,
    data_settings: NextIdeaSettings | None = None,
    tokenizer: str | Path = "",
    force: bool = False,
    **options: Unpack[RunOptions],
) -> NextIdeaCard:
    """Builds tasks of next-idea prediction as a run that can be resumed: the context of each is made by the reader from
    the references of a target paper, and the hidden truth is that paper's idea. `data_settings`: which targets, how
    much context, which splits. `tokenizer`: a `tokenizer.json` that counts tokens. `force`: replace an existing set.

    Raises BadInput where no paper of the library can be a target or `out` holds a set already, and other NovumErrors as
    `novum.runs.engine.start` does.
    """
    async with opened(options) as place:
        how = data_settings or NextIdeaSettings(seed=place.workplace.settings.values.seed)
        task = NextIdeaTask(folder=str(out), settings=how, tokenizer=str(tokenizer), force=force)
        return await place.start(NEXT_IDEA_DATA, task)


async def train_next_ideas_async(
    data: str | Path,
    out: str | Path,
    *,
    recipe: str = "cpu",
    name: str | None = None,
    base: str | None = None,
    overrides: Sequence[str] = (),
    max_minutes: float | None = None,
    resume: bool = False,
    skip_check: bool = False,
    **settings: Unpack[SettingOptions],
) -> NextIdeaTraining | None:
    """Trains a policy to have and refine ideas, in processes of its own. `data`: a folder of `build_next_ideas`.

    `overrides`: settings of the recipe as `key=value`, the seed among them. Where a model is the reward
    (`roles.reward=model`), it is checked first, and one that does not tell real ideas from generated ones is refused,
    unless `skip_check`. The same call resumes a training that stopped. `novum train export` registers the policy as
    `local:NAME`.

    Raises BadInput for data, a recipe or a base that cannot be used, and where `out` holds another training.
    """
    overridden, _ = split_options(settings, ())
    loaded = load_settings(overridden)
    options = PolicyOptions(recipe, name, base, overrides, resume=resume)
    session = prepare_policy(Path(data), Path(out), loaded, options, max_minutes=max_minutes)
    if not skip_check and (task := session.reward_check):
        async with opened(settings) as place:
            require_usable_reward(await place.start(REWARD_CHECK, task))
    return await asyncio.to_thread(asyncio.run, train_policy_session(session, _drain))


def _drain(child: Child) -> None:
    """Follows a training to its end without showing anything."""
    for _ in child.events():
        pass


async def evaluate_next_ideas_async(
    models: Sequence[str],
    *,
    data: str | Path | None = None,
    split: NextIdeaSplit = "validation",
    limit: int = 113,
    rounds: int = 3,
    topics: Sequence[DomainTopic] = (),
    out_of_domain: bool = False,
    papers: int = 16,
    small_prompts: bool = False,
    ratings: Sequence[str | Path] = (),
    out: str | Path | None = None,
    **options: Unpack[RunOptions],
) -> Evaluation:
    """Compares models that write ideas in the same workflow; the first one is compared with the others by the `judges`.

    `data`: tasks of `build_next_ideas`, of `split`, at most `limit`. `topics`: further contexts, each of
    `papers` papers of the library; `out_of_domain` adds those of law, education and biotechnology. `rounds`: comments
    on an idea. `ratings`: forms that experts filled in. `out`: a folder for the page.

    Raises BadInput for tasks, topics or forms that cannot be used, and other NovumErrors as
    `novum.runs.engine.start` does.
    """
    cells = read_ratings([Path(each) for each in ratings])
    async with opened(options) as place:
        loaded = place.workplace.settings
        task = checked(
            EvaluationTask, data=str(data or ""), split=split, most=limit,
            models=[str(loaded.model_named(each)) for each in models], judges=judges_of(loaded), rounds=rounds,
            topics=(*(OUT_OF_DOMAIN if out_of_domain else ()), *topics), papers=papers, small_prompts=small_prompts,
        )  # fmt: skip
        evaluation = await place.start(NEXT_IDEA_EVALUATION, task)
    evaluation = evaluation.model_copy(update={"experts": cells})
    if out is not None:
        write_evaluation(evaluation, Path(out))
    return evaluation


async def check_reward_async(
    data: str | Path, models: Sequence[str] = (), *, pairs: int = 40, **options: Unpack[RunOptions]
) -> RewardCheck:
    """Asks candidates for a reward model whether ideas are real: the truths of `data`, and as many ideas that the
    writer generates from their contexts. `models`: the candidates, by default the judges. Raises BadInput for
    data without enough ideas, and other NovumErrors as `novum.runs.engine.start` does."""
    async with opened(options) as place:
        loaded = place.workplace.settings
        named = [str(loaded.model_named(each)) for each in models] or judges_of(loaded)
        return await place.start(REWARD_CHECK, checked(RewardCheckTask, data=str(data), models=named, pairs=pairs))


build_next_ideas = synchronous(build_next_ideas_async)
train_next_ideas = synchronous(train_next_ideas_async)
evaluate_next_ideas = synchronous(evaluate_next_ideas_async)
check_reward = synchronous(check_reward_async)

__all__ = [
    "build_next_ideas", "build_next_ideas_async", "check_reward", "check_reward_async", "evaluate_next_ideas",
    "evaluate_next_ideas_async", "train_next_ideas", "train_next_ideas_async",
]  # fmt: skip
