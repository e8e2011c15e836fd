"""Reports for people: HTML, Markdown, BibTeX and a notebook card, rendered from records alone."""

from novum.reports.bibtex import render_bibtex
from novum.reports.exploration.markdown import render_exploration
from novum.reports.exploration.page import render_exploration_page
from novum.reports.files import write_report
from novum.reports.folder import ReportFiles
from novum.reports.ideation.cited_papers import papers_cited
from novum.reports.ideation.markdown import render_markdown
from novum.reports.ideation.page import render_card, render_html

__all__ = [
    "ReportFiles",
    "papers_cited",
    "render_bibtex",
    "render_card",
    "render_exploration",
    "render_exploration_page",
    "render_html",
    "render_markdown",
    "write_report",
]
