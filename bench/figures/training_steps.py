"""The time of a training step: ours beside the bare trainer of TRL, on the same data and settings, taken in turn.

The base is drawn by chance, of some ten million weights, so that a step takes a fraction of a second on two cores: what
ours adds is a fixed time for each step, and weighs less on a larger model. Time counts from the beginning of the third
step to the end of the last one.
"""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median
from typing import Any

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, PrinterCallback, TrainerCallback
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

from figures.row import Bench, Row, at_most
from novum.core.trained import CurvePoint
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.job import TuningJob
from novum.training.finetuning.ordering import order_rows
from novum.training.finetuning.preferences.trainer import PreferenceTrainer
from novum.training.finetuning.stopping import StopSignals
from novum.training.finetuning.supervised import SupervisedTrainer
from novum.training.finetuning.trainer import TrainingState, adapter_config, common_arguments
from novum.training.recipes import read_recipe
from novum.training.weights.base import Base

_STEPS, _LENGTH, _WORDS = 14, 192, 4096
_SETS = ("batch.rows=4", "held_out.times=1", "keeping.every=1000", "precision.compute=fp32", "lora.rank=8")


def steps(bench: Bench) -> list[Row]:
    """Our step against that of TRL, for supervised training and for DPO."""
    rows = []
    for kind, ours, bare in (("sft", _our_sft, _bare_sft), ("dpo", _our_dpo, _bare_dpo)):
        pairs = []
        for run in range(bench.runs):
            place = bench.home / f"{kind}-{run}"
            both = [(_timed(bare(_state(kind, place / "bare")))), (_timed(ours(_state(kind, place / "ours"))))]
            print(f"  {kind}: bare {both[0]:.3f} s, ours {both[1]:.3f} s a step", flush=True)
            pairs.append(both)
        floor, own = (median(each[side] for each in pairs) for side in (0, 1))
        share = median(each[1] / each[0] for each in pairs)
        rows.append(at_most(f"a step of {kind}, beside TRL's own", share, 1.05, f"{own:.3f} s, TRL {floor:.3f} s", "x"))
    return rows


class _Nothing:
    """An evaluation that measures nothing."""

    def point(self, *_: Any) -> CurvePoint:
        return CurvePoint(step=0, seconds=0)


class _Clock(TrainerCallback):
    def __init__(self) -> None:
        self.began = self.ended = 0.0

    def on_step_begin(self, _: Any, state: Any, *__: Any, **___: Any) -> None:
        if state.global_step == 2:
            self.began = time.perf_counter()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        self.ended = time.perf_counter()


def _timed(trainer: Any) -> float:
    """Seconds of a step."""
    clock = _Clock()
    trainer.add_callback(clock)
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    return (clock.ended - clock.began) / (_STEPS - 2)


def _state(kind: Any, place: Path) -> TrainingState:
    place.mkdir(parents=True)
    recipe = read_recipe("cpu", sets=_SETS, kind=kind)
    lengths = [_LENGTH] * (_STEPS * recipe.batch.rows)
    job = TuningJob(name="bench", kind=kind, data="", digest="", recipe=recipe, models_folder="")
    order = order_rows(lengths, recipe.batch, 0)
    return TrainingState(job, place, order, lengths, _Nothing(), EventWriter(enabled=False), StopSignals(None))


def _base() -> Base:
    torch.manual_seed(0)
    config = LlamaConfig(vocab_size=_WORDS, hidden_size=320, intermediate_size=960, num_hidden_layers=6,
                         num_attention_heads=5, num_key_value_heads=5, pad_token_id=0, eos_token_id=0)  # fmt: skip
    inner = Tokenizer(models.WordLevel({f"w{number}": number for number in range(_WORDS)}, unk_token="w0"))
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="w0", pad_token="w0")
    return Base(LlamaForCausalLM(config), tokenizer)


def _tokens(rows: int, length: int) -> list[list[int]]:
    generator = torch.Generator().manual_seed(1)
    return torch.randint(1, _WORDS, (rows, length), generator=generator).tolist()


def _sft_rows() -> Dataset:
    tokens = _tokens(_STEPS * 4, _LENGTH)
    return Dataset.from_dict({"input_ids": tokens, "labels": tokens})


def _dpo_rows() -> Dataset:
    prompt, half = _tokens(_STEPS * 4, 32), _LENGTH // 2
    chosen, rejected = _tokens(_STEPS * 4, half), _tokens(_STEPS * 4, half)
    more: list[list[list[int]]] = [[] for _ in prompt]
    return Dataset.from_dict({"prompt_ids": prompt, "chosen_ids": chosen, "rejected_ids": rejected, "more_ids": more})


def _our_sft(state: TrainingState) -> Any:
    return SupervisedTrainer(_base(), _sft_rows(), state)


def _bare_sft(state: TrainingState) -> Any:
    base = _base()
    arguments = SFTConfig(**common_arguments(state), dataset_kwargs={"skip_prepare_dataset": True})
    return SFTTrainer(base.model, args=arguments, train_dataset=_sft_rows(), processing_class=base.tokenizer,
                      peft_config=adapter_config(state.job.recipe))  # fmt: skip


def _our_dpo(state: TrainingState) -> Any:
    return PreferenceTrainer(_base(), _dpo_rows(), state)


class _TokenRows(DPOTrainer):  # type: ignore[misc]
    """TRL's trainer, given tokens, so that both read the same."""

    def _prepare_dataset(self, dataset: Any, *_: Any, **__: Any) -> Any:
        return dataset


def _bare_dpo(state: TrainingState) -> Any:
    base = _base()
    arguments = DPOConfig(**common_arguments(state), precompute_ref_log_probs=True)
    return _TokenRows(base.model, args=arguments, train_dataset=_dpo_rows().remove_columns("more_ids"),
                      processing_class=base.tokenizer, peft_config=adapter_config(state.job.recipe))  # fmt: skip
