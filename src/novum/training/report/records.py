"""What the report of a training is made from."""

from __future__ import annotations

from novum.core.record import Value
from novum.core.trained import TrainedModel


class TrainingReport(Value):
    """A trained model, and what it was measured on."""

    model: TrainedModel
    best_step: int | None
    """After which step the adapter that is kept was measured."""
    rows: int
    """Learnt from."""
    held_out_rows: int
    rated_papers: int
    choosing_rows: int
    held_out_split: str
    constant_rmse: float | None
    """The error of saying the training reviews' mean rating of every held-out paper."""
    constant_rmse_centred: float | None
    """The same of the held-out papers' own mean, which nobody knows beforehand: the spread of their ratings."""
    left_tasks: tuple[str, ...] = ()
    prompts_cut: int | None = None
    """Training rows whose prompt lost the end of what it quotes; None where that is not known."""
    completions_cut: int | None = None
    left_out: int | None = None
    """Rows that could not be made to fit."""
