"""The comparisons of a report in sentences: change of scores with papers, differences of panels, distance in place of
fluency. The bounds behind a word are given beside it.
"""

from __future__ import annotations

from novum.benchmarks.liveidea.report import phrases as words
from novum.benchmarks.liveidea.report.records import AnchorLink, Distinctness, ScoreChange
from novum.benchmarks.liveidea.statistics.linking import PanelLink
from novum.reports import phrases
from novum.statistics.records import Correlation, Estimate

ALIKE, PARTLY = 0.7, 0.3
"""Bounds of r: strong agreement from the first, partial agreement from the second."""
_WIDER = 1.15
"""Ratio of spreads from which a panel uses more of the scale."""


def score_change_in_words(of: ScoreChange) -> str:
    """The change of single judgements when papers are shown."""
    if not of.judgements:
        return "No judgement has a score both ways, so nothing can be compared."
    sentence = (
        f"{phrases.count(of.judgements, 'judgement')}: with papers judges gave "
        f"{_more_or_less(of.change)}; {phrases.percent(of.unchanged)} of the scores stayed the same; correlation "
        f"of the two: {_r(of.r)}."
    )
    if not of.missing:
        return sentence
    lacking = "judgement lacks" if of.missing == 1 else "judgements lack"
    return (
        f"{sentence} {of.missing:,} {lacking} one of the two scores and {'is' if of.missing == 1 else 'are'} left out."
    )


def panel_link_in_words(each: AnchorLink) -> str:
    """The difference of the other panel in one dimension."""
    link = each.link
    return (
        f"{each.dimension.capitalize()}: its judges give the same ideas {_more_or_less(link.shift)}, {_spread(link)} "
        f"and {_preferences(link.r)}; {_r(link.r)}. After linking, the error of an anchor idea is typically "
        f"{phrases.number(link.misfit)} points."
    )


def distance_in_place_of_fluency(of: Distinctness) -> str:
    """Whether distance can replace fluency in this run."""
    low, high = of.r.low, of.r.high
    if of.r.r is None or low is None or high is None:
        return "Too few keywords have both to decide whether distance can replace fluency here."
    across = "" if of.across.r is None else f" Over the {of.across.n} models alone, {_r(of.across)}."
    overall = f"Over keywords and models {_r(of.r)}, N = {of.r.n:,}."
    return f"{overall}{across} {_conclusion(low, high)}"


def _conclusion(low: float, high: float) -> str:
    if low >= ALIKE:
        return (
            "Distance is enough here to rank models by the diversity of their ideas and to follow a model from run to "
            f"run: the whole interval is above {ALIKE}."
        )
    if low >= PARTLY:
        return (
            "Distance is a partial replacement here: enough to find models that repeat themselves, not enough to "
            f"replace fluency in a score (the interval is not above {ALIKE} as a whole)."
        )
    if high >= ALIKE:
        bounds = f"the interval reaches from below {PARTLY} to above {ALIKE}"
        return f"This cannot be decided yet: {bounds}. More keywords are needed."
    return (
        "Distance is not enough here: fluency depends on differences that distance does not measure (the interval "
        f"reaches below {PARTLY})."
    )


def _more_or_less(change: Estimate) -> str:
    """`0.42 points less (−0.50 to −0.33)`."""
    value = change.value
    if value is None:
        return "scores that cannot be compared"
    bounds = f" ({phrases.signed_interval(change)})" if change.low is not None else ""
    if change.low is not None and change.high is not None and change.low <= 0 <= change.high:
        return f"scores without a clear difference: {phrases.signed(value)} points{bounds}"
    return f"{phrases.number(abs(value))} points {'less' if value < 0 else 'more'}{bounds}"


def _spread(link: PanelLink) -> str:
    ratio = phrases.number(link.spread_ratio)
    if link.spread_ratio >= _WIDER:
        return f"use more of the scale ({ratio} times as much)"
    if link.spread_ratio <= 1 / _WIDER:
        return f"use less of the scale ({ratio} times as much)"
    return f"use about as much of the scale ({ratio} times)"


def _preferences(r: Correlation) -> str:
    value = r.r or 0.0
    if value >= ALIKE:
        return "prefer the same ideas"
    return "partly prefer the same ideas" if value >= PARTLY else "prefer other ideas, which linking does not correct"


def _r(r: Correlation) -> str:
    return f"r = {words.r_with_interval(r)}"
