"""The verbs of next-idea prediction: tasks, the check of a reward model, a trained policy, and its evaluation."""

from __future__ import annotations

import importlib.util
import os

import pytest

import novum
from novum.errors import BadInput
from novum.testing.next_idea_tasks import QUICK, write_invented_policy, write_invented_tasks
from novum.training.next_idea.data.settings import NextIdeaSettings
from novum.training.next_idea.evaluation.records import ALL, DomainTopic
from tests.training.next_idea.test_evaluation import answer, named


@pytest.fixture
def server(environment, serve, monkeypatch):
    """A scripted model that is the writer, the reader and the judge."""
    for name in [name for name in os.environ if name not in environment]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NOVUM_HOME", environment["NOVUM_HOME"])
    served = serve(answer)
    monkeypatch.setenv("NOVUM_WRITER", named(served, "weak"))
    return served


def test_tasks_are_built_from_the_library(server, tmp_path):
    card = novum.build_next_ideas(tmp_path / "tasks", data_settings=NextIdeaSettings(least_references=2))
    assert card.records == 6
    assert (tmp_path / "tasks" / "README.md").exists()
    with pytest.raises(BadInput, match="holds a set of next-idea tasks already"):
        novum.build_next_ideas(tmp_path / "tasks")


def test_candidates_for_a_reward_model_are_checked(server, tmp_path):
    data = write_invented_tasks(tmp_path / "tasks", 8, 2)
    check = novum.check_reward(data, [named(server, "judge")], pairs=8)
    assert [(each.model, each.usable) for each in check.candidates] == [("server:judge", True)]


def test_models_are_compared_on_tasks_and_topics(server, tmp_path):
    data = write_invented_tasks(tmp_path / "tasks", 2, 3)
    evaluation = novum.evaluate_next_ideas(
        [named(server, "strong"), named(server, "weak")], data=data, judges=[named(server, "judge")], rounds=1,
        topics=[DomainTopic(category="law", topic="learning graph networks for molecules")], papers=3,
        out=tmp_path / "report",
    )  # fmt: skip
    whole = next(each for each in evaluation.comparisons if each.category == ALL)
    assert whole.shares["overall"].rate.value == 1.0
    assert "law" in evaluation.categories
    assert (tmp_path / "report" / "report.html").exists()
    with pytest.raises(BadInput, match="rounds cannot be used"):
        novum.evaluate_next_ideas([named(server, "strong")], data=data, rounds=9)


def test_a_reward_model_that_tells_nothing_apart_is_refused_before_anything_is_loaded(server, tmp_path):
    data = write_invented_tasks(tmp_path / "tasks", 8, 2)
    with pytest.raises(BadInput, match="does not tell real ideas from generated ones"):
        novum.train_next_ideas(data, tmp_path / "policy", overrides=["roles.reward=model", "check_pairs=2"])
    assert not (tmp_path / "policy").exists()


@pytest.mark.train
@pytest.mark.skipif(importlib.util.find_spec("trl") is None, reason="needs the extra train")
def test_a_policy_is_trained(server, tmp_path):
    data, base = write_invented_tasks(tmp_path / "tasks", 4, 2), write_invented_policy(tmp_path / "base")
    training = novum.train_next_ideas(data, tmp_path / "policy", base=str(base), overrides=[*QUICK, "grpo.steps=2"])
    assert (training.model.steps, training.model.finished) == (2, True)
    assert (tmp_path / "policy" / "report.html").exists()
