"""`novum train`: recipes to look at, a plan before anything is loaded, and refusals in one line."""

import json
from pathlib import Path

import pytest
from filelock import FileLock

from novum.cli.train.progress import TrainingProgress
from novum.core.trained import CurvePoint
from novum.errors import BadInput
from novum.training.finetuning.conversations import open_set
from novum.training.finetuning.curves import append_point
from novum.training.finetuning.job import TuningJob, read_job, write_job
from novum.training.recipes import read_recipe
from novum.training.weights.registering import register
from tests.training.trained_models import trained_folder
from tests.training.tuning import review_set


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return str(review_set(tmp_path_factory.mktemp("data")))


def test_recipes_are_listed_and_printed_to_be_copied(here, tmp_path):
    assert "24gb" in here("train", "recipes").out
    (tmp_path / "mine.toml").write_text(here("train", "recipes", "cpu").out, encoding="utf-8")
    recipe = json.loads(here("train", "recipes", "cpu", "--json").out)
    assert recipe["base"] == "offline:smollm2-135m"


def test_a_dry_run_says_what_would_be_run_and_touches_nothing(here, data, tmp_path):
    done = here("train", "judge", data, "--recipe", "cpu", "--out", "mini", "--dry-run")
    assert done.code == 0
    assert "Steps: " in done.out and "GB for each process" in done.out
    assert f"-m novum.training.finetuning {tmp_path / 'mini'}" in done.out
    assert not (tmp_path / "mini").exists()


def test_a_dry_run_for_programs(here, data):
    done = here("train", "judge", data, "--out", "mini", "--dry-run", "--json", "--launch", "fsdp", "--processes", "8")
    plan = json.loads(done.out)
    assert plan["steps"] >= 1 and plan["tokens"] > 0
    assert any(word.endswith("fsdp.yaml") for word in plan["command"])


