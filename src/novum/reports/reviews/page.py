"""Reviews as one page: no script, and nothing is loaded from anywhere."""

from __future__ import annotations

from markupsafe import Markup

from novum.core.reviewing import Reviews
from novum.reports.page import TEMPLATES, environment
from novum.reports.reviews import phrases as words

_STYLES = ("liveidea.css", "reviews.css")


def render_reviews_page(reviews: Reviews) -> str:
    """One self-contained page, the best idea first."""
    return (
        environment()
        .get_template("reviews.html.j2")
        .render(
            reviews=reviews,
            account=reviews.account,
            papers={paper.id: paper for paper in reviews.papers},
            words=words,
            more_style=Markup("\n".join((TEMPLATES / each).read_text("utf-8") for each in _STYLES)),  # noqa: S704  # ours
        )
    )
