"""Reports of reviews: an HTML page, a Markdown file, and lines for a terminal."""

from novum.reports.reviews.page import write_reviews

__all__ = ["write_reviews"]