def test_data_whose_ratings_do_not_stand_first_get_no_rating_curve_and_a_note_says_how(here, tmp_path):
    data = str(review_set(tmp_path / "end", rating_at="end"))
    done = here("train", "judge", data, "--out", "mini", "--dry-run")
    assert "--rating start" in done.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--recipe", "cpuu"], "Did you mean cpu?"),
        (["--option", "lora.rnk=8"], "did you mean rank?"),
        (["--launch", "magic"], "is none of one, ddp, fsdp"),
        (["--launch", "ddp"], "--processes 2"),
        (["--recipe", "24gb", "--launch", "fsdp", "--processes", "2"], "4-bit weights"),
        (["--name", "no name!"], "cannot name a model"),
        (["--resume"], "There is no training in mini"),
        (["--option", "rows.tasks={poem = 1}"], "rows.tasks.poem"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(here, data, options, message):
    done = here("train", "judge", data, "--out", "mini", *options)
    assert done.code == 2
    assert message in done.err and done.err.count("\n") == 1


def test_a_folder_that_holds_something_else_is_left_alone(here, data, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    done = here("train", "judge", data, "--out", "mine")
    assert done.code == 2 and "holds something else" in done.err
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["letter.txt"]


@pytest.fixture
def no_machine(monkeypatch):
    """A machine that is too small to train, so that only the checks of the folder run."""

    def too_small(*_):
        raise BadInput("This machine is too small.")

    monkeypatch.setattr("novum.training.launching.session.check_machine", too_small)


def test_a_first_try_that_came_to_nothing_is_no_hindrance(here, data, tmp_path, no_machine):
    (tmp_path / "mini").mkdir()
    reviews = open_set(Path(data))
    first = TuningJob(
        name="mini", data=data, digest=reviews.digest, recipe=read_recipe("7b"), models_folder=str(tmp_path)
    )
    write_job(first, tmp_path / "mini")
    again = ("train", "judge", data, "--out", "mini", "--base", "offline:nothing")
    assert "This machine is too small" in here(*again).err
    write_job(first, tmp_path / "mini")
    append_point(tmp_path / "mini", CurvePoint(step=0, seconds=1))
    assert "holds another training (another recipe)" in here(*again).err


def begun(folder, data, **more):
    """A folder as a training leaves it that is at work, or was stopped."""
    folder.mkdir()
    fields = {"name": "mini", "data": data, "digest": open_set(Path(data)).digest, "models_folder": "m"} | more
    write_job(TuningJob(**({"recipe": read_recipe("cpu", base="offline:nothing")} | fields)), folder)
    (folder / ".tokens").mkdir()


def test_two_trainings_in_one_folder_leave_each_other_alone(here, data, tmp_path, monkeypatch):
    monkeypatch.setattr("novum.training.launching.session.check_machine", lambda *_: None)
    begun(tmp_path / "mini", data)
    with FileLock(tmp_path / "mini" / ".lock"):
        done = here("train", "judge", data, "--out", "mini", "--option", "lora.rank=4", "--base", "offline:nothing")
    assert done.code == 2 and "Another training runs in" in done.err
    assert (tmp_path / "mini" / ".tokens").is_dir()
    assert read_job(tmp_path / "mini").recipe.lora.rank == 16


def test_what_a_full_disk_left_of_a_first_try_is_no_hindrance(here, data, tmp_path, no_machine):
    (tmp_path / "mini").mkdir()
    (tmp_path / "mini" / ".job.json").touch()
    again = here("train", "judge", data, "--out", "mini", "--base", "offline:nothing")
    assert "This machine is too small" in again.err


def test_going_on_takes_no_other_settings(here, data, tmp_path):
    begun(tmp_path / "mini", data)
    done = here("train", "judge", data, "--out", "mini", "--resume", "--option", "lora.rank=4")
    assert done.code == 2 and "omit --option, --base and --seed" in done.err


def test_a_base_in_a_folder_is_remembered_in_full(here, data, tmp_path):
    (tmp_path / "base").mkdir()
    assert str(tmp_path / "base") in here("train", "judge", data, "--out", "mini", "--base", "base", "--dry-run").out


def test_whose_name_a_training_takes_is_reported_beforehand(here, home, data, tmp_path):
    register(trained_folder(tmp_path / "first" / "mini", gguf=b"GGUF!"), "mini", home / "models")
    assert f"judge:mini is now {tmp_path}/first/mini" in here("train", "judge", data, "--out", "mini", "--dry-run").out


def test_rows_that_are_listed_and_not_there_are_damage(here, tmp_path):
    data = review_set(tmp_path)
    file = data / "data" / "train.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-40]))
    reviews = open_set(data)
    with pytest.raises(BadInput, match=r"train\.jsonl is damaged"):
        list(reviews.conversations("train", range(len(reviews.about("train")))))


@pytest.mark.parametrize("turn", [{}, {"role": "user"}, {"role": "user", "content": "x", "more": "y"}])
def test_a_turn_without_role_or_content_is_damage(turn, tmp_path):
    data = review_set(tmp_path)
    row = {"prompt": [turn], "completion": [{"role": "assistant", "content": "Good."}]}
    (data / "data" / "train.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(BadInput, match="is damaged"):
        list(open_set(data).conversations("train", [0]))


def test_a_folder_without_data_says_how_to_build_them(here, tmp_path):
    done = here("train", "judge", str(tmp_path / "nothing"), "--out", "mini")
    assert done.code == 2 and "novum data build judge" in done.err


def test_progress_shows_loss_speed_and_time_left():
    printed = []
    progress = TrainingProgress(printed.append)
    progress({"kind": "begins", "step": 0, "of": 30, "tokens": 9000})
    for step in range(1, 31):
        progress({"kind": "step", "step": step, "of": 30, "loss": 3 - step / 30, "tokens": 300 * step,
                  "seconds": 10.0 * step, "measuring": 5.0})  # fmt: skip
    progress({"kind": "measured", "point": {"step": 30, "held_out_loss": 2.5, "rating_rmse": 0.15}})
    assert "30 steps, 9,000 tokens" in printed[0]
    assert "30 tokens/s" in printed[5] and "left" in printed[5]
    assert len(printed) <= 14
    assert "held-out loss 2.500, rating RMSE 0.150" in printed[-1]
