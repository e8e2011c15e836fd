"""Reviews of ideas as an HTML page, and as a folder with the page, the data and Markdown."""

from __future__ import annotations

from pathlib import Path

from novum.core.reviewing import Reviews
from novum.reports.folder import ReportFiles, as_json, write_files
from novum.reports.page import render_page
from novum.reports.reviews import phrases as words
from novum.reports.reviews.text import render_reviews_markdown

TEMPLATES = Path(__file__).parent / "templates"


def write_reviews(reviews: Reviews, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json` and `report.md` into `folder`. Raises BadInput when they cannot be written."""
    contents: dict[str, str | bytes] = {
        "report.html": render_reviews_page(reviews),
        "report.json": as_json(reviews),
        "report.md": render_reviews_markdown(reviews),
    }
    return write_files(contents, folder)


def render_reviews_page(reviews: Reviews) -> str:
    """One self-contained page without a script, the best idea first."""
    return render_page(
        "reviews.html.j2",
        TEMPLATES,
        styles=("figures.css", "reviews.css"),
        reviews=reviews,
        account=reviews.account,
        papers={paper.id: paper for paper in reviews.papers},
        words=words,
    )
