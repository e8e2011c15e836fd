"""The time of a training step: ours beside the bare trainer of TRL, on the same data, settings and random numbers.

The base is drawn by chance, of some ten million weights, so that a step takes a fraction of a second on two cores: what
ours adds is a fixed time for each step, and weighs less on a larger model. Both trainers live at the same time and take
turns, step by step, so that what else the machine does stands in both. A step counts from the end of the one before to
its own end. The first steps do not count. Each run begins with another of the two; the figure is the median of the
ratios of neighbouring steps. The same ratio of processor time stands beside it: it holds on a busy machine as well.

GRPO: the bare trainer samples the same responses to the same tokens, and is given the comments and rewards of a run
before. So the figure has the cost of playing episodes, commenting, rewarding and the watch.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models
from transformers import (
    AutoTokenizer,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    PrinterCallback,
    TrainerCallback,
)
from trl import DPOConfig, DPOTrainer, GRPOTrainer, SFTConfig, SFTTrainer

from figures.row import Bench, Row, at_most
from novum.core.trained import CurvePoint
from novum.testing.next_idea_tasks import invented_task, write_invented_policy
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.job import TuningJob
from novum.training.finetuning.ordering import order_rows
from novum.training.finetuning.preferences.trainer import PreferenceTrainer
from novum.training.finetuning.stopping import StopSignals
from novum.training.finetuning.supervised import SupervisedTrainer
from novum.training.finetuning.trainer import TrainingState, adapter_config, common_arguments, lora_config_of
from novum.training.next_idea.grpo.job import NextIdeaJob
from novum.training.next_idea.grpo.models import training_models
from novum.training.next_idea.grpo.recipe import NEXT_IDEA_RECIPES
from novum.training.next_idea.grpo.trainer import PolicyState, episode_reward, grpo_arguments, policy_trainer
from novum.training.next_idea.grpo.trajectories import ChatTokens
from novum.training.recipes import read_recipe
from novum.training.recipes.reading import read_recipe_of
from novum.training.weights.base import Base

_STEPS, _GRPO_STEPS, _WARM_UP = 32, 14, 4
_LENGTH, _WORDS = 192, 4096
_SETS = ("batch.rows=4", "held_out.times=1", "keeping.every=1000", "precision.compute=fp32", "lora.rank=8")
_GRPO_SETS = (
    "episode.ideas=3", "episode.loss_on=all", "lengths.prompt=200", "lengths.response=24", "grpo.tasks=2",
    "grpo.mini_batch=2", "grpo.generations=4", "grpo.rows=8", f"grpo.steps={_GRPO_STEPS}", "grpo.learning_rate=1e-5",
    "held_out.tasks=0", "keeping.every=1000", "lora.rank=8",
)  # fmt: skip
_OURS, _BARE = "ours", "TRL's"
Make = Callable[[], Any]
"""Makes a trainer."""


def steps(bench: Bench) -> list[Row]:
    """Our step against that of TRL, for supervised training, DPO and GRPO."""
    rows = []
    for kind, both in (("sft", _sft), ("dpo", _dpo), ("grpo", _grpo)):
        pairs: list[_Pair] = []
        with ExitStack() as stack:
            for run in range(bench.runs):
                made = stack.enter_context(both(bench.home / f"{kind}-{run}"))
                pairs += _in_turn(made, first=(_OURS, _BARE)[run % 2])
                print(f"  {kind}, run {run + 1}: {_told(pairs)}", flush=True)
        rows.append(at_most(f"a step of {kind}, beside TRL's own", _ratio(pairs), 1.05, _told(pairs), "x"))
    return rows


class _Step(NamedTuple):
    """Seconds of a step, and of the processor's cores."""

    wall: float
    cpu: float


_Pair = tuple[_Step, _Step]
"""A step of ours, and the bare trainer's beside it."""


def _ratio(pairs: Sequence[_Pair]) -> float:
    return median(ours.wall / bare.wall for ours, bare in pairs)


def _told(pairs: Sequence[_Pair]) -> str:
    low, _, high = quantiles((ours.wall / bare.wall for ours, bare in pairs), n=4)
    own, floor = (median(pair[side].wall for pair in pairs) for side in (0, 1))
    cpu = median(ours.cpu / bare.cpu for ours, bare in pairs)
    spread = f"half of {len(pairs)} pairs: {low:.3f} to {high:.3f}"
    return f"{own:.3f} s, TRL {floor:.3f} s; {spread}; processor time {cpu:.3f}x"


