"""An evaluation of reviewers in words and table cells."""

from __future__ import annotations

from collections.abc import Iterator

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun, ReviewerKind
from novum.benchmarks.judge_evaluation.report.records import GroupFigures, JudgeEvaluation, ReviewerResult
from novum.reports import phrases
from novum.reports.phrases import NONE, interval, number, with_interval
from novum.statistics.records import Estimate

KINDS: dict[ReviewerKind, str] = {
    "model": "model, prompted as by novum review",
    "trained": "trained to write reports",
    "base": "untuned base, with the same prompt",
    "expected": "expected rating, nothing written",
    "ridge": "baseline, no language model",
    "constant": "baseline",
    "real": "compared with the mean of the others",
}
WRITERS: tuple[ReviewerKind, ...] = ("model", "trained", "base")
"""Kinds that write reports."""
HEADS = (
    "reviewer", "papers", "RMSE", "level corrected", "Spearman", "accuracy", "AUC", "Brier", "ECE", "no answer",
)  # fmt: skip
GROUP_HEADS = (
    "reviewer", "both decisions: papers", "Spearman", "ICC(1)", "one decision: papers", "Spearman", "ICC(1)",
)  # fmt: skip
FURTHER_HEADS = (
    "reviewer", "ICC(1)", "two reports differ by", "like real reviews", "like others'", "nearest own paper",
    "preferred to real",
)  # fmt: skip


def headline(report: JudgeEvaluation) -> str:
    """The result in a few sentences."""
    run = report.run
    papers = f"{phrases.count(len(run.papers), 'paper')} of the {run.split} split ({_span(run)})"
    wrote = any(each.kind in WRITERS for each in report.standings)
    each_paper = f", {phrases.count(run.reports, 'report')} each" if wrote else ""
    about = (
        f"{phrases.count(len(report.evaluated), 'reviewer')} on {papers}{each_paper}."
        if report.evaluated
        else f"No reviewer, only baselines on {papers}."
    )
    return " ".join([about, *(_verdict(each, regression_name(report)) for each in report.evaluated[:5])])


def _span(run: JudgeEvaluationRun) -> str:
    groups = sorted({each.group or "venue unknown" for each in run.papers})
    return ", ".join(groups[:4]) + (f" and {len(groups) - 4} more" if len(groups) > 4 else "")


def regression_name(report: JudgeEvaluation) -> str:
    """The regression that reviewers are compared with, within a sentence: `the predicted rating`."""
    of = report.of_kind("ridge")
    return f"the {of.name}" if of else "the regression"


def _verdict(of: ReviewerResult, regression: str) -> str:
    """Whether it predicts ratings better than the baselines."""
    if of.rating.rmse.value is None:
        return f"{of.name} gave no rating."
    beside = (
        (of.rating.over_constant, "the constant"),
        (of.rating.over_ridge, regression),
        (of.rating.over_base, "its base"),
    )
    results = [f"{_against(each)} {what}" for each, what in beside if each.value is not None]
    return f"{of.name}: RMSE {number(of.rating.rmse.value, 3)}, {_listed(results)}."


