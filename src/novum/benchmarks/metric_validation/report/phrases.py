"""A study of metrics in words: what each is worth, how it was measured, and what chance alone would have done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novum.benchmarks.liveidea.report.phrases import NONE, interval, number, signed, signed_interval
from novum.benchmarks.metric_validation.records import ACCEPTED, CITATIONS, HIGHLIGHTED
from novum.benchmarks.metric_validation.report.records import Finding, MetricResult, OutcomeTable, Validation, When
from novum.reports import phrases
from novum.statistics.estimate import Estimate

__all__ = [
    "HEADS", "NONE", "WHEN", "account", "area", "cells", "chance", "headline", "interval", "matrix", "named", "number",
    "outcome_title", "percent", "q", "remarks", "signed", "signed_interval", "star", "told", "verdicts",
    "with_interval",
]  # fmt: skip
STAR = 0.05
WHEN: dict[When, str] = {
    "later": "later than all that was learnt from",
    "older": "not later than what was learnt from, or without a year",
}
HEADS = ("metric", "Spearman", "given length", "AUC", "q", "papers", "missing", "it tells")
_STANDINGS: dict[MetricResult, str] = {
    "beyond": "more than any baseline",
    "baseline": "something, but less than {baseline} alone",
    "length": "no more than length",
    "nothing": "nothing",
    "reversed": "the opposite",
    "unknown": "cannot be said",
}
_GROUPED: dict[MetricResult, str] = {
    "beyond": "goes with {what}, more than any baseline does",
    "baseline": "goes with {what}, but less than a plain baseline does",
    "length": "goes with {what} no better than length does",
    "reversed": "points the wrong way for {what}",
    "nothing": "says nothing of {what}",
    "unknown": "cannot be judged on {what}",
}
_TITLES = {
    ACCEPTED: "accepted from rejected",
    HIGHLIGHTED: "talks and spotlights from posters",
    CITATIONS: "later citations",
    "rating": "reviewers' ratings",
}
_NOUNS = _TITLES | {ACCEPTED: "acceptance", HIGHLIGHTED: "being chosen for a talk or spotlight"}
_NAMED_AT_MOST = 5
_SLIGHT = 0.1


def named(metric: str) -> str:
    """`originality corrected`, as people write it."""
    return metric.replace("_", " ")


def outcome_title(outcome: str) -> str:
    """`accepted from rejected`, or the score's own name."""
    return _TITLES.get(outcome, f"people's {outcome}")


def verdicts(tables: Sequence[OutcomeTable]) -> dict[str, str]:
    """A line for each metric, from the papers that it cannot know anything of where there are any."""
    later = [table for table in tables if table.when == "later"]
    asked = later or list(tables)
    names = dict.fromkeys(each.metric for table in asked for each in table.findings if not each.is_baseline)
    return {name: _verdict(name, asked) for name in names}


def _verdict(metric: str, tables: Sequence[OutcomeTable]) -> str:
    by_standing: dict[MetricResult, list[str]] = {}
    for table in tables:
        found = next(each for each in table.findings if each.metric == metric)
        if found.standing is not None:
            by_standing.setdefault(found.standing, []).append(_with_rho(table.outcome, found))
    told: list[str] = []
    for standing, form in _GROUPED.items():
        if names := by_standing.get(standing, []):
            told.append(form.format(what=_what(names, standing, len(tables), first=not told)))
    return "; ".join(told)


def _with_rho(outcome: str, found: Finding) -> str:
    """`acceptance (slightly, ρ +0.04)`, where there is anything to it."""
    name, rho = _NOUNS.get(outcome, outcome_title(outcome)), found.spearman.value
    if rho is None or found.standing in {"nothing", "unknown"}:
        return name
    return f"{name} ({'slightly, ' if round(abs(rho), 2) < _SLIGHT else ''}ρ {signed(rho)})"


