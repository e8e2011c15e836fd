"""Training for real: it learns, goes on after a kill as if nothing had happened, and stops when it is asked to."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from novum.core.trained import TrainedModel, best_point
from novum.settings import load_settings
from tests.training.tuning import review_set

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")]
DATA = Path(os.environ.get("NOVUM_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
REAL = [path for path in (DATA / "reviews.jsonl.gz",) if path.is_file()]
TINY = [
    "lengths.sequence=1600", "lengths.prompt=1400", "batch.rows=2", "rows.most=24", "rows.tasks.original-review=1",
    "rows.tasks.idea-review=0", "rows.tasks.original-abstract=0", "rows.tasks.idea-abstract=0", "held_out.rows=4",
    "held_out.papers=4", "held_out.choosing_rows=2", "held_out.times=2", "keeping.every=2", "keeping.merge=false",
    "precision.compute=fp32", "lora.dropout=0.1",
]  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    from tests.training.tiny_base import tiny_base

    return tiny_base(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return review_set(tmp_path_factory.mktemp("data"))


@pytest.fixture
def train(tmp_path, base, data):
    """Starts `novum train judge` with the tiny base; whatever still runs at the end of the test is ended."""
    running = []

    def begin(out, *options):
        sets = [word for each in TINY for word in ("--option", each)]
        command = ["judge", data, "--recipe", "cpu", "--base", base, "--out", tmp_path / out, *sets, *options]
        running.append(novum("train", *command, home=tmp_path / "home"))
        return running[-1]

    yield begin
    for process in running:
        process.kill()
        process.communicate()


def novum(*words, home):
    environment = os.environ | {"NOVUM_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-m", "novum", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment,
    )  # fmt: skip


def ended(process, code=0):
    out, err = process.communicate(timeout=5400)
    assert process.returncode == code, err
    return out + err


def trained(folder):
    return TrainedModel.model_validate_json((folder / "trained.json").read_bytes())


def until(process, step):
    """Reads what is told until this step is done."""
    for line in process.stderr:
        if line.startswith((f"step {step} ", f"step {step},")):
            return
    raise AssertionError(f"it ended before step {step}")


def test_what_was_killed_continues_as_if_nothing_had_happened(train, tmp_path):
    ended(train("whole"))
    process = train("killed")
    until(process, 7)
    children = [int(each) for each in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    for number in (*children, process.pid):
        os.kill(number, signal.SIGKILL)
    process.communicate()
    assert "from step" in ended(train("killed"))
    lines = (tmp_path / "whole" / "curves.jsonl").read_text().splitlines()
    assert len(lines) == len(trained(tmp_path / "whole").curve) == 3  # measured once at each point
    whole, again = trained(tmp_path / "whole"), trained(tmp_path / "killed")
    assert whole.steps == again.steps == 12
    assert same_adapter(tmp_path / "whole", tmp_path / "killed")
    assert [point.model_dump(exclude={"seconds", "measuring"}) for point in whole.curve] == [
        point.model_dump(exclude={"seconds", "measuring"}) for point in again.curve
    ]


def test_a_training_process_does_not_outlive_its_command(train):
    process = train("orphan")
    until(process, 1)
    child = int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0])
    process.kill()
    process.communicate()
    assert gone(child)


def test_it_stops_politely_and_the_same_command_continues(train, tmp_path):
    process = train("polite")
    until(process, 3)
    process.send_signal(signal.SIGINT)
    printed = ended(process, 128 + signal.SIGINT)
    assert "the same command resumes it" in printed and "Traceback" not in printed
    model = trained(tmp_path / "polite")
    assert not model.finished and (tmp_path / "polite" / "adapter" / "adapter_model.safetensors").is_file()
    ended(train("polite"))
    assert trained(tmp_path / "polite").finished
    assert not (tmp_path / "polite" / "checkpoints").exists()


def test_time_that_is_up_leaves_a_model_that_was_measured(train, tmp_path):
    ended(train("short", "--option", "batch.epochs=40", "--max-minutes", "0.5"))
    model = trained(tmp_path / "short")
    assert not model.finished
    assert model.curve[-1].step == model.steps > 0


def test_a_limit_that_ends_while_the_base_is_measured_still_leaves_a_model(train, tmp_path):
    """Many long evaluations, and hardly any time: one step is done, and nothing is measured after the limit."""
    ended(train("hurried", "--option", "batch.epochs=40", "--option", "held_out.batch=1", "--max-minutes", "0.1"))
    model = trained(tmp_path / "hurried")
    assert not model.finished
    assert model.steps >= 1
    assert (tmp_path / "hurried" / "adapter" / "adapter_model.safetensors").is_file()


def test_two_processes_share_a_training(train, tmp_path):
    ended(train("two", "--launch", "ddp", "--processes", "2"))
    model = trained(tmp_path / "two")
    assert model.steps == 6
    assert model.curve[-1].held_out_loss < model.curve[0].held_out_loss


def test_ratings_are_read_from_probabilities(base, data, tmp_path):
    request = {
        "model": str(base), "models_folder": str(tmp_path), "values": [0.0, 0.5, 1.0],
        "conversations": [[{"role": "user", "content": "Bees " * number}] for number in (3, 1, 9)],
    }  # fmt: skip
    (tmp_path / "request.json").write_text(json.dumps(request))
    files = (tmp_path / "request.json", tmp_path / "ratings.json")
    subprocess.run([sys.executable, "-m", "novum.training.finetuning.rate", *files], check=True)
    ratings = json.loads((tmp_path / "ratings.json").read_text())["ratings"]
    by_hand = [one_by_one(base, turns, request["values"]) for turns in request["conversations"]]
    assert ratings == pytest.approx(by_hand, abs=1e-4)


def one_by_one(folder, turns, values):
    """The slow way: every line as a whole, by itself."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    opened = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    prompt = tokenizer(opened, add_special_tokens=False)["input_ids"]
    scores = []
    for value in values:
        line = tokenizer(f"Rating: {value:.2f}", add_special_tokens=False)["input_ids"]
        with torch.no_grad():
            logits = model(torch.tensor([prompt + line])).logits[0].log_softmax(-1)
        scores.append(sum(float(logits[len(prompt) + place - 1, token]) for place, token in enumerate(line)))
    weights = torch.tensor(scores, dtype=torch.float64).softmax(0)
    return float((weights * torch.tensor(values)).sum())


