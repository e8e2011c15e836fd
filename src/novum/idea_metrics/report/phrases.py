"""Names and meanings of scores, and numbers in words, for the report on scored ideas."""

from __future__ import annotations

from statistics import NormalDist

from novum.core.scorecard import Composite, PartScore, PredictedRating, Scorecard
from novum.core.text import shorten
from novum.idea_metrics.dissimilarity import Novelty, NoveltyMeasure
from novum.idea_metrics.reference_pair_counts import Atypicality, ReferencePair
from novum.idea_metrics.report.records import WHOLES, MeasureInfo, ScoringReport
from novum.reports import phrases
from novum.reports.phrases import NONE, interval, number
from novum.reports.sanitizing import beginning, clean_line

__all__ = [
    "NONE", "combination_summary", "heading", "headline", "interval", "label", "meaning", "missing",
    "model_sentence", "not_available", "novelty_rows", "number", "out_of_five", "pair_counts", "range_of", "rating",
    "rating_aspects", "rating_range", "raw", "short", "standing", "weights", "whole",
]  # fmt: skip
_TITLE = 120
_NORMAL = NormalDist()
_WHOLES = {
    "rating": (
        "Predicted rating",
        "How reviewers would rate title and abstract, among the submissions of a venue; learnt from reviewed papers.",
    ),
    "creativity": ("Creativity Index", "Originality, feasibility, potential impact and reliability, weighted."),
    "satisfaction": (
        "User Satisfaction Score",
        "Relevance, readability, coherence, diversity and predicted feedback, each scaled by the library.",
    ),
    "combined": ("Combined", "0.638 creativity + 0.352 satisfaction / 10, satisfaction counted from 0 to 5."),
}
_PARTS = {
    "originality": ("Originality, as printed", "Higher the closer it is to a cluster of papers."),
    "originality_corrected": ("Originality, corrected", "Higher the farther it is from the clusters of papers."),
    "feasibility": ("Feasibility", "How close it comes to the papers that are cited most."),
    "impact": ("Potential impact", "Citations that a paper like it would gather, as predicted."),
    "reliability": ("Reliability", "Model confidence and past performance combined."),
    "confidence": ("Model confidence", "How sure the model that wrote it was of its words."),
    "past_performance": ("Past performance", "How often its authors, or the papers it builds on, have been cited."),
    "keyword_relevance": ("Keyword relevance", "How close it is to the topic and keywords."),
    "readability": ("Readability", "Flesch reading ease: short sentences of short words."),
    "coherence": ("Coherence", "How well its words fit together under topics of the library."),
    "diversity": ("Diversity", "How unlike the library's papers it is."),
    "feedback": ("Predicted feedback", "How people would rate it, predicted from ratings."),
}
_FORMS = {"published": "as printed: closer to a cluster scores higher", "corrected": "growing with the distance"}


def heading(name: str) -> str:
    """The name of a part or composite as a heading: `Potential impact`."""
    return (_WHOLES | _PARTS).get(name, (name.replace("_", " ").capitalize(), ""))[0]


def short(name: str) -> str:
    """The name within a sentence: `potential impact`."""
    return "originality" if name == "originality" else heading(name).lower()


def meaning(name: str) -> str:
    """The meaning of a part or composite in a sentence."""
    return (_WHOLES | _PARTS).get(name, ("", ""))[1]


def label(card: Scorecard, limit: int = _TITLE) -> str:
    """The title of an idea, else the beginning of its text."""
    return shorten(clean_line(card.subject.title), limit) or beginning(card.subject.text, limit) or "(no words)"


def raw(part: PartScore) -> str:
    """The raw number of a part with a suitable number of digits."""
    value = part.raw
    if value is None:
        return NONE
    size = abs(value)
    text = f"{value:,.0f}" if size >= 1000 else f"{value:.1f}" if size >= 10 else f"{value:.3f}"
    return text.replace("-", "−")


def standing(share: float | None) -> str:
    """Such as `better than 73%`."""
    return "unknown" if share is None else f"better than {phrases.percent(share)}"


def whole(of: Composite) -> str:
    """The value with three digits, or a dash."""
    return number(of.value, 3)


def share_or_value(of: Composite) -> str:
    """The share of the library's papers with a lower value, in percent; where it is not known the value itself."""
    return whole(of) if of.share is None else phrases.percent(of.share)


def index_value(of: Composite) -> str:
    """Such as `0.231, better than 64% of the library's papers`."""
    return whole(of) if of.share is None else f"{whole(of)}, {standing(of.share)} of the library's papers"


def rating(card: Scorecard) -> str:
    """The share of reviewed papers with a lower predicted rating, in percent, or a dash."""
    return NONE if card.rating is None or card.rating.share is None else phrases.percent(card.rating.share)


def rating_range(card: Scorecard) -> str:
    """As `range_of`; empty for a card without a rating."""
    return "" if card.rating is None else range_of(card.rating)


