"""Rewards and returns against an example worked by hand; what cannot be scored is dropped and counted."""

from __future__ import annotations

import asyncio
import math

import pytest

from novum.literature import StaticEmbedder
from novum.methods.deep_innovator.commenting import IdeaCritique, comment_on
from novum.methods.deep_innovator.episode import IdeaComment, PolicyIdea, Refinement
from novum.training.next_idea.environment.commenters import ContextComments, ModelComments
from novum.training.next_idea.environment.returns import (
    RewardShaping,
    StepScores,
    episode_return,
    group_advantages,
    mean_return,
)
from novum.training.next_idea.environment.rewarding import IdeaScores, ModelReward, SimilarityReward
from novum.training.next_idea.environment.session import EpisodeSession, IdeaEnvironment
from tests.training.next_idea.conftest import idea, record
from tests.training.next_idea.test_context import Answering

STEP = Refinement(1, PolicyIdea("old words"), PolicyIdea("new words"))


def test_the_return_is_the_sum_of_the_gains_of_the_steps():
    """By hand: (0.4 - 0.2) + (0.7 - 0.5) = 0.4; the second look need not agree with the first."""
    returned = episode_return([StepScores(0.2, 0.4), StepScores(0.5, 0.7)])
    assert returned.value == pytest.approx(0.4)
    assert returned.rewards == pytest.approx((0.2, 0.2))
    assert (returned.failed, returned.first_score, returned.last_score) == (0, 0.2, 0.7)


def test_a_step_without_scores_is_dropped_and_counted_and_is_no_zero():
    returned = episode_return([StepScores(0.2, 0.6), None, StepScores(0.6, 0.5)])
    assert returned.value == pytest.approx(0.3)
    assert returned.rewards[1] is None
    assert returned.failed == 1


@pytest.mark.parametrize(("steps", "ended"), [([], "satisfied"), ([], "no comment"), ([None, None], "limit")])
def test_an_episode_without_a_scored_step_has_no_return(steps, ended):
    assert episode_return(steps, ended).value is None


def test_an_episode_that_ends_at_once_without_an_idea_has_the_lowest_return_of_a_step():
    returned = episode_return([], "no idea")
    assert (returned.value, returned.rewards) == (-1.0, (-1.0,))


def test_a_response_without_an_idea_costs_more_than_any_gain_before_it():
    assert episode_return([StepScores(0.0, 1.0)], "no idea").value == 0.0


@pytest.mark.parametrize("score", [-0.01, 1.01, math.nan, math.inf])
def test_a_score_outside_zero_to_one_is_refused(score):
    with pytest.raises(ValueError, match="from 0 to 1"):
        StepScores(0.5, score)


@pytest.mark.parametrize(
    ("value", "characters", "shaped"),
    [(0.1, 4000, 0.5 + 0.1), (0.4, 4000, 1.0 + 0.1), (-0.4, 1500, -1.0 + 0.05), (0.0, 7500, 0.05), (0.0, 12_000, 0.0)],
)
def test_the_shaping_of_the_released_code_worked_by_hand(value, characters, shaped):
    rules = RewardShaping(weight=5, clamp=1, length_weight=0.1)
    assert rules.shaped(value, characters) == pytest.approx(shaped)
    assert rules.shaped(None, characters) is None


def test_the_return_of_three_copies_is_their_mean_without_those_that_failed():
    assert mean_return([0.2, None, 0.4]) == pytest.approx(0.3)
    assert mean_return([None, None]) is None


def test_advantages_of_a_group_worked_by_hand():
    """Rewards 1, 2, 3: mean 2, standard deviation 1."""
    assert group_advantages([1.0, None, 2.0, 3.0], epsilon=0) == pytest.approx([-1.0, None, 0.0, 1.0])
    assert group_advantages([0.5, 0.5]) == [0.0, 0.0]
    assert group_advantages([None, None]) == [None, None]


def scored(*answers, both_orders=False):
    waiting = list(answers)
    models = Answering(lambda question: waiting.pop(0))
    return asyncio.run(ModelReward(models, both_orders=both_orders).score(STEP, "truth")), models.asked


def test_the_reward_model_sees_old_idea_new_idea_and_truth():
    scores, [asked] = scored(IdeaScores(reason="r", first=0.2, second=0.5))
    assert dict(asked.needs) == {"first": "old words", "second": "new words", "truth": "truth"}
    assert scores == StepScores(0.2, 0.5)


def test_both_orders_are_averaged_by_idea_and_not_by_position():
    answers = [IdeaScores(reason="r", first=0.2, second=0.6), IdeaScores(reason="r", first=0.4, second=0.4)]
    scores, asked = scored(*answers, both_orders=True)
    assert [(each.needs["first"], each.needs["second"]) for each in asked] == [
        ("old words", "new words"), ("new words", "old words")
    ]  # fmt: skip
    assert (scores.before, scores.after) == pytest.approx((0.3, 0.5))


