"""The HTML page, whole in one file, and the card that a notebook shows."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from novum.core import IdeationReport
from novum.reports import findings, phrases
from novum.reports import grounding as grounds
from novum.reports.cited_papers import Shelf
from novum.reports.comparisons import duels, played
from novum.reports.exploration import phrases as exploration_words
from novum.reports.opportunities.summary import openings_head
from novum.reports.sanitizing import clean, clean_line, opening, paper_url, prose
from novum.reports.timeline import label, timeline

TEMPLATES = Path(__file__).parent / "templates"


def render_html(report: IdeationReport) -> str:
    """One self-contained page: no script, and nothing is loaded from anywhere."""
    return _render("report.html.j2", report)


def render_card(report: IdeationReport) -> str:
    """A short HTML fragment for notebooks; it takes its colours from the page around it."""
    return _render("card.html.j2", report)


def _render(template: str, report: IdeationReport) -> str:
    page = environment().get_template(template)
    return page.render(
        report=report,
        ideation=report.ideation,
        account=report.account,
        shelf=Shelf(report),
        duels=duels(report.ideation),
        openings=openings_head(report.openings, [each.opening for each in report.ideation.starts]),
    )


def _shown(value: object) -> object:
    """Every expression of every template passes here, so no foreign text reaches the page uncleaned."""
    return value if isinstance(value, Markup | int | float) else clean_line(str(value))


def _verbatim(text: str) -> Markup:
    """Text whose lines and blanks matter, as in a sketch of an algorithm."""
    return Markup.escape(clean(text))


def _inline_style() -> Markup:
    return Markup((TEMPLATES / "report.css").read_text("utf-8"))  # noqa: S704  # ours


@cache
def environment() -> Environment:
    """Where templates live, with all that they may call."""
    room = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    room.filters |= {
        "prose": prose,
        "verbatim": _verbatim,
        "paper_url": paper_url,
        "short": label,
        "opening": opening,
    }
    room.globals |= {
        "say": phrases,
        "find": findings,
        "grounds": grounds,
        "evidence_words": exploration_words,
        "played": played,
        "timeline": timeline,
        "style": _inline_style(),
    }
    return room
