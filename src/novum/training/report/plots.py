"""The plots of a training, each with what it shows in words."""

from __future__ import annotations

from collections.abc import Iterator

from novum.reports.charts.plot import Plot
from novum.training.report.charts import curves
from novum.training.report.phrases import base_of, end_of, number, task_title
from novum.training.report.records import TrainingReport

_RULE = "Dashed across: the untrained base."


def plots(report: TrainingReport) -> tuple[Plot, ...]:
    """As far as there are measurements."""
    return tuple(_plots(report))


def _plots(report: TrainingReport) -> Iterator[Plot]:
    model = report.model
    points, base, end = model.curve, base_of(model), end_of(model)
    if base is None or end is None:
        return
    if base.held_out_loss is not None:
        tasks = sorted(base.by_task, key=lambda task: (task != "all", task))
        lines = {task_title(task): [point.by_task.get(task) for point in points] for task in tasks}
        yield Plot(
            "loss",
            "Loss on held-out texts",
            f"All tasks: {number(base.held_out_loss)} nats a token untrained, {number(end.held_out_loss)} as kept.",
            f"Nats a token; lower is better. {_RULE}",
            curves(points, lines, "nats a token"),
        )
    if base.rating_rmse is not None:
        told = {
            "as it is": [point.rating_rmse for point in points],
            "with the mean set right": [point.rating_rmse_centred for point in points],
        }
        level = report.constant_rmse_centred
        yield Plot(
            "rating",
            "Error of the expected rating",
            f"RMSE {number(base.rating_rmse)} untrained, {number(end.rating_rmse)} as kept; with the mean set right "
            f"{number(base.rating_rmse_centred)} and {number(end.rating_rmse_centred)}.",
            f"On a scale from 0 to 1; lower is better. {_RULE} Dotted: one rating for all, with the mean set right.",
            curves(points, told, "RMSE", {"one rating for all": level} if level is not None else None),
        )
