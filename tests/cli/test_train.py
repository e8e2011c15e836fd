"""`novum train`: recipes to look at, a plan before anything is loaded, and refusals in one line."""

import json
from pathlib import Path

import pytest

from novum.cli.train_progress import Progress
from novum.core.trained import CurvePoint
from novum.training.finetuning.curves import append_point
from novum.training.finetuning.job import TuningJob, write_job
from novum.training.finetuning.review_set import open_set
from novum.training.recipes import read_recipe
from tests.training.tuning import review_set


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return str(review_set(tmp_path_factory.mktemp("data")))


def test_recipes_are_listed_and_printed_to_be_copied(here, tmp_path):
    assert "24gb" in here("train", "recipes").out
    (tmp_path / "mine.toml").write_text(here("train", "recipes", "cpu").out, encoding="utf-8")
    told = json.loads(here("train", "recipes", "cpu", "--json").out)
    assert told["base"] == "offline:smollm2-135m"


def test_a_dry_run_says_what_would_be_run_and_touches_nothing(here, data, tmp_path):
    done = here("train", "judge", data, "--recipe", "cpu", "--out", "mini", "--dry-run")
    assert done.code == 0
    assert "Steps: " in done.out and "GB in each process" in done.out
    assert "-m novum.training.finetuning mini" in done.out
    assert not (tmp_path / "mini").exists()


def test_a_dry_run_for_programs(here, data):
    done = here("train", "judge", data, "--out", "mini", "--dry-run", "--json", "--launch", "fsdp", "--processes", "8")
    told = json.loads(done.out)
    assert told["steps"] >= 1 and told["tokens"] > 0
    assert any(word.endswith("fsdp.yaml") for word in told["command"])


def test_data_whose_ratings_do_not_stand_first_get_no_rating_curve_and_are_told_how(here, tmp_path):
    data = str(review_set(tmp_path / "end", rating_at="end"))
    done = here("train", "judge", data, "--out", "mini", "--dry-run")
    assert "--rating start" in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--recipe", "cpuu"], "Did you mean cpu?"),
        (["--set", "lora.rnk=8"], "did you mean rank?"),
        (["--launch", "magic"], "is none of one, ddp, fsdp"),
        (["--launch", "ddp"], "--processes 2"),
        (["--recipe", "24gb", "--launch", "fsdp", "--processes", "2"], "4 bits"),
        (["--name", "no name!"], "cannot name a model"),
        (["--resume"], "There is no training in mini"),
        (["--set", "rows.tasks={poem = 1}"], "rows.tasks.poem"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(here, data, options, said):
    done = here("train", "judge", data, "--out", "mini", *options)
    assert done.code == 2
    assert said in done.err and done.err.count("\n") == 1


def test_a_folder_that_holds_something_else_is_left_alone(here, data, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    done = here("train", "judge", data, "--out", "mine")
    assert done.code == 2 and "holds something else" in done.err
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["letter.txt"]


def test_a_first_try_that_came_to_nothing_is_no_hindrance(here, data, tmp_path):
    (tmp_path / "mini").mkdir()
    reviews = open_set(Path(data))
    first = TuningJob(
        name="mini", data=data, digest=reviews.digest, recipe=read_recipe("7b"), models_folder=str(tmp_path)
    )
    write_job(first, tmp_path / "mini")
    again = ("train", "judge", data, "--out", "mini", "--base", "offline:nothing")
    assert "another training" not in here(*again).err
    write_job(first, tmp_path / "mini")
    append_point(tmp_path / "mini", CurvePoint(step=0, seconds=1))
    assert "holds another training (another recipe)" in here(*again).err


def test_data_that_are_none_are_told_how_to_build(here, tmp_path):
    done = here("train", "judge", str(tmp_path / "nothing"), "--out", "mini")
    assert done.code == 2 and "novum data build judge" in done.err


def test_progress_tells_loss_speed_and_time_left():
    said = []
    progress = Progress(said.append)
    progress({"kind": "begins", "step": 0, "of": 30, "tokens": 9000})
    for step in range(1, 31):
        progress({"kind": "step", "step": step, "of": 30, "loss": 3 - step / 30, "tokens": 300 * step,
                  "seconds": 10.0 * step, "measuring": 5.0})  # fmt: skip
    progress({"kind": "measured", "point": {"step": 30, "held_out_loss": 2.5, "rating_rmse": 0.15}})
    assert "30 steps, 9,000 tokens" in said[0]
    assert "30 tokens/s" in said[5] and "left" in said[5]
    assert len(said) <= 14
    assert "held-out loss 2.500, rating RMSE 0.150" in said[-1]
