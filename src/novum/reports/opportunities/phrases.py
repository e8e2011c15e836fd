"""The kinds and numbers of opportunities in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from novum.core.opportunity import OpportunityKind, OpportunityList
from novum.core.paper import Paper
from novum.reports.phrases import UNKNOWN, count

NOTHING = (
    "Choose a topic on which the library has papers, relax the options, or add papers on the topic: novum library add."
)
COMPUTED = "Computed from the papers of the library, without a language model."
DOCS = "docs/opportunities.md"


@dataclass(frozen=True)
class Kind:
    """A kind of opportunity. `slug` names its colour, dash and shape; `reason` explains the kind."""

    slug: str
    name: str
    reason: str


KINDS: Mapping[OpportunityKind, Kind] = {
    "bridge": Kind(
        "bridge", "Bridge", "Two communities that hardly cite each other, although they have much in common."
    ),
    "transfer": Kind("transfer", "Transfer", "A method that has just worked on a neighbouring problem."),
    "rising": Kind("rising", "Rising pair", "More papers appear on both every year, but none yet on the two together."),
    "dormant": Kind("dormant", "Dormant", "Papers combined the two once, and then no more."),
    "follow-up": Kind("follow-up", "Follow-up", "A highly cited paper that nobody in this field has continued."),
}


def percent(share: float | None) -> str:
    """`34%`, `1.2%`, `under 0.1%` for a share from 0 to 1. Small shares, which are common here, keep a digit."""
    if share is None or not math.isfinite(share):
        return UNKNOWN
    hundredths = 100 * min(max(share, 0.0), 1.0)
    if 0 < hundredths < 0.1:
        return "under 0.1%"
    return f"{hundredths:.1f}%" if 0 < hundredths < 9.95 else f"{hundredths:.0f}%"


def clipped_interval(interval: tuple[float, float] | None) -> tuple[float, float] | None:
    """The interval clipped to 0 to 1, low end first; None if it is not finite."""
    if interval is None or not all(map(math.isfinite, interval)):
        return None
    low, high = sorted(min(max(end, 0.0), 1.0) for end in interval)
    return low, high


def interval(of: tuple[float, float] | None) -> str:
    """`95% interval 21% to 48%`, or that no interval is known."""
    ends = clipped_interval(of)
    return "no interval known" if ends is None else f"95% interval {percent(ends[0])} to {percent(ends[1])}"


def byline(paper: Paper) -> str:
    """`Wei et al. 2022`, or the year alone."""
    return " ".join(filter(None, (paper.short_authors, str(paper.year or "n.d."))))


def headline(openings: OpportunityList) -> str:
    """How many opportunities, among how many pairs, up to which year."""
    found = len(openings.openings)
    looked = f" among {count(openings.looked_at, 'pair')} that were compared" if openings.looked_at > 0 else ""
    if not found:
        return f"No opportunity was found{looked}."
    return (
        f"{count(found, 'opportunity', 'opportunities')}{looked}: pairs of concepts that papers up to {openings.until} "
        f"have not combined, or no longer combine, with the probability that papers in this library will within "
        f"{count(openings.horizon, 'year')}."
    )


def probability_of(openings: OpportunityList) -> str:
    """The event that the probability refers to."""
    return f"combined by a paper in this library within {count(openings.horizon, 'year')} after {openings.until}"


def grey(openings: OpportunityList) -> str:
    """The meaning of the grey lines of the map."""
    if openings.links is None:
        return "Grey lines are pairs that papers named on this page combine."
    return "Grey lines link concepts that papers of the library combine, the strongest links of each."


ATTENTION = "of the papers of their year would have fewer citations than the first joint papers"
UNUSUAL = "of the pairs in papers of the library are more common than this one"


def meaning(openings: OpportunityList) -> tuple[str, ...]:
    """What the numbers mean, and how far they can be trusted."""
    years = count(openings.horizon, "year")
    return (
        f"Probability: that a paper in this library combines the two within {years} after {openings.until}, estimated "
        "from such pairs in its earlier years. Papers elsewhere may have done so already. Expected attention is the "
        "share of papers of their year that would have fewer citations than the first joint papers. Unusual is the "
        "share of pairs in real papers that are more common than this one.",
        "Tested on the past, such forecasts order pairs better than simple scores, but pairs came true less often than "
        "predicted, and expected attention was weak or no better than chance. Use the probability as a ranking with "
        "a rough size, and attention as a hint. A likely pair is not necessarily worth pursuing, and a joint paper "
        "may exist outside this library: read the papers on both sides first.",
    )
