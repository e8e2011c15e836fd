"""A training in words: what it gained over its base, and how that was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novum.core.trained import CurvePoint, TrainedModel, best_point
from novum.reports import phrases
from novum.training.report.records import TrainingReport

NONE = "–"
HEADS = ("", "steps", "minutes", "held-out loss", "rating RMSE", "with the mean set right")
_TASKS = {
    "all": "all tasks",
    "original-review": "review of the whole paper",
    "idea-review": "review of the idea",
    "original-abstract": "abstract from a review",
    "idea-abstract": "idea from a review",
}


def task_title(task: str) -> str:
    """`idea-review` as people say it."""
    return _TASKS.get(task, task)


def number(value: float | None) -> str:
    """Three digits after the point."""
    return NONE if value is None else f"{value:.3f}"


def base_of(model: TrainedModel) -> CurvePoint | None:
    """How the untrained base stood."""
    return next((point for point in model.curve if point.step == 0), None)


def end_of(model: TrainedModel) -> CurvePoint | None:
    """How the adapter that is kept stood."""
    return best_point(model.curve)


def rows(model: TrainedModel) -> list[tuple[str, ...]]:
    """The measurements as lines of a table, the base first; the one that is kept is marked."""
    kept = end_of(model)
    return [
        (
            "base" if point.step == 0 else "kept" if point == kept else "",
            f"{point.step:,}",
            f"{point.seconds / 60:.1f}",
            number(point.held_out_loss),
            number(point.rating_rmse),
            number(point.rating_rmse_centred),
        )
        for point in model.curve
    ]


def headline(model: TrainedModel) -> str:
    """What it gained, in a line."""
    base, end = base_of(model), end_of(model)
    if base is None or end is None:
        return "Nothing was measured after the first step, so nothing is claimed."
    told = [
        _change("held-out loss", base.held_out_loss, end.held_out_loss),
        _change("error of the expected rating", base.rating_rmse, end.rating_rmse),
        _change("error with the mean set right", base.rating_rmse_centred, end.rating_rmse_centred),
    ]
    said = "; ".join(each for each in told if each)
    stopped = "" if model.finished else " Training was stopped before the recipe's end."
    return f"Beside its base: {said or 'nothing was held out to measure'}.{stopped}"


def caveat(report: TrainingReport) -> str:
    """What the change beside the base must not be taken for; empty where there is nothing to warn of."""
    end, level = end_of(report.model), report.constant_rmse_centred
    if end is None or end.rating_rmse_centred is None or level is None or end.rating_rmse_centred < level:
        return ""
    return (
        f"Papers are not told apart by it yet: with the mean set right, one rating for all has an error of "
        f"{number(level)}."
    )


def _change(what: str, before: float | None, after: float | None) -> str:
    if before is None or after is None:
        return ""
    better = "better" if after < before else "no better"
    return f"{what} {after:.3f} instead of {before:.3f}, {better}"


def remarks(report: TrainingReport) -> Iterator[str]:
    """How to read the curves."""
    which = "later" if report.held_out_split == "test" else "set apart"
    if report.held_out_rows:
        yield (
            f"Loss: mean nats a token of {phrases.count(report.held_out_rows, 'completion')} of papers {which} than "
            "those learnt from, cut as in training. Lower is better."
            if which == "later"
            else f"Loss: mean nats a token of {phrases.count(report.held_out_rows, 'completion')} of papers set apart, "
            "cut as in training. Lower is better."
        )
    if report.rated_papers:
        yield (
            f"Rating: the rating that the model expects, by the probabilities of all that it could write, beside the "
            f"mean of the real ones, of {phrases.count(report.rated_papers, 'paper')} on a scale from 0 to 1."
        )
        yield (
            "With the mean set right, every expected rating is moved by the same amount: forms change, and a later "
            "year's mean may lie elsewhere. What is left is whether papers are told apart."
        )
        yield (
            f"One and the same rating for all papers has an error of {number(report.constant_rmse)} when it is the "
            f"mean of the training reviews, and of {number(report.constant_rmse_centred)} with the mean set right: "
            "what does not go below that tells no papers apart."
        )
    if report.choosing_rows:
        yield (
            f"The adapter that is kept did best on {phrases.count(report.choosing_rows, 'row')} of the validation "
            "split, which neither curve is made from."
        )
    if report.left_tasks:
        yield f"Not in the data, and so not learnt: {', '.join(map(task_title, report.left_tasks))}."


def account(report: TrainingReport) -> Iterator[str]:
    """How it was made."""
    model = report.model
    yield f"Base: {model.base}."
    yield (
        f"{phrases.count(report.rows, 'row')}, {phrases.count(model.tokens, 'token')}, "
        f"{phrases.count(model.steps, 'step')}, {phrases.duration(model.seconds)} with all measuring."
    )
    if report.prompts_cut is not None and report.completions_cut is not None:
        left = f"; {phrases.count(report.left_out, 'row')} did not fit at all" if report.left_out else ""
        yield (
            f"Cut to length: {phrases.count(report.prompts_cut, 'prompt')} and "
            f"{phrases.count(report.completions_cut, 'completion')}{left}."
        )
    yield f"Tasks: {', '.join(map(task_title, model.tasks))}. Ratings stand at the {model.rating_at} of a review."
    yield f"Data set: {model.data}."
    yield "Made with " + ", ".join(f"{name} {version}" for name, version in model.versions.items()) + "."


def settings(report: TrainingReport) -> Sequence[tuple[str, str]]:
    """The recipe, setting by setting."""
    return [(name, phrases.option(value)) for name, value in _flat("", report.model.recipe)]


def _flat(before: str, told: object) -> Iterator[tuple[str, object]]:
    if isinstance(told, dict):
        for name, value in told.items():
            yield from _flat(f"{before}.{name}" if before else str(name), value)
    else:
        yield before, told
