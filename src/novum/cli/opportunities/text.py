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
"""Papers of a side, and characters of a paper's line."""
MEANING = (
    "linked by: the probability that a paper will link them by the end of that year; attention: the expected rank of "
    "the first joint papers by citations, as the share of papers of their year below them; unusual: the share of pairs "
    "in real papers that are more usual."
)


def print_opportunities(opportunities: OpportunityList, *, why: bool) -> None:
    """Prints all opportunities to stdout; notes to stderr, or to stdout where there is nothing else."""
    width = _width()
    is_table = width is None or width >= _TABLE
    if opportunities.openings:
        _print(
            f"“{opportunities.topic}” is about {', '.join(opportunities.near)}." if opportunities.topic.strip() else ""
        )
        if is_table:
            _table(opportunities)
        if why or not is_table:
            papers = {paper.id: f"{paper.short_citation}: {paper.title}" for paper in opportunities.papers}
            beside = {concept.concept: concept.beside for concept in opportunities.concepts}
            for place, each in enumerate(opportunities.openings, 1):
                _one(place, each, opportunities)
                if why:
                    _why(each, papers, beside)
        _print(MEANING)
    for note in opportunities.notes:
        if opportunities.openings:
            print_message(_wrapped(note, "", "") if sys.stderr.isatty() else note)
        else:
            _print(note)


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
    numbers = [
        f"linked by {end}: {percent(opportunity.probability)}{f' ({chance})' if chance else ''}",
        f"attention: {percent(opportunity.attention)}{f' ({attention})' if attention else ''}",
        f"unusual: {percent(opportunity.unusual)}",
    ]
    _print("; ".join(numbers), "   ")


def _why(opportunity: Opportunity, papers: Mapping[str, str], beside: Mapping[str, tuple[str, ...]]) -> None:
    for reason in opportunity.reasons:
        _print(f"- {reason}", "   ", "     ")
    for side in (opportunity.one, opportunity.other):
        goes_with = f"; goes with {', '.join(beside[side.concept])}" if beside.get(side.concept) else ""
        _print(f"{side.concept}, since {side.first_year}{goes_with}:", "   ", "     ")
        for paper in side.papers[:_PAPERS]:
            _print(one_line(papers.get(paper, paper), _TITLE), "     ", "       ")
    if opportunity.attempts:
        _print("nearest so far:", "   ")
        for paper in opportunity.attempts:
            _print(one_line(papers.get(paper, paper), _TITLE), "     ", "       ")
    print_line()


def _span(interval: tuple[float, float] | None) -> str:
    ends = clipped_interval(interval)
    return "" if ends is None else f"{percent(ends[0])} to {percent(ends[1])}"


def _print(text: str, first: str = "", later: str | None = None) -> None:
    if text:
        print_line(_wrapped(text, first, first if later is None else later))


def _wrapped(text: str, first: str, later: str) -> str:
    """The text wrapped between words on a terminal, else in one line."""
    width = _width()
    if width is None:
        return first + text
    return textwrap.fill(text, max(width, 30), initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _width() -> int | None:
    """Width of the terminal; None when stdout is not one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
