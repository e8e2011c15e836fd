"""A leaderboard and a plan on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from novum.cli.shell.terminal import one_line, print_line, print_table
from novum.reports.phrases import UNKNOWN, count, duration, percent

if TYPE_CHECKING:
    from novum.benchmarks.liveidea.leaderboard import LiveIdeaLeaderboard, LiveIdeaRow
    from novum.benchmarks.liveidea.plan import MeasurementPlan, PlanRow
    from novum.benchmarks.liveidea.records import LiveIdeaRun
    from novum.benchmarks.liveidea.statistics.scores import ModelScores
    from novum.cli.shell.terminal import Printer
    from novum.statistics.records import Estimate

DIMENSIONS = ("originality", "feasibility", "clarity", "fluency", "flexibility")
_LONGEST_NAME = 60
_HEADS = ("model", "average", *DIMENSIONS, "by rows", "ideas", "missing", "refused", "as released")


def say_leaderboard(board: LiveIdeaLeaderboard) -> None:
    """A line for each model: scores with their intervals, and what they rest on."""
    print_table(_HEADS, (_cells(line) for line in board.lines))


def remarks(run: LiveIdeaRun, board: LiveIdeaLeaderboard) -> list[str]:
    """How to read the table, and what did not go as asked."""
    excluded = [f"{count(number, 'idea')} {fate}" for fate, number in _fates(board) if fate != "judged"]
    return [
        "Scores from 1 to 10 with 95% intervals over keywords; average of the five dimensions. By rows: flexibility as "
        "the published code has it. Ideas: judged of those that came; missing: scores asked for in vain; refused: "
        "first answers that declined, by our phrases and by the published code's.",
        *(["Not judged: " + ", ".join(excluded) + "."] if excluded else []),
        *(["The severity of each judge is taken off."] if board.without_severity else []),
        *_besides(run),
        *([f"Not complete: {one_line(run.stopped)}"] if run.stopped else []),
        *(f"Note: {one_line(note)}" for note in run.notes),
    ]


def _besides(run: LiveIdeaRun) -> list[str]:
    """What was judged beyond the protocol, and is in no score of the table."""
    lines = []
    if run.anchor_judgements:
        judgements = count(len(run.anchor_judgements), "judgement")
        lines.append(f"Not in the scores: {judgements} of anchor ideas ({one_line(run.anchors)}).")
    if run.informed:
        judgements = count(len(run.informed), "judgement")
        lines.append(f"Not in the scores: {judgements} with the nearest papers before the judge.")
    return lines


def say_plan(plan: MeasurementPlan, speak: Printer = print_line) -> None:
    """What each model will take, and all together."""
    print_table(
        ("model", "role", "calls", "tokens read", "written", "price", "CO2", "time"),
        (_planned(row) for row in plan.rows),
    )
    for line in planned(plan):
        speak(line)


def planned(plan: MeasurementPlan) -> list[str]:
    """The sums of a plan, with what is unknown."""
    anchors = f" and {count(plan.anchors, 'anchor idea')}" if plan.anchors else ""
    return [
        f"Calls:   {plan.calls:,.0f} for {count(plan.pairs, 'pair')} of model and keyword{anchors}, by {plan.basis}",
        f"Price:   {_known(f'${plan.usd:,.2f}', plan.unpriced, bool(plan.usd))}",
        f"CO2:     {_known(_mass(plan.co2_kg), plan.unfooted, bool(plan.co2_kg))}",
        f"Time:    {duration(plan.seconds)}, if the busiest model answers as many at once as its provider allows",
    ]


def _cells(line: LiveIdeaRow) -> tuple[str, ...]:
    scores = line.scores
    return (
        one_line(scores.model, _LONGEST_NAME),
        _interval(scores.average),
        *(_interval(getattr(scores, name)) + _lacking(scores, name) for name in DIMENSIONS),
        _interval(scores.flexibility_by_rows),
        f"{line.fates.get('judged', 0):,}/{line.ideas:,}",
        f"{line.missing:,}",
        percent(line.refusal_rate()),
        percent(line.refusal_rate(as_released=True)),
    )


def _interval(score: Estimate) -> str:
    """`6.83 [6.75, 6.88]`."""
    if score.value is None:
        return "–"
    bounds = "" if score.low is None or score.high is None else f" [{score.low:.2f}, {score.high:.2f}]"
    return f"{score.value:.2f}{bounds}"


def _lacking(scores: ModelScores, dimension: str) -> str:
    """` (3 missing)`; nothing where nothing is, and for what is not asked for."""
    missing = scores.judgements[dimension].missing if dimension in scores.judgements else 0
    return f" ({missing:,} missing)" if missing else ""


def _fates(board: LiveIdeaLeaderboard) -> list[tuple[str, int]]:
    total: dict[str, int] = {}
    for line in board.lines:
        for fate, number in line.fates.items():
            total[fate] = total.get(fate, 0) + number
    return sorted(total.items())


def _planned(row: PlanRow) -> tuple[str, ...]:
    return (
        one_line(row.model, _LONGEST_NAME),
        row.role,
        f"{row.calls:,.0f}",
        f"{row.prompt_tokens:,.0f}",
        f"{row.completion_tokens:,.0f}",
        UNKNOWN if row.usd is None else f"${row.usd:,.2f}",
        UNKNOWN if row.co2_kg is None else _mass(row.co2_kg),
        duration(row.seconds),
    )


def _known(text: str, unknown: Sequence[str], any_known: bool) -> str:
    if not unknown:
        return text
    names = ", ".join(unknown[:5]) + (" and others" if len(unknown) > 5 else "")
    return f"at least {text} (unknown for {names})" if any_known else f"{UNKNOWN} ({names})"


def _mass(kg: float) -> str:
    return f"{kg:,.2f} kg" if kg >= 1 else f"{1000 * kg:.2g} g"
