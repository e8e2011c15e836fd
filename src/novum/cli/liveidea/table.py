"""A leaderboard and a plan on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from novum.benchmarks.liveidea.leaderboard import LiveIdeaLeaderboard, LiveIdeaRow
from novum.benchmarks.liveidea.plan import MeasurementPlan, PlanRow
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.benchmarks.liveidea.report.phrases import prompts
from novum.benchmarks.liveidea.statistics.scores import ModelScores
from novum.cli.shell.terminal import one_line, print_line, print_table
from novum.reports.phrases import UNKNOWN, count, duration, percent
from novum.statistics.records import Estimate

DIMENSIONS = ("originality", "feasibility", "clarity", "fluency", "flexibility")
_LONGEST_NAME = 60
_HEADS = ("model", "average", *DIMENSIONS, "by rows", "ideas", "missing", "refused", "as released")


def print_leaderboard(board: LiveIdeaLeaderboard) -> None:
    """Prints one line per model: scores with their intervals, and the counts behind them."""
    print_table(_HEADS, (_cells(line) for line in board.lines))


def remarks(run: LiveIdeaRun, board: LiveIdeaLeaderboard) -> list[str]:
    """How to read the table, and what did not succeed."""
    excluded = [f"{count(number, 'idea')} {fate}" for fate, number in _fates(board) if fate != "judged"]
    return [
        "Scores from 1 to 10 with 95% bootstrap intervals over keywords; average of the five dimensions. By rows: "
        "flexibility as in the published code. Ideas: judged / generated; missing: scores requested and not given; "
        "refused: first answers that declined, matched as whole words and as in the published code.",
        *(["Not judged: " + ", ".join(excluded) + "."] if excluded else []),
        f"Prompts: {one_line(prompts(run))}.",
        *(["Corrected for the severity of each judge."] if board.without_severity else []),
        *_beyond_protocol(run),
        *([f"Not complete: {one_line(run.stopped)}"] if run.stopped else []),
        *(f"Note: {one_line(note)}" for note in run.notes),
    ]


def _beyond_protocol(run: LiveIdeaRun) -> list[str]:
    """What was judged beyond the protocol, and counts in no score of the table."""
    lines = []
    if run.anchor_judgements:
        judgements = count(len(run.anchor_judgements), "judgement")
        lines.append(f"Not in the scores: {judgements} of anchor ideas ({one_line(run.anchors)}).")
    if run.informed:
        judgements = count(len(run.informed), "judgement")
        lines.append(f"Not in the scores: {judgements} with the nearest papers shown to the judge.")
    return lines


def print_plan(plan: MeasurementPlan) -> None:
    """Prints what each model will take, and the sums, with what is unknown."""
    print_table(
        ("model", "role", "calls", "tokens read", "written", "price", "CO2", "time"),
        (_plan_row(row) for row in plan.rows),
    )
    anchors = f" and {count(plan.anchors, 'anchor idea')}" if plan.anchors else ""
    print_line(
        f"Calls:   {plan.calls:,.0f} for {count(plan.pairs, 'pair')} of model and keyword{anchors}, by {plan.basis}"
    )
    print_line(f"Price:   {_known(f'${plan.usd:,.2f}', plan.unpriced, bool(plan.usd))}")
    print_line(f"CO2:     {_known(_mass(plan.co2_kg), plan.unfooted, bool(plan.co2_kg))}")
    print_line(
        f"Time:    {duration(plan.seconds)}, if the busiest model answers as many at once as its provider allows"
    )


def _cells(line: LiveIdeaRow) -> tuple[str, ...]:
    scores = line.scores
    return (
        one_line(scores.model, _LONGEST_NAME),
        _interval(scores.average),
        *(_interval(getattr(scores, name)) + _missing(scores, name) for name in DIMENSIONS),
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


def _missing(scores: ModelScores, dimension: str) -> str:
    """` (3 missing)`; empty when no score is missing."""
    missing = scores.judgements[dimension].missing if dimension in scores.judgements else 0
    return f" ({missing:,} missing)" if missing else ""


def _fates(board: LiveIdeaLeaderboard) -> list[tuple[str, int]]:
    total: dict[str, int] = {}
    for line in board.lines:
        for fate, number in line.fates.items():
            total[fate] = total.get(fate, 0) + number
    return sorted(total.items())


def _plan_row(row: PlanRow) -> tuple[str, ...]:
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
