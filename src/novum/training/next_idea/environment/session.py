"""Drive one episode with models: whichever trainer samples the policy, the environment is this session.

session = EpisodeSession(task, environment)
while session.phase == "idea":
    await session.respond(policy(session.messages()))
result = await session.result()
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.core.research_context import NextIdeaRecord
from novum.methods.deep_innovator.conversation import comment_message, fence_word, fenced, policy_messages
from novum.methods.deep_innovator.episode import IDEAS, EndReason, Episode, IdeaComment, Phase
from novum.prompts import PromptBook, builtin_prompts
from novum.training.next_idea.environment.returns import episode_return
from novum.training.next_idea.environment.rewarding import RewardModel

Commenter = Callable[[NextIdeaRecord, str, int], Awaitable[IdeaComment | None]]
"""From task, idea, and number of the idea to a comment. It must not use the truth, unless that is asked for."""
Turns = list[dict[str, str]]


@dataclass(frozen=True)
class IdeaEnvironment:
    """What episodes are played in: two models that share nothing, and the rules."""

    commenter: Commenter
    reward: RewardModel
    ideas: int = IDEAS
    small_prompts: bool = False
    prompts: PromptBook = field(default_factory=builtin_prompts)


class EpisodeResult(Value):
    """An episode as it ended, with its rewards. None among the rewards: the step could not be scored."""

    task_id: str
    ideas: tuple[str, ...]
    well_formed: tuple[bool, ...]
    comments: tuple[str, ...]
    ended: EndReason
    value: float | None
    rewards: tuple[float | None, ...]
    failed: int
    first_score: float | None
    last_score: float | None
    scores_removed: int = 0


class EpisodeSession:
    """One episode of one task."""

    def __init__(self, task: NextIdeaRecord, environment: IdeaEnvironment) -> None:
        self.task, self.environment = task, environment
        self.episode = Episode(environment.ideas)
        self._word = fence_word(task.id)

    @property
    def phase(self) -> Phase:
        return self.episode.phase

    def messages(self) -> Turns:
        """The conversation up to the policy's next turn, for a chat template."""
        rules = self.environment
        messages = policy_messages(rules.prompts, self.task.encoded.text, self.episode, small=rules.small_prompts)
        return fenced(messages, self._word)

    def comment_turn(self, comment: str) -> Turns:
        """The message with a comment, for a chat template."""
        rules = self.environment
        return fenced([comment_message(rules.prompts, comment, small=rules.small_prompts)], self._word)

    async def respond(self, response: str) -> str:
        """Takes a response of the policy, and returns the comment on it; empty when the episode has ended."""
        self.episode = self.episode.with_response(response)
        if self.phase != "comment":
            return ""
        idea = self.episode.ideas[-1]
        comment = await self.environment.commenter(self.task, idea.text, len(self.episode.ideas))
        self.episode = self.episode.with_comment(comment)
        return "" if self.episode.ended else self.episode.comments[-1]

    async def result(self) -> EpisodeResult:
        """The episode with the rewards of all its steps, which are asked for at once."""
        truth = self.task.truth.text
        scored = await run_concurrently(self.environment.reward.score(step, truth) for step in self.episode.refinements)
        returned = episode_return(scored, self.episode.ended)
        return EpisodeResult(
            task_id=self.task.id,
            ideas=tuple(each.text for each in self.episode.ideas),
            well_formed=tuple(each.well_formed for each in self.episode.ideas),
            comments=self.episode.comments,
            ended=self.episode.ended,
            value=returned.value,
            rewards=returned.rewards,
            failed=returned.failed,
            first_score=returned.first_score,
            last_score=returned.last_score,
            scores_removed=self.episode.scores_removed,
        )
