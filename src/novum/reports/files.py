"""Write the report of an ideation or an exploration run to a folder."""

from __future__ import annotations

from pathlib import Path

from novum.core import ExplorationReport, IdeationReport
from novum.reports.bibtex import render_bibtex
from novum.reports.exploration.markdown import papers_of, render_exploration
from novum.reports.exploration.page import render_exploration_page
from novum.reports.folder import ReportFiles, as_json, write_files
from novum.reports.ideation.cited_papers import papers_cited
from novum.reports.ideation.markdown.report import render_markdown
from novum.reports.ideation.page import render_html
from novum.reports.ideation.ready_prompt import PROMPT_FILE, ready_prompt
from novum.reports.sanitizing import clean


def write_report(report: IdeationReport | ExplorationReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `report.md` and `papers.bib` into `folder`, which is created if needed.

    Beside ideas also `prompt.txt`: the prompt that their literature makes, where there is any.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    return write_files(report_contents(report), folder)


def report_contents(report: IdeationReport | ExplorationReport) -> dict[str, str | bytes]:
    """The files of a report by their names, first the page, then the data."""
    if isinstance(report, ExplorationReport):
        html, markdown, papers = render_exploration_page(report), render_exploration(report), papers_of(report)
    else:
        html, markdown, papers = render_html(report), render_markdown(report), papers_cited(report)
    prompt = ready_prompt(report) if isinstance(report, IdeationReport) else ""
    return {
        "report.html": html,
        "report.json": as_json(report),
        "report.md": markdown,
        "papers.bib": render_bibtex(papers),
        **({PROMPT_FILE: clean(prompt, len(prompt))} if prompt else {}),
    }
