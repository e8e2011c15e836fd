"""The report of a GRPO training: returns on held-out tasks, the reward-hacking watch, and the recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import altair as alt

from novum.reports import phrases
from novum.reports.charts.look import FIRST, SECOND, WIDE, Drawable, chart_data
from novum.reports.charts.plot import Plot
from novum.reports.folder import ReportFiles
from novum.training.next_idea.grpo.job import NextIdeaTraining, ReturnPoint
from novum.training.next_idea.grpo.watch import WatchPoint, warnings
from novum.training.next_idea.report.document import Document, Section, Table, write_document

_HIGH = 200
NONE = "–"
HEADS = ("", "step", "minutes", "mean return", "first idea", "last idea", "well formed")
WATCHED: Mapping[str, str] = {
    "returns": "mean return",
    "spread": "spread of rewards in a group",
    "first_score": "score of the first idea",
    "last_score": "score of the last idea",
    "length": "characters of the last idea",
    "well_formed": "share of well-formed ideas",
    "repetition": "repeated phrases",
    "echo": "phrases taken from the comment",
    "judge_gain": "independent judge: last idea over first",
    "gap": "return minus the judge's gain",
}


def write_training_page(training: NextIdeaTraining, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `report.md` and the charts. Raises BadInput when the folder cannot be
    written."""
    return write_document(training_document(training), training, folder)


def training_document(training: NextIdeaTraining) -> Document:
    """The page of a training."""
    model = training.model
    return Document(
        title=f"{model.name}: a policy trained on next-idea tasks",
        kind=f"training · {model.base}",
        headline=headline(training),
        sections=[_returns(training), _watch(training), _recipe(training)],
    )


def _returns(training: NextIdeaTraining) -> Section:
    table = Table("", HEADS, point_rows(training.points))
    plots = [_return_plot(training.points)] if training.points else []
    return Section("Return on held-out tasks", _return_lines(training), [table], plots)


def _watch(training: NextIdeaTraining) -> Section:
    steps = training.steps
    return Section("Reward-hacking watch", watch_lines(steps), [_watch_table(steps)], _watch_plots(steps))


def _recipe(training: NextIdeaTraining) -> Section:
    table = Table("The recipe", ("setting", "value"), _settings(training))
    return Section("How it was made", _account(training), [table])


def headline(training: NextIdeaTraining) -> str:
    """The change of the mean return, in one sentence."""
    known = [each for each in training.points if each.mean_return is not None]
    stopped = "" if training.model.finished else " Training was stopped before the recipe's end."
    if len(known) < 2:
        return f"The return was not evaluated before and after training, so the change is unknown.{stopped}"
    before, after = known[0], known[-1]
    return (
        f"Mean return on {phrases.count(len(after.by_task), 'held-out task')}: {number(after.mean_return)} after step "
        f"{after.step:,}, {number(before.mean_return)} before training.{stopped}"
    )


def number(value: float | None) -> str:
    """A number with three decimals; a dash where there is none."""
    return NONE if value is None else f"{value:.3f}"


def point_rows(points: Sequence[ReturnPoint]) -> list[tuple[str, ...]]:
    """The evaluations as rows of a table."""
    return [
        (
            "base" if each.step == 0 else "",
            f"{each.step:,}",
            f"{each.seconds / 60:.1f}",
            number(each.mean_return),
            number(each.first_score),
            number(each.last_score),
            number(each.well_formed),
        )
        for each in points
    ]


def watch_lines(steps: Sequence[WatchPoint]) -> list[str]:
    """What the watch found, in sentences."""
    found = warnings(steps)
    failed = sum(each.failed_steps for each in steps)
    lost = sum(each.without_return for each in steps)
    judged = sum(each.judged for each in steps)
    lines = found or ["No sign changed enough between the first and the last tenth of the steps to be reported."]
    if len(steps) < 4:
        lines = ["Too few steps to compare the beginning with the end."]
    lines.append(
        f"{failed:,} steps could not be scored and were dropped; {lost:,} trajectories had no return and were not "
        "trained on."
    )
    if not judged:
        lines.append("No independent judge was named (roles.watch_model), so the gap to one is unknown.")
    return lines


