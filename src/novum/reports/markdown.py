"""Markdown for reports, data cards and exports: escaping, links, lists, tables, and the table of what a run cost.

The text of papers and models is data. Nothing in it becomes a link, an image, a heading, code or HTML in a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from novum.core import Account, Paper
from novum.reports import phrases
from novum.reports.sanitizing import PROSE_LIMIT, clean, clean_line, paper_url

_LINE_SPECIALS = re.compile(r"([\\`*_\[\]!|~#$])")
_LINE_MARKER = re.compile(r"^(\d*)([.)](?!\w)|[+=-])")
"""What would start a list or underline a heading; the point in 0.7 does neither."""
_PROSE_SPECIALS = re.compile(r"([\\`\[\]~#$])")
_RULE_OR_UNDERLINE = re.compile(r"^([ >]*)(?==+ *$|(?:[-*_] *)+$)", re.MULTILINE)
_MARGIN = re.compile(r"^[ \t]+", re.MULTILINE)
_ENTITY = re.compile(r"&(?=#|\w+;)")


def _without_html(text: str) -> str:
    # A backslash before "<" is no escape in older Markdown; the entity works everywhere.
    return _ENTITY.sub("&amp;", text).replace("<", "&lt;")


def markdown_line(text: str) -> str:
    """Plain text as one line of Markdown: every character stands for itself."""
    line = _LINE_SPECIALS.sub(r"\\\1", _without_html(clean_line(text)).replace(">", "&gt;"))
    return _LINE_MARKER.sub(r"\1\\\2", line)


def markdown_phrase(text: str) -> str:
    """Model-written Markdown on one line, for list items and table cells: emphasis stays, as in `markdown_prose`."""
    line = _PROSE_SPECIALS.sub(r"\\\1", _without_html(clean_line(text, PROSE_LIMIT)))
    return _LINE_MARKER.sub(r"\1\\\2", line.replace("|", r"\|"))


def markdown_prose(text: str) -> str:
    """Model-written Markdown as paragraphs: emphasis, lists and quotations stay.

    Links, images, headings and code become plain characters. (No escape works inside code, so an open fence would win.)
    """
    # A margin of four spaces would make a code block, in which the escapes show.
    flat = _MARGIN.sub(lambda blanks: " " * min(len(blanks[0]), 3), clean(text).replace("\t", "  "))
    plain = _PROSE_SPECIALS.sub(r"\\\1", _without_html(flat))
    return _RULE_OR_UNDERLINE.sub(r"\1\\", plain).strip()


def markdown_document(blocks: Iterable[str]) -> str:
    """A file of paragraphs, lists, tables and headings with a blank line between two; empty blocks are left out."""
    return "\n\n".join(block for block in blocks if block.strip()) + "\n"


def markdown_list(lines: Iterable[str]) -> str:
    """A bullet list of lines that are Markdown already; empty when there is none."""
    return "\n".join(f"- {line}" for line in lines)


def markdown_table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], cell: Callable[[str], str] = markdown_line
) -> str:
    """A table. `cell` escapes every head and cell; give `str` for cells that are Markdown already."""
    lines = [f"| {' | '.join(map(cell, row))} |" for row in (heads, *rows)]
    return "\n".join([lines[0], "|---" * len(heads) + "|", *lines[1:]])


def markdown_title(paper: Paper) -> str:
    """A paper's title, linked to its address where it has one."""
    title, url = markdown_line(paper.title) or "(untitled)", paper_url(paper)
    return f"[{title}]({url})" if url else title


def markdown_reference(paper: Paper) -> str:
    """A paper as an entry of a list of references: title, authors, venue and year."""
    authors = markdown_line(", ".join(paper.authors)) or "authors unknown"
    where = ", ".join(filter(None, [markdown_line(paper.venue), str(paper.year or "year unknown")]))
    return f"{markdown_title(paper)}. {authors}. {where}."


def markdown_account(account: Account, options: Mapping[str, object]) -> str:
    """The section on what a run cost, with its models and options."""
    spend = account.spend
    facts = {
        "Cost": phrases.cost(spend),
        "Tokens": phrases.tokens(spend),
        "Model calls": phrases.calls(spend),
        "Time": phrases.duration(account.seconds),
        "Electricity": phrases.energy(spend),
        "CO₂ equivalent": phrases.carbon(spend),
        "Run": account.run_id,
        "Novum": account.novum_version,
        **{f"Model, {role}": model for role, model in account.models.items()},
        **{f"Option, {name}": phrases.option(value) for name, value in options.items()},
    }
    return "## Cost and settings\n\n" + markdown_table(("", ""), facts.items())
