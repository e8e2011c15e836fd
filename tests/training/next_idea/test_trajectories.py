"""Trajectories as tokens: an example of two steps worked by hand, with a tokenizer that reads whole words."""

from __future__ import annotations

import asyncio

import pytest

from novum.methods.deep_innovator.episode import IdeaComment
from novum.training.next_idea.environment.returns import RewardShaping, StepScores
from novum.training.next_idea.environment.session import IdeaEnvironment
from novum.training.next_idea.grpo.rollouts import RolloutRules, as_rollout_output, play_rollouts
from novum.training.next_idea.grpo.trajectories import ChatTokens, Segment, Trajectory
from novum.training.next_idea.grpo.watch import echoes, warnings, watch_point, with_judgement
from tests.training.next_idea.conftest import record
from tests.training.next_idea.test_environment import Scripted

EOS = 2


class Words:
    """A tokenizer of words: each new word gets the next number. `<end>` is 2."""

    eos_token, eos_token_id, chat_template = "<end>", EOS, "x"

    def __init__(self):
        self.numbers = {"<user>": 0, "<model>": 1, "<end>": EOS}

    def apply_chat_template(self, turns, tokenize, add_generation_prompt=False):
        text = "".join(f"<{'model' if t['role'] == 'assistant' else 'user'}> {t['content']} <end> " for t in turns)
        return text.replace(" <end>", "<end>") + ("<model> " if add_generation_prompt else "")

    def __call__(self, text, add_special_tokens):
        words = text.replace("<end>", " <end> ").split()
        return {"input_ids": [self.numbers.setdefault(word, len(self.numbers)) for word in words]}

    def decode(self, tokens, skip_special_tokens):
        names = {number: word for word, number in self.numbers.items()}
        return " ".join(names[token] for token in tokens if token > EOS)


def ids(words, tokenizer):
    return tokenizer(words, False)["input_ids"]


def test_a_trajectory_of_two_steps_masks_everything_but_what_the_policy_wrote():
    """Prompt 10 11; response 5 6 and end; comment 7 8 and the opening of the next turn 9; response 6 and end."""
    trajectory = Trajectory((10, 11)).with_response([5, 6, EOS]).with_environment([7, 8, 9]).with_response([6, EOS])
    assert trajectory.completion == [5, 6, 2, 7, 8, 9, 6, 2]
    assert trajectory.mask("all") == [1, 1, 1, 0, 0, 0, 1, 1]
    assert trajectory.mask("first") == [1, 1, 1, 0, 0, 0, 0, 0]
    assert trajectory.mask("refinements") == [0, 0, 0, 0, 0, 0, 1, 1]
    assert trajectory.only_first().completion == [5, 6, 2]
    assert trajectory.tokens == [10, 11, *trajectory.completion]


def test_a_trajectory_without_a_refinement_is_trained_on_as_a_whole():
    assert Trajectory((1,)).with_response([5, EOS]).mask("refinements") == [1, 1]


def test_log_probabilities_are_zero_where_the_environment_speaks_and_missing_where_the_sampler_gives_none():
    whole = Trajectory((1,)).with_response([5, 6], [-0.1, -0.2]).with_environment([7]).with_response([8], [-0.3])
    assert whole.logprobs == [-0.1, -0.2, 0.0, -0.3]
    assert Trajectory((1,)).with_response([5, 6]).logprobs is None
    assert Segment((1,), own=False).logprobs == ()


def test_between_two_responses_stand_the_comment_and_the_marks_of_turns():
    words = Words()
    chat = ChatTokens(words)
    comment = [{"role": "user", "content": "no data"}]
    ended = chat.between(ids("an idea <end>", words), comment)
    cut_off = chat.between(ids("an idea", words), comment)
    assert ended == ids("<user> no data <end> <model>", words)
    assert cut_off == ids("<end> <user> no data <end> <model>", words)


def test_a_tokenizer_without_a_chat_template_is_refused():
    words = Words()
    words.chat_template = None
    with pytest.raises(ValueError, match="no chat template"):
        ChatTokens(words)


def test_a_template_that_hides_earlier_responses_is_refused():
    words = Words()
    words.apply_chat_template = lambda turns, tokenize, add_generation_prompt=False: "<user> x"
    with pytest.raises(ValueError, match="leaves out or changes earlier responses"):
        ChatTokens(words).between([5], [])