def range_of(made: PredictedRating) -> str:
    """Such as `Of papers with this prediction, nine in ten were rated higher than 6% to 95% of their venue.`; the
    reason where there is no prediction."""
    if made.low is None or made.high is None:
        return f"Not predicted: {made.why}."
    low, high = (phrases.percent(_NORMAL.cdf(each)) for each in (made.low, made.high))
    return f"Of papers with this prediction, nine in ten were rated higher than {low} to {high} of their venue."


def rating_aspects(card: Scorecard) -> str:
    """Such as `soundness 48%, originality 71%`; empty without a prediction."""
    aspects = card.rating.aspects if card.rating else {}
    return ", ".join(f"{name} {phrases.percent(share)}" for name, share in aspects.items())


def out_of_five(of: Composite) -> str:
    """The User Satisfaction Score from 0 to 5, as in the paper; empty where unknown."""
    return "" if of.value is None else f"{number(5 * of.value)} of 5"


def weights(of: Composite) -> str:
    """Such as `originality 33%, potential impact 44%`."""
    known = (f"{short(name)} {phrases.percent(share)}" for name, share in of.weights.items())
    return ", ".join(known) or "no part is known"


def missing(of: Composite) -> str:
    """Such as `without reliability, its weight shared among the others`; empty where no part, or every part, is
    missing."""
    if not of.missing or not of.weights:
        return ""
    names = [short(name) for name in of.missing]
    text = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"without {text}, {'their weights' if len(names) > 1 else 'its weight'} shared among the others"


_AGAINST = (
    ("historical", "Distance from the past", "from the nearest papers before {day}; more is newer"),
    ("contemporary", "Distance from what came since", "from the nearest papers since {day}; less is closer to it"),
    ("impact", "What came of it", "citations of those later papers, 1 being usual for their years"),
    ("overall", "Overall novelty", "distance from the past × what came of it / distance from what came since"),
)


def novelty_rows(novelty: Novelty) -> list[tuple[str, str, str, str]]:
    """Rows on novelty against the literature: name, value, rank among real papers, meaning."""
    rows = []
    for name, title, explanation in _AGAINST:
        of: NoveltyMeasure = getattr(novelty, name)
        rank = NONE if of.percentile is None else f"above {of.percentile:.0f}%"
        rows.append((title, number(of.value, 3), rank, explanation.format(day=novelty.day)))
    return rows


def combination_summary(of: Atypicality) -> str:
    """How unusual the combinations of references are, or why that is unknown, in a sentence or two."""
    if of.tail is None or of.median is None:
        return f"Whether it combines what is seldom combined is unknown: {clean_line(of.why)}."
    basis = f"{phrases.count(of.pairs, 'pair')} of {of.known} of its {of.references} references by {of.kind}"
    return (
        f"{basis}, in standard deviations from chance: 10th percentile {number(of.tail)} (below 0, it combines what is "
        f"seldom combined), median {number(of.median)} (high: most combinations are usual). Least usual:"
    )


def pair_counts(pair: ReferencePair) -> str:
    """Such as `together 3 times, 7.2 by chance`."""
    return f"together {phrases.count(round(pair.observed), 'time')}, {pair.expected:.1f} by chance"


def model_sentence(by: MeasureInfo) -> str:
    """The fitted model in a sentence."""
    years = f" of {by.years[0]} to {by.years[1]}" if by.years else ""
    way = _FORMS.get(by.originality, by.originality)
    return (
        f"Measured by “{clean_line(by.name)}”, fitted on {phrases.moment(by.made)} to "
        f"{phrases.count(by.papers, 'paper')}{years}, embedded by {clean_line(by.embedder)}. Originality {way}."
    )


def not_available(report: ScoringReport) -> str:
    """Such as `Model confidence and reliability: not available for any idea.`; empty where every part is known of some
    idea."""
    names = [short(name) for name in report.parts if name not in report.known]
    if not names:
        return ""
    text = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"{text[:1].upper()}{text[1:]}: not available for any idea."


def headline(report: ScoringReport) -> str:
    """The result in a sentence or two."""
    if len(report.ideas) == 1:
        card = report.ideas[0].card
        composites = (
            f"Creativity Index {whole(card.creativity)}, User Satisfaction Score {whole(card.satisfaction)}, "
            f"combined {number(card.combined, 3)}."
        )
        if card.rating is None or card.rating.share is None:
            return composites
        return f"Predicted rating: higher than {rating(card)} of reviewed papers. {composites}"
    means = "; ".join(
        f"{heading(name)} {number(report.means[name].value, 3)}"
        + (f" ({interval(report.means[name], 3)})" if interval(report.means[name], 3) else "")
        for name in WHOLES
        if report.means[name].value is not None
    )
    return f"{phrases.count(len(report.ideas), 'idea')}, on average with 95% intervals: {means}."