def _in_turn(made: dict[str, Make], first: str) -> list[_Pair]:
    """Each step of both trainers, ours first in each pair."""
    order = [first, *(name for name in made if name != first)]
    baton = _Baton(order)
    threads = [threading.Thread(target=_run, args=(name, made[name], baton)) for name in order]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return list(zip(baton.steps[_OURS][_WARM_UP:], baton.steps[_BARE][_WARM_UP:], strict=True))


def _run(name: str, make: Make, baton: _Baton) -> None:
    baton.take(name)
    try:
        _train(make(), _Clock(name, baton))
    finally:
        baton.leave(name)


def _train(trainer: Any, clock: TrainerCallback) -> None:
    trainer.add_callback(clock)
    trainer.remove_callback(PrinterCallback)
    trainer.train()


class _Baton:
    """Whose turn it is. Each keeps the baton from the end of one step to the end of the next."""

    def __init__(self, order: Sequence[str]) -> None:
        self._here, self._order, self._turn = threading.Condition(), list(order), order[0]
        self.steps: dict[str, list[_Step]] = {name: [] for name in order}
        self._began = self._cpu = 0.0

    def take(self, name: str) -> None:
        with self._here:
            self._here.wait_for(lambda: self._turn == name)
        self._began, self._cpu = time.perf_counter(), time.process_time()

    def give(self, name: str) -> None:
        step = _Step(time.perf_counter() - self._began, time.process_time() - self._cpu)
        self.steps[name].append(step)
        with self._here:
            self._turn = next((other for other in self._order if other != name), name)
            self._here.notify_all()

    def leave(self, name: str) -> None:
        with self._here:
            self._order.remove(name)
            self._turn = next(iter(self._order), "")
            self._here.notify_all()


class _Clock(TrainerCallback):
    """Gives the baton away at the end of each step, and sets the random numbers of the next."""

    def __init__(self, name: str = "", baton: _Baton | None = None) -> None:
        self._name, self._baton = name, baton

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        torch.manual_seed(0)

    def on_step_end(self, _: Any, state: Any, *__: Any, **___: Any) -> None:
        if self._baton:
            self._baton.give(self._name)
            self._baton.take(self._name)
        torch.manual_seed(state.global_step)


class _Nothing:
    """An evaluation that measures nothing."""

    def point(self, *_: Any) -> CurvePoint:
        return CurvePoint(step=0, seconds=0)


def _state(kind: Any, place: Path) -> TrainingState:
    place.mkdir(parents=True)
    recipe = read_recipe("cpu", sets=_SETS, kind=kind)
    lengths = [_LENGTH] * (_STEPS * recipe.batch.rows)
    job = TuningJob(name="bench", kind=kind, data="", digest="", recipe=recipe, models_folder="")
    order = order_rows(lengths, recipe.batch, 0)
    return TrainingState(job, place, order, lengths, _Nothing(), EventWriter(enabled=False), StopSignals(None))


def _model(words: int) -> LlamaForCausalLM:
    torch.manual_seed(0)
    config = LlamaConfig(vocab_size=words, hidden_size=320, intermediate_size=960, num_hidden_layers=6,
                         num_attention_heads=5, num_key_value_heads=5, pad_token_id=0, eos_token_id=0)  # fmt: skip
    return LlamaForCausalLM(config)


def _base() -> Base:
    inner = Tokenizer(models.WordLevel({f"w{number}": number for number in range(_WORDS)}, unk_token="w0"))
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="w0", pad_token="w0")
    return Base(tokenizer, lambda: _model(_WORDS))


def _tokens(rows: int, length: int) -> list[list[int]]:
    generator = torch.Generator().manual_seed(1)
    return torch.randint(1, _WORDS, (rows, length), generator=generator).tolist()


@contextmanager
def _sft(place: Path) -> Iterator[dict[str, Make]]:
    def ours() -> Any:
        return SupervisedTrainer(_base(), rows, _state("sft", place / "ours"))

    def bare() -> Any:
        base, state = _base(), _state("sft", place / "bare")
        arguments = SFTConfig(**common_arguments(state), dataset_kwargs={"skip_prepare_dataset": True})
        return SFTTrainer(base.model, args=arguments, train_dataset=rows, processing_class=base.tokenizer,
                          peft_config=adapter_config(state.job.recipe))  # fmt: skip

    tokens = _tokens(_STEPS * 4, _LENGTH)
    rows = Dataset.from_dict({"input_ids": tokens, "labels": tokens})
    yield {_OURS: ours, _BARE: bare}