def _listed(parts: list[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _against(of: Estimate) -> str:
    """The sign of the difference of two RMSEs, where it is significant."""
    if of.low is None or of.high is None or of.low <= 0 <= of.high:
        return "not distinguishable from"
    return "better than" if of.high < 0 else "worse than"


def figure_rows(report: JudgeEvaluation) -> Iterator[tuple[str, ...]]:
    """The rows of the first table, under `HEADS`."""
    for each in report.standings:
        rating, decision = each.rating, each.decision
        yield (
            each.name,
            f"{rating.papers:,}",
            estimate_text(rating.rmse, 3),
            estimate_text(rating.level_rmse, 3),
            estimate_text(rating.spearman),
            estimate_text(decision.accuracy),
            estimate_text(decision.auc),
            estimate_text(decision.brier, 3),
            estimate_text(decision.error, 3),
            missing(each),
        )


def group_rows(report: JudgeEvaluation) -> Iterator[tuple[str, ...]]:
    """The rows of the table under `GROUP_HEADS`; none where all venues and years are of one kind."""
    if not all(any(getattr(each, kind) for each in report.standings) for kind in ("mixed", "uniform")):
        return
    for each in report.standings:
        if each.kind != "constant":
            yield (each.name, *(cell for of in (each.mixed, each.uniform) for cell in _group_cells(of)))


def _group_cells(of: GroupFigures | None) -> tuple[str, str, str]:
    if of is None:
        return NONE, NONE, NONE
    return f"{of.papers:,}", estimate_text(of.spearman), estimate_text(of.icc)


def further_rows(report: JudgeEvaluation) -> Iterator[tuple[str, ...]]:
    """The rows of the second table, under `FURTHER_HEADS`: reviewers with several reports or with texts."""
    for each in report.standings:
        if each.spread.papers or each.texts:
            texts = each.texts
            yield (
                each.name,
                estimate_text(each.spread.icc),
                estimate_text(each.spread.difference, 3),
                estimate_text(texts.same.f) if texts else NONE,
                estimate_text(texts.other.f) if texts else NONE,
                estimate_text(texts.nearest) if texts else NONE,
                estimate_text(each.preference.share) if each.preference else NONE,
            )


def estimate_text(of: Estimate, digits: int = 2) -> str:
    """`0.153 [0.149 to 0.157]`."""
    return with_interval(number(of.value, digits), interval(of, digits))


def missing(of: ReviewerResult) -> str:
    """Counts of what had no usable answer; it is in no figure."""
    parts = (
        (of.lost, f"of {of.asked:,} reports"), (of.unrated, "without rating"), (of.undecided, "undecided"),
        (of.unreached, "not reached"),
    )  # fmt: skip
    return ", ".join(f"{amount:,} {what}" for amount, what in parts if amount) or "none"


def remarks(report: JudgeEvaluation) -> list[str]:
    """How to read the table."""
    real = report.of_kind("real")
    lines = [
        "Ratings are from 0, the lowest on a venue's form, to 1. RMSE is of a reviewer's mean rating against "
        "the mean of the real reviewers.",
        "Level corrected: the same, each error minus the mean error of the other papers of its venue and year; papers "
        "without another one are left out. Forms change, and with them the usual rating, which a reviewer trained on "
        "other years cannot know. Spearman and AUC compare papers within a venue and year and do not depend on the "
        "level.",
    ]
    if any(group_rows(report)):
        lines.append(
            "Both decisions: venues and years with at least a tenth of accepted and a tenth of rejected papers. In the "
            "others papers were selected by their ratings, so that reviewers hardly agree on what differs."
        )
    if real and real.spread.noise.value is not None:
        lines.append(
            f"{real.name.capitalize()} is compared with the mean of the others on the same paper. It is no lower bound "
            "of RMSE, since a single rating varies more than a mean. The bound is the noise that the reviewers' own "
            f"disagreement leaves in their mean: {number(real.spread.noise.value, 3)}, even for "
            "a perfect prediction."
        )
    decided = [each.accepted for each in report.run.papers if each.accepted is not None]
    share = sum(decided) / len(decided) if decided else 0
    if 0 < share < 1:
        lines.append(
            f"{phrases.percent(share)} of the papers were accepted: the same decision for all has an accuracy of "
            f"{phrases.percent(max(share, 1 - share))}, and this share as probability of every paper a Brier score of "
            f"{number(share * (1 - share), 3)}. Compare accuracy and Brier score with these; an AUC of 0.5 is chance. "
            "Where a reviewer gives no utility, a logistic regression turns its rating into a probability; it is "
            "fitted on other papers of the split, with five-fold cross-fitting."
        )
    return lines


def protocol(report: JudgeEvaluation) -> list[tuple[str, str]]:
    """The settings of the evaluation: names and values."""
    run = report.run
    visible = "ideas without results" if run.idea_texts else "title and abstract"
    training = run.training
    facts = [
        ("Set", f"{run.data}, {run.split} split, cut-off {run.cutoff}"),
        ("Papers", f"{len(run.papers):,}" + _left_out(run)),
        ("Reviewers see", visible),
        ("Baselines", f"fitted to {training.papers:,} training papers: mean {number(training.mean, 3)}; "
                      f"{_fitted(run)}"),
        ("Intervals", f"95%, from {report.draws:,} bootstrap samples of papers, the same for all reviewers"
                      if report.draws else "none"),
        ("Seed", str(run.seed)),
    ]  # fmt: skip
    if any(each.kind in WRITERS for each in report.standings):
        facts.insert(3, ("Reports", f"{run.reports} on each paper"))
    if run.decider:
        facts.append(("Decisions", f"by {run.decider}"))
    if run.compared_by:
        facts.append(("Compared with real reports", f"by {run.compared_by}, each pair in both orders"))
    if run.text_papers:
        facts.append(
            ("Texts", f"{run.text_papers:,} papers; tokens matched by static vectors ({run.embedder}), rare ones with "
                      "higher weights")
        )  # fmt: skip
    return facts


def _fitted(run: JudgeEvaluationRun) -> str:
    training = run.training
    if training.penalty is None:
        known = number(training.spearman_left_out)
        return f"predicted rating by words and style (Spearman {known} there, cross-validated)"
    error = number(training.rmse_left_out, 3)
    return (
        f"ridge on {run.embedder}, penalty {training.penalty:.3g}, chosen by leave-one-out cross-validation (RMSE "
        f"{error} there)"
    )


def _left_out(run: JudgeEvaluationRun) -> str:
    reasons = ", ".join(f"{amount:,} for {why}" for why, amount in run.left_out.items())
    return f"; left out: {reasons}" if reasons else ""
