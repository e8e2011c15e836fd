"""The report of an ideation run as an HTML page, and the card that a notebook shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from novum.core import IdeationReport
from novum.reports.exploration import phrases as evidence_words
from novum.reports.ideation import brief as briefs
from novum.reports.ideation import context as contexts
from novum.reports.ideation import findings, novelty, origins
from novum.reports.ideation import grounding as grounds
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.ideation.comparisons import (
    judging_record,
    pair_comparisons,
    version_comparisons,
    versions_in_words,
)
from novum.reports.ideation.ready_prompt import ready_prompt
from novum.reports.ideation.timeline import timeline
from novum.reports.opportunities.page import TEMPLATES as OPPORTUNITY_TEMPLATES
from novum.reports.opportunities.summary import opportunity_summary
from novum.reports.page import render_page

TEMPLATES = Path(__file__).parent / "templates"


def render_html(report: IdeationReport) -> str:
    """One self-contained page: no script, and nothing is loaded from anywhere."""
    return _render("report.html.j2", report)


def render_card(report: IdeationReport) -> str:
    """A short HTML fragment for notebooks; it takes its colours from the page around it."""
    return _render("card.html.j2", report)


def _render(template: str, report: IdeationReport) -> str:
    styles = ("figures.css", "ideation.css")
    return render_page(template, TEMPLATES, OPPORTUNITY_TEMPLATES, styles=styles, **page_context(report))


def page_context(report: IdeationReport) -> dict[str, Any]:
    """What the templates of the report know, beside the style sheets: for pages that show parts of it."""
    return {
        "report": report,
        "ideation": report.ideation,
        "account": report.account,
        "shelf": CitedPapers(report),
        "brief": briefs.brief(report),
        "comparisons": pair_comparisons(report.ideation),
        "openings": opportunity_summary(report.openings, [each.opening for each in report.ideation.starts]),
        "ready_prompt": ready_prompt(report),
        "version_comparisons": version_comparisons,
        "versions_in_words": versions_in_words,
        "contexts": contexts,
        "find": findings,
        "novelty": novelty,
        "origins": origins,
        "briefs": briefs,
        "grounds": grounds,
        "evidence_words": evidence_words,
        "judging_record": judging_record,
        "timeline": timeline,
    }
