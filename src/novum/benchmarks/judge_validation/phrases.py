"""A validation of judges in words and table cells."""

from __future__ import annotations

from collections.abc import Iterator

from novum.benchmarks.judge_validation.records import AgreementRow, JudgeValidation
from novum.reports.phrases import (
    NONE,
    count,
    interval,
    listed,
    number,
    percent,
    share_interval,
    share_text,
    signed,
    with_interval,
)
from novum.statistics.records import Estimate

HEADS = ("judge", "pairs", "in people's order", "texts", "Spearman", "decided", "AUC")


def table_rows(validation: JudgeValidation) -> Iterator[tuple[str, ...]]:
    """The rows under `HEADS`, chance last."""
    for each in validation.rows:
        yield (
            each.name, f"{each.pairs:,}", _share(each.right), f"{each.texts:,}", _number(each.spearman),
            f"{each.decided:,}", _number(each.auc),
        )  # fmt: skip
    yield "chance", NONE, "50%", NONE, "0.00", NONE, "0.50"


def headline(validation: JudgeValidation) -> str:
    """The result of the panel in a sentence or two."""
    panel = validation.panel
    right = panel.right
    who = listed(list(validation.judges))
    if right.value is None:
        return f"{who}: no pair was ordered, so agreement with people is unknown."
    clear = "more often than chance" if (right.low or 0) > 0.5 else "not shown to be better than chance"
    text = f"{who}, by {validation.by}: {_share(right)} of {count(panel.pairs, 'pair')} in people's order, {clear}."
    return f"{text} {beside}" if (beside := _beside(validation, panel)) else text


def remarks(validation: JudgeValidation) -> list[str]:
    """How to read the table, and what was left out."""
    lines = [
        "Pairs: two texts of one venue and year, or data set, whose means by people lie at least a standard deviation "
        "apart; a tie counts as half.",
        "Spearman and AUC compare texts within a venue and year. Judges see title and abstract; reviewers saw the "
        "whole paper. A model that was trained on the reviews may know them.",
    ]
    lines += [f"Left out: {count(number_of, 'record')}, {why}." for why, number_of in validation.left_out.items()]
    if validation.failures:
        lines.append(f"{count(validation.failures, 'request')} brought no usable answer and count for nothing.")
    if not any(each.kind == "predicted" for each in validation.rows):
        lines.append(
            "No predicted rating: the rating model was fitted to papers of these venues and years. Name papers of "
            "earlier years by --train."
        )
    return lines


def curve_rows(validation: JudgeValidation) -> list[tuple[str, str, str]]:
    """What scores of the panel stand for: score, people's rating in standard deviations, and its interval."""
    curve = validation.curve
    if curve is None:
        return []
    at = sorted({0.0, 0.25, 0.5, 0.75, 1.0, curve.scores[0], curve.scores[-1]})
    shown = [each for each in at if curve.scores[0] <= each <= curve.scores[-1]]
    return [
        (
            number(each),
            signed(curve.expected(each)),
            f"{signed(curve.expected(each) + curve.low)} to {signed(curve.expected(each) + curve.high)}",
        )
        for each in shown
    ]


def _beside(validation: JudgeValidation, panel: AgreementRow) -> str:
    others = [
        f"{each.name} {percent(each.right.value)}"
        for each in validation.rows
        if each.kind in {"predicted", "reviewer"} and each.right.value is not None
    ]
    return f"Beside it: {listed(others)}." if others else ""


def _share(of: Estimate) -> str:
    return with_interval(share_text(of.value), share_interval(of))


def _number(of: Estimate) -> str:
    return with_interval(number(of.value, 2), interval(of, 2))
