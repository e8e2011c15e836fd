"""A reviewer asked about one paper: its reports, the decision on them, and a comparison with a real report.

Models are asked as `novum review` asks them; those that were trained to write reports, and the models that these were
made from, by the prompt of their training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novum.benchmarks.judge_evaluation.baselines import drawn
from novum.benchmarks.judge_evaluation.data import JudgedPaper
from novum.benchmarks.judge_evaluation.records import PaperReview
from novum.benchmarks.judge_evaluation.task import AskedReviewer, JudgeEvaluationTask
from novum.concurrency import run_concurrently
from novum.core import Idea, Match, Topic, shorten
from novum.core.reviewing import HIGHEST, LOWEST, Decision, RefereeReport
from novum.core.topic import TOPIC_LIMIT
from novum.judges.report_pair import OVERALL, WrittenReport, compare_reports_in_both_orders
from novum.judges.reporter import Submission as Reported
from novum.judges.reporter import report_on
from novum.judges.reviewer import USUAL_STANCES, referee_idea
from novum.judges.verdict import decide_on_idea
from novum.llm import ModelName, Models, conduct

REAL_REPORT = "a real referee"
_POINTS = {"first": 1.0, "tie": 0.5, "second": 0.0}


@dataclass(frozen=True)
class ReviewerResponse:
    """What a reviewer said of a paper: in numbers, and its reports in words."""

    review: PaperReview
    reports: tuple[RefereeReport, ...]


async def hear(
    models: Models, paper: JudgedPaper, reviewer: AskedReviewer, task: JudgeEvaluationTask
) -> ReviewerResponse:
    """Asks for everything that is asked of this reviewer on this paper. Raises BudgetSpent and what models raise when
    they cannot be asked at all; answers that cannot be used are counted."""
    idea, name = _idea(paper), ModelName.parse(reviewer.model)
    reports = tuple(await run_concurrently(_report(models, idea, name, reviewer, place, task) for place in range(task.reports)))
    decider = task.decider or (reviewer.model if reviewer.kind == "model" else "")
    decision = await conduct(models, decide_on_idea(idea, reports, ModelName.parse(decider))) if decider else None
    matches = await _compared(models, paper, reviewer, reports, task)
    return ReviewerResponse(_in_numbers(reports, decision, matches), reports)


def written(report: RefereeReport) -> str:
    """A report in words: its own where it was prose, else its parts under the headings of a review form."""
    if report.text or report.failure:
        return report.text
    parts = (
        ("Summary", [report.summary]),
        ("Strengths", [f"- {each}" for each in report.strengths]),
        ("Weaknesses", [f"- {each.point}" for each in report.criticisms]),
        ("Suggestions", [f"- {each.suggestion}" for each in report.criticisms if each.suggestion]),
    )
    return "\n\n".join(f"{name}\n" + "\n".join(lines) for name, lines in parts if any(lines))


def rating_of(report: RefereeReport) -> float | None:
    """On the one scale of all venues, 0 to 1: its own, else its overall mark."""
    if report.failure or report.rating is not None or report.overall is None:
        return None if report.failure else report.rating
    return (report.overall - LOWEST) / (HIGHEST - LOWEST)


async def _report(
    models: Models, idea: Idea, name: ModelName, reviewer: AskedReviewer, place: int, task: JudgeEvaluationTask
) -> RefereeReport:
    if reviewer.kind == "model":
        stance, sample = USUAL_STANCES[place % len(USUAL_STANCES)], place // len(USUAL_STANCES)
        return await conduct(models, referee_idea(idea, name, stance, place + 1, sample=sample))
    shown = Reported(idea.id, idea.title, idea.summary)
    return await conduct(models, report_on(shown, name, place + 1, place, whole=not task.idea_texts))


async def _compared(
    models: Models,
    paper: JudgedPaper,
    reviewer: AskedReviewer,
    reports: Sequence[RefereeReport],
    task: JudgeEvaluationTask,
) -> tuple[Match, ...]:
    """The first usable report beside a real one that is drawn; nothing where one of them is missing."""
    own = next((text for report in reports if (text := written(report)).strip()), "")
    if not task.compare_by or not own or not paper.reviews:
        return ()
    real = paper.reviews[drawn(paper.outcome.id, len(paper.reviews), task.seed)]
    about = Topic(text=shorten(f"{paper.shown.title}\n\n{paper.shown.abstract}", TOPIC_LIMIT))
    mine = WrittenReport(own, ModelName.parse(reviewer.model).short)
    theirs = WrittenReport(real, REAL_REPORT)
    judge = ModelName.parse(task.compare_by)
    return await conduct(models, compare_reports_in_both_orders(about, mine, theirs, judge))


def _in_numbers(reports: Sequence[RefereeReport], decision: Decision | None, matches: Sequence[Match]) -> PaperReview:
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
    """What the reviewer's report came to; None without a usable answer."""
    found = next((each.outcome for each in match.verdicts if each.criterion == OVERALL), None)
    if found is None:
        return None
    return _POINTS[found] if mine_first else 1 - _POINTS[found]


def _idea(paper: JudgedPaper) -> Idea:
    """The paper as an idea, as `novum review` takes a text."""
    return Idea(topic="", title=paper.shown.title, motivation="", novelty="", method="", summary=paper.shown.abstract)
