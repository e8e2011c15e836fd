"""What the training process refuses before it loads the weights: here they are not there, and are not missed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from novum.training.finetuning.job import TuningJob, write_job
from novum.training.recipes import read_recipe
from tests.training.idea_files import preference_set, turns

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")]
SMALL = ["lengths.sequence=1400", "lengths.prompt=900", "batch.rows=2", "held_out.rows=2", "held_out.choosing_rows=2",
         "precision.compute=fp32", "keeping.merge=false"]  # fmt: skip
WEIGHTS = "model.safetensors"


@pytest.fixture
def base(tmp_path):
    """A base without weights."""
    from tests.training.tiny_base import tiny_base

    folder = tiny_base(tmp_path / "base")
    (folder / WEIGHTS).unlink()
    return folder


def refused(tmp_path, base, *sets, pairs=None):
    """The line that the process ends with."""
    data = pairs or preference_set(tmp_path / "pairs", pairs=4)
    job = TuningJob(name="p", kind="dpo", data=str(data), digest="", models_folder=str(tmp_path),
                    recipe=read_recipe("cpu", str(base), [*SMALL, *sets], kind="dpo"))  # fmt: skip
    (tmp_path / "out").mkdir()
    write_job(job, tmp_path / "out")
    words = [sys.executable, "-m", "novum.training.finetuning", str(tmp_path / "out")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout.splitlines()[-1].partition("novum ")[2])["why"]


def test_weights_that_are_missing_or_cut_off_are_reported_when_they_are_needed(base, tmp_path):
    (base / WEIGHTS).write_bytes(b"\xff" * 40)
    assert f"The weights of {base} are cut off or damaged" in refused(tmp_path, base)


def test_a_base_without_a_chat_template_is_refused(base, tmp_path):
    (base / "chat_template.jinja").unlink()
    assert "has no chat template: choose a model that was tuned to follow" in refused(tmp_path, base)


def test_prompts_that_are_all_over_length_are_refused_with_the_settings_that_decide(base, tmp_path):
    pairs = preference_set(tmp_path / "long", pairs=2)
    prompt = [*turns("system", "You know bees. " * 90), *turns("user", "Bees?")]
    row = {"prompt": prompt, "chosen": turns("assistant", "Yes."),
           "rejected": turns("assistant", "No.")}  # fmt: skip
    for split in ("train", "validation", "test"):
        (pairs / "data" / f"{split}.jsonl").write_text(json.dumps(row) + "\n")
    told = refused(tmp_path, base, "lengths.sequence=128", "lengths.prompt=64", pairs=pairs)
    assert told.startswith("No pair fits the recipe's lengths") and "increase lengths.sequence" in told


def test_a_recipe_for_a_gpu_is_refused_where_pytorch_can_use_none(base, tmp_path):
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is one")
    assert "PyTorch finds none that it can use" in refused(tmp_path, base, "device.kind=gpu")


def test_an_adapter_of_another_base_is_refused(base, tmp_path):
    from peft import LoraConfig, get_peft_model
    from transformers import LlamaConfig, LlamaForCausalLM

    from novum.core.trained import TrainedModel
    from novum.training.weights.trained_folder import write_trained

    wider = LlamaConfig(vocab_size=300, hidden_size=64, intermediate_size=64, num_hidden_layers=2,
                        num_attention_heads=2, num_key_value_heads=2)  # fmt: skip
    (tmp_path / "earlier").mkdir()
    adapted = get_peft_model(LlamaForCausalLM(wider), LoraConfig(r=4, target_modules="all-linear"))
    adapted.save_pretrained(tmp_path / "earlier" / "adapter")
    write_trained(TrainedModel(name="e", purpose="ideas", kind="sft", base=str(base), data="", steps=1, seconds=1,
                               tokens=1), tmp_path / "earlier")  # fmt: skip
    told = refused(tmp_path, tmp_path / "earlier")
    assert f"was made for another base than {base} (hidden_size 64, not 32)" in told
