"""`novum next-idea evaluate`, `novum train check-reward`, and what `novum train next-idea` does without training."""

from __future__ import annotations

import json

import pytest

from novum.testing.next_idea_tasks import write_invented_tasks
from tests.training.next_idea.test_evaluation import PARTS, answer, named


@pytest.fixture
def server(serve):
    return serve(answer)


def test_models_are_evaluated_and_forms_written_and_read_back(here, server, tmp_path):
    data = write_invented_tasks(tmp_path / "tasks", 2, 3)
    command = ("next-idea", "evaluate", str(data), "--model", named(server, "strong"), "--model", named(server, "weak"),
               "--judge", named(server, "judge"), "--rounds", "1", "--out", str(tmp_path / "report"))  # fmt: skip
    first = here(*command, "--forms", "1")
    assert first.code == 0, first.err
    assert "100% (44–100)" in first.out
    answered = server.answered
    again = here(*command, "--ratings", str(tmp_path / "report" / "forms" / "expert-1.csv"))
    assert again.code == 0, again.err
    assert server.answered == answered


def test_a_topic_without_a_category_is_refused(here, server):
    refused = here("next-idea", "evaluate", "--model", server.model, "--topic", "robots")
    assert "is not of the form CATEGORY: TOPIC" in refused.err


def test_a_reward_model_is_checked(here, server, tmp_path):
    data = write_invented_tasks(tmp_path / "tasks", 8, 2)
    models = ("--judge", named(server, "judge"), "--model", named(server, "weak"))
    checked = here("train", "check-reward", str(data), *models, "--pairs", "8")
    assert checked.code == 0, checked.err
    assert "tells them apart" in checked.out


def test_a_plan_says_how_many_calls_a_step_makes(here, tmp_path):
    data = write_invented_tasks(tmp_path / "tasks", 8, 2)
    plan = here(
        "train", "next-idea", str(data), "--recipe", "deep-innovator-14b", "--out", str(tmp_path / "x"), "--dry-run"
    )
    assert plan.code == 0, plan.err
    assert "at most 1,920 comments and 1,920 rewards" in plan.out
    assert "novum.training.next_idea.grpo" in plan.out


def test_recipes_of_both_trainings_are_printed(here):
    assert "as-released" in here("train", "recipes", "--for", "next-idea").out
    assert "generations = 8" in here("train", "recipes", "deep-innovator-14b", "--for", "next-idea").out
    assert "original-review" in here("train", "recipes", "cpu").out


def test_a_folder_without_tasks_is_refused_before_anything_is_loaded(here, tmp_path):
    refused = here("train", "next-idea", str(tmp_path), "--out", str(tmp_path / "x"))
    assert "holds no set of next-idea tasks" in refused.err


def test_the_generator_competes_in_the_arena_beside_the_plain_one(here, serve, tmp_path):
    server = serve(writing)
    out = tmp_path / "arena"
    done = here(
        "arena", "run", "--topic", "learning graph networks for molecules", "--method",
        "deep-innovator:papers=3,rounds=1,name=refined", "--method", "plain", "--model", named(server, "writer"),
        "--judge", named(server, "judge"), "--source", "none", "--out", str(out),
    )  # fmt: skip
    assert done.code == 0, done.err
    entries = [json.loads(line) for line in (out / "entries.jsonl").read_text().splitlines()]
    assert {each["entrant"] for each in entries} == {"refined", "plain"}
    assert all(each["motivation"] and each["method"] for each in entries)
    assert "refined" in done.out


def writing(request):
    """An idea in parts for the refinement; everything else as usual."""
    return PARTS.format("writer", 1) if request.form == "" and "<idea>" in request.text else None
