"""An exploration as an HTML page, whole in one file: citations lead to their evidence, evidence to its paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from markupsafe import Markup

from novum.core import ExplorationReport, Sentence
from novum.reports.exploration import phrases as words
from novum.reports.page import render_page
from novum.reports.sanitizing import clean_line

TEMPLATES = Path(__file__).parent / "templates"
_CITED = re.compile(r"\[(\d+(?:, \d+)*)\]")


def render_exploration_page(report: ExplorationReport) -> str:
    """One self-contained page: no script, and nothing is loaded from anywhere."""
    return render_page("exploration.html.j2", TEMPLATES, styles=(), **page_context(report))


def page_context(report: ExplorationReport) -> dict[str, Any]:
    """What the template knows, beside the style sheets: for pages that show parts of it."""
    return {"report": report, "account": report.account, "words": words, "linked": with_citation_links}


def with_citation_links(sentence: Sentence, question: int) -> Markup:
    """A sentence of an answer whose citations are links. `question`: the number of the question, from 0."""
    text = clean_line(sentence.text)
    parts, end = [Markup("")], 0
    for found in _CITED.finditer(text):
        parts += [
            Markup.escape(text[end : found.start()]),
            Markup("["),
            _links(found[1], sentence, question),
            Markup("]"),
        ]
        end = found.end()
    return Markup("").join([*parts, Markup.escape(text[end:])])


def _links(places: str, sentence: Sentence, question: int) -> Markup:
    link = Markup('<a class="ref" href="#q{}-e{}">{}</a>')
    numbers = (int(each) for each in places.split(", "))
    places_with_links = (
        link.format(question, number, number) if number in sentence.cites else str(number) for number in numbers
    )
    return Markup(", ").join(places_with_links)
