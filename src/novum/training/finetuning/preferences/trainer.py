"""Training on preferences: pairwise and softmax as in the DBLP study, and Direct Preference Optimization (DPO).

TRL's trainer does the work. Its own loss is used for `dpo`; the two others, which have no reference model, are computed
here from the same log-probabilities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from datasets import Dataset
from trl import DPOConfig, DPOTrainer

from novum.errors import BadInput
from novum.files.inputs import read_plain
from novum.training.finetuning.context import TrainingContext
from novum.training.finetuning.conversations import Conversation
from novum.training.finetuning.job import CUTS, TOKENS
from novum.training.finetuning.ordering import order_rows
from novum.training.finetuning.preferences.data_set import PreferenceRow, PreferenceSet
from novum.training.finetuning.preferences.measuring import CandidateRow, PreferenceEvaluation
from novum.training.finetuning.preferences.objectives import objective_loss, scores_of
from novum.training.finetuning.tokens import fitter_for, read_tokens, save_table
from novum.training.finetuning.trainer import ControlledTraining, TrainingState, common_arguments
from novum.training.finetuning.trimming import DoesNotFit, Fitter, RowCuts
from novum.training.weights.base import Base


class PreferenceTrainer(ControlledTraining, DPOTrainer):  # type: ignore[misc]
    """Trains on rows of one chosen and one or more rejected answers."""

    def __init__(self, base: Base, rows: Any, tuning: TrainingState) -> None:
        self.preference = tuning.job.recipe.preference
        is_dpo = self.preference.objective == "dpo"
        arguments = DPOConfig(
            **common_arguments(tuning), beta=self.preference.beta, remove_unused_columns=False,
            # Without it, TRL would load a second model as the reference where all weights are trained.
            precompute_ref_log_probs=is_dpo or tuning.job.recipe.tuning == "full",
        )  # fmt: skip
        collator = None if is_dpo else CandidateCollator(base.tokenizer.pad_token_id)
        super().__init__(base, rows, tuning, arguments, data_collator=collator)

    def _prepare_dataset(self, dataset: Any, *_: Any, **__: Any) -> Any:
        """Rows are tokens already."""
        return dataset

    def _precompute_ref_logps(self, dataset: Any, name: str, batch_size: int) -> Any:
        if self.preference.objective != "dpo":
            return dataset
        return super()._precompute_ref_logps(dataset, name, batch_size)

    def _compute_loss(self, model: Any, inputs: Any, return_outputs: bool) -> Any:
        if self.preference.objective == "dpo":
            return super()._compute_loss(model, inputs, return_outputs)
        rows, mask = inputs.pop("rows"), inputs.pop("completion_mask")
        labels = inputs["input_ids"].masked_fill(mask == 0, -100)
        outputs = model(**inputs, labels=labels, use_cache=False, fused_lm_head=True)
        width = mask.shape[1] - 1  # a prefix adds positions before the first token
        log_probabilities = outputs.log_probs[:, -width:].sum(dim=1)
        scores = scores_of(log_probabilities, mask[:, 1:].sum(dim=1), self.preference)
        loss = objective_loss(scores, rows, self.preference.objective)
        self._metrics["train"]["margin"].append(float(_margin(scores.detach(), rows)))
        return loss


class CandidateCollator:
    """Makes a batch of all candidates of its rows, padded on the right; `rows` has the number of each one's row. The
    chosen candidate of a row is its first."""

    def __init__(self, padding: int) -> None:
        self._padding = padding

    def __call__(self, examples: Sequence[Any]) -> dict[str, torch.Tensor]:
        texts = [(row, each["prompt_ids"], answer) for row, each in enumerate(examples) for answer in _answers(each)]
        width = max(len(prompt) + len(answer) for _, prompt, answer in texts)
        ids = torch.full((len(texts), width), self._padding)
        attention, completion = torch.zeros_like(ids), torch.zeros_like(ids)
        for place, (_, prompt, answer) in enumerate(texts):
            end = len(prompt) + len(answer)
            ids[place, :end] = torch.tensor([*prompt, *answer])
            attention[place, :end] = 1
            completion[place, len(prompt) : end] = 1
        rows = torch.tensor([row for row, _, _ in texts])
        return {"input_ids": ids, "attention_mask": attention, "completion_mask": completion, "rows": rows}


def _answers(example: Any) -> list[list[int]]:
    return [example["chosen_ids"], example["rejected_ids"], *example["more_ids"]]


def _margin(scores: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Mean difference of the chosen candidate of a row and the best rejected one."""
    of = [scores[rows == row] for row in rows.unique()]
    return torch.stack([each[0] - each[1:].max() for each in of]).mean()


