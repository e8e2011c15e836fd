"""Render a report as one HTML page: the Jinja environment, its filters, and style sheets and scripts to embed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from novum.reports import phrases
from novum.reports.sanitizing import beginning, clean, clean_line, paper_label, paper_url, prose

TEMPLATES = Path(__file__).parent / "templates"
"""Templates, style sheets and scripts that several reports share."""
TABLES_AND_CHARTS = ("figures.css", "ratings.css")
"""The style sheets of reports that consist of tables and charts."""


def render_page(template: str, *folders: Path, styles: Iterable[str] = TABLES_AND_CHARTS, **context: object) -> str:
    """Render one self-contained page that loads nothing from anywhere.

    `folders`: template folders of the report, searched before the shared one. `styles`: style sheets in addition to
    `report.css`; the template finds them in `more_style`. `context`: the other variables of the template.
    """
    more_style = Markup("\n").join(asset(name, *folders) for name in styles)
    return environment(*folders).get_template(template).render(more_style=more_style, **context)


def asset(name: str, *folders: Path) -> Markup:
    """A style sheet or script from the first folder that has it (the shared one last), to embed in a page as it is."""
    path = next(folder / name for folder in (*folders, TEMPLATES) if (folder / name).exists())
    return Markup(path.read_text("utf-8"))  # noqa: S704  # a file of this package


@cache
def environment(*folders: Path) -> Environment:
    """The Jinja environment of reports. Templates are searched in `folders`, then among the shared ones."""
    jinja = Environment(
        loader=FileSystemLoader([*folders, TEMPLATES]),
        autoescape=True,
        finalize=_clean_value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters |= {
        "prose": prose,
        "verbatim": _verbatim,
        "paper_url": paper_url,
        "short": paper_label,
        "beginning": beginning,
        "capitalize_first": _capitalize_first,
    }
    jinja.globals |= {"say": phrases, "style": asset("report.css")}
    return jinja


def _clean_value(value: object) -> object:
    """The value of every template expression passes here, so no foreign text reaches the page uncleaned."""
    return value if isinstance(value, Markup | int | float) else clean_line(str(value))


def _capitalize_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _verbatim(text: str) -> Markup:
    """Text whose line breaks and spaces matter, such as a sketch of an algorithm."""
    return Markup.escape(clean(text))
