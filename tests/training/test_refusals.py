"""What training refuses before anything is loaded: little memory, no GPU, wrong files, an adapter of another base."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from novum.errors import BadInput
from novum.files.folder import CARD
from novum.testing import ScriptedServer
from novum.training.finetuning import checkpoints
from novum.training.finetuning.conversations import open_ideas
from novum.training.finetuning.job import TuningJob
from novum.training.finetuning.kinds import plan_conversations
from novum.training.finetuning.preferences.data_set import open_preferences
from novum.training.ideas.round_records import IterateTask
from novum.training.ideas.rounds import run_rounds
from novum.training.launching import fitting
from novum.training.launching.estimate import check_loading, check_memory
from novum.training.launching.fitting import Machine, check_machine
from novum.training.launching.session import TrainingOptions, check_possible
from novum.training.recipes import read_recipe
from novum.training.weights.adapter_shapes import check_adapter
from novum.training.weights.base import base_folder
from tests.training.idea_files import preference_set, turns

ALL = frozenset({"torch", "transformers", "trl", "peft", "accelerate", "datasets", "gguf", "deepspeed", "bitsandbytes"})
LAPTOP = Machine(False, 2, ALL, memory_gigabytes=16)
BASE = {"hidden_size": 64, "intermediate_size": 192, "num_hidden_layers": 2}


def job(recipe="cpu", kind="sft", sets=(), launch="one", processes=1, **more):
    fields = {"name": "p", "data": "", "digest": "", "models_folder": ""}
    return TuningJob(
        kind=kind,
        recipe=read_recipe(recipe, sets=sets, kind=kind, **more),
        launch=launch,
        processes=processes,
        **fields,
    )


@pytest.mark.parametrize(
    ("wanted", "machine"),
    [
        (job(base="a/b-70B"), LAPTOP),
        (job(base="a/b-3B", sets=["tuning=full"]), LAPTOP),
        (job(base="a/b-3B", launch="ddp", processes=4), LAPTOP),
        (job("8x80gb", launch="fsdp", processes=8), Machine(True, 64, ALL, 900, "T4", gpu_gigabytes=15)),
    ],
)
def test_a_training_that_needs_more_memory_than_there_is_is_refused_by_the_size_of_its_base(wanted, machine):
    with pytest.raises(BadInput, match=r"needs about \d+ GB, and .* has 1[56]: choose a smaller base") as caught:
        check_memory(wanted, machine)
    assert "\n" not in str(caught.value)


def test_a_training_that_fits_is_not_refused():
    check_memory(job(), LAPTOP)
    check_memory(job("8x80gb", launch="fsdp", processes=8), Machine(True, 64, ALL, 900, "A100", gpu_gigabytes=86))


def test_a_model_that_cannot_be_loaded_to_write_is_refused_with_the_server_as_a_remedy():
    check_loading("a/b-3B", LAPTOP)
    with pytest.raises(BadInput, match=r"a/b-70B needs about 280 GB to be loaded, and this machine has 16: .*--server"):
        check_loading("a/b-70B", LAPTOP)


def test_a_container_may_use_less_memory_than_its_machine_has(tmp_path, monkeypatch):
    (tmp_path / "limit").write_text("2000000000\n")
    monkeypatch.setattr(fitting, "_CONTAINER_LIMITS", (str(tmp_path / "none"), str(tmp_path / "limit")))
    assert fitting.this_machine().memory_gigabytes == 2
    (tmp_path / "limit").write_text("max\n")
    assert fitting.this_machine().memory_gigabytes != 2


@pytest.mark.parametrize(
    ("recipe", "launch", "machine", "message"),
    [
        ("24gb", "one", LAPTOP, "for a GPU, and this machine has none"),
        (
            "8x80gb",
            "fsdp",
            Machine(False, 64, ALL, unused_gpu=True),
            "PyTorch that is installed is for processors alone",
        ),
        ("cpu", "fsdp", LAPTOP, "--launch fsdp needs GPUs"),
    ],
)
def test_cuda_that_is_asked_for_where_there_is_none_is_refused(recipe, launch, machine, message):
    with pytest.raises(BadInput, match=message) as caught:
        check_machine(read_recipe(recipe, kind="sft"), launch, machine)
    assert "\n" not in str(caught.value)


def test_a_gpu_that_pytorch_was_not_installed_for_is_none(tmp_path, monkeypatch):
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\necho 'NVIDIA T4, 15360, 70'\n")
    (tmp_path / "nvidia-smi").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(fitting.importlib.metadata, "version", lambda name: "2.9.0+cpu")
    assert (fitting.this_machine().cards, fitting.this_machine().unused_gpu) == (False, True)
    monkeypatch.setattr(fitting.importlib.metadata, "version", lambda name: "2.9.0+cu128")
    assert fitting.this_machine().cards


def test_rounds_ask_no_model_where_their_training_could_not_run(tmp_path, monkeypatch):
    monkeypatch.setattr("novum.training.launching.session.this_machine", lambda: LAPTOP)
    with ScriptedServer("{}") as server:
        task = IterateTask(
            name="p3", model="a/b-70B", topics=("a", "b"), held_out=("c", "d"), rounds=1, objective="published",
            judges=(f"server:m@{server.base_url}",), server=f"server:m@{server.base_url}",
        )  # fmt: skip
        with pytest.raises(BadInput, match="needs about"):
            run_rounds(task, tmp_path / "p3", tmp_path, stages=None)
        assert server.asked == []
    assert not (tmp_path / "p3").exists()


def test_a_recipe_for_eight_gpus_is_refused_before_there_are_data(tmp_path, monkeypatch):
    monkeypatch.setattr("novum.training.launching.session.this_machine", lambda: LAPTOP)
    with pytest.raises(BadInput, match="for a GPU"):
        check_possible(TrainingOptions(recipe="8x80gb", kind="sft"), tmp_path)


def preferences(tmp_path, row):
    folder = preference_set(tmp_path / "pairs", pairs=4)
    file = folder / "data" / "train.jsonl"
    file.write_text(file.read_text() + (row if isinstance(row, str) else json.dumps(row)) + "\n")
    return folder


GOOD, BEES = turns("user", "Bees?"), turns("assistant", "Bees dance.")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"prompt": GOOD, "accepted": BEES, "rejected": BEES}, "line 5: chosen: field required"),
        ({"question": GOOD, "chosen": BEES, "rejected": BEES}, "line 5: prompt: field required"),
        ({"prompt": "Bees?", "chosen": "Yes", "rejected": "No"}, "line 5: prompt: input should be a valid array"),
        ({"prompt": GOOD, "chosen": BEES, "rejected": [{"text": "No"}]}, "a turn has a role and a content"),
        ({"prompt": GOOD, "chosen": turns("assistant", " \n"), "rejected": BEES}, "chosen: .*the text is empty"),
        ({"prompt": GOOD, "chosen": BEES, "rejected": turns("assistant", "")}, "rejected: .*the text is empty"),
        ("prompt,chosen,rejected", "line 5: the row: invalid json"),
    ],
)
def test_a_preference_file_with_wrong_columns_or_empty_answers_is_refused_with_its_line(row, message, tmp_path):
    pairs = open_preferences(preferences(tmp_path, row))
    with pytest.raises(BadInput, match=message) as caught:
        pairs.select(read_recipe("cpu", kind="dpo"))
    assert "A row has the columns prompt, chosen and rejected, each a list of turns." in str(caught.value)
    assert "\n" not in str(caught.value)


def test_pairs_that_are_one_file_and_no_data_set_are_refused_with_the_command_that_builds_one(tmp_path):
    with pytest.raises(BadInput, match="novum data build preferences"):
        open_preferences(preference_set(tmp_path / "pairs") / "data" / "train.jsonl")


@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_an_empty_answer_of_any_split_is_found_by_the_plan(split, ideas, tmp_path):
    file = ideas / "data" / f"{split}.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    rows[-1]["completion"][0]["content"] = "  "
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(BadInput, match=rf"{split}\.jsonl is damaged .*the answer is empty"):
        plan_conversations(open_ideas(ideas), read_recipe("cpu", kind="sft"))


@pytest.fixture
def ideas(tmp_path):
    """A data set of ideas as `novum data build ideas` leaves it, as far as training reads it."""
    from novum.training.ideas.card import IdeaDataCard, IdeaDataSettings

    for table in ("data", "about"):
        (tmp_path / "ideas" / table).mkdir(parents=True)
    for split in ("train", "validation", "test"):
        row = {"prompt": GOOD, "completion": BEES}
        facts = {"task": "idea", "topic": "bees", "prompt_tokens": 3, "completion_tokens": 3}
        (tmp_path / "ideas" / "data" / f"{split}.jsonl").write_text(f"{json.dumps(row)}\n" * 4)
        lines = (json.dumps(facts | {"paper": f"{split} {number}"}) + "\n" for number in range(4))
        (tmp_path / "ideas" / "about" / f"{split}.jsonl").write_text("".join(lines))
    card = IdeaDataCard(name="i", made="", novum="", library="", prompt="", settings=IdeaDataSettings(), fitted_on=4,
                        tried=(), topics=(), splits=(), left_out={})  # fmt: skip
    (tmp_path / "ideas" / CARD).write_text(card.model_dump_json())
    return tmp_path / "ideas"


def adapter(folder, *, hidden=64, inner=192, layers=2, **settings):
    """An adapter of rank 4 on two layers of each block, as PEFT saves it."""
    folder.mkdir()
    names = {"self_attn.q_proj": (hidden, hidden), "mlp.down_proj": (inner, hidden)}
    arrays = {}
    for layer in range(layers):
        for name, (reads, writes) in names.items():
            key = f"base_model.model.model.layers.{layer}.{name}.lora_"
            arrays |= {f"{key}A.weight": np.zeros((4, reads), "f4"), f"{key}B.weight": np.zeros((writes, 4), "f4")}
    save_file(arrays, folder / "adapter_model.safetensors")
    (folder / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA", "r": 4} | settings))
    return folder


def test_an_adapter_fits_the_base_that_it_was_trained_on(tmp_path):
    check_adapter(adapter(tmp_path / "a"), "base", BASE)
    check_adapter(adapter(tmp_path / "b", layers=1, layers_to_transform=[0]), "base", BASE)
    check_adapter(adapter(tmp_path / "c", hidden=1), "base of unknown sizes", {})


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"hidden": 32}, "hidden_size 32, not 64"),
        ({"inner": 64}, "intermediate_size 64, not 192"),
        ({"layers": 4}, "4 layers, not 2"),
        ({"peft_type": "PREFIX_TUNING", "num_layers": 9, "token_dim": 64}, "num_hidden_layers 9, not 2"),
    ],
)
def test_an_adapter_of_another_base_is_refused_by_its_shapes(sizes, message, tmp_path):
    with pytest.raises(BadInput, match=rf"made for another base than offline:x \({message}\)"):
        check_adapter(adapter(tmp_path / "a", **sizes), "offline:x", BASE)


def test_an_adapter_that_was_cut_off_is_refused(tmp_path):
    file = adapter(tmp_path / "a") / "adapter_model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(BadInput, match="is cut off or damaged"):
        check_adapter(tmp_path / "a", "base", BASE)


def test_an_adapter_named_as_a_base_is_refused_with_what_to_name(tmp_path):
    with pytest.raises(BadInput, match="is an adapter, which needs its base"):
        base_folder(str(adapter(tmp_path / "a")), tmp_path)


def checkpoint(folder, step):
    place = folder / "checkpoints" / f"checkpoint-{step}"
    place.mkdir(parents=True)
    (place / "adapter_model.safetensors").write_bytes(bytes(1000))
    (place / "optimizer.pt").write_bytes(bytes(2000))
    checkpoints.finish_checkpoint(folder, step, 10.0 * step)
    return place


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:700])


@pytest.mark.parametrize("damage", [cut, Path.unlink])
@pytest.mark.parametrize("name", ["adapter_model.safetensors", "optimizer.pt"])
def test_a_checkpoint_that_a_full_disk_cut_off_is_passed_over_for_the_one_before(damage, name, tmp_path):
    checkpoint(tmp_path, 5)
    damage(checkpoint(tmp_path, 10) / name)
    assert checkpoints.last_checkpoint(tmp_path).step == 5


def test_a_checkpoint_whose_note_was_cut_off_does_not_count(tmp_path):
    note = checkpoint(tmp_path, 5) / checkpoints.NOTE
    note.write_bytes(note.read_bytes()[:10])
    assert checkpoints.last_checkpoint(tmp_path) is None
