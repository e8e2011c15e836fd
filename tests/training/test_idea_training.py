"""Idea models trained for real, on a tiny base: each phase improves what it trains on, and resumes exactly."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from aiohttp import web

from novum.core.trained import TrainedModel, best_point
from novum.testing import ScriptedServer
from tests.training.idea_files import idea_set, preference_set

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")]
TINY = [
    "lengths.sequence=1400", "lengths.prompt=900", "batch.rows=2", "rows.most=24", "held_out.rows=4",
    "held_out.choosing_rows=2", "held_out.times=2", "keeping.every=2", "precision.compute=fp32",
    "optimizer.learning_rate=5e-3",
]  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    from tests.training.tiny_base import tiny_base

    return tiny_base(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def ideas(home, tmp_path_factory):
    place = tmp_path_factory.mktemp("ideas")
    novum(home, "data", "build", "ideas", "--library", idea_set(place), "--topics", "2", "--out", place / "set")
    return place / "set"


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    return preference_set(tmp_path_factory.mktemp("pairs") / "set")


@pytest.fixture(scope="module")
def phase_one(home, base, ideas, tmp_path_factory):
    """One trained base for all tests of later phases."""
    out = tmp_path_factory.mktemp("phase-1") / "model"
    novum(home, "train", "sft", ideas, "--base", base, "--out", out, "--name", "phase-1", *options(TINY))
    return out


def novum(home, *words, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "novum", *map(str, words)], env=os.environ | {"NOVUM_HOME": str(home)},
        capture_output=True, text=True, check=False, timeout=3000,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def options(sets):
    return [word for each in sets for word in ("--option", each)]


def trained(folder):
    return TrainedModel.model_validate_json((folder / "trained.json").read_bytes())


def test_supervised_training_lowers_the_loss_on_later_papers_and_can_be_used_by_its_name(home, phase_one):
    model = trained(phase_one)
    assert (model.kind, model.purpose) == ("sft", "ideas")
    assert best_point(model.curve).held_out_loss < model.curve[0].held_out_loss
    assert (phase_one / "merged" / "model.safetensors").is_file()
    assert "local:phase-1" in novum(home, "train", "list")


@pytest.mark.parametrize(
    ("tuning", "kept"), [("full", "merged/model.safetensors"), ("prefix", "adapter/adapter_model.safetensors")]
)
def test_all_weights_or_a_prefix_can_be_trained(tuning, kept, home, base, ideas, tmp_path):
    sets = [*TINY, "optimizer.learning_rate=2e-3" if tuning == "full" else "optimizer.learning_rate=5e-2"]
    novum(home, "train", "sft", ideas, "--base", base, "--tuning", tuning, "--out", tmp_path / tuning, *options(sets))
    model = trained(tmp_path / tuning)
    assert (tmp_path / tuning / kept).is_file()
    assert best_point(model.curve).held_out_loss < model.curve[0].held_out_loss
    assert written(home, tmp_path / tuning, tmp_path)


@pytest.mark.skipif(importlib.util.find_spec("bitsandbytes") is None, reason="4-bit weights need bitsandbytes")
def test_an_adapter_is_trained_on_4_bit_weights_without_a_gpu_and_merged_into_the_whole_ones(home, ideas, tmp_path):
    from tests.training.tiny_base import tiny_base

    wide = tiny_base(tmp_path / "wide", width=128)  # weights are rounded in blocks of 64
    out = novum(home, "train", "sft", ideas, "--base", wide, "--tuning", "qlora", "--out", tmp_path / "q",
                *options([*TINY[:-2], "optimizer.learning_rate=5e-3"]))  # fmt: skip
    model = trained(tmp_path / "q")
    assert model.recipe["precision"]["quantisation"] == "nf4" and "local:q" in out
    assert best_point(model.curve).held_out_loss < model.curve[0].held_out_loss
    assert (tmp_path / "q" / "merged" / "model.safetensors").stat().st_size > 4 * 300_000


@pytest.mark.skipif(importlib.util.find_spec("bitsandbytes") is None, reason="4-bit weights need bitsandbytes")
def test_adapters_on_4_bit_weights_have_the_same_gradients_after_an_evaluation(tmp_path):
    import torch
    from peft import LoraConfig, get_peft_model

    from novum.training.weights.base import load_base
    from tests.training.tiny_base import tiny_base

    folder, ids = tiny_base(tmp_path / "wide", width=128), torch.arange(2, 40)[None]

    def gradients(evaluated):
        torch.manual_seed(0)
        lora = LoraConfig(r=4, target_modules="all-linear", init_lora_weights=False)
        model = get_peft_model(load_base(str(folder), tmp_path, four_bit=True).model, lora)
        with torch.no_grad():
            model.train(not evaluated)(input_ids=ids)
        model.train()(input_ids=ids, labels=ids).loss.backward()
        return torch.cat([each.grad.flatten() for each in model.parameters() if each.grad is not None])

    assert torch.equal(gradients(evaluated=False), gradients(evaluated=True))


@pytest.mark.parametrize("objective", ["dpo", "pairwise", "softmax"])
def test_preferences_are_learnt_with_every_objective(objective, home, phase_one, pairs, tmp_path):
    sets = [*TINY, "batch.epochs=2", "keeping.merge=false"]
    novum(home, "train", "dpo", pairs, "--base", "local:phase-1", "--objective", objective, "--out", tmp_path / "p2",
          *options(sets))  # fmt: skip
    model = trained(tmp_path / "p2")
    first, last = model.curve[0], best_point(model.curve)
    assert last.held_out_loss < first.held_out_loss
    assert last.measures["margin"] > first.measures["margin"]
    assert last.measures["accuracy"] >= first.measures["accuracy"] and last.measures["accuracy"] > 0.9
    assert "Accuracy" in (tmp_path / "p2" / "report.html").read_text()
    assert Path(model.base) == phase_one.resolve()


def test_several_rejected_ideas_are_one_row_of_softmax(home, phase_one, tmp_path):
    several = preference_set(tmp_path / "set", pairs=8, rejected=3)
    sets = [*TINY, "keeping.merge=false", "rows.most=100"]
    out = novum(home, "train", "dpo", several, "--base", phase_one, "--objective", "softmax", "--out", tmp_path / "p2",
                *options(sets))  # fmt: skip
    assert "\n8 rows;" in out
    assert trained(tmp_path / "p2").curve[-1].measures["margin"] > 0


def test_training_on_preferences_that_was_killed_ends_with_the_same_adapter(home, phase_one, pairs, tmp_path):
    def begin(out):
        words = ["train", "dpo", pairs, "--base", phase_one, "--out", tmp_path / out, "--name", "same",
                 *options([*TINY, "keeping.merge=false", "lora.dropout=0.1"])]  # fmt: skip
        return subprocess.Popen(
            [sys.executable, "-m", "novum", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=os.environ | {"NOVUM_HOME": str(home)},
        )  # fmt: skip

    assert begin("whole").communicate()[1]
    process = begin("killed")
    for line in process.stderr:
        if line.startswith("step 7 "):
            break
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for number in (*map(int, children), process.pid):
        os.kill(number, signal.SIGKILL)
    process.communicate()
    again = begin("killed")
    assert "from step" in again.communicate()[1]
    assert same_weights(tmp_path / "whole" / "adapter", tmp_path / "killed" / "adapter")


def same_weights(one, other):
    from safetensors.torch import load_file

    first, second = (load_file(folder / "adapter_model.safetensors") for folder in (one, other))
    return first.keys() == second.keys() and all(bool((first[key] == second[key]).all()) for key in first)


def written(home, model, place):
    """Ideas that a model writes in batches."""
    import json

    request = {"model": str(model), "models_folder": str(home / "models"), "samples": 2, "most_tokens": 12, "batch": 2,
               "prompts": [[{"role": "user", "content": "Bees?"}]] * 2}  # fmt: skip
    (place / "request.json").write_text(json.dumps(request))
    command = [sys.executable, "-m", "novum.training.finetuning.write", place / "request.json", place / "texts.jsonl"]
    subprocess.run(command, check=True, capture_output=True)
    return (place / "texts.jsonl").read_bytes().splitlines()


def test_texts_do_not_depend_on_an_interruption(home, phase_one, tmp_path):
    whole = written(home, phase_one, tmp_path)
    assert len(whole) == 4
    (tmp_path / "texts.jsonl").write_bytes(whole[0] + b"\n" + whole[1] + b"\n" + whole[2][:10])
    again = written(home, phase_one, tmp_path)
    assert [line for line in again[3:] if line] == whole[2:]


def test_a_round_trains_on_the_ranks_of_what_was_written_and_resumes_at_every_stage(home, phase_one, tmp_path):
    """The server stands for the tiny model, which cannot write: what follows from its ideas is real."""
    (tmp_path / "topics.txt").write_text("".join(f"bees and subject {n}\n" for n in range(6)))
    with Serving("m", "m-round-1") as server:
        novum(home, "metrics", "fit")
        words = ["train", "iterate", phase_one, "--topics", tmp_path / "topics.txt", "--out", tmp_path / "p3",
                 "--objective", "published", "--rounds", "1", "--samples", "3", "--held-out-samples", "2",
                 "--margin", "0",
                 "--server", f"server:m@{server.base_url}", *options([*TINY, "batch.epochs=3"])]  # fmt: skip
        out = novum(home, *words)
        asked = len(server.asked)
        assert "wins against round 0" in out and "It stopped because" in out
        assert (tmp_path / "p3" / "report.html").is_file()
        assert trained(tmp_path / "p3" / "round-1" / "model").kind == "dpo"
        (tmp_path / "p3" / "round-1" / "result.json").unlink()
        novum(home, *words)
        assert len(server.asked) == asked  # nothing is written twice
        assert "differ" in novum(home, *words, "--margin", "1", code=2)


class Serving(ScriptedServer):
    """Lists these models."""

    def __init__(self, *names):
        super().__init__(idea_of_length)
        self.names = names

    async def _models(self, _):
        return web.json_response({"object": "list", "data": [{"id": name} for name in self.names]})


SENTENCES = (
    "Honey bees tell their nest mates where flowers are by dancing on the comb in the dark.",
    "We do not know how a follower decides between two dances that point to different places.",
    "We propose to record both dancers and followers with infrared cameras for a whole summer.",
    "A model of evidence accumulation predicts that longer dances win only when the colony is short of food.",
    "Colonies with artificial feeders let us change the value of a place without moving it.",
    "If the prediction holds, the choice of a colony can be steered with a single trained forager.",
    "The experiment needs four observation hives, two students, and a field station near a meadow.",
    "Results would show whether a swarm weighs evidence as single animals do.",
)


def idea_of_length(request):
    """Different sentences each time, and more of them for some."""
    number = request.number
    some = [SENTENCES[(number * step + step) % len(SENTENCES)] for step in range(1, 5 + number % 3)]
    return f"Title: How followers of dance number {number} choose\n\nAbstract: {' '.join(dict.fromkeys(some))}"


def test_a_server_that_lacks_the_model_of_a_round_is_reported_with_what_to_start(home, phase_one, tmp_path):
    (tmp_path / "topics.txt").write_text("".join(f"bees and subject {n}\n" for n in range(6)))
    with Serving("m") as server:
        words = ["train", "iterate", phase_one, "--topics", tmp_path / "topics.txt", "--out", tmp_path / "p3",
                 "--objective", "published", "--rounds", "1", "--samples", "3", "--held-out-samples", "1",
                 "--margin", "0", "--server", f"server:m@{server.base_url}", *options(TINY)]  # fmt: skip
        out = novum(home, *words, code=2)
    assert "vllm serve" in out and "--served-model-name m-round-1" in out
