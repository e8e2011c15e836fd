"""What is read after a review of ideas: a page, a Markdown file, and lines for a terminal."""

from novum.reports.reviews.files import write_reviews

__all__ = ["write_reviews"]
