"""The experiment plan in Markdown, with its drafts and reviews."""

from __future__ import annotations

from novum import core
from novum.core import (
    Experiment,
    IdeationReport,
)
from novum.reports import phrases
from novum.reports.ideation import findings
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.ideation.markdown.parts import Blocks, citation_list, named_list, named_texts, paper_by_id
from novum.reports.markdown import (
    markdown_line,
    markdown_list,
    markdown_phrase,
)


def experiment_blocks(report: IdeationReport, shelf: CitedPapers) -> Blocks:
    """The experiment plan, its earlier drafts and their reviews."""
    yield "## Experiment plan"
    if report.ideation.experiment is None:
        yield "⚠ This run ended without an experiment plan."
        return
    yield from _plan(report.ideation.experiment, shelf)
    history = findings.revisions(report.ideation.drafts)
    for number, (draft, changes) in enumerate(history, 1):
        yield f"### Draft {number} of the plan{', the plan above' if number == len(history) else ''}"
        yield named_list("What was done about the review", draft.changes)
        yield "" if draft.changes else markdown_list(_change(change) for change in changes)
        if number < len(history):
            yield from _plan(draft.experiment, shelf)
        yield from _review(draft.review) if draft.review else ()
        looked_up = [paper_by_id(paper_id, shelf) for paper_id in draft.looked_up]
        yield "**Then looked up**\n\n" + markdown_list(looked_up) if looked_up else ""


def _change(change: findings.RevisionSummary) -> str:
    added = [f"new: {markdown_phrase(line)}" for line in change.added]
    dropped = [f"dropped: {markdown_phrase(line)}" for line in change.dropped]
    return f"{change.part}: " + ("; ".join([*added, *dropped]) or "order changed")


def _plan(plan: Experiment, shelf: CitedPapers) -> Blocks:
    yield from named_texts(("Hypothesis", plan.hypothesis))
    yield "\n".join(f"{number}. {markdown_phrase(step)}" for number, step in enumerate(plan.steps, 1))
    yield named_list("Data", plan.datasets)
    yield named_list("Baselines", plan.baselines)
    yield named_list("Metrics", plan.metrics)
    yield named_list("Ablations", plan.ablations)
    yield from named_texts(("How the outcomes decide", plan.analysis), ("Feasibility", plan.feasibility))
    yield from named_texts(("Sketch", plan.sketch.replace("\n", "\n\n")))
    yield citation_list(plan.citations, shelf)


def _review(review: core.Review) -> Blocks:
    decision = {True: ": would accept", False: ": would not accept as it stands", None: ""}[review.accept]
    yield f"**Review by {markdown_line(review.reviewer)}{decision}**"
    yield named_list("Strengths", review.strengths)
    yield named_list("Weaknesses", review.weaknesses)
    yield named_list("Suggestions", review.suggestions)
    yield markdown_list(
        f"{markdown_line(score.metric)}: {phrases.UNKNOWN if score.value is None else f'{score.value:g}'} "
        f"{markdown_phrase(score.reason)}".strip()
        for score in review.scores
    )
    if review.search_query:
        yield f"Asked to have looked up: “{markdown_line(review.search_query)}”"
