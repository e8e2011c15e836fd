"""An evaluation of reviewers in words and cells. What is not known says so."""

from __future__ import annotations

from collections.abc import Iterator

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun, ReviewerKind
from novum.benchmarks.judge_evaluation.report.records import JudgeEvaluation, ReviewerResult
from novum.reports import phrases
from novum.reports.numerals import NONE, interval, number
from novum.statistics.estimate import Estimate

KINDS: dict[ReviewerKind, str] = {
    "model": "model, asked as novum review does",
    "trained": "trained to write reports",
    "base": "untuned base, asked by the same prompt",
    "expected": "likeliest rating, nothing written",
    "ridge": "baseline",
    "constant": "baseline",
    "real": "against the mean of the others",
}
WRITERS: tuple[ReviewerKind, ...] = ("model", "trained", "base")
"""Kinds that write reports."""
HEADS = ("reviewer", "papers", "RMSE", "level set right", "Spearman", "accuracy", "AUC", "Brier", "ECE", "no answer")
MORE_HEADS = ("reviewer", "ICC(1)", "two reports differ by", "like real reviews", "like others'", "nearest own paper",
              "preferred to real")  # fmt: skip


def headline(report: JudgeEvaluation) -> str:
    """What came out, in a few sentences."""
    run = report.run
    papers = f"{phrases.count(len(run.papers), 'paper')} of the {run.split} split ({_span(run)})"
    wrote = any(each.kind in WRITERS for each in report.standings)
    each_paper = f", {phrases.count(run.reports, 'report')} each" if wrote else ""
    about = (
        f"{phrases.count(len(report.asked), 'reviewer')} on {papers}{each_paper}."
        if report.asked
        else f"No reviewer was asked: baselines on {papers}."
    )
    return " ".join([about, *(_verdict(each) for each in report.asked[:5])])


def _span(run: JudgeEvaluationRun) -> str:
    groups = sorted({each.group or "venue unknown" for each in run.papers})
    return ", ".join(groups[:4]) + (f" and {len(groups) - 4} more" if len(groups) > 4 else "")


def _verdict(of: ReviewerResult) -> str:
    """Whether it foretells ratings better than the two baselines."""
    if of.rating.rmse.value is None:
        return f"{of.name} gave no rating."
    beside = (
        (of.rating.over_constant, "the constant"), (of.rating.over_ridge, "ridge"), (of.rating.over_base, "its base"),
    )  # fmt: skip
    told = [f"{_against(each)} {what}" for each, what in beside if each.value is not None]
    return f"{of.name}: RMSE {number(of.rating.rmse.value, 3)}, {_listed(told)}."


def _listed(parts: list[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _against(of: Estimate) -> str:
    """RMSE less a baseline's."""
    if of.low is None or of.high is None or of.low <= 0 <= of.high:
        return "not to be told from"
    return "better than" if of.high < 0 else "worse than"


def figures(report: JudgeEvaluation) -> Iterator[tuple[str, ...]]:
    """The cells of the table, under `HEADS`."""
    for each in report.standings:
        rating, decision = each.rating, each.decision
        yield (
            each.name,
            f"{rating.papers:,}",
            told(rating.rmse, 3),
            told(rating.level_rmse, 3),
            told(rating.spearman),
            told(decision.accuracy),
            told(decision.auc),
            told(decision.brier, 3),
            told(decision.error, 3),
            missing(each),
        )


def more_figures(report: JudgeEvaluation) -> Iterator[tuple[str, ...]]:
    """The cells of the second table, under `MORE_HEADS`: those reviewers that several reports or texts are known of."""
    for each in report.standings:
        if each.spread.papers or each.texts:
            texts = each.texts
            yield (
                each.name,
                told(each.spread.icc),
                told(each.spread.difference, 3),
                told(texts.same.f) if texts else NONE,
                told(texts.other.f) if texts else NONE,
                told(texts.nearest) if texts else NONE,
                told(each.preference.share) if each.preference else NONE,
            )


def told(of: Estimate, digits: int = 2) -> str:
    """`0.153 [0.149 to 0.157]`."""
    between = interval(of, digits)
    return number(of.value, digits) + (f" [{between}]" if between else "")


def missing(of: ReviewerResult) -> str:
    """What brought nothing usable: counted, and in no figure."""
    parts = (
        (of.lost, f"of {of.asked:,} reports"), (of.unrated, "without rating"), (of.undecided, "undecided"),
        (of.unreached, "not reached"),
    )  # fmt: skip
    return ", ".join(f"{amount:,} {what}" for amount, what in parts if amount) or "none"


def remarks(report: JudgeEvaluation) -> list[str]:
    """How to read the table."""
    real = report.of_kind("real")
    lines = [
        "Ratings are from 0, the worst that a venue's form allows, to 1. RMSE is of a reviewer's mean rating against "
        "the mean of the real referees.",
        "Level set right: the same, each error less the mean error of the other papers of its venue and year; a paper "
        "that is alone there is left out. Forms change, and with them what a usual rating is; a reviewer taught on "
        "other years cannot know that, and would only have to be told one number. Spearman and AUC compare papers "
        "within a venue and year, so no level matters to them.",
    ]
    if real and real.spread.noise.value is not None:
        lines.append(
            f"{real.name.capitalize()} is held against the mean of the others of the same paper. It is no lower bound "
            "of RMSE: a single referee strays as single ratings do, and whoever foretells means strays less. The bound "
            f"is what the referees' own disagreement leaves in a mean: {number(real.spread.noise.value, 3)} even for "
            "one who knew what ever so many of them would say."
        )
    decided = [each.accepted for each in report.run.papers if each.accepted is not None]
    share = sum(decided) / len(decided) if decided else 0
    if 0 < share < 1:
        lines.append(
            f"{phrases.percent(share)} of the papers were accepted: saying the same of all is right in "
            f"{phrases.percent(max(share, 1 - share))}, and saying this share of each has a Brier score of "
            f"{number(share * (1 - share), 3)}. Only what lies above the one and below the other means something; AUC "
            "is 0.5 for who cannot tell. Where a reviewer gives no utility, its rating is turned into a probability by "
            "a logistic regression that was fitted on other papers of the split, in five parts by turns."
        )
    return lines


def protocol(report: JudgeEvaluation) -> list[tuple[str, str]]:
    """How it was done, with its numbers."""
    run = report.run
    shown = "ideas without results" if run.idea_texts else "title and abstract"
    taught = run.training
    facts = [
        ("Set", f"{run.data}, {run.split} split, cut-off {run.cutoff}"),
        ("Papers", f"{len(run.papers):,}" + _left_out(run)),
        ("Reviewers see", shown),
        ("Baselines", f"learnt from {taught.papers:,} training papers: mean {number(taught.mean, 3)}; ridge on "
                      f"{run.embedder}, penalty {taught.penalty:.3g}, chosen by leaving out each training paper in "
                      f"turn (RMSE {number(taught.rmse_left_out, 3)} there)"),
        ("Intervals", f"95%, by {report.draws:,} draws of papers, the same draws for all reviewers"
                      if report.draws else "none were asked for"),
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
            ("Texts", f"{run.text_papers:,} papers; tokens matched by static vectors ({run.embedder}), rare ones weigh "
                      "more")
        )  # fmt: skip
    return facts


def _left_out(run: JudgeEvaluationRun) -> str:
    told = ", ".join(f"{amount:,} for {why}" for why, amount in run.left_out.items())
    return f"; left out: {told}" if told else ""
