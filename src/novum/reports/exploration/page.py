"""An exploration as an HTML page, whole in one file: citations lead to their evidence, evidence to its paper."""

from __future__ import annotations

import re

from markupsafe import Markup

from novum.core import ExplorationReport, Sentence
from novum.reports.exploration import phrases as told
from novum.reports.page import environment
from novum.reports.sanitizing import clean_line

_CITED = re.compile(r"\[(\d+(?:, \d+)*)\]")


def render_exploration_page(report: ExplorationReport) -> str:
    """One self-contained page: no script, and nothing is loaded from anywhere."""
    page = environment().get_template("exploration.html.j2")
    return page.render(report=report, account=report.account, told=told, linked=linked)


def linked(sentence: Sentence, question: int) -> Markup:
    """The words of a sentence with its citations as links to the evidence of the question of that number."""
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
    told_places = (
        link.format(question, number, number) if number in sentence.cites else str(number) for number in numbers
    )
    return Markup(", ").join(told_places)
