"""What people read after a run: HTML, Markdown, BibTeX and a notebook card, rendered from records alone."""

from novum.reports.bibtex import render_bibtex
from novum.reports.exploration import render_exploration
from novum.reports.exploration_page import render_exploration_page
from novum.reports.files import ReportFiles, write_report
from novum.reports.markdown import render_markdown
from novum.reports.page import render_card, render_html
from novum.reports.shelf import papers_cited

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
