"""Request the reviews of one reviewer on one paper: reports, a decision, and a comparison with a real report.

Models are prompted as by `novum review`; models that were trained to write reports, and their bases, by the prompt of
their training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novum.benchmarks.judge_evaluation.baselines import random_index
from novum.benchmarks.judge_evaluation.data import JudgedPaper
from novum.benchmarks.judge_evaluation.records import PaperReview
from novum.benchmarks.judge_evaluation.task import JudgeEvaluationTask, PromptedReviewer
from novum.core import Idea, Match, Topic, shorten
from novum.core.concurrency import run_concurrently
from novum.core.reviewing import HIGHEST, LOWEST, Decision, ReviewerReport
from novum.core.topic import TOPIC_LIMIT
from novum.judges.report_pair import OVERALL, WrittenReport, compare_reports_in_both_orders
from novum.judges.reporter import ReviewSubject as Reported
from novum.judges.reporter import write_free_review
from novum.judges.reviewer import USUAL_STANCES, review_idea
from novum.judges.verdict import decide_on_reviews
from novum.llm import ModelName, Models, conduct

REAL_REPORT = "a real reviewer"
_POINTS = {"first": 1.0, "tie": 0.5, "second": 0.0}


@dataclass(frozen=True)
class PaperResponse:
    """The review of a paper as numbers, and its reports as text."""

    review: PaperReview
    reports: tuple[ReviewerReport, ...]


async def request_review(
    models: Models, paper: JudgedPaper, reviewer: PromptedReviewer, task: JudgeEvaluationTask
) -> PaperResponse:
    """Requests everything from this reviewer on this paper. Answers that cannot be used are counted.

    Raises BudgetSpent, and the errors of models that cannot be called at all.
    """
    idea, name = _idea(paper), ModelName.parse(reviewer.model)
    reports = tuple(
        await run_concurrently(_report(models, idea, name, reviewer, place, task) for place in range(task.reports))
    )
    decider = task.decider or (reviewer.model if reviewer.kind == "model" else "")
    decision = await conduct(models, decide_on_reviews(idea, reports, ModelName.parse(decider))) if decider else None
    matches = await _compared(models, paper, reviewer, reports, task)
    return PaperResponse(_in_numbers(reports, decision, matches), reports)


def report_text(report: ReviewerReport) -> str:
    """The text of a report: its prose, or its parts under the headings of a review form."""
    if report.text or report.failure:
        return report.text
    parts = (
        ("Summary", [report.summary]),
        ("Strengths", [f"- {each}" for each in report.strengths]),
        ("Weaknesses", [f"- {each.point}" for each in report.criticisms]),
        ("Suggestions", [f"- {each.suggestion}" for each in report.criticisms if each.suggestion]),
    )
    return "\n\n".join(f"{name}\n" + "\n".join(lines) for name, lines in parts if any(lines))


def rating_of(report: ReviewerReport) -> float | None:
    """The rating from 0 to 1, or the overall mark on that scale; None without either."""
    if report.failure or report.rating is not None or report.overall is None:
        return None if report.failure else report.rating
    return (report.overall - LOWEST) / (HIGHEST - LOWEST)


async def _report(
    models: Models, idea: Idea, name: ModelName, reviewer: PromptedReviewer, place: int, task: JudgeEvaluationTask
) -> ReviewerReport:
    if reviewer.kind == "model":
        stance, sample = USUAL_STANCES[place % len(USUAL_STANCES)], place // len(USUAL_STANCES)
        return await conduct(models, review_idea(idea, name, stance, place + 1, sample=sample))
    subject = Reported(idea.id, idea.title, idea.summary)
    return await conduct(models, write_free_review(subject, name, place + 1, place, whole=not task.idea_texts))


async def _compared(
    models: Models,
    paper: JudgedPaper,
    reviewer: PromptedReviewer,
    reports: Sequence[ReviewerReport],
    task: JudgeEvaluationTask,
) -> tuple[Match, ...]:
    """Compares the first usable report with a random real one; empty where one of them is missing."""
    own = next((text for report in reports if (text := report_text(report)).strip()), "")
    if not task.compare_by or not own or not paper.reviews:
        return ()
    real = paper.reviews[random_index(paper.outcome.id, len(paper.reviews), task.seed)]
    about = Topic(text=shorten(f"{paper.shown.title}\n\n{paper.shown.abstract}", TOPIC_LIMIT))
    own_report = WrittenReport(own, ModelName.parse(reviewer.model).short)
    real_report = WrittenReport(real, REAL_REPORT)
    judge = ModelName.parse(task.compare_by)
    return await conduct(models, compare_reports_in_both_orders(about, own_report, real_report, judge))


def _in_numbers(reports: Sequence[ReviewerReport], decision: Decision | None, matches: Sequence[Match]) -> PaperReview:
    return PaperReview(
        ratings=tuple(map(rating_of, reports)),
        lost=sum(bool(each.failure) for each in reports),
        accept=decision.accept if decision else None,
        utility=decision.utility if decision else None,
        undecided=decision is not None and decision.utility is None,
        preferred=tuple(_points(match, mine_first=place == 0) for place, match in enumerate(matches)),
        reason=next((each.reason for match in matches for each in match.verdicts if each.criterion == OVERALL), ""),
    )


def _points(match: Match, *, mine_first: bool) -> float | None:
    """Points of the reviewer's report; None without a usable answer."""
    found = next((each.outcome for each in match.verdicts if each.criterion == OVERALL), None)
    if found is None:
        return None
    return _POINTS[found] if mine_first else 1 - _POINTS[found]


def _idea(paper: JudgedPaper) -> Idea:
    """The paper as an idea, as `novum review` reads a text."""
    return Idea(topic="", title=paper.shown.title, motivation="", novelty="", method="", summary=paper.shown.abstract)