@pytest.mark.parametrize("reviews", REAL)
def test_the_cpu_recipe_beats_its_own_base_on_later_reviews(reviews, tmp_path):
    home = tmp_path / "home"  # or the tester's own judge:mini would be another one
    shutil.copytree(load_settings().models_folder, home / "models")
    ended(novum("data", "build", "judge", reviews, "--strip", "--rating", "start", "--out", tmp_path / "set",
                "--quiet", home=home))  # fmt: skip
    fewer = ("rows.most=96", "held_out.rows=16", "held_out.papers=16", "held_out.choosing_rows=8", "held_out.times=1")
    sets = [word for each in fewer for word in ("--option", each)]
    print(ended(novum("train", "judge", tmp_path / "set", "--recipe", "cpu", "--out", tmp_path / "mini", *sets,
                      home=home)))  # fmt: skip
    model = trained(tmp_path / "mini")
    first, best = model.curve[0], best_point(model.curve)
    for task in ("original-review", "idea-review"):
        assert best.by_task[task] < first.by_task[task]
    assert best.held_out_loss < first.held_out_loss
    assert best.rating_rmse < first.rating_rmse


def test_made_up_reviews_are_learnt_from_in_a_few_steps(train, tmp_path):
    ended(train("mini", "--option", "optimizer.learning_rate=1e-2", "--option", "batch.epochs=3"))
    curve = trained(tmp_path / "mini").curve
    assert best_point(curve).held_out_loss < curve[0].held_out_loss
    assert "Measurement by measurement" in (tmp_path / "mini" / "report.html").read_text("utf-8")


def same_adapter(one, other):
    from safetensors.torch import load_file

    first, second = (load_file(folder / "adapter" / "adapter_model.safetensors") for folder in (one, other))
    return first.keys() == second.keys() and all(bool((first[key] == second[key]).all()) for key in first)


def gone(process, seconds=60):
    """Whether it ends by itself in that time."""
    waiting = subprocess.run(
        ["timeout", str(seconds), "tail", f"--pid={process}", "-f", "/dev/null"], check=False, capture_output=True
    )
    return waiting.returncode == 0
