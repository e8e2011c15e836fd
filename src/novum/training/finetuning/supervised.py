"""Supervised fine-tuning on conversations: the trainer of TRL, whose loss is over completions alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accelerate import PartialState
from trl import SFTConfig, SFTTrainer, pack_dataset

from novum.files.inputs import read_plain
from novum.training.finetuning.context import TrainingContext
from novum.training.finetuning.conversations import ConversationSet
from novum.training.finetuning.job import CUTS, TOKENS
from novum.training.finetuning.measuring import prepare_evaluation
from novum.training.finetuning.ordering import order_rows
from novum.training.finetuning.selection import select_training_rows
from novum.training.finetuning.tokens import fitter_for, read_tokens, write_tokens
from novum.training.finetuning.trainer import ControlledTraining, TrainingState, common_arguments
from novum.training.finetuning.trimming import Fitter, RowCuts
from novum.training.weights.base import Base


class SupervisedTrainer(ControlledTraining, SFTTrainer):  # type: ignore[misc]
    """Trains on rows of tokens with labels."""

    def __init__(self, base: Base, rows: Any, tuning: TrainingState) -> None:
        packed = "seq_lengths" in rows.column_names
        arguments = SFTConfig(
            **common_arguments(tuning), padding_free=packed, dataset_kwargs={"skip_prepare_dataset": True}
        )
        super().__init__(base, rows, tuning, arguments)


def make_trainer(context: TrainingContext, data: ConversationSet) -> SupervisedTrainer:
    """The trainer of a job. Raises BadInput if no row can be used."""
    job, folder, base = context.job, context.folder, context.base
    recipe = job.recipe
    fitter = fitter_for(base.tokenizer, recipe.lengths, system_turn=job.kind == "judge")
    selected = select_training_rows(data, recipe)
    context.events("phase", what="cutting rows to length")
    rows = _rows(data, selected.training, fitter, folder)
    context.events("cuts", **RowCuts.model_validate_json(read_plain(folder / CUTS)).model_dump())
    if recipe.lengths.packing:
        rows = pack_dataset(rows, recipe.lengths.sequence, "bfd")
    lengths = [len(tokens) for tokens in rows["input_ids"]]
    evaluation = prepare_evaluation(data, selected, recipe.held_out.split, fitter, recipe.held_out.batch)
    order = order_rows(lengths, recipe.batch, recipe.seed, PartialState().num_processes)
    context.events("phase", what="loading the base")
    state = TrainingState(job, folder, order, lengths, evaluation, context.events, context.stopping)
    return SupervisedTrainer(base, rows, state)


def _rows(data: ConversationSet, selected: Sequence[int], fitter: Fitter, folder: Path) -> Any:
    """The training rows as tokens, made once by the first process."""
    place = folder / TOKENS
    with PartialState().main_process_first():
        if PartialState().is_main_process and not (place.exists() and (folder / CUTS).exists()):
            cuts = write_tokens(data, selected, fitter, place)
            (folder / CUTS).write_text(cuts.model_dump_json(), encoding="utf-8")
        return read_tokens(place)