@pytest.mark.parametrize("answers", [[None], [IdeaScores(reason="r", first=0.1, second=0.2), None]])
def test_a_failed_reward_is_none(answers):
    assert scored(*answers, both_orders=len(answers) > 1)[0] is None


@pytest.mark.parametrize("value", [1.5, -0.1, "NaN", float("nan"), None])
def test_an_answer_with_a_score_outside_the_range_is_invalid(value):
    with pytest.raises(ValueError, match="first"):
        IdeaScores(reason="r", first=value, second=0.5)


def test_similarity_to_the_truth_rises_with_shared_words():
    step = Refinement(1, PolicyIdea("soup and bread"), PolicyIdea("problem of folding proteins in water"))
    scores = asyncio.run(SimilarityReward(StaticEmbedder()).score(step, "how proteins fold in water"))
    assert scores.after > scores.before


def critique(**parts):
    given = {"analysis": "It only sounds real.", "red_flags": ["no data"], "advice": "Name them.", "sound": False}
    return IdeaCritique(**given | parts)


def test_a_comment_has_the_analysis_the_red_flags_and_the_advice():
    models = Answering(lambda question: critique())
    comment = asyncio.run(comment_on(models, "context", "idea"))
    assert comment == IdeaComment("It only sounds real.\n\n- no data\n\nName them.")
    assert models.asked[0].needs["truth"] == ""


def test_a_sound_idea_without_red_flags_satisfies():
    assert critique(sound=True, red_flags=[]).comment.satisfied
    assert not critique(sound=True).comment.satisfied


class Scripted:
    """A comment model and a reward model that remember what they saw."""

    def __init__(
        self, comment=lambda number: IdeaComment(f"comment {number}"), score=lambda step: StepScores(0.1, 0.3)
    ):
        self.comment, self.scores, self.seen, self.judged = comment, score, [], []

    async def __call__(self, task, idea, number):
        self.seen.append((idea, number))
        return self.comment(number)

    async def score(self, step, truth):
        self.judged.append((step.before.text, step.after.text, truth))
        return self.scores(step)


def played(scripted, responses, **rules):
    task = record(1, truth=idea(5))
    session = EpisodeSession(task, IdeaEnvironment(scripted, scripted, **rules))

    async def play():
        turns = []
        for response in responses:
            turns.append(session.messages())
            await session.respond(response)
        return await session.result(), turns

    return *asyncio.run(play()), task


def test_a_session_plays_an_episode_and_scores_its_steps():
    scripted = Scripted()
    result, turns, task = played(scripted, ["one", "two", "three"], ideas=3)
    assert result.value == pytest.approx(0.4)
    assert (result.ideas, result.comments, result.ended) == (
        ("one", "two", "three"),
        ("comment 1", "comment 2"),
        "limit",
    )
    assert scripted.judged == [("one", "two", task.truth.text), ("two", "three", task.truth.text)]
    assert [len(each) for each in turns] == [2, 4, 6]


def test_the_policy_sees_neither_truth_nor_reward():
    scripted = Scripted()
    _, turns, task = played(scripted, ["one", "two"], ideas=2)
    assert scripted.seen == [("one", 1)]
    seen = " ".join(message["content"] for turn in turns for message in turn)
    assert task.truth.problem not in seen
    assert "0.3" not in seen


@pytest.mark.parametrize("sees", [False, True])
def test_the_comment_model_sees_the_truth_only_where_the_published_prompt_is_asked_for(sees):
    models, task = Answering(lambda question: critique()), record(1, truth=idea(5))
    commenter = ModelComments(models, sees_truth=sees)
    asyncio.run(commenter(task, "idea", 1))
    asked = models.asked[0]
    assert asked.needs["truth"] == (task.truth.text if sees else "")
    assert asked.needs["context"] == task.encoded.text


def test_a_comment_from_the_context_names_the_signal_that_the_idea_is_farthest_from(context):
    comments = ContextComments(StaticEmbedder())
    comment = asyncio.run(comments(record(1, context), "they all ignore the noise of sensors", 1))
    assert "ignore noise" not in comment.text
    assert asyncio.run(comments(record(1), "an idea", 1)) is None


def test_a_session_of_failed_rewards_has_no_return_and_counts_them():
    result, _, _ = played(Scripted(score=lambda step: None), ["one", "two", "three"], ideas=3)
    assert (result.value, result.failed, result.rewards) == (None, 2, (None, None))


def test_a_session_that_ends_at_once_is_scored_without_asking():
    scripted = Scripted()
    result, _, _ = played(scripted, [""])
    assert (result.value, result.ended, scripted.judged, scripted.seen) == (-1.0, "no idea", [], [])
