"""Play an episode with a model as the policy, and choose its best version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import mean

from novum.core import Idea, Match, Topic, shorten
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.judges.pair import compare_in_both_orders
from novum.lab import Lab
from novum.llm import Question, conduct
from novum.methods.deep_innovator.commenting import comment_on
from novum.methods.deep_innovator.conversation import conversation_prompt, policy_messages
from novum.methods.deep_innovator.episode import Episode, PolicyIdea
from novum.statistics.win_rates import position_free_points

_TITLE = 90


@dataclass(frozen=True)
class EpisodeTask:
    """What an episode is about. `topic`: empty where the context alone is given, as in training. `sample` tells apart
    episodes from the same context."""

    topic: str
    context: str
    rounds: int
    sample: int = 0
    small_prompts: bool = False
    """Short prompts for the writer; those of the offline model are short in any case."""


async def play_episode(lab: Lab, task: EpisodeTask) -> Episode:
    """The writer as the policy, the first judge as the comment model. An unusable response ends the episode."""
    episode = Episode(task.rounds + 1)
    while episode.phase != "ended":
        if episode.phase == "idea":
            episode = episode.with_response(await _response(lab, task, episode))
        else:
            idea = episode.ideas[-1].text
            comment = await comment_on(lab.models, task.context, idea, topic=task.topic, sample=task.sample)
            episode = episode.with_comment(comment)
    return episode


async def _response(lab: Lab, task: EpisodeTask, episode: Episode) -> str:
    small = task.small_prompts or lab.models.settings.roles.writer.provider.small
    messages = policy_messages(lab.prompts, task.context, episode, topic=task.topic, small=small)
    prompt = conversation_prompt(messages)
    try:
        return await lab.models.with_prompts([prompt]).ask(Question(prompt.name, {}, str, sample=task.sample))
    except NoUsableAnswer:
        return ""


def version_of(idea: PolicyIdea, topic: Topic, generator: str) -> Idea:
    """An idea of the policy in the common form. What is not well formed stands in the summary alone."""
    parts = idea.parts
    summary = parts.get("idea") or idea.text
    return Idea(
        topic=topic.text,
        title=shorten(parts.get("title") or summary.split("\n")[0], _TITLE),
        motivation=parts.get("problem", ""),
        novelty=parts.get("novelty", ""),
        method=parts.get("approach", ""),
        summary=summary,
        generator=generator,
    )


@dataclass(frozen=True)
class RankedVersions:
    """The versions of an idea, oldest first, with the matches between successive ones. `best`: index of the best."""

    versions: tuple[Idea, ...]
    matches: tuple[tuple[Match, Match], ...]
    best: int


async def rank_versions(lab: Lab, topic: Topic, versions: Sequence[Idea]) -> RankedVersions:
    """Compares each version with the one before, as the reward model does in training, by all judges in both orders.
    Gains add up along the versions; the best one has the largest sum, the later of equals."""
    panel = lab.models.settings.roles.judges
    pairs = list(pairwise(versions))
    met = await run_concurrently(
        conduct(lab.models, compare_in_both_orders(topic, before, after, judge))
        for before, after in pairs
        for judge in panel
    )
    by_step = [met[at : at + len(panel)] for at in range(0, len(met), len(panel))]
    return RankedVersions(tuple(versions), tuple(met), best_version([step_gain(each) for each in by_step]))


def step_gain(matches: Sequence[tuple[Match, Match]]) -> float:
    """The gain of the later version over the earlier one, -0.5 to 0.5, free of position; 0 where nothing was judged."""
    points = [point for forward, reverse in matches for point in position_free_points(forward, reverse).values()]
    return 0.5 - mean(points) if points else 0.0


def best_version(gains: Sequence[float]) -> int:
    """The index of the version up to which the gains sum to the most; the later of equals."""
    totals = list(accumulate(gains, initial=0.0))
    return max(range(len(totals)), key=lambda at: (round(totals[at], 9), at))