def make_trainer(context: TrainingContext, data: PreferenceSet) -> PreferenceTrainer:
    """The trainer of a job. Raises BadInput if no pair can be used."""
    job, folder, base = context.job, context.folder, context.base
    recipe = job.recipe
    selected = data.select(recipe)
    systems = any(row.prompt[0]["role"] == "system" for row in selected.training)
    fitter = fitter_for(base.tokenizer, recipe.lengths, system_turn=systems)
    context.events("phase", what="cutting rows to length")
    rows = _rows(selected.training, fitter, folder)
    context.events("cuts", **RowCuts.model_validate_json(read_plain(folder / CUTS)).model_dump())
    lengths = [_length(row) for row in rows]
    evaluation = PreferenceEvaluation(
        held_out=tuple(_candidates(selected.held_out, fitter)),
        choosing=tuple(_candidates(selected.choosing, fitter)),
        preference=recipe.preference,
        batch=recipe.held_out.batch,
    )
    context.events("phase", what="loading the base")
    if recipe.preference.objective == "dpo":
        evaluation = evaluation.with_reference(base, recipe.precision.compute)
    order = order_rows(lengths, recipe.batch, recipe.seed, PartialState().num_processes)
    state = TrainingState(job, folder, order, lengths, evaluation, context.events, context.stopping)
    return PreferenceTrainer(base, rows, state)


def _length(row: Any) -> int:
    answers = _answers(row)
    return len(row["prompt_ids"]) * len(answers) + sum(map(len, answers))


def _candidates(rows: Sequence[PreferenceRow], fitter: Fitter) -> Iterator[CandidateRow]:
    for row in rows:
        try:
            prompt, answers, _ = _fitted(row, fitter)
        except DoesNotFit:
            continue
        yield CandidateRow(prompt, answers)


def _fitted(row: PreferenceRow, fitter: Fitter) -> tuple[list[int], list[list[int]], Counter[str]]:
    """The tokens of the prompt and of each answer. The prompt is cut to the same length for all answers."""
    prompt = fitter.prompt(row.prompt)
    counts = Counter(prompts=int(len(prompt) < len(fitter.render(row.prompt, True))))
    answers = []
    for turns in row.candidates:
        fitted = fitter.row(Conversation(prompt=row.prompt, completion=turns))
        answer = fitted.tokens[fitted.prompt :][: fitter.lengths.sequence - len(prompt)]
        counts["completions"] += fitted.completion_cut
        answers.append(answer)
    return prompt, answers, counts


def _rows(selected: Sequence[PreferenceRow], fitter: Fitter, folder: Path) -> Any:
    """The training rows as tokens, made once by the first process."""
    place = folder / TOKENS
    with PartialState().main_process_first():
        if PartialState().is_main_process and not (place.exists() and (folder / CUTS).exists()):
            cuts = _write_tokens(selected, fitter, place)
            (folder / CUTS).write_text(cuts.model_dump_json(), encoding="utf-8")
        return read_tokens(place)


def _write_tokens(selected: Sequence[PreferenceRow], fitter: Fitter, place: Path) -> RowCuts:
    counts, rows = Counter[str](), []
    for row in selected:
        try:
            prompt, answers, cut = _fitted(row, fitter)
        except DoesNotFit:
            counts["left_out"] += 1
            continue
        counts += cut
        chosen, rejected, *more = answers
        rows.append({"prompt_ids": prompt, "chosen_ids": chosen, "rejected_ids": rejected, "more_ids": more})
    if not rows:
        raise BadInput(
            "No pair fits the recipe's lengths, so there is nothing to train on: increase lengths.sequence and "
            "lengths.prompt."
        )
    save_table(Dataset.from_list(rows), place)
    return RowCuts(
        rows=len(rows), prompts=counts["prompts"], completions=counts["completions"], left_out=counts["left_out"]
    )