class _TokenRows(DPOTrainer):  # type: ignore[misc]
    """TRL's trainer, given tokens, so that both read the same."""

    def _prepare_dataset(self, dataset: Any, *_: Any, **__: Any) -> Any:
        return dataset


@contextmanager
def _dpo(place: Path) -> Iterator[dict[str, Make]]:
    def ours() -> Any:
        return PreferenceTrainer(_base(), rows, _state("dpo", place / "ours"))

    def bare() -> Any:
        base, state = _base(), _state("dpo", place / "bare")
        arguments = DPOConfig(**common_arguments(state), precompute_ref_log_probs=True)
        return _TokenRows(base.model, args=arguments, train_dataset=rows.remove_columns("more_ids"),
                          processing_class=base.tokenizer, peft_config=adapter_config(state.job.recipe))  # fmt: skip

    prompt, half = _tokens(_STEPS * 4, 32), _LENGTH // 2
    chosen, rejected = _tokens(_STEPS * 4, half), _tokens(_STEPS * 4, half)
    more: list[list[list[int]]] = [[] for _ in prompt]
    rows = Dataset.from_dict({"prompt_ids": prompt, "chosen_ids": chosen, "rejected_ids": rejected, "more_ids": more})
    yield {_OURS: ours, _BARE: bare}


@contextmanager
def _grpo(place: Path) -> Iterator[dict[str, Make]]:
    tokenizer = AutoTokenizer.from_pretrained(write_invented_policy(place / "policy"))
    base = Base(tokenizer, lambda: _model(len(tokenizer)))
    recipe = read_recipe_of(NEXT_IDEA_RECIPES, "cpu", sets=_GRPO_SETS)
    job = NextIdeaJob(name="bench", data="", digest="", recipe=recipe, models_folder="")
    tasks = [invented_task(number, 24) for number in range(24)]
    with training_models(job) as asked:

        def state(name: str) -> PolicyState:
            (place / name).mkdir()
            return PolicyState(job, place / name, tasks, [], asked, ChatTokens(tokenizer), EventWriter(enabled=False),
                               StopSignals(None), _GRPO_STEPS)  # fmt: skip

        def ours() -> Any:
            return policy_trainer(Base(base.tokenizer, base.load), state("ours"))

        def bare() -> Any:
            rows = [{"prompt": [{"role": "user", "content": each.id}]} for each in tasks]
            return GRPOTrainer(
                _model(len(tokenizer)), [episode_reward], args=grpo_arguments(state("bare")),
                train_dataset=Dataset.from_list(rows), processing_class=tokenizer,
                peft_config=lora_config_of(recipe.lora) if recipe.lora else None, rollout_func=recorded.replayed(),
            )  # fmt: skip

        recorded = _Recorded(policy_trainer(Base(base.tokenizer, base.load), state("recorded")))
        yield {_OURS: ours, _BARE: bare}


class _Recorded:
    """What each step of a training sampled from, and the rollouts that came of it."""

    def __init__(self, trainer: Any) -> None:
        self._steps: list[tuple[list[Any], dict[str, Any]]] = []
        play, sample, rows = trainer.rollout_func, trainer._generate_single_turn, []

        def noted(inputs: Any, *more: Any) -> Any:
            rows.append(inputs)
            return sample(inputs, *more)

        def played(prompts: list[Any], trainer: Any) -> dict[str, Any]:
            rows.clear()
            output = play(prompts, trainer)
            self._steps.append((list(rows), output))
            return output  # type: ignore[no-any-return]

        trainer._generate_single_turn, trainer.rollout_func = noted, played
        _train(trainer, _Clock())

    def replayed(self) -> Callable[[list[Any], Any], dict[str, Any]]:
        """Rollouts that sample as the recorded ones did, and return these."""
        steps = iter(self._steps)

        def rollouts(_: list[Any], trainer: Any) -> dict[str, Any]:
            rows, output = next(steps)
            for each in rows:
                trainer._generate_single_turn(each, None, {}, 1)
            return {name: list(values) if values else values for name, values in output.items()}

        return rollouts
