"""Pages from templates: those of the reports and those of the workbench, in one environment and with one look."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment
from markupsafe import Markup

from novum.benchmarks.arena.report.page import TEMPLATES as ARENA
from novum.benchmarks.liveidea.report.page import TEMPLATES as LIVEIDEA
from novum.core.version import installed_version
from novum.reports.exploration.page import TEMPLATES as EXPLORATION
from novum.reports.ideation.page import TEMPLATES as IDEATION
from novum.reports.opportunities.page import TEMPLATES as OPPORTUNITIES
from novum.reports.page import TEMPLATES as SHARED
from novum.reports.page import environment
from novum.web import wording

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"
STYLES = (
    (SHARED, "report.css"), (SHARED, "figures.css"), (SHARED, "ratings.css"), (IDEATION, "ideation.css"),
    (OPPORTUNITIES, "openings.css"), (STATIC, "workbench.css"),
)  # fmt: skip
"""The style sheets of the reports, and that of the workbench, which completes them."""
_SCRIPTS = ("workbench.js", "charts.js", "vendor/htmx.min.js", "vendor/vega.min.js", "vendor/vega-lite.min.js",
            "vendor/vega-embed.min.js")  # fmt: skip

_REPORT_SCRIPTS = ((ARENA, "arena.js"), (SHARED, "sort_tables.js"))
"""Scripts of report files, for pages that show the same."""


@cache
def static_files() -> dict[str, tuple[bytes, str]]:
    """The contents and media types of all static files, by name. Requests choose among these names alone."""
    styles = "\n".join((folder / name).read_text("utf-8") for folder, name in STYLES)
    scripts = {name: ((STATIC / name).read_bytes(), "text/javascript") for name in _SCRIPTS}
    scripts |= {name: ((folder / name).read_bytes(), "text/javascript") for folder, name in _REPORT_SCRIPTS}
    icon = (STATIC / "icon.svg").read_bytes()
    return {"style.css": (styles.encode(), "text/css"), "icon.svg": (icon, "image/svg+xml"), **scripts}


@cache
def static_url(name: str) -> str:
    """The address of a static file, which changes with its content."""
    content, _ = static_files()[name]
    return f"/static/{name}?v={hashlib.blake2b(content, digest_size=6).hexdigest()}"


@cache
def _environment() -> Environment:
    jinja = environment(TEMPLATES, IDEATION, EXPLORATION, OPPORTUNITIES, ARENA, LIVEIDEA)
    jinja.globals |= {"static": static_url, "word": wording, "version": installed_version()}
    jinja.filters |= {"json_data": json_data, "urlencode": lambda text: quote(str(text), safe="")}
    return jinja


def prepare_templates() -> None:
    """Compiles all templates of pages, so that nobody waits for it."""
    jinja = _environment()
    for file in TEMPLATES.rglob("*.j2"):
        jinja.get_template(file.relative_to(TEMPLATES).as_posix())


def json_data(text: str) -> Markup:
    """JSON for a data block of a page: no text in it can end the block."""
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))  # noqa: S704


def fragment(template: str, macro: str, *arguments: object, **context: object) -> Markup:
    """What one macro of a template makes of its arguments, for a part of a page."""
    module = _environment().get_template(template).make_module(dict(context))
    made: Markup = getattr(module, macro)(*arguments)
    return made


def part(template: str, **context: Any) -> Markup:
    """A template that is the same for every browser, as a part of a page."""
    return Markup(_environment().get_template(template).render(**context))  # noqa: S704  # the templates escape


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page of the workbench. The template knows the token that its forms must carry."""
    text = (
        _environment()
        .get_template(template)
        .render(path=request.url.path, form_token=request.app.state.workbench.form_token(request), **context)
    )
    return HTMLResponse(text, status)
