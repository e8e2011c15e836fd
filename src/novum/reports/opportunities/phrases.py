"""What kinds of openings and their numbers say in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from novum.core.opportunity import OpportunityKind, OpportunityList
from novum.core.paper import Paper
from novum.reports.phrases import UNKNOWN, count

NOTHING = (
    "Ask about something that the library has papers of, ask for less at once, or bring in papers of the topic: novum "
    "library add."
)
COMPUTED = "From the papers of the library alone; no language model was asked."
DOCS = "docs/opportunities.md"


@dataclass(frozen=True)
class Kind:
    """`slug` names its colour, dash and shape; `reason` is what makes an opening one of this kind."""

    slug: str
    name: str
    reason: str


KINDS: Mapping[OpportunityKind, Kind] = {
    "bridge": Kind("bridge", "Bridge", "Two communities that hardly cite each other, though they have much in common."),
    "transfer": Kind("transfer", "Transfer", "A method that has just worked on a neighbouring problem."),
    "rising": Kind("rising", "Rising pair", "More is written of both every year, and not yet of the two together."),
    "dormant": Kind("dormant", "Dormant", "Papers joined the two once, and then no more."),
    "follow-up": Kind("follow-up", "Follow-up", "A much cited paper whose line nobody has taken up in this field."),
}


def percent(share: float | None) -> str:
    """`34%`, `1.2%`, `under 0.1%` of a share from 0 to 1; small ones keep a digit, as openings mostly are unlikely."""
    if share is None or not math.isfinite(share):
        return UNKNOWN
    hundredths = 100 * min(max(share, 0.0), 1.0)
    if 0 < hundredths < 0.1:
        return "under 0.1%"
    return f"{hundredths:.1f}%" if 0 < hundredths < 9.95 else f"{hundredths:.0f}%"


def clipped_interval(interval: tuple[float, float] | None) -> tuple[float, float] | None:
    """An interval inside 0 to 1 and the right way round; None for one that is none."""
    if interval is None or not all(map(math.isfinite, interval)):
        return None
    low, high = sorted(min(max(end, 0.0), 1.0) for end in interval)
    return low, high


def interval(of: tuple[float, float] | None) -> str:
    """`95% interval 21% to 48%`; that there is none is said, lest a point be taken for sure."""
    ends = clipped_interval(of)
    return "no interval known" if ends is None else f"95% interval {percent(ends[0])} to {percent(ends[1])}"


def byline(paper: Paper) -> str:
    """`Wei et al. 2022`, or the year alone."""
    return " ".join(filter(None, (paper.short_authors, str(paper.year or "n.d."))))


def headline(openings: OpportunityList) -> str:
    """How many, out of how many, as of when."""
    found = len(openings.openings)
    looked = f" among {count(openings.looked_at, 'pair')} that were compared" if openings.looked_at > 0 else ""
    if not found:
        return f"No opening was found{looked}."
    return (
        f"{count(found, 'opening')}{looked}: pairs of concepts that papers up to {openings.until} have not brought "
        f"together, or no longer do, with the chance that they will within {count(openings.horizon, 'year')}."
    )


def probability_of(openings: OpportunityList) -> str:
    """What the probability is of."""
    return f"joined by a paper within {count(openings.horizon, 'year')} after {openings.until}"


def grey(openings: OpportunityList) -> str:
    """What the thin lines of the map are."""
    if openings.links is None:
        return "Grey lines are pairs that papers named on this page do join."
    return "Grey lines join concepts that papers of the library bring together, the strongest ties of each."


ATTENTION = "of the papers of their year: so many the first joint papers would stand above by citations"
UNUSUAL = "of the pairs that papers of the library do make are more usual than this one"


def meaning(openings: OpportunityList) -> tuple[str, ...]:
    """What the numbers are, and what they are worth."""
    years = count(openings.horizon, "year")
    return (
        f"Probability is the chance that a paper joins the two within {years} after {openings.until}, told from how "
        "such pairs fared in earlier years of this library. Expected attention is the share of papers of their year "
        "that the first joint papers would stand above by citations. Unusual is the share of the pairs in real papers "
        "that are more usual than this one.",
        "Held against the past, such forecasts put pairs in a better order than simple scores do, but pairs came less "
        "often than told, and expected attention was weak or no better than chance: take probability as an order with "
        "a rough size, and attention as a hint. That a pair is likely does not make it worth doing, and a joint paper "
        "may lie outside this library: read the papers on both sides first.",
    )
