"""Opportunities in a terminal, on one screen: a table, and below it the first ones with their reasons and papers."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from novum.cli.shell.terminal import one_line, print_heading, print_line, print_message, print_table
from novum.core.opportunity import Opportunity, OpportunityList
from novum.reports.opportunities.phrases import clipped_interval, percent

MOST_LINES = 36
"""Lines of the whole output. With the lines before it and the one that names the files, they are a screen of forty."""
_TABLE, _WHOLE_TABLE = 70, 112
"""Widths from which there is a table, instead of lines for each opportunity; and one with all columns."""
_BESIDE_NAMES, _BESIDE_NAMES_OF_ALL = 40, 74
"""Width of such tables without the column of names."""
_ROWS = 10
"""Rows of the table if reasons are printed too."""
_FRAME, _REST = 5, 2
"""Lines of a table beside its rows, and of what is said of the rest, at most."""
_REASONS, _TITLE = 2, 160
"""Reasons of an opportunity, and characters of a paper's line; the page has all."""
MEANING = (
    "linked by: the probability that a paper in this library will link them by the end of that year; attention: the "
    "expected rank of the first joint papers by citations, as the share of papers of their year below them; unusual: "
    "the share of pairs in real papers that are more usual."
)


def print_opportunities(opportunities: OpportunityList, *, why: bool, page: bool = False) -> None:
    """Prints the best opportunities to stdout, on `MOST_LINES` lines at most; notes to stderr, or to stdout where there
    is nothing else. `page`: the user gets a page with all of them."""
    if not opportunities.openings:
        for note in opportunities.notes:
            _print(_wrapped(note))
        return
    named = opportunities.topic.strip() and opportunities.near
    about = _wrapped(f"“{_short(opportunities.topic)}” is about {', '.join(opportunities.near)}.") if named else []
    meaning = _wrapped(MEANING)
    notes = [line for note in opportunities.notes for line in (_wrapped(note) if sys.stderr.isatty() else [note])]
    left = MOST_LINES - len(about) - len(meaning) - len(notes) - _REST
    _print(about)
    is_table = (_width() or _TABLE) >= _TABLE
    blocks = list(_blocks(opportunities, why=why, numbers=not is_table)) if why or not is_table else []
    first = len(blocks[0]) if blocks else 0
    rows = _fitting([_height(each) for each in opportunities.openings], left - _FRAME - first, _ROWS if why else None)
    if is_table:
        _table(opportunities, rows)
        left -= _FRAME + sum(_height(each) for each in opportunities.openings[:rows])
    explained = _fitting([len(block) for block in blocks], left)
    for heading, *lines in blocks[:explained]:
        print_heading(heading)
        _print(lines)
    _print(meaning)
    _print(_rest(opportunities, rows if is_table else explained, explained, why=why and not page))
    for line in notes:
        print_message(line)


def _fitting(heights: Sequence[int], lines: int, most: int | None = None) -> int:
    """How many of the first blocks of these heights fit on so many lines, `most` at most."""
    fitting = 0
    for height in heights[:most]:
        lines -= height
        if lines < 0:
            break
        fitting += 1
    return fitting


def _short(topic: str) -> str:
    return one_line(topic, 200)


def _rest(opportunities: OpportunityList, listed: int, explained: int, *, why: bool) -> list[str]:
    """A line on what is not printed, if anything is missing that the user can have."""
    total = len(opportunities.openings)
    more = f"{total - listed} more" if listed < total else ""
    if why and explained < total:
        more = f"{more}, and all reasons and papers" if more else "All reasons and papers"
    verb = "are" if why or total - listed != 1 else "is"
    return _wrapped(f"{more} {verb} on the page that --out DIR writes.") if more else []


def _height(opportunity: Opportunity) -> int:
    """Lines of a row of the table."""
    width = _width()
    if width is None:
        return 1
    names = width - (_BESIDE_NAMES_OF_ALL if width >= _WHOLE_TABLE else _BESIDE_NAMES)
    return len(textwrap.wrap(opportunity.name, max(names, 10)) or [""])


def _table(opportunities: OpportunityList, rows: int) -> None:
    width, end = _width(), opportunities.until + opportunities.horizon
    whole = width is None or width >= _WHOLE_TABLE
    between = " " if width is None else "\n"
    linked = f"linked by {end}{between}in this library"
    heads = ("", "opportunity", "kind", linked, *(("95%", "attention", "unusual") if whole else ()))
    shown = enumerate(opportunities.openings[:rows], 1)
    print_table(heads, ((str(place), each.name, each.kind, *_cells(each, whole=whole)) for place, each in shown))


def _cells(opportunity: Opportunity, *, whole: bool) -> tuple[str, ...]:
    chance, interval = percent(opportunity.probability), _span(opportunity.probability_interval)
    if whole:
        return chance, interval, percent(opportunity.attention), percent(opportunity.unusual)
    return (f"{chance} ({interval})" if interval else chance,)


def _blocks(opportunities: OpportunityList, *, why: bool, numbers: bool) -> Iterator[list[str]]:
    """The lines of each opportunity, its heading first. `numbers`: with those that the table has."""
    papers = {paper.id: f"{paper.short_citation}: {paper.title}" for paper in opportunities.papers}
    for place, each in enumerate(opportunities.openings, 1):
        lines = [one_line(f"{place}. {each.name} ({each.kind})", _width() or 1_000)]
        yield lines + (_numbers(each, opportunities) if numbers else []) + (_why(each, papers) if why else [])


def _numbers(opportunity: Opportunity, opportunities: OpportunityList) -> list[str]:
    chance, attention = _span(opportunity.probability_interval), _span(opportunity.attention_interval)
    end = opportunities.until + opportunities.horizon
    numbers = [
        f"linked by {end} in this library: {percent(opportunity.probability)}{f' ({chance})' if chance else ''}",
        f"attention: {percent(opportunity.attention)}{f' ({attention})' if attention else ''}",
        f"unusual: {percent(opportunity.unusual)}",
    ]
    return _wrapped("; ".join(numbers), "   ")


def _why(opportunity: Opportunity, papers: Mapping[str, str]) -> list[str]:
    """The strongest reasons, the nearest paper of each side, and the paper that came nearest to both."""
    lines = [line for reason in opportunity.reasons[:_REASONS] for line in _wrapped(f"- {reason}", "   ", "     ")]
    named = [(side.concept, side.papers[:1]) for side in (opportunity.one, opportunity.other)]
    for what, ids in (*named, ("nearest so far", opportunity.attempts[:1])):
        for paper in ids:
            lines += _wrapped(f"{what}: {one_line(papers.get(paper, paper), _TITLE)}", "   ", "     ")
    return lines


def _span(interval: tuple[float, float] | None) -> str:
    ends = clipped_interval(interval)
    return "" if ends is None else f"{percent(ends[0])} to {percent(ends[1])}"


def _print(lines: Sequence[str]) -> None:
    for line in lines:
        print_line(line)


def _wrapped(text: str, first: str = "", later: str | None = None) -> list[str]:
    """The lines of a text: wrapped between words on a terminal, else one."""
    width = _width()
    if width is None:
        return [first + text]
    return textwrap.wrap(
        text,
        max(width, 30),
        initial_indent=first,
        subsequent_indent=first if later is None else later,
        break_on_hyphens=False,
    )


def _width() -> int | None:
    """Width of the terminal; None when stdout is not one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
