"""The data of the report of a training."""

from __future__ import annotations

from novum.core.record import Value
from novum.core.trained import TrainedModel


class TrainingReport(Value):
    """A trained model, and the numbers of rows it was trained and evaluated on."""

    model: TrainedModel
    best_step: int | None
    """The step whose adapter is used."""
    rows: int
    """Training rows."""
    held_out_rows: int
    rated_papers: int
    choosing_rows: int
    held_out_split: str
    constant_rmse: float | None
    """RMSE of predicting the mean of the training ratings for every held-out paper."""
    constant_rmse_centred: float | None
    """The same with the mean of the held-out ratings, which is unknown beforehand: their standard deviation."""
    left_tasks: tuple[str, ...] = ()
    prompts_cut: int | None = None
    """Training rows whose prompt was cut; None if unknown."""
    completions_cut: int | None = None
    left_out: int | None = None
    """Training rows that were skipped because they do not fit."""