def _what(names: Sequence[str], standing: MetricResult, tables: int, *, first: bool) -> str:
    """The outcomes by name; of many that nothing is said of, how many they are."""
    if standing in {"nothing", "unknown"} and len(names) > 2:
        if len(names) == tables:
            return f"any of the {tables} outcomes"
        return f"{len(names)} outcomes" if first else f"the other {len(names)}"
    shown = list(names[:_NAMED_AT_MOST])
    if len(names) > _NAMED_AT_MOST:
        shown.append(f"{len(names) - _NAMED_AT_MOST} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def matrix(tables: Sequence[OutcomeTable]) -> Iterator[tuple[str, ...]]:
    """Every metric beside every outcome: the heads, then a line for each metric."""
    yield "Spearman", *(outcome_title(table.outcome) for table in tables)
    found = [{each.metric: each for each in table.findings} for table in tables]
    for name, each in found[0].items():
        label = f"({named(name)})" if each.is_baseline else named(name)
        yield label, *(signed(of[name].spearman.value) + star(of[name]) for of in found)


def headline(study: Validation) -> str:
    """What came out, in a few sentences."""
    later = [table for table in study.tables if table.when == "later"] or list(study.tables)
    if not later:
        return "There were too few papers with an outcome to say anything."
    metrics = list(study.verdicts)
    standings = {(table.outcome, each.metric): each.standing for table in later for each in table.findings}
    good = [name for name in metrics if any(standings[table.outcome, name] == "beyond" for table in later)]
    told = (
        f"Of {phrases.count(len(metrics), 'metric')}, {len(good) or 'none'} {'tells' if len(good) == 1 else 'tell'} "
        f"at least one of {phrases.count(len(later), 'outcome')} better than length, readability and the length of the "
        f"title do{': ' + ', '.join(map(named, good)) if good else ''}."
    )
    return f"{told} {chance(study)}"


def chance(study: Validation) -> str:
    """How many stars chance alone would give."""
    starred = [each for table in study.tables for each in table.findings if star(each)]
    wrong = sum((each.spearman.value or 0) < 0 for each in starred)
    return (
        f"{phrases.count(study.asked, 'question')} were asked; at p < 0.05 chance alone would answer about "
        f"{study.asked * STAR:.0f} of them with yes. {study.starred} stay after Benjamini-Hochberg (q ≤ 0.05, *)"
        + (f", {wrong} of them the wrong way round." if wrong else ".")
    )


def account(study: Validation) -> Iterator[str]:
    """What was read, and what became of it."""
    of = study.account
    learnt = f"{study.first_year}–{study.last_year}" if study.last_year is not None else "of unknown years"
    papers = phrases.count(study.papers, "paper")
    yield f"Model {study.model}: learnt from {papers}, {learnt}, embedded with {study.embedder}."
    yield (
        f"{phrases.count(of.records, 'record')}: {of.later:,} papers {WHEN['later']}, {of.older:,} {WHEN['older']}"
        + (f" ({of.undated:,} without a year)" if of.undated else "")
        + "."
    )
    if of.learnt_from:
        fate = "left out" if of.left_out else "counted all the same (--with-known)"
        yield f"{phrases.count(of.learnt_from, 'paper')} are among those that the model learnt from: {fate}."
    if of.repeated:
        yield f"{phrases.count(of.repeated, 'record')} are of papers met before: their outcomes were put together."
    if of.other_sets:
        yield f"{phrases.count(of.other_sets, 'record')} belong to sets that were not asked for."
    if of.unsettled:
        words = ", ".join(f"{name} {many:,}" for name, many in of.unsettled.items())
        yield f"Neither accepted nor rejected, and left out of these two: {words}."
    if of.refused:
        yield f"{phrases.count(of.refused, 'line')} could not be read."
    yield from of.notes


def remarks(study: Validation) -> list[str]:
    """How to read the tables."""
    return [
        "Spearman inside each group (a venue and year, a year, a data set), averaged by the groups' sizes, so that "
        f"differences between groups are no skill; 95% intervals by {study.draws:,} draws of papers. AUC: pairs of one "
        "group, with DeLong's interval; 0.5 is chance.",
        "Groups are parted further by what is known of a paper (abstract, keywords, authors, fields, references), as "
        "files that differ in that may differ in what became of their papers.",
        "Given length: the same with the length of the text in words held equal. Baselines stand below the metrics. "
        "Numbers of which less is meant to be better are turned round, so that above 0 is as meant.",
        "The two ways of originality are each other's mirror image.",
    ]


def star(found: Finding) -> str:
    """Whether it stays when many questions are asked."""
    return "*" if found.q is not None and found.q <= STAR else ""


def percent(share: float) -> str:
    """`12%`; what is less than half a percent and not nothing says so."""
    return "<1%" if 0 < share < 0.005 else f"{100 * share:.0f}%"


def cells(found: Finding, table: OutcomeTable) -> tuple[str, ...]:
    """A line of the table, as a terminal shows it."""
    return (
        f"({named(found.metric)})" if found.is_baseline else named(found.metric),
        with_interval(found.spearman) + star(found),
        with_interval(found.given_length),
        area(found.auc),
        q(found.q),
        f"{found.n:,}",
        percent(found.missing),
        told(found, table),
    )


def told(found: Finding, table: OutcomeTable) -> str:
    """What it is worth for this outcome."""
    if found.standing is None:
        return ""
    best = table.best_baseline
    return _STANDINGS[found.standing].format(baseline=best.metric if best else "a baseline")


def with_interval(of: Estimate) -> str:
    """`+0.12 [+0.08 to +0.16]`."""
    bounds = signed_interval(of)
    return signed(of.value) + (f" [{bounds}]" if bounds else "")


def area(of: Estimate | None) -> str:
    """`0.56 [0.53 to 0.59]`."""
    bounds = "" if of is None else interval(of)
    return number(of.value if of else None) + (f" [{bounds}]" if bounds else "")


def q(value: float | None) -> str:
    """`0.012`; very small ones as a bound."""
    return NONE if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"
