"""The results of a training in sentences: the change from its base, and how it was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from novum.core.trained import CurvePoint, TrainedModel, best_point
from novum.reports import phrases
from novum.training.report.records import TrainingReport

NONE = "–"
_HEADS = ("", "steps", "minutes", "held-out loss")
_TITLES: Mapping[str, str] = {
    "grpo": "a policy for next ideas, trained by GRPO",
    "judge": "a trained reviewer",
    "sft": "an idea model, fine-tuned on papers",
    "dpo": "an idea model, trained on preferences",
}
_TASKS = {
    "all": "all tasks",
    "original-review": "review of the whole paper",
    "idea-review": "review of the idea",
    "original-abstract": "abstract from a review",
    "idea-abstract": "idea from a review",
    "idea": "idea on a topic",
    "merged-idea": "idea made of several ideas",
}


def task_title(task: str) -> str:
    """The title of a task, such as "review of the idea" for `idea-review`."""
    return _TASKS.get(task, task)


def title(model: TrainedModel) -> str:
    """What kind of model it is."""
    return _TITLES[model.kind]


def heads(model: TrainedModel) -> Sequence[str]:
    """The heads of the table of evaluations."""
    if model.kind == "judge":
        return (*_HEADS, "rating RMSE", "with the mean corrected")
    return (*_HEADS, *_measures(model))


def _measures(model: TrainedModel) -> list[str]:
    return sorted({name for point in model.curve for name in point.measures})


def number(value: float | None) -> str:
    """A number with three decimals."""
    return NONE if value is None else f"{value:.3f}"


def base_of(model: TrainedModel) -> CurvePoint | None:
    """The evaluation of the untrained base, or None."""
    return next((point for point in model.curve if point.step == 0), None)


def end_of(model: TrainedModel) -> CurvePoint | None:
    """The evaluation of the adapter that is used, or None."""
    return best_point(model.curve)


def rows(model: TrainedModel) -> list[tuple[str, ...]]:
    """The evaluations as rows of a table, the base first. The adapter that is used is marked."""
    best = end_of(model)
    return [
        (
            "base" if point.step == 0 else "used" if point == best else "",
            f"{point.step:,}",
            f"{point.seconds / 60:.1f}",
            number(point.held_out_loss),
            *(
                map(number, (point.rating_rmse, point.rating_rmse_centred))
                if model.kind == "judge"
                else (number(point.measures.get(name)) for name in _measures(model))
            ),
        )
        for point in model.curve
    ]


def headline(model: TrainedModel) -> str:
    """The change from the base, in one sentence."""
    base, end = base_of(model), end_of(model)
    if base is None or end is None:
        return "Nothing was evaluated after the first step, so the change is unknown."
    changes = [
        _change("held-out loss", base.held_out_loss, end.held_out_loss),
        _change("error of the expected rating", base.rating_rmse, end.rating_rmse),
        _change("error with the mean corrected", base.rating_rmse_centred, end.rating_rmse_centred),
        *(_change(name, base.measures.get(name), end.measures.get(name), rising=True) for name in _measures(model)),
    ]
    listed = "; ".join(each for each in changes if each)
    stopped = "" if model.finished else " Training was stopped before the recipe's end."
    return f"Compared with its base: {listed or 'no row was held out to evaluate'}.{stopped}"


def caveat(report: TrainingReport) -> str:
    """A warning if the expected ratings do not distinguish papers better than a constant; else empty."""
    end, level = end_of(report.model), report.constant_rmse_centred
    if end is None or end.rating_rmse_centred is None or level is None or end.rating_rmse_centred < level:
        return ""
    return (
        f"It does not distinguish papers yet: with the mean corrected, one rating for all papers has an error of "
        f"{number(level)}."
    )


def _change(what: str, before: float | None, after: float | None, *, rising: bool = False) -> str:
    """`rising`: larger values are better."""
    if before is None or after is None:
        return ""
    better = "better" if (after > before if rising else after < before) else "no better"
    return f"{what} {after:.3f} instead of {before:.3f}, {better}"


def remarks(report: TrainingReport) -> Iterator[str]:
    """How to read the learning curves, sentence by sentence."""
    which = "later" if report.held_out_split == "test" else "held out"
    if report.model.kind == "dpo":
        yield from _remarks_on_preferences(report)
    elif report.held_out_rows:
        yield (
            f"Loss: mean nats per token over {phrases.count(report.held_out_rows, 'completion')} of papers later than "
            "the training papers, cut to length as in training. Lower is better."
            if which == "later"
            else f"Loss: mean nats per token over {phrases.count(report.held_out_rows, 'completion')} of held-out "
            "papers, cut to length as in training. Lower is better."
        )
    if report.rated_papers:
        yield (
            "Rating: error of the rating that the model expects, from the probabilities of all possible ratings, "
            f"against the mean of the real ratings of {phrases.count(report.rated_papers, 'paper')}. The scale "
            "is 0 to 1."
        )
        yield (
            "With the mean corrected, every expected rating is shifted by the same amount, because review forms and "
            "the mean rating change over the years. What remains measures whether papers are distinguished."
        )
        yield (
            f"The same rating for all papers has an error of {number(report.constant_rmse)} if it is the mean of the "
            f"training reviews, and of {number(report.constant_rmse_centred)} with the mean corrected. A model that is "
            "not below this does not distinguish papers."
        )
    if report.choosing_rows:
        yield (
            f"The adapter that is used was the best on {phrases.count(report.choosing_rows, 'row')} of the validation "
            "split, which neither curve uses."
        )
    if report.left_tasks:
        yield f"Tasks without rows in the data, which were skipped: {', '.join(map(task_title, report.left_tasks))}."


def _remarks_on_preferences(report: TrainingReport) -> Iterator[str]:
    if report.held_out_rows:
        yield (
            "Loss, accuracy and margin are those of the objective on "
            f"{phrases.count(report.held_out_rows, 'held-out row')} of pairs. Accuracy: the share of rejected ideas "
            "that score lower than the chosen one; one half is chance. "
            "Margin: the mean difference of their scores."
        )
        yield "They measure how well the pairs were learnt, not whether ideas are better: that takes judges of ideas."


def account(report: TrainingReport) -> Iterator[str]:
    """How the model was trained, sentence by sentence."""
    model = report.model
    yield f"Base: {model.base}."
    yield (
        f"{phrases.count(report.rows, 'row')}, {phrases.count(model.tokens, 'token')}, "
        f"{phrases.count(model.steps, 'step')}, {phrases.duration(model.seconds)} including evaluation."
    )
    if report.prompts_cut is not None and report.completions_cut is not None:
        skipped = f"; {phrases.count(report.left_out, 'row')} did not fit and were skipped" if report.left_out else ""
        yield (
            f"Cut to length: {phrases.count(report.prompts_cut, 'prompt')} and "
            f"{phrases.count(report.completions_cut, 'completion')}{skipped}."
        )
    if model.tasks:
        where = f" Position of the rating in a review: {model.rating_at}." if model.kind == "judge" else ""
        yield f"Tasks: {', '.join(map(task_title, model.tasks))}.{where}"
    yield f"Data set: {model.data}."
    yield "Made with " + ", ".join(f"{name} {version}" for name, version in model.versions.items()) + "."


def settings(report: TrainingReport) -> Sequence[tuple[str, str]]:
    """The recipe as pairs of setting and value."""
    return [(name, phrases.option(value)) for name, value in _flat("", report.model.recipe)]


def _flat(prefix: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flat(f"{prefix}.{name}" if prefix else str(name), inner)
    else:
        yield prefix, value
