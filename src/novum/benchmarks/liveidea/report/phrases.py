"""Numbers of a LiveIdeaBench report as people say them. What is not known says so."""

from __future__ import annotations

from collections.abc import Sequence

from novum.benchmarks.liveidea.records import Effort
from novum.benchmarks.liveidea.report.records import LiveIdeaReport
from novum.benchmarks.liveidea.statistics.scores import ModelScores
from novum.core import Spend
from novum.reports import phrases
from novum.reports.phrases import NONE, correlation_text, interval, number, p_value
from novum.statistics.records import Correlation, Estimate, KrippendorffAlpha

__all__ = [
    "NONE", "alpha", "correlation_text", "footprint", "headline", "interval", "missing", "number", "p_value",
    "protocol", "r_with_interval", "signed", "signed_interval", "total",
]  # fmt: skip
_PAIRS = {
    "first": "the first two ideas of a keyword",
    "neighbours": "each idea of a keyword with the next",
    "all": "every two ideas of a keyword",
}
_COMBINED = {"mean": "their mean", "lowest": "the lowest of them"}


def signed(value: float | None, digits: int = 2) -> str:
    """`+0.41`, `−0.20`; what is nothing when rounded has no sign."""
    if value is None:
        return NONE
    told = f"{value:+.{digits}f}".replace("-", "−")
    return told if told.strip("+−0.") else told[1:]


def signed_interval(estimate: Estimate) -> str:
    """`+0.10 to +0.73`; empty where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{signed(estimate.low)} to {signed(estimate.high)}"


def alpha(agreement: KrippendorffAlpha) -> str:
    """Krippendorff's alpha with how much it rests on."""
    if agreement.alpha is None:
        return NONE
    return f"{number(agreement.alpha)} over {phrases.count(agreement.units, 'idea')}"


def r_with_interval(r: Correlation) -> str:
    """`0.82 (0.61 to 0.92)`."""
    bounds = interval(r)
    return number(r.r) + (f" ({bounds})" if r.r is not None and bounds else "")


def missing(scores: ModelScores) -> int:
    """Judgements that were asked for and gave no score, over all dimensions."""
    return sum(counted.missing for counted in scores.judgements.values())


def footprint(effort: Effort) -> Spend:
    """What one model took in one role, in the form that `phrases` can say."""
    shared = effort.model_dump(include=set(Spend.model_fields))
    return Spend.model_validate(shared)


def total(efforts: Sequence[Effort]) -> Spend:
    """The sum; what is unknown of a part is unknown of the whole."""
    fields = ("calls", "prompt_tokens", "completion_tokens", "usd", "usd_unknown", "energy_kwh", "co2_kg")
    sums = {name: sum(getattr(each, name) for each in efforts) for name in (*fields, "footprint_unknown")}
    return Spend.model_validate(sums)


def headline(report: LiveIdeaReport) -> str:
    """What was measured, in one or two sentences."""
    run = report.run
    asked = sum(each.asked for each in report.ideas)
    judged = sum(each.fates.get("judged", 0) for each in report.ideas)
    given = sum(each.given for scores in report.leaderboard for each in scores.judgements.values())
    lacking = sum(missing(scores) for scores in report.leaderboard)
    disciplines = len({each.discipline for each in run.keywords if each.discipline})
    over = f" of {phrases.count(disciplines, 'discipline')}" if disciplines else ""
    told = (
        f"{phrases.count(len(run.models), 'model')} on {phrases.count(len(run.keywords), 'keyword')}{over}: "
        f"{judged:,} of {phrases.count(asked, 'idea')} judged, {phrases.count(given, 'score')} given"
    )
    return f"{told}, {lacking:,} missing." if lacking else f"{told}, none missing."


def protocol(report: LiveIdeaReport) -> list[tuple[str, str]]:
    """How it was done, with its numbers."""
    run, how = report.run, report.run.protocol
    keywords = f"{len(run.keywords):,}" + (f", list of {run.keywords_dated}" if run.keywords_dated else "")
    intervals = f"95%, by {report.draws:,} draws of keywords" if report.draws else "none were asked for"
    if run.of_others:
        ideas = f"at most {how.ideas} for each keyword and model"
        return [("Keywords", keywords), ("Ideas", ideas), ("Manner", "not told by the table"), ("Intervals", intervals)]
    excluded = "under 101 or over 2,499 characters, and over 199" if how.as_released else f"over {how.most_words}"
    matched = "anywhere, inside words too" if how.as_released else "as whole words near the beginning"
    of_itself = ", the model itself too" if how.as_released else ""
    facts = [
        ("Keywords", keywords),
        ("Ideas", f"{how.ideas} for each keyword and model; {excluded} words excluded"),
        ("Judges of an idea", f"{how.judges}, drawn from a panel of {len(run.panel)}, never the model itself"),
        (
            "Fluency",
            f"one judge{of_itself} drawn for {_PAIRS[how.pairs]}; of several grades of a keyword, "
            f"{_COMBINED[how.combined]}",
        ),
        ("Tries", f"at most {how.tries} for an answer that comes empty or cannot be read"),
        ("Refusals", f"matched {matched}; then asked again once, in the academic way"),
        ("Temperature", "each provider's own" if how.temperature is None else f"{how.temperature:g}"),
        ("Seed of the draws", str(run.seed)),
        ("Intervals", intervals),
        ("Manner", "as the released code does it" if how.as_released else "as the paper says"),
    ]
    if run.anchors:
        facts.append(("Anchor ideas", f"the set {run.anchors}, judged by the whole panel; in no score of a model"))
    if how.papers:
        told = f"judges asked a second time see {phrases.count(how.papers, 'paper')} of the library; in no score above"
        facts.append(("Nearest papers", told))
    if how.marked:
        facts.append(("Told to mark their final idea", ", ".join(how.marked)))
    return facts