def _return_lines(training: NextIdeaTraining) -> list[str]:
    return [
        "The return of an episode is the sum of the gains of its steps (equation 1). First and last idea: their scores "
        "by the reward model, 0 to 1.",
        "A return can also rise because the first idea gets worse: compare the two columns.",
        f"{training.overlong:,} training tasks were left out because their prompts are too long."
        if training.overlong
        else "All training tasks fit.",
    ]


def _account(training: NextIdeaTraining) -> list[str]:
    model = training.model
    return [
        f"Base: {model.base}. {phrases.count(training.tasks, 'task')}, {phrases.count(model.steps, 'step')}, "
        f"{phrases.duration(model.seconds)} including evaluation.",
        "The policy is the one after the last step.",
        f"Data set: {model.data}. Made with "
        + ", ".join(f"{name} {version}" for name, version in model.versions.items())
        + ".",
    ]


def _settings(training: NextIdeaTraining) -> list[tuple[str, str]]:
    flat: list[tuple[str, str]] = []
    for table, value in training.recipe.model_dump(mode="json").items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        flat += [(f"{table}.{name}" if name else table, phrases.option(each)) for name, each in inner]
    return flat


def _watch_table(steps: Sequence[WatchPoint]) -> Table:
    share = max(1, len(steps) // 10)
    rows = []
    for name, title in WATCHED.items():
        values = [[getattr(each, name) for each in part] for part in (steps[:share], steps[-share:])]
        means = [[each for each in part if each is not None] for part in values]
        if any(means):
            rows.append((title, *(number(sum(part) / len(part) if part else None) for part in means)))
    return Table("Means of the first and the last tenth of the steps", ("", "first", "last"), rows)


def _return_plot(points: Sequence[ReturnPoint]) -> Plot:
    rows = [
        {"step": each.step, "value": value, "line": line}
        for each in points
        for line, value in (("mean return", each.mean_return),)
        if value is not None
    ]
    says = "; ".join(f"step {row['step']}: {row['value']:.3f}" for row in rows)
    return Plot(
        "return", "Mean return on held-out tasks", says, "Step 0 is the untrained base.", _lines(rows, "return")
    )


def _watch_plots(steps: Sequence[WatchPoint]) -> list[Plot]:
    pairs = (
        ("scores", "Scores of first and last ideas", "score", ("first_score", "last_score")),
        ("length", "Length of the last idea", "characters", ("length",)),
        ("text", "Form, repetition, and words from the comment", "share", ("well_formed", "repetition", "echo")),
    )
    plots = []
    for name, title, axis, fields in pairs:
        rows = [
            {"step": each.step, "value": value, "line": WATCHED[field]}
            for each in steps
            for field in fields
            if (value := getattr(each, field)) is not None
        ]
        if rows:
            last = [f"{row['line']} {row['value']:.3g}" for row in rows if row["step"] == steps[-1].step]
            plots.append(Plot(f"watch-{name}", title, f"At the end: {'; '.join(last)}.", "", _lines(rows, axis)))
    return plots


def _lines(rows: Sequence[Mapping[str, object]], title: str) -> Drawable:
    names = list(dict.fromkeys(str(row["line"]) for row in rows))
    scale = alt.Scale(domain=names, range=[FIRST, SECOND, "#3f7d4e"][: len(names)])
    legend = alt.Legend(orient="top", labelLimit=300) if len(names) > 1 else None
    chart: Drawable = (
        alt.Chart(chart_data(rows), width=WIDE, height=_HIGH)
        .mark_line(point=True, strokeWidth=2)
        .encode(
            x=alt.X("step:Q", title="steps", axis=alt.Axis(tickMinStep=1)),
            y=alt.Y("value:Q", title=title, scale=alt.Scale(zero=False)),
            color=alt.Color("line:N", title=None, scale=scale, legend=legend),
        )
    )
    return chart
