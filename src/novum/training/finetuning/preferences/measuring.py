"""Evaluation of a training on preferences: its own loss, accuracy and margin on held-out pairs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from novum.core.trained import CurvePoint
from novum.training.finetuning.losses import Forward, completion_losses
from novum.training.finetuning.preferences.objectives import objective_loss, scores_of
from novum.training.finetuning.tokens import HeldOutRow
from novum.training.recipes.recipe import Preference
from novum.training.weights.base import Base

_AUTOCAST = {"bf16": torch.bfloat16, "fp16": torch.float16}


@dataclass(frozen=True)
class CandidateRow:
    """A prompt and its answers as tokens, the chosen one first. `reference`: their log-probabilities by the reference
    model; empty without one."""

    prompt: list[int]
    answers: list[list[int]]
    reference: tuple[float, ...] = ()


@dataclass(frozen=True)
class PreferenceEvaluation:
    """Rows that every point of the learning curves is computed from."""

    held_out: tuple[CandidateRow, ...]
    choosing: tuple[CandidateRow, ...]
    preference: Preference
    batch: int

    def with_reference(self, base: Base, compute: str) -> PreferenceEvaluation:
        """The same rows with their log-probabilities by `base`, which is not trained yet."""
        dtype = _AUTOCAST.get(compute)
        device = base.model.device
        with torch.autocast(device.type, dtype, enabled=dtype is not None):
            held_out, choosing = (self._with_reference(rows, base) for rows in (self.held_out, self.choosing))
        return dataclasses.replace(self, held_out=held_out, choosing=choosing)

    def _with_reference(self, rows: Sequence[CandidateRow], base: Base) -> tuple[CandidateRow, ...]:
        was_training = base.model.training
        base.model.eval()
        found = _log_probabilities(base.model, rows, self.batch, base.tokenizer.pad_token_id or 0, base.model.device)
        base.model.train(was_training)
        return tuple(dataclasses.replace(row, reference=tuple(values)) for row, values in zip(rows, found, strict=True))

    def point(self, forward: Forward, tokenizer: Any, device: Any) -> CurvePoint:
        """Evaluate the model behind `forward`. The caller fills in step, seconds and training loss."""
        padding = tokenizer.pad_token_id or 0
        scores = [self._scores(forward, rows, padding, device) for rows in (self.held_out, self.choosing)]
        loss, choosing = (self._loss(each) for each in scores)
        return CurvePoint(
            step=0,
            seconds=0,
            held_out_loss=loss,
            by_task={} if loss is None else {"all": loss},
            choosing_loss=choosing,
            measures=_measures(scores[0]),
        )

    def _scores(self, forward: Forward, rows: Sequence[CandidateRow], padding: int, device: Any) -> list[torch.Tensor]:
        found = _log_probabilities(forward, rows, self.batch, padding, device)
        return [self._row_scores(row, values) for row, values in zip(rows, found, strict=True)]

    def _row_scores(self, row: CandidateRow, values: Sequence[float]) -> torch.Tensor:
        own = torch.tensor(values, dtype=torch.float64)
        if self.preference.objective == "dpo":
            return self.preference.beta * (own - torch.tensor(row.reference, dtype=torch.float64))
        return scores_of(own, torch.tensor([len(answer) for answer in row.answers]), self.preference)

    def _loss(self, scores: Sequence[torch.Tensor]) -> float | None:
        if not scores:
            return None
        rows = torch.cat([torch.full((len(each),), number) for number, each in enumerate(scores)])
        loss = float(objective_loss(torch.cat(list(scores)), rows, self.preference.objective))
        return loss if math.isfinite(loss) else None


def _measures(scores: Sequence[torch.Tensor]) -> dict[str, float]:
    """`accuracy`: the share of rejected answers that score lower than the chosen one, a tie counting half; `margin`:
    the mean difference."""
    if not scores:
        return {}
    differences = torch.cat([each[0] - each[1:] for each in scores])
    right = (differences > 0).double() + 0.5 * (differences == 0).double()
    values = {"accuracy": float(right.mean()), "margin": float(differences.mean())}
    return {name: value for name, value in values.items() if math.isfinite(value)}


def _log_probabilities(
    forward: Forward, rows: Sequence[CandidateRow], batch: int, padding: int, device: Any
) -> list[list[float]]:
    """Log-probabilities of the answers of each row."""
    flat = [HeldOutRow("", [*row.prompt, *answer], len(row.prompt)) for row in rows for answer in row.answers]
    losses = iter(completion_losses(forward, flat, batch, padding, device))
    return [[-next(losses).nats for _ in row.answers] for row in rows]
