"""What is run for a training, what goes together, and what is said when its process dies."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from novum.errors import BadInput
from novum.training.finetuning.conversations import open_set
from novum.training.finetuning.job import TuningJob, read_job, write_job
from novum.training.finetuning.selection import select_training_rows
from novum.training.launching.child import Child, TrainingFailed
from novum.training.launching.command import CommandLine, Nodes, command_line, configuration
from novum.training.launching.estimate import ModelShape, estimate, memory, shape_of
from novum.training.launching.fitting import LAUNCHES, Machine, check_machine, check_together
from novum.training.recipes import read_recipe
from tests.training.tuning import review_set

ALL = frozenset({"torch", "transformers", "trl", "peft", "accelerate", "datasets", "gguf", "deepspeed", "bitsandbytes"})
LAPTOP, SERVER = Machine(False, 2, ALL), Machine(True, 64, ALL)


def job(recipe="cpu", launch="one", processes=1, **more):
    fields = {"name": "mini", "data": "data", "digest": "d", "models_folder": "models"} | more
    return TuningJob(recipe=read_recipe(recipe), launch=launch, processes=processes, **fields)


def test_one_process_is_python_and_our_module(tmp_path):
    words = command_line(job(), tmp_path, LAPTOP, max_minutes=5).words
    assert words == (sys.executable, "-m", "novum.training.finetuning", str(tmp_path), "--max-minutes", "5")


def test_two_processes_on_a_processor_are_started_by_torch_and_share_its_cores(tmp_path):
    command = command_line(job(launch="ddp", processes=2), tmp_path, LAPTOP)
    assert "torch.distributed.run" in command.words and "--nproc-per-node=2" in command.words
    assert command.variables["OMP_NUM_THREADS"] == "1"
    assert command.variables["ACCELERATE_USE_CPU"] == "true"


@pytest.mark.parametrize("launch", [each for each in LAUNCHES if each != "one"])
def test_several_on_cards_are_started_by_accelerate_with_its_configuration(launch, tmp_path):
    words = command_line(job("7b", launch, 8), tmp_path, SERVER).words
    assert f"--config_file={configuration(launch)}" in words
    assert "--mixed_precision=bf16" in words and "--num_processes=8" in words


def test_several_machines_know_each_other(tmp_path):
    words = command_line(job("72b", "fsdp", 16), tmp_path, SERVER, nodes=Nodes(2, 1, "10.0.0.1:29500")).words
    assert {"--num_machines=2", "--machine_rank=1", "--main_process_ip=10.0.0.1", "--main_process_port=29500"} <= set(
        words
    )


@pytest.mark.parametrize(
    ("launch", "processes", "nodes"),
    [
        ("one", 1, Nodes(2, 0, "a:1")),
        ("fsdp", 8, Nodes(2, 2, "a:1")),
        ("fsdp", 8, Nodes(2, 0, "a")),
        ("fsdp", 7, Nodes(2, 0, "a:1")),
    ],
)
def test_machines_that_cannot_be_are_refused(launch, processes, nodes, tmp_path):
    with pytest.raises(BadInput):
        command_line(job("7b", launch, processes), tmp_path, SERVER, nodes=nodes)


@pytest.mark.parametrize(("recipe", "processes", "nodes"), [("8x80gb", 8, Nodes()), ("nodes", 32, Nodes(4, 0, "a:1"))])
def test_the_line_of_a_recipe_for_gpus_is_the_same_where_there_is_none(recipe, processes, nodes, tmp_path):
    made = read_recipe(recipe, kind="sft")
    assert (made.device.launch, made.device.processes) == ("fsdp", processes)
    large = job(launch="fsdp", processes=processes).model_copy(update={"recipe": made})
    here, there = (command_line(large, tmp_path, machine, nodes=nodes) for machine in (LAPTOP, SERVER))
    assert here == there and f"--num_processes={processes}" in here.words
    assert "ACCELERATE_USE_CPU" not in here.variables


def test_several_machines_without_gpus_would_each_train_alone_and_are_refused(tmp_path):
    with pytest.raises(BadInput, match="needs GPUs"):
        command_line(job("cpu", "ddp", 4), tmp_path, LAPTOP, nodes=Nodes(2, 1, "a:1"))


def test_a_folder_whose_name_looks_like_an_option_is_named_in_full(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert command_line(job(), Path("-x"), LAPTOP).words[-1] == str(tmp_path / "-x")


@pytest.mark.parametrize("launch", [each for each in LAUNCHES if each != "one"])
def test_a_configuration_says_how_it_shares(launch):
    settings = yaml.safe_load(configuration(launch).read_text("utf-8"))
    assert settings["distributed_type"] == {"ddp": "MULTI_GPU", "fsdp": "FSDP"}.get(launch, "DEEPSPEED")
    if launch.startswith("deepspeed"):
        assert settings["deepspeed_config"]["zero_stage"] == int(launch[-1])


@pytest.mark.parametrize(
    ("recipe", "launch", "processes", "message"),
    [
        ("24gb", "fsdp", 2, "cannot shard 4-bit weights"),
        ("24gb", "deepspeed-3", 2, "cannot shard 4-bit weights"),
        ("cpu", "one", 2, "one process"),
        ("cpu", "ddp", 1, "--processes 2"),
        ("cpu", "ddp", 5000, "--processes 5000"),
    ],
)
def test_what_cannot_go_together_is_refused_in_one_line(recipe, launch, processes, message):
    with pytest.raises(BadInput, match=message):
        check_together(read_recipe(recipe), launch, processes)


def test_four_bits_on_several_cards_go_by_ddp():
    check_together(read_recipe("24gb"), "ddp", 2)
    check_machine(read_recipe("24gb"), "ddp", SERVER)


@pytest.mark.parametrize(
    ("recipe", "launch", "machine", "message"),
    [
        ("cpu", "one", Machine(False, 2, frozenset()), r"pip install .*\[train\]"),
        ("7b", "deepspeed-3", Machine(True, 8, ALL - {"deepspeed"}), "pip install deepspeed"),
        ("7b", "fsdp", LAPTOP, "this machine has none"),
        ("24gb", "one", Machine(True, 8, ALL - {"bitsandbytes"}), "pip install bitsandbytes"),
    ],
)
def test_what_a_machine_lacks_is_reported_with_the_remedy(recipe, launch, machine, message):
    with pytest.raises(BadInput, match=message):
        check_machine(read_recipe(recipe), launch, machine)


@pytest.mark.parametrize(
    ("base", "billions"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", 7),
        ("Qwen/Qwen2.5-72B-Instruct", 72),
        ("offline:smollm2-135m", 0.135),
        ("a/b-0.5B", 0.5),
    ],
)
def test_the_size_of_a_base_is_read_from_its_name(base, billions):
    assert shape_of(base).parameters == pytest.approx(billions * 1e9)


def test_a_base_whose_name_says_nothing_has_no_size():
    assert shape_of("my-model") is None
    assert shape_of("trial-0b") is None


def test_less_memory_is_needed_with_four_bits_and_when_weights_are_shared_out():
    seven = ModelShape(7_600_000_000, 3584, 28)
    whole, small = read_recipe("7b"), read_recipe("24gb")
    assert memory(seven, small, "one", 1) < 24 < memory(seven, whole, "one", 1) < 80
    assert memory(seven, whole, "fsdp", 8) < memory(seven, whole, "ddp", 8)


def test_the_plan_counts_rows_steps_and_tokens(tmp_path):
    about = open_set(review_set(tmp_path)).about("train")
    recipe = read_recipe("cpu", sets=["rows.most=24"])
    chosen = select_training_rows(open_set(tmp_path / "set"), recipe)
    lengths = [about[row].prompt_tokens + about[row].completion_tokens for row in chosen.training]
    plan = estimate(lengths, job().model_copy(update={"recipe": recipe}), LAPTOP)
    assert plan.rows == len(chosen.training) and plan.steps == plan.rows // 8
    assert 0 < plan.tokens <= plan.rows * 320


def test_what_is_held_out_is_later_and_what_chooses_is_neither(tmp_path):
    selected = select_training_rows(open_set(review_set(tmp_path)), read_recipe("cpu"))
    assert selected.training and selected.held_out and selected.choosing and selected.rated
    assert selected.values == (0.22, 0.78)


def test_data_without_the_wanted_tasks_are_reported(tmp_path):
    folder = review_set(tmp_path, ideas="none")
    with pytest.raises(BadInput, match="--strip"):
        select_training_rows(
            open_set(folder),
            read_recipe("cpu", sets=["rows.tasks.original-review=0", "rows.tasks.original-abstract=0"]),
        )
    assert select_training_rows(open_set(folder), read_recipe("cpu")).left_tasks == ("idea-review", "idea-abstract")


def test_ratings_at_the_end_cannot_be_read_out(tmp_path):
    assert select_training_rows(open_set(review_set(tmp_path, rating_at="end")), read_recipe("cpu")).rated == ()


@pytest.mark.parametrize("damage", ["not json", '{"task": "poem"}', "x" * 5_000_000])
def test_a_damaged_set_is_refused(damage, tmp_path):
    folder = review_set(tmp_path, papers=4)
    (folder / "about" / "train.jsonl").write_text(damage, encoding="utf-8")
    with pytest.raises(BadInput, match="damaged"):
        open_set(folder).about("train")


def test_a_folder_that_is_no_set_is_refused(tmp_path):
    with pytest.raises(BadInput, match="novum data build judge"):
        open_set(tmp_path)


def test_a_job_is_the_same_wherever_its_data_lie(tmp_path):
    write_job(job(data="here"), tmp_path)
    assert read_job(tmp_path).same_as(job(data="there"))
    assert not read_job(tmp_path).same_as(job(name="other"))


def child(tmp_path, script):
    return Child(CommandLine((sys.executable, "-c", script), {}), tmp_path / "log.txt")


EVENT = r"print('\x1enovum {\"kind\": \"step\", \"step\": 1}', flush=True)"


def test_events_are_reported_and_all_else_goes_to_the_log(tmp_path):
    process = child(tmp_path, f"print('some noise'); {EVENT}; print('more')")
    assert [each["step"] for each in process.events()] == [1]
    process.check()
    process.close()
    assert (tmp_path / "log.txt").read_text() == "some noise\nmore\n"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("import os; os.kill(os.getpid(), 9)", "memory ran out"),
        ("raise SystemError('the wheel came off')", "the wheel came off"),
        (
            r"""print('\x1enovum {"kind": "failed", "why": "The disk is full."}'); raise SystemExit(2)""",
            "^The disk is full.$",
        ),
        ("raise SystemExit(7)", "exit code 7"),
    ],
)
def test_a_process_that_dies_leaves_one_line(script, message, tmp_path):
    process = child(tmp_path, script)
    assert list(process.events()) == []
    with pytest.raises(TrainingFailed, match=message):
        process.check()
    process.close()


def test_a_process_that_does_not_listen_is_ended_at_the_second_asking(tmp_path):
    script = f"import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); {EVENT}; time.sleep(600)"
    process = child(tmp_path, script)
    for _ in process.events():
        process.stop()
        process.stop()
    assert process.stop_requested
    process.close()


def test_the_process_that_rates_says_what_it_wants(tmp_path):
    command = [sys.executable, "-m", "novum.training.finetuning.rate", "one"]
    ended = subprocess.run(command, capture_output=True, check=False, text=True)
    assert ended.returncode == 2 and "Name two files" in ended.stderr
