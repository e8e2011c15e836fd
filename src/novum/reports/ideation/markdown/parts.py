"""Parts of the Markdown report that its other files share: papers, citations, and texts under a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from novum.core import (
    Citation,
    Idea,
    Paper,
)
from novum.reports.ideation.brief import (
    idea_parts,
)
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.markdown import (
    markdown_line,
    markdown_list,
    markdown_phrase,
    markdown_prose,
    markdown_title,
)

Blocks = Iterator[str]
"""Paragraphs, lists, headings; a blank line comes between two."""


def idea_blocks(idea: Idea, shelf: CitedPapers) -> Blocks:
    """The parts of an idea and what it cites."""
    for part in idea_parts(idea):
        yield from named_texts((part.name, part.text)) if part.name else [markdown_prose(part.text)]
    yield citation_list(idea.citations, shelf)


def named_texts(*parts: tuple[str, str]) -> Blocks:
    """Texts of models, each under its name; empty ones are left out."""
    for name, text in parts:
        if text:
            yield f"**{name}.**"
            yield markdown_prose(text)


def citation_list(cited: Iterable[Citation], shelf: CitedPapers) -> str:
    """The papers that a text cites, as a list under a heading; empty without any."""
    named = ((f"{markdown_line(each.name)} → " if shelf.renames(each) else "", shelf.cited(each)) for each in cited)
    lines = [name + _cited(paper, shelf) for name, paper in named]
    return "**Cites**\n\n" + markdown_list(lines) if lines else ""


def _cited(paper: Paper | None, shelf: CitedPapers) -> str:
    return paper_line(paper, shelf) if paper else "**⚠ unresolved: no such paper in the library**"


def paper_line(paper: Paper, shelf: CitedPapers) -> str:
    """A paper on one line, with its number in this report."""
    return f"{markdown_title(paper)}, {markdown_line(paper.short_citation)} \\[{shelf.number(paper)}\\]"


def paper_by_id(paper_id: str, shelf: CitedPapers) -> str:
    """A paper by its identifier, also where the report does not hold it."""
    paper = shelf.paper(paper_id)
    return paper_line(paper, shelf) if paper else f"{markdown_line(paper_id)} **⚠ not in this report**"


def named_list(name: str, items: Iterable[str]) -> str:
    """Short texts of models as a list under a name; empty without any."""
    lines = [markdown_phrase(item) for item in items]
    return f"**{name}**\n\n{markdown_list(lines)}" if lines else ""
