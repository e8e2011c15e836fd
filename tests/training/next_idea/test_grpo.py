"""Training a policy: advantages and loss against reference arithmetic, resuming, and a policy that learns."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from novum.errors import BadInput
from novum.ledger import Ledger
from novum.runs.kinds import entry_of
from novum.settings import load_settings
from novum.testing.next_idea_tasks import QUICK, write_invented_policy, write_invented_tasks
from novum.training.next_idea.environment.returns import group_advantages
from novum.training.next_idea.grpo.job import POINTS, ReturnPoint, append_line, cut_lines, read_lines
from novum.training.next_idea.grpo.recipe import NEXT_IDEA_RECIPES
from novum.training.next_idea.session import PolicyOptions, prepare_policy, read_training, train_policy_session
from novum.training.recipes.reading import preset_names, read_recipe_of

TRAINS = pytest.mark.skipif(importlib.util.find_spec("trl") is None, reason="needs the extra train")


def recipe(name, *sets):
    return read_recipe_of(NEXT_IDEA_RECIPES, name, sets=sets)


def test_the_preset_of_the_paper_has_the_hyperparameters_of_its_table():
    found = recipe("deep-innovator-14b")
    assert (found.grpo.tasks, found.grpo.mini_batch, found.grpo.generations, found.grpo.temperature) == (16, 8, 8, 1.0)
    assert (found.grpo.kl, found.grpo.learning_rate) == (0.001, 5e-7)
    assert (found.lengths.prompt, found.lengths.response) == (8192, 2048)
    assert (found.episode.ideas, found.episode.copies, found.episode.loss_on) == (6, 3, "all")
    assert (found.shaping.length_from, found.shaping.length_to) == (3000, 5000)
    assert found.lora is None
    assert not found.episode.comment_sees_truth


def test_the_preset_of_the_released_code_has_its_constants():
    found = recipe("as-released")
    assert (found.grpo.mini_batch, found.episode.copies, found.episode.loss_on) == (4, 3, "first")
    assert (found.shaping.weight, found.shaping.clamp, found.shaping.length_weight) == (5, 1, 0.1)
    assert found.episode.comment_sees_truth


def test_presets_are_listed_the_smallest_machine_first():
    assert preset_names(NEXT_IDEA_RECIPES)[0] == "as-released" or "cpu" in preset_names(NEXT_IDEA_RECIPES)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("grpo.generations=1", "greater than or equal to 2"),
        ("grpo.mini_batch=3", "tasks must be a multiple of mini_batch"),
        ("episode.ideas=7", "less than or equal to 6"),
        ("grpo.generatons=4", "did you mean generations"),
        ("roles.reward=magic", "roles.reward"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_one_line(change, told):
    with pytest.raises(BadInput, match=told):
        recipe("cpu", change)


def test_what_lies_after_the_checkpoint_is_forgotten(tmp_path):
    for step in (0, 5, 10):
        append_line(tmp_path / POINTS, ReturnPoint(step=step, seconds=1.0, mean_return=0.1, by_task={}))
    with (tmp_path / POINTS).open("ab") as file:
        file.write(b'{"step": 12, "sec')
    cut_lines(tmp_path, 5)
    assert [each.step for each in read_lines(tmp_path / POINTS, ReturnPoint)] == [0, 5]


def test_a_run_that_holds_the_calls_of_a_training_says_how_it_is_continued(tmp_path):
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        record = ledger.start_run("next-idea-training", "training of x", {})
    with pytest.raises(BadInput, match="Repeat its command `novum train next-idea`"):
        entry_of(record)


@pytest.fixture
def session(tmp_path):
    """A training of a tiny policy on invented tasks."""
    data, base = tmp_path / "tasks", tmp_path / "base"
    write_invented_tasks(data)

    def prepare(name, *sets, **options):
        if not base.exists():
            write_invented_policy(base)
        settings = load_settings({"home": str(tmp_path / "home")}, environment={}, folder=tmp_path)
        chosen = PolicyOptions("cpu", base=str(base), overrides=[*QUICK, *sets], **options)
        return prepare_policy(data, tmp_path / name, settings, chosen)

    return prepare


def run(session):
    return asyncio.run(train_policy_session(session, lambda child: [None for _ in child.events()] and None))


@pytest.mark.train
@TRAINS
@pytest.mark.filterwarnings("ignore")  # of the libraries, which run in this process here
def test_masks_advantages_and_loss_agree_with_reference_arithmetic(session, tmp_path):
    import torch

    from novum.training.finetuning.events import EventWriter
    from novum.training.finetuning.stopping import StopSignals
    from novum.training.next_idea.grpo.models import training_models
    from novum.training.next_idea.grpo.trainer import PolicyState, policy_trainer
    from novum.training.next_idea.grpo.trajectories import ChatTokens
    from novum.training.weights.base import load_base

    sets = ("grpo.tasks=1", "grpo.mini_batch=1", "grpo.generations=4", "grpo.rows=4", "grpo.kl=0.0")
    prepared = session("one", *sets)
    base = load_base(prepared.job.recipe.base, tmp_path, dtype="float32")
    with training_models(prepared.job) as models:
        tasks = prepared.data.records("train")
        state = PolicyState(
            prepared.job, tmp_path, tasks, [], models, ChatTokens(base.tokenizer), EventWriter(enabled=False),
            StopSignals(None), steps=1,
        )  # fmt: skip
        trainer = policy_trainer(base, state)
        inputs = [{"prompt": [{"role": "user", "content": tasks[0].id}]} for _ in range(4)]
        batch = trainer._generate_and_score_completions(inputs)
        rewards = [each["episode_reward"] for each in inputs]
        loss = trainer._compute_loss(trainer.model, batch)
    assert batch["advantages"].tolist() == pytest.approx(group_advantages(rewards), abs=1e-5)

    ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], 1)
    attention = torch.cat([batch["prompt_mask"], batch["completion_mask"]], 1)
    logits = trainer.model(input_ids=ids, attention_mask=attention).logits[:, :-1]
    width = batch["completion_ids"].shape[1]
    logp = torch.log_softmax(logits[:, -width:], -1).gather(2, batch["completion_ids"].unsqueeze(2)).squeeze(2)
    mask = (batch["completion_mask"] * batch["tool_mask"]).float()
    ratio = torch.exp(logp - logp.detach())  # the first update: old and new policy are the same
    terms = -(ratio * batch["advantages"].unsqueeze(1)) * mask
    assert loss.item() == pytest.approx((terms.sum(1) / mask.sum(1)).mean().item(), abs=1e-5)
    assert 0 < mask.sum() < batch["completion_mask"].sum()


@pytest.mark.train
@TRAINS
def test_a_tiny_policy_raises_its_return_on_tasks_that_it_was_not_trained_on(session):
    learnt = run(session("learnt", "grpo.steps=100", "episode.loss_on=all"))
    shuffled = run(session("shuffled", "grpo.steps=100", "episode.loss_on=all", "roles.reward=shuffled"))
    before, after = learnt.points[0], learnt.points[-1]
    gains = [after.by_task[task] - before.by_task[task] for task in after.by_task]
    assert len(gains) == 12
    assert min(gains) > 0.1
    assert after.mean_return > shuffled.points[-1].mean_return + 0.2
    assert learnt.model.finished


@pytest.mark.train
@TRAINS
def test_a_policy_trained_on_refinements_alone_writes_better_ideas(session):
    trained = run(session("refined", "grpo.steps=50", "episode.loss_on=refinements"))
    assert trained.points[-1].last_score > trained.points[0].last_score + 0.15


@pytest.mark.train
@TRAINS
def test_a_training_leaves_a_report_and_is_not_repeated(session, tmp_path):
    prepared = session("again", "grpo.steps=2")
    first = run(prepared)
    assert (tmp_path / "again" / "report.html").exists()
    assert read_training(tmp_path / "again") == first
    assert run(prepared) == first
    with pytest.raises(BadInput, match="holds another training"):
        run(session("again", "grpo.steps=3"))


RESUMED = (
    "lora.rank=4", "lora.dropout=0.1", "lengths.response=8", "lengths.prompt=200", "grpo.tasks=4", "grpo.mini_batch=2",
    "grpo.generations=4", "grpo.rows=4", "grpo.learning_rate=0.01", "grpo.steps=20", "held_out.tasks=2",
    "held_out.samples=1", "held_out.times=3", "keeping.every=3",
)  # fmt: skip
"""Twelve updates an epoch, two for each set of trajectories; a checkpoint every four."""


def command(tmp_path, out, *sets):
    options = [word for each in (*RESUMED, *sets) for word in ("--option", each)]
    words = ["train", "next-idea", tmp_path / "tasks", "--base", tmp_path / "base", "--name", "same", "--recipe", "cpu",
             "--out", tmp_path / out, *options]  # fmt: skip
    return subprocess.Popen(
        [sys.executable, "-m", "novum", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"NOVUM_HOME": str(tmp_path / "home")},
    )  # fmt: skip


def adapter(folder):
    from safetensors.torch import load_file

    return load_file(folder / "adapter" / "adapter_model.safetensors")


@pytest.mark.train
@TRAINS
@pytest.mark.parametrize("reward", ["similarity", "shuffled"])
def test_a_training_that_was_killed_ends_with_the_same_adapter(tmp_path, reward):
    write_invented_tasks(tmp_path / "tasks")
    write_invented_policy(tmp_path / "base")
    whole = command(tmp_path, "whole", f"roles.reward={reward}")
    assert "step 20 " in whole.communicate()[1]
    killed = command(tmp_path, "killed", f"roles.reward={reward}")
    for line in killed.stderr:
        if line.startswith("step 18 "):
            break
    children = Path(f"/proc/{killed.pid}/task/{killed.pid}/children").read_text().split()
    for number in (*map(int, children), killed.pid):
        os.kill(number, signal.SIGKILL)
    killed.communicate()
    assert "from step 16" in command(tmp_path, "killed", f"roles.reward={reward}").communicate()[1]
    one, other = adapter(tmp_path / "whole"), adapter(tmp_path / "killed")
    assert one.keys() == other.keys()
    assert all(bool((one[name] == other[name]).all()) for name in one)
    assert any(float(one[name].abs().max()) > 0 for name in one if "lora_B" in name)
    first, second = (read_training(tmp_path / out) for out in ("whole", "killed"))
    assert first.steps == second.steps
    assert [each.by_task for each in first.points] == [each.by_task for each in second.points]


@pytest.mark.train
@TRAINS
def test_too_few_tasks_that_fit_are_told_in_one_line(session):
    with pytest.raises(Exception, match="0 training tasks whose prompts fit"):
        run(session("long", "lengths.prompt=32"))


@pytest.mark.train
@TRAINS
def test_comments_and_rewards_of_models_are_calls_of_a_run_in_the_ledger(tmp_path, serve):
    def answer(request):
        if request.form == "IdeaCritique":
            return json.dumps({"analysis": "court and oven", "red_flags": ["x"], "advice": "y", "sound": False})
        if request.form == "Comparison":
            return None
        unreadable = "oven" in request.text
        return json.dumps({"reason": "r", "first": 0.2, "second": 7 if unreadable else 0.5})

    server = serve(answer)
    data, base = write_invented_tasks(tmp_path / "tasks", 4, 2), write_invented_policy(tmp_path / "base")
    home = tmp_path / "home"
    settings = load_settings({"home": str(home), "writer": server.model}, environment={}, folder=tmp_path)
    sets = (
        *QUICK, "grpo.steps=2", "grpo.tasks=1", "grpo.mini_batch=1", "grpo.generations=4", "grpo.rows=4",
        "episode.ideas=3",
        "roles.comments=model", "roles.reward=model", f"roles.watch_model={server.model}", "held_out.tasks=1",
        "held_out.samples=1",
    )  # fmt: skip
    prepared = prepare_policy(data, tmp_path / "out", settings, PolicyOptions("cpu", base=str(base), overrides=sets))
    training = run(prepared)
    assert training.steps[0].judged > 0
    assert sum(each.failed_steps for each in training.steps) > 0
    assert {"IdeaCritique", "IdeaScores", "Comparison"} <= set(server.forms())
    with Ledger.open(home / "ledger.sqlite") as ledger:
        [record] = ledger.runs()
        assert (record.kind, record.status) == ("next-idea-training", "finished")
        assert ledger.spend(record.id).calls == server.answered
