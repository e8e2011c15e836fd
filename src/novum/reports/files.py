"""The one writer: a report as four files in a folder, all of them or none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from novum.core import ExplorationReport, IdeationReport, Paper
from novum.errors import BadInput
from novum.files.atomic import write_all_atomic
from novum.reports.bibtex import render_bibtex
from novum.reports.cited_papers import papers_cited
from novum.reports.exploration.markdown import papers_of, render_exploration
from novum.reports.exploration.page import render_exploration_page
from novum.reports.markdown import render_markdown
from novum.reports.page import render_html


@dataclass(frozen=True)
class ReportFiles:
    """Where a report was written."""

    html: Path
    markdown: Path
    json: Path
    bibtex: Path


def write_report(report: IdeationReport | ExplorationReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.md`, `report.json` and `papers.bib` into `folder`, made where it is missing.

    Each file appears whole under its name or not at all. Raises `BadInput` when the folder cannot be written.
    """
    files = ReportFiles(folder / "report.html", folder / "report.md", folder / "report.json", folder / "papers.bib")
    html, markdown, papers = _rendered(report)
    texts: dict[Path, str | bytes] = {
        files.html: html,
        files.markdown: markdown,
        files.json: _json(report),
        files.bibtex: render_bibtex(papers),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_all_atomic(texts)
    except OSError as error:
        raise BadInput(
            f"The report cannot be written to {folder}: {error.strerror or error}. Free some space or name another "
            "folder, and run the same command again: answers that the ledger holds are not asked for again."
        ) from error
    return files


def _rendered(report: IdeationReport | ExplorationReport) -> tuple[str, str, list[Paper]]:
    """The page, the Markdown and the papers of the BibTeX file."""
    if isinstance(report, ExplorationReport):
        return render_exploration_page(report), render_exploration(report), papers_of(report)
    return render_html(report), render_markdown(report), papers_cited(report)


def _json(report: IdeationReport | ExplorationReport) -> str:
    # Not pydantic's own writer, which stops at half a surrogate pair; `write_whole` replaces those.
    return json.dumps(report.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
