"""What the comparisons of a report came to, in sentences: how judges moved, how panels differ, what a cheap measure is
worth. The bounds that a word stands for are said beside it.
"""

from __future__ import annotations

from novum.benchmarks.liveidea.report import phrases as words
from novum.benchmarks.liveidea.report.records import AnchorLink, Distinctness, ScoreChange
from novum.benchmarks.liveidea.statistics.linking import PanelLink
from novum.reports import phrases
from novum.statistics.records import Correlation, Estimate

ALIKE, PARTLY = 0.7, 0.3
"""Bounds of r: above the first two things go together, above the second in part."""
_WIDER = 1.15
"""From this ratio of spreads on, one panel is said to use more of the scale."""


def score_change_in_words(of: ScoreChange) -> str:
    """How far single judgements went when papers were shown."""
    if not of.judgements:
        return "No judgement has a score both ways, so nothing can be compared."
    told = (
        f"{phrases.count(of.judgements, 'judgement')}: with papers at hand judges gave "
        f"{_more_or_less(of.change)}; {phrases.percent(of.unchanged)} of the scores stayed the same; between the two "
        f"{_r(of.r)}."
    )
    if not of.missing:
        return told
    lacking = "judgement lacks" if of.missing == 1 else "judgements lack"
    return f"{told} {of.missing:,} {lacking} one of the two scores and {'is' if of.missing == 1 else 'are'} left out."


def panel_link_in_words(each: AnchorLink) -> str:
    """How far the other panel differs in one dimension."""
    link = each.link
    return (
        f"{each.dimension.capitalize()}: its judges give the same ideas {_more_or_less(link.shift)}, {_spread(link)} "
        f"and {_taste(link.r)}; {_r(link.r)}. Once linked, an anchor idea is still {words.number(link.misfit)} points "
        "off, as a rule."
    )


def distance_in_place_of_fluency(of: Distinctness) -> str:
    """Whether distance can stand for fluency in this run."""
    low, high = of.r.low, of.r.high
    if of.r.r is None or low is None or high is None:
        return "Too few keywords have both to tell whether distance can stand for fluency here."
    across = "" if of.across.r is None else f" Over the {of.across.n} models alone, {_r(of.across)}."
    found = f"Over keywords and models {_r(of.r)}, N = {of.r.n:,}."
    return f"{found}{across} {_worth(low, high)}"


def _worth(low: float, high: float) -> str:
    if low >= ALIKE:
        return (
            "The cheap measure is enough here, to rank models by how varied their ideas are and to watch a model from "
            f"run to run: the whole interval lies above {ALIKE}."
        )
    if low >= PARTLY:
        return (
            "The cheap measure goes part of the way here: enough to find models that repeat themselves, not enough to "
            f"take the place of fluency in a score (the interval does not lie above {ALIKE} as a whole)."
        )
    if high >= ALIKE:
        bounds = f"the interval reaches from below {PARTLY} to above {ALIKE}"
        return f"This cannot be told yet: {bounds}. More keywords would tell."
    return (
        "The cheap measure is not enough here: judges see other differences than distance does, and fluency needs them "
        f"(the interval reaches below {PARTLY})."
    )


def _more_or_less(change: Estimate) -> str:
    """`0.42 points less (−0.50 to −0.33)`."""
    value = change.value
    if value is None:
        return "scores that cannot be compared"
    bounds = f" ({words.signed_interval(change)})" if change.low is not None else ""
    if change.low is not None and change.high is not None and change.low <= 0 <= change.high:
        return f"as much, as far as can be told: {words.signed(value)} points{bounds}"
    return f"{words.number(abs(value))} points {'less' if value < 0 else 'more'}{bounds}"


def _spread(link: PanelLink) -> str:
    ratio = words.number(link.spread_ratio)
    if link.spread_ratio >= _WIDER:
        return f"use more of the scale ({ratio} times as much)"
    if link.spread_ratio <= 1 / _WIDER:
        return f"use less of the scale ({ratio} times as much)"
    return f"use about as much of the scale ({ratio} times)"


def _taste(r: Correlation) -> str:
    value = r.r or 0.0
    if value >= ALIKE:
        return "like the same ideas"
    return "like partly the same ideas" if value >= PARTLY else "like other ideas, which no linking makes up for"


def _r(r: Correlation) -> str:
    return f"r = {words.r_with_interval(r)}"
