"""A review on disk: the page, the same as Markdown, and everything as data."""

from __future__ import annotations

from pathlib import Path

from novum.core.reviewing import Reviews
from novum.reports.folder import ReportFiles, as_json, write_folder
from novum.reports.reviews.page import render_reviews_page
from novum.reports.reviews.text import render_reviews_markdown


def write_reviews(reviews: Reviews, folder: Path) -> ReportFiles:
    """`report.html`, `report.json` and `report.md` in `folder`. Raises BadInput where they cannot be written."""
    contents: dict[str, str | bytes] = {
        "report.html": render_reviews_page(reviews),
        "report.json": as_json(reviews),
        "report.md": render_reviews_markdown(reviews),
    }
    return write_folder(contents, folder)
