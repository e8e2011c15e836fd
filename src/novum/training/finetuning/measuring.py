"""Evaluation during training: loss on held-out reviews by task, and error of the expected ratings."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from novum.core.trained import CurvePoint
from novum.training.finetuning.conversations import ConversationSet
from novum.training.finetuning.losses import Forward, Loss, completion_losses
from novum.training.finetuning.readout import expected_ratings_of_tokens
from novum.training.finetuning.selection import SelectedRows
from novum.training.finetuning.tokens import HeldOutRow, fitted_rows
from novum.training.finetuning.trimming import DoesNotFit, Fitter

ALL = "all"


@dataclass(frozen=True)
class Evaluation:
    """Rows, as tokens, that every point of the learning curves is computed from."""

    held_out: tuple[HeldOutRow, ...]
    choosing: tuple[HeldOutRow, ...]
    rated: tuple[tuple[list[int], float], ...]
    """Prompts, each with the mean of the real ratings of its paper."""
    values: tuple[float, ...]
    batch: int

    def point(self, forward: Forward, tokenizer: Any, device: Any) -> CurvePoint:
        """Evaluate the model behind `forward`. The caller fills in step, seconds and training loss."""
        padding = tokenizer.pad_token_id or 0
        by_task: dict[str, list[Loss]] = defaultdict(list)
        losses = completion_losses(forward, self.held_out, self.batch, padding, device)
        for row, loss in zip(self.held_out, losses, strict=True):
            by_task[row.task].append(loss)
            by_task[ALL].append(loss)
        choosing = completion_losses(forward, self.choosing, self.batch, padding, device)
        errors = self._errors(forward, tokenizer, device)
        means = {task: _mean(each) for task, each in sorted(by_task.items())}
        return CurvePoint(
            step=0,
            seconds=0,
            held_out_loss=means.get(ALL),
            by_task={task: loss for task, loss in means.items() if loss is not None},
            rating_rmse=_rmse(errors),
            rating_rmse_centred=_rmse(_centred(errors)),
            choosing_loss=_mean(choosing),
        )

    def _errors(self, forward: Forward, tokenizer: Any, device: Any) -> list[float]:
        if not self.rated or not self.values:
            return []
        prompts = [prompt for prompt, _ in self.rated]
        expected = expected_ratings_of_tokens(forward, tokenizer, prompts, self.values, max(1, self.batch // 2), device)
        return [rating - real for rating, (_, real) in zip(expected, self.rated, strict=True)]


def prepare_evaluation(
    reviews: ConversationSet, selected: SelectedRows, split: str, fitter: Fitter, batch: int
) -> Evaluation:
    """Read the rows for evaluation and cut them to length. Prompts that cannot be cut are skipped."""
    about = reviews.about(split)
    prompts = {paper.row: paper.rating for paper in selected.rated}
    rated: list[tuple[list[int], float]] = []
    for number, row in reviews.conversations(split, list(prompts)):
        try:
            rated.append((fitter.prompt(row.prompt), prompts[number]))
        except DoesNotFit:
            continue
    validation = reviews.about("validation") if selected.choosing else []
    return Evaluation(
        held_out=_rows(reviews, split, selected.held_out, fitter, [each.task for each in about]),
        choosing=_rows(reviews, "validation", selected.choosing, fitter, [each.task for each in validation]),
        rated=tuple(rated),
        values=selected.values,
        batch=batch,
    )


def _rows(
    reviews: ConversationSet, split: str, rows: Sequence[int], fitter: Fitter, tasks: Sequence[str]
) -> tuple[HeldOutRow, ...]:
    fitted = fitted_rows(reviews, split, rows, fitter, Counter())
    return tuple(HeldOutRow(tasks[number], row.tokens, row.prompt) for number, row in fitted)


def _mean(losses: Sequence[Loss]) -> float | None:
    tokens = sum(loss.tokens for loss in losses)
    return _finite(sum(loss.nats for loss in losses) / tokens) if tokens else None


def _rmse(errors: Sequence[float]) -> float | None:
    return _finite(math.sqrt(sum(error * error for error in errors) / len(errors))) if errors else None


def _finite(value: float) -> float | None:
    """None for values that are not finite: the weights of the model are damaged."""
    return value if math.isfinite(value) else None


def _centred(errors: Sequence[float]) -> list[float]:
    mean = sum(errors) / len(errors) if errors else 0.0
    return [error - mean for error in errors]