class Policy:
    """Answers each row by the number of rows it has seen so far."""

    def __init__(self, tokenizer):
        self.tokenizer, self.rows = tokenizer, []

    def __call__(self, rows):
        answers = []
        for row in rows:
            self.rows.append(row)
            answers.append([*ids(f"idea{len(self.rows)}", self.tokenizer), EOS])
        return answers, None


def played(rules=None, **environment):
    words = Words()
    scripted = environment.pop("scripted", None) or Scripted()
    world = IdeaEnvironment(scripted, scripted, **({"ideas": 2} | environment))
    policy = Policy(words)
    rollouts = play_rollouts(
        [record(0), record(1)], world, rules or RolloutRules(), ChatTokens(words), policy, asyncio.run
    )
    return rollouts, policy, words


def test_episodes_are_played_side_by_side_and_every_response_sees_all_tokens_before_it():
    rollouts, policy, words = played()
    assert [each.result.ideas for each in rollouts] == [("idea1", "idea3"), ("idea2", "idea4")]
    trajectory = rollouts[0].trajectory
    assert policy.rows[2] == [*trajectory.prompt, *trajectory.completion[:-2]]
    assert [each.reward for each in rollouts] == pytest.approx([0.2, 0.2])
    assert "comment" in words.decode(trajectory.completion, skip_special_tokens=True)


def test_copies_continue_the_same_first_idea_and_their_returns_are_averaged():
    gains = iter([0.1, 0.5, 0.3, 0.3])
    scripted = Scripted(score=lambda step: StepScores(0.0, next(gains)))
    rollouts, _, _ = played(RolloutRules(copies=2, loss_on="first"), scripted=scripted)
    assert [[each.ideas[0] for each in one.results] for one in rollouts] == [["idea1"] * 2, ["idea2"] * 2]
    assert [each.reward for each in rollouts] == pytest.approx([0.3, 0.3])
    assert all(sum(each.trajectory.mask("first")) == len(each.trajectory.completion) for each in rollouts)


def test_failed_rewards_reach_the_trainer_as_none_and_not_as_zero():
    rollouts, _, _ = played(scripted=Scripted(score=lambda step: None))
    output = as_rollout_output(rollouts, "all")
    assert output["episode_reward"] == [None, None]
    assert output["logprobs"] is None
    assert len(output["env_mask"][0]) == len(output["completion_ids"][0])


def test_the_shaping_is_applied_to_each_continuation():
    rules = RolloutRules(shaping=RewardShaping(weight=5, clamp=0.5))
    assert [each.reward for each in played(rules)[0]] == [0.5, 0.5]


def test_an_episode_that_ends_early_leaves_the_others_going():
    def comment(number):
        return IdeaComment("fine", satisfied=True) if next(calls) == 0 else IdeaComment("go on")

    calls = iter(range(100))
    rollouts, _, _ = played(scripted=Scripted(comment=comment), ideas=3)
    assert [each.result.ended for each in rollouts] == ["satisfied", "limit"]
    assert [each.reward for each in rollouts] == [None, pytest.approx(0.4)]


def test_the_watch_counts_what_a_policy_takes_from_comments():
    rollouts, _, _ = played()
    result = rollouts[0].result.model_copy(
        update={"ideas": ("we look at fish", "name the data of fish now"), "comments": ("name the data of fish",)}
    )
    assert echoes(result) == [pytest.approx(3 / 4)]
    point = watch_point(3, [result], [0.2], 1)
    assert (point.step, point.trajectories, point.returns, point.echo) == (
        3,
        1,
        pytest.approx(0.2),
        pytest.approx(0.75),
    )
    judged = with_judgement(point, [0.2, 0.4], [0.1, -0.1])
    assert (judged.judge_gain, judged.gap) == (0.0, pytest.approx(0.3))
    assert with_judgement(point, [], []) == point


def test_signs_of_reward_hacking_are_told_in_sentences():
    rollouts, _, _ = played()
    base = watch_point(1, [each.result for each in rollouts], [0.1, 0.2], 2)
    points = [
        base.model_copy(
            update={"step": step, "length": 100.0 + 20 * step, "first_score": 0.5 - 0.02 * step, "gap": 0.0}
        )
        for step in range(10)
    ]
    told = warnings(points)
    assert len(told) == 2
    assert "longer texts may be scored higher" in told[0]
    assert "First ideas became worse" in told[1]
    assert warnings(points[:3]) == []
