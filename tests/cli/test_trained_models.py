"""Models that were trained here, as users meet them: listed, asked by name, forgotten."""

from __future__ import annotations

import json

import pytest

from novum.training.weights.registering import register
from tests.training.trained_models import trained_folder


@pytest.fixture
def mine(home, tmp_path):
    """`judge:mine` runs on this machine, `judge:large` has to be served."""
    register(trained_folder(tmp_path / "large", base="org/model-7b"), "large", home / "models")
    folder = trained_folder(tmp_path / "mini", gguf=b"GGUF and then numbers")
    register(folder, "mine", home / "models")
    return folder


def test_models_list_says_what_each_is_for(here, mine):
    (row,) = (line for line in here("models", "list").out.splitlines() if line.startswith("mine"))
    assert "ready" in row
    assert "writes reviews" in row
    listed = json.loads(here("models", "list", "--json").out)
    assert [(each["model"], each["state"]) for each in listed["trained"]] == [
        ("large", "to be served"),
        ("mine", "ready"),
    ]
    assert "judge" not in {each["provider"] for each in listed["providers"]}


def test_where_nothing_was_trained_nothing_is_listed(here):
    assert "Trained here" not in here("models", "list").out
    assert json.loads(here("models", "list", "--json").out)["trained"] == []
    assert here("train", "list").out.startswith("No model has been trained on this machine")


def test_train_list_shows_what_each_has_learned(here, mine):
    rows = json.loads(here("train", "list", "--json").out)
    (row,) = (row for row in rows if row["model"] == "judge:mine")
    assert (row["steps"], row["minutes"]) == ("50", "10.0")
    assert (row["held-out loss"], row["rating RMSE"]) == ("3.000 → 2.500", "0.300 → 0.200")
    assert "judge:large" in here("train", "list").out


def test_a_model_whose_folder_is_gone_is_still_listed_and_can_be_forgotten(here, mine):
    mine.rename(mine.with_name("elsewhere"))
    assert "its folder is gone" in here("train", "list").out
    assert "still in" in here("models", "remove", "judge:mine").out
    assert "judge:mine" not in here("train", "list").out


def test_what_cannot_be_read_is_reported_beside_the_list(here, home, mine):
    (home / "models" / "torn.trained.json").write_text("{")
    for command in ("train", "models"):
        done = here(command, "list", "--json")
        assert done.code == 0 and json.loads(done.out)
        assert "the trained model torn cannot be read" in done.err


def test_a_name_that_is_given_to_another_model_is_reported(here, mine):
    done = here("train", "export", str(mine.with_name("large")), "--no-merged", "--name", "mine")
    assert f"judge:mine was {mine} until now" in done.err


def test_removing_leaves_the_files(here, mine):
    assert here("models", "remove", "judge:mine").code == 0
    assert (mine / "judge.gguf").is_file()
    again = here("models", "remove", "judge:mine")
    assert again.code == 2
    assert "No model judge:mine was trained here" in again.err


def test_an_export_of_a_folder_without_a_model_is_refused(here, tmp_path):
    done = here("train", "export", str(tmp_path))
    assert done.code == 2
    assert "holds no trained model" in done.err


def test_an_export_that_has_only_to_be_named_needs_no_libraries(here, mine):
    done = here("train", "export", str(mine), "--no-merged", "--no-gguf", "--name", "other")
    assert done.code == 0
    assert "Use it: novum review idea.txt --judge judge:other" in done.out


def test_an_adapter_that_is_to_be_served_on_its_base_needs_no_merging(here, mine):
    done = here("train", "export", str(mine.with_name("large")), "--no-merged", "--name", "shared")
    assert "judge:shared@http://HOST:8000/v1, once it is served" in done.out
    assert "vllm serve org/model-7b --enable-lora --max-lora-rank 16 --lora-modules shared=/" in done.out


def test_an_export_without_the_libraries_of_training_says_what_to_install(here, mine, monkeypatch):
    monkeypatch.setattr("novum.training.weights.libraries.find_spec", lambda name: None)
    assert "[train]" in here("train", "export", str(mine)).err
