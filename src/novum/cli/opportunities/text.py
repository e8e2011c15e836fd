"""Openings in a terminal: a table, and below it each one with its numbers, reasons and papers."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

from novum.cli.shell.terminal import one_line, print_heading, print_line, print_message, print_table

if TYPE_CHECKING:
    from novum.core.opportunity import Opportunity, OpportunityList

_TABLE = 84
"""Columns below which a table would break words: then each opening has lines of its own."""
_PAPERS, _TITLE = 3, 400
"""Papers of a side, and characters of one."""
MEANING = (
    "joined by: the chance that a paper of that year or before will join them; attention: the share of papers of their "
    "year above which the first joint ones are expected by citations; unusual: the share of pairs in real papers that "
    "are more usual."
)


def print_opportunities(opportunities: OpportunityList, *, why: bool) -> None:
    """All that is found, on stdout; notes on stderr, or, where they are the answer, on stdout."""
    tabled = _width() is None or (_width() or 0) >= _TABLE
    if opportunities.openings:
        _say(
            f"“{opportunities.topic}” is about {', '.join(opportunities.near)}." if opportunities.topic.strip() else ""
        )
        if tabled:
            _table(opportunities)
        if why or not tabled:
            papers = {paper.id: f"{paper.short_citation}: {paper.title}" for paper in opportunities.papers}
            beside = {gloss.concept: gloss.beside for gloss in opportunities.concepts}
            for place, each in enumerate(opportunities.openings, 1):
                _one(place, each, opportunities)
                if why:
                    _why(each, papers, beside)
        _say(MEANING)
    for note in opportunities.notes:
        if opportunities.openings:
            print_message(_wrapped(note, "", "") if sys.stderr.isatty() else note)
        else:
            _say(note)


def _table(opportunities: OpportunityList) -> None:
    from novum.reports.opportunities.phrases import percent

    heads = (
        "",
        "opening",
        "kind",
        f"joined by {opportunities.until + opportunities.horizon}",
        "95%",
        "attention",
        "unusual",
    )
    print_table(heads, (
        (str(place), each.name, each.kind, percent(each.probability), _span(each.probability_interval),
         percent(each.attention), percent(each.unusual))
        for place, each in enumerate(opportunities.openings, 1)
    ))  # fmt: skip


def _one(place: int, opening: Opportunity, opportunities: OpportunityList) -> None:
    """Its name and its numbers."""
    from novum.reports.opportunities.phrases import percent

    print_heading(f"{place}. {opening.name} ({opening.kind})")
    chance, attention = _span(opening.probability_interval), _span(opening.attention_interval)
    results = [
        f"joined by {opportunities.until + opportunities.horizon}: {percent(opening.probability)}{f' ({chance})' if chance else ''}",
        f"attention: {percent(opening.attention)}{f' ({attention})' if attention else ''}",
        f"unusual: {percent(opening.unusual)}",
    ]
    _say("; ".join(results), "   ")


def _why(opening: Opportunity, papers: Mapping[str, str], beside: Mapping[str, tuple[str, ...]]) -> None:
    for reason in opening.reasons:
        _say(f"- {reason}", "   ", "     ")
    for side in (opening.one, opening.other):
        goes_with = f"; goes with {', '.join(beside[side.concept])}" if beside.get(side.concept) else ""
        _say(f"{side.concept}, since {side.first_year}{goes_with}:", "   ", "     ")
        for paper in side.papers[:_PAPERS]:
            _say(one_line(papers.get(paper, paper), _TITLE), "     ", "       ")
    if opening.attempts:
        _say("nearest so far:", "   ")
        for paper in opening.attempts:
            _say(one_line(papers.get(paper, paper), _TITLE), "     ", "       ")
    print_line()


def _span(interval: tuple[float, float] | None) -> str:
    from novum.reports.opportunities.phrases import bounds, percent

    ends = bounds(interval)
    return "" if ends is None else f"{percent(ends[0])} to {percent(ends[1])}"


def _say(text: str, first: str = "", later: str | None = None) -> None:
    if text:
        print_line(_wrapped(text, first, first if later is None else later))


def _wrapped(text: str, first: str, later: str) -> str:
    """Between words on a terminal; one whole line for a program."""
    width = _width()
    if width is None:
        return first + text
    return textwrap.fill(text, max(width, 30), initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _width() -> int | None:
    """Of the terminal; None where stdout is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
