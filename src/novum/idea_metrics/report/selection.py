"""A portfolio of ideas as lines of text: the selected ideas, the reasons, and the diversity of the selection."""

from __future__ import annotations

from collections.abc import Iterator

from novum.core import shorten
from novum.idea_metrics.duplicates import SetSummary
from novum.idea_metrics.portfolio import PassedOverIdea, Portfolio, PortfolioIdea
from novum.reports.phrases import UNKNOWN, cosine, count, percent

_LONGEST = 100


def selection_lines(selection: Portfolio) -> list[str]:
    """The selection in lines. Titles are not sanitised: the caller must do that."""
    lines = [line for choice in selection.choices for line in _choice(choice, selection.by)]
    lines += ["", f"Pool: {_diversity(selection.pool)}.", f"Selected: {_diversity(selection.chosen)}."]
    if curve := _curve(selection.pool):
        lines.append(curve)
    near = f"Near-duplicates are above a cosine of {cosine(selection.threshold.cosine)}: {selection.threshold.why}."
    return [*lines, near, *selection.notes]


def _choice(choice: PortfolioIdea, by: str) -> Iterator[str]:
    yield f"{choice.rank:>3}. {shorten(_flat(choice.idea.title), _LONGEST)}"
    facts = [f"{by} {number(choice.score)}"] if by else []
    if choice.nearest is not None and choice.similarity is not None:
        facts.append(f"most similar to {choice.nearest} ({cosine(choice.similarity)})")
    if choice.forced:
        facts.append("a near-duplicate of an earlier one: nothing else was left")
    yield f"     {', '.join(facts)}"
    if choice.passed:
        yield f"     passed over: {_passed(choice.passed)}"


def _passed(passed: PassedOverIdea) -> str:
    text = f"{shorten(_flat(passed.title), _LONGEST)} ({number(passed.score)})"
    likeness = f"{passed.like} ({cosine(passed.similarity)})"
    reason = "a near-duplicate of" if passed.duplicate else "for its score too similar to"
    return f"{text}, {reason} {likeness}"


def _diversity(of: SetSummary) -> str:
    effective = UNKNOWN if of.effective is None else f"{of.effective:.1f}"
    text = f"{count(of.ideas, 'idea')}, as diverse as {effective} wholly different ones"
    if of.ideas < 2:
        return text
    return f"{text}; {percent(of.duplicate_rate)} ({of.duplicates:,}) have a near-duplicate among them"


def _curve(of: SetSummary) -> str:
    """The numbers of distinct ideas in the first half and in the whole pool."""
    if of.ideas < 4:
        return ""
    half = min(of.curve, key=lambda point: abs(point.ideas - of.ideas / 2))
    end = of.curve[-1]
    return (
        f"Distinct ideas in the order of the pool: {half.new:,} of the first {half.ideas:,}, and {end.new:,} of all "
        f"{end.ideas:,}."
    )


def number(score: float | None) -> str:
    """The score with three significant digits and a typographic minus sign."""
    return UNKNOWN if score is None else f"{score:.3g}".replace("-", "−")


def _flat(text: str) -> str:
    return " ".join(text.split())
