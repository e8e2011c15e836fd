"""Opportunities in a terminal: a table, and below it each one with its numbers, reasons and papers."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Mapping

from novum.cli.shell.terminal import one_line, print_heading, print_line, print_message, print_table
from novum.core.opportunity import Opportunity, OpportunityList
from novum.reports.opportunities.phrases import clipped_interval, percent

_TABLE = 84
"""Width below which a table would break words: each opportunity then has its own lines."""
_PAPERS, _TITLE = 3, 400
"""Papers of a side, and characters of one."""
MEANING = (
    "linked by: the probability that a paper will link them by the end of that year; attention: the expected rank of "
    "the first joint papers by citations, as the share of papers of their year below them; unusual: the share of pairs "
    "in real papers that are more usual."
)


def print_opportunities(opportunities: OpportunityList, *, why: bool) -> None:
    """Prints all opportunities to stdout; notes to stderr, or to stdout where there is nothing else."""
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

    end = opportunities.until + opportunities.horizon
    heads = ("", "opportunity", "kind", f"linked by {end}", "95%", "attention", "unusual")
    print_table(heads, (
        (str(place), each.name, each.kind, percent(each.probability), _span(each.probability_interval),
         percent(each.attention), percent(each.unusual))
        for place, each in enumerate(opportunities.openings, 1)
    ))  # fmt: skip


def _one(place: int, opportunity: Opportunity, opportunities: OpportunityList) -> None:
    """Prints the name and the numbers of one opportunity."""

    print_heading(f"{place}. {opportunity.name} ({opportunity.kind})")
    chance, attention = _span(opportunity.probability_interval), _span(opportunity.attention_interval)
    end = opportunities.until + opportunities.horizon
    results = [
        f"linked by {end}: {percent(opportunity.probability)}{f' ({chance})' if chance else ''}",
        f"attention: {percent(opportunity.attention)}{f' ({attention})' if attention else ''}",
        f"unusual: {percent(opportunity.unusual)}",
    ]
    _say("; ".join(results), "   ")


def _why(opportunity: Opportunity, papers: Mapping[str, str], beside: Mapping[str, tuple[str, ...]]) -> None:
    for reason in opportunity.reasons:
        _say(f"- {reason}", "   ", "     ")
    for side in (opportunity.one, opportunity.other):
        goes_with = f"; goes with {', '.join(beside[side.concept])}" if beside.get(side.concept) else ""
        _say(f"{side.concept}, since {side.first_year}{goes_with}:", "   ", "     ")
        for paper in side.papers[:_PAPERS]:
            _say(one_line(papers.get(paper, paper), _TITLE), "     ", "       ")
    if opportunity.attempts:
        _say("nearest so far:", "   ")
        for paper in opportunity.attempts:
            _say(one_line(papers.get(paper, paper), _TITLE), "     ", "       ")
    print_line()


def _span(interval: tuple[float, float] | None) -> str:

    ends = clipped_interval(interval)
    return "" if ends is None else f"{percent(ends[0])} to {percent(ends[1])}"


def _say(text: str, first: str = "", later: str | None = None) -> None:
    if text:
        print_line(_wrapped(text, first, first if later is None else later))


def _wrapped(text: str, first: str, later: str) -> str:
    """Wrapped between words on a terminal; one line for a program."""
    width = _width()
    if width is None:
        return first + text
    return textwrap.fill(text, max(width, 30), initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _width() -> int | None:
    """Width of the terminal; None when stdout is not one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
