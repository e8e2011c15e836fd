"""The plots of a training, each with a description."""

from __future__ import annotations

from collections.abc import Iterator

from novum.reports.charts.plot import Plot
from novum.training.report.charts import curves
from novum.training.report.phrases import base_of, end_of, number, task_title
from novum.training.report.records import TrainingReport

_RULE = "Dashed line: the untrained base."


def plots(report: TrainingReport) -> tuple[Plot, ...]:
    """The plots for which there are evaluations."""
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
            f"All tasks: {number(base.held_out_loss)} nats per token untrained, now {number(end.held_out_loss)}.",
            f"Nats per token; lower is better. {_RULE}",
            curves(points, lines, "nats per token"),
        )
    if "accuracy" in base.measures:
        yield Plot(
            "accuracy",
            "Accuracy on held-out pairs",
            f"{number(base.measures['accuracy'])} untrained, now {number(end.measures.get('accuracy'))}.",
            f"Share of rejected ideas that score lower than the chosen one; one half is chance. {_RULE}",
            curves(
                points, {"accuracy": [point.measures.get("accuracy") for point in points]}, "accuracy", {"chance": 0.5}
            ),
        )
    if base.rating_rmse is not None:
        lines_of_error = {
            "as expected": [point.rating_rmse for point in points],
            "with the mean corrected": [point.rating_rmse_centred for point in points],
        }
        level = report.constant_rmse_centred
        yield Plot(
            "rating",
            "Error of the expected rating",
            f"RMSE {number(base.rating_rmse)} untrained, now {number(end.rating_rmse)}; with the mean corrected "
            f"{number(base.rating_rmse_centred)} and {number(end.rating_rmse_centred)}.",
            f"On a scale from 0 to 1; lower is better. {_RULE} Dotted line: one rating for all, mean corrected.",
            curves(points, lines_of_error, "RMSE", {"one rating for all": level} if level is not None else None),
        )
