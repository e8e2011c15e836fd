"""A validation of metrics in words: verdicts, table cells, and how it was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novum.benchmarks.metric_validation.records import ACCEPTED, CITATIONS, HIGHLIGHTED, SIGNIFICANT
from novum.benchmarks.metric_validation.report.records import (
    MetricFinding,
    MetricResult,
    OutcomeTable,
    Validation,
    When,
)
from novum.core.scorecard import RATING
from novum.reports.phrases import NONE, count, interval, number, signed, signed_interval, with_interval
from novum.statistics.records import Estimate

WHEN: dict[When, str] = {
    "later": "newer than all papers the model was fitted to",
    "older": "not newer than the papers the model was fitted to, or without a year",
}
HEADS = ("metric", "Spearman", "both decisions", "given length", "AUC", "q", "papers", "missing", "verdict")
_VERDICTS: dict[MetricResult, str] = {
    "beyond": "better than any baseline",
    "baseline": "related, but not clearly more than {baseline} alone",
    "length": "no better than length",
    "nothing": "no relation",
    "reversed": "the opposite",
    "unknown": "not known",
}
_BY_OUTCOME: dict[MetricResult, str] = {
    "beyond": "predicts {what} better than any baseline",
    "baseline": "predicts {what}, but not clearly better than a plain baseline",
    "length": "predicts {what} no better than length does",
    "reversed": "points the wrong way for {what}",
    "nothing": "is not related to {what}",
    "unknown": "cannot be judged on {what}",
}
_TITLES = {
    ACCEPTED: "accepted from rejected",
    HIGHLIGHTED: "talks and spotlights from posters",
    CITATIONS: "later citations",
    "rating": "reviewers' ratings",
}
_NOUNS = _TITLES | {ACCEPTED: "acceptance", HIGHLIGHTED: "selection for a talk or spotlight"}
_MAX_NAMED = 5
_SLIGHT = 0.1


def metric_title(metric: str) -> str:
    """`originality corrected` for the name of a metric."""
    return "predicted rating" if metric == RATING else metric.replace("_", " ")


def outcome_title(outcome: str) -> str:
    """`accepted from rejected`, or the name of a score that people gave."""
    return _TITLES.get(outcome, f"people's {outcome}")


def table_title(table: OutcomeTable) -> str:
    """The outcome with its number of papers."""
    chosen = "" if table.chosen is None else f", {table.chosen:,} of them chosen"
    title = outcome_title(table.outcome)
    return f"{title[:1].upper()}{title[1:]}: {table.papers:,} papers{chosen}, {WHEN[table.when]}"


def agreement_line(table: OutcomeTable) -> str:
    """How far the reviewers themselves agree; empty where that is not known."""
    if table.icc is None:
        return ""
    text = f"ICC(1) of the reviewers: {number(table.icc)}"
    if table.icc_mixed is None or table.icc_others is None:
        return f"{text}."
    return (
        f"{text}; {number(table.icc_mixed)} for the {table.mixed:,} papers of venues and years with both decisions, "
        f"{number(table.icc_others)} for the others, where nearly all papers have the same."
    )


def verdicts(tables: Sequence[OutcomeTable]) -> dict[str, str]:
    """A line for each metric, from papers newer than those the model was fitted to, where there are any."""
    tables = [table for table in tables if table.when == "later"] or list(tables)
    names = dict.fromkeys(each.metric for table in tables for each in table.findings if not each.is_baseline)
    return {name: _verdict(name, tables) for name in names}


def _verdict(metric: str, tables: Sequence[OutcomeTable]) -> str:
    by_result: dict[MetricResult, list[str]] = {}
    for table in tables:
        finding = next(each for each in table.findings if each.metric == metric)
        if finding.standing is not None:
            by_result.setdefault(finding.standing, []).append(_with_rho(table.outcome, finding))
    parts: list[str] = []
    for result, form in _BY_OUTCOME.items():
        if names := by_result.get(result, []):
            parts.append(form.format(what=_what(names, result, len(tables), is_first=not parts)))
    return "; ".join(parts)


def _with_rho(outcome: str, finding: MetricFinding) -> str:
    """`acceptance (slightly, ρ +0.04)`; the outcome alone where there is no relation."""
    name, rho = _NOUNS.get(outcome, outcome_title(outcome)), finding.spearman.value
    if rho is None or finding.standing in {"nothing", "unknown"}:
        return name
    return f"{name} ({'slightly, ' if round(abs(rho), 2) < _SLIGHT else ''}ρ {signed(rho)})"


def _what(names: Sequence[str], result: MetricResult, tables: int, *, is_first: bool) -> str:
    """The outcomes by name; for many without a relation their number."""
    if result in {"nothing", "unknown"} and len(names) > 2:
        if len(names) == tables:
            return f"any of the {tables} outcomes"
        return f"{len(names)} outcomes" if is_first else f"the other {len(names)}"
    parts = list(names[:_MAX_NAMED])
    if len(names) > _MAX_NAMED:
        parts.append(f"{len(names) - _MAX_NAMED} more")
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def matrix(tables: Sequence[OutcomeTable]) -> Iterator[tuple[str, ...]]:
    """Spearman's correlation of every metric with every outcome: the heads, then a row for each metric."""
    yield "Spearman", *(outcome_title(table.outcome) for table in tables)
    findings = [{each.metric: each for each in table.findings} for table in tables]
    for name, finding in findings[0].items():
        yield _label(finding), *(signed(of[name].spearman.value) + star(of[name]) for of in findings)


def headline(validation: Validation) -> str:
    """The result in a few sentences."""
    tables = [table for table in validation.tables if table.when == "later"] or list(validation.tables)
    if not tables:
        return "There are too few papers with an outcome to say anything."
    metrics = list(validation.verdicts)
    results = {(table.outcome, each.metric): each.standing for table in tables for each in table.findings}
    good = [name for name in metrics if any(results[table.outcome, name] == "beyond" for table in tables)]
    return (
        f"Of {count(len(metrics), 'metric')}, {len(good) or 'none'} {'predicts' if len(good) == 1 else 'predict'} at "
        f"least one of {count(len(tables), 'outcome')} better than the baselines (length, readability and length of "
        f"the title){': ' + ', '.join(map(metric_title, good)) if good else ''}. {chance(validation)}"
    )


def chance(validation: Validation) -> str:
    """How many significant results chance alone would give."""
    starred = [each for table in validation.tables for each in table.findings if star(each)]
    wrong = sum((each.spearman.value or 0) < 0 for each in starred)
    return (
        f"{count(validation.asked, 'hypothesis', 'hypotheses')} were tested; at p < 0.05 chance alone would make about "
        f"{validation.asked * SIGNIFICANT:.0f} of them significant. {validation.starred} remain after "
        f"Benjamini-Hochberg (q ≤ 0.05, *)" + (f", {wrong} of them in the wrong direction." if wrong else ".")
    )


def account(validation: Validation) -> Iterator[str]:
    """Which data were used, and which were left out."""
    of = validation.account
    years = (
        f"{validation.first_year}–{validation.last_year}" if validation.last_year is not None else "of unknown years"
    )
    papers = count(validation.papers, "paper")
    yield f"Model {validation.model}: fitted to {papers}, {years}, embedded with {validation.embedder}."
    yield (
        f"{count(of.records, 'record')}: {of.later:,} papers {WHEN['later']}, {of.older:,} {WHEN['older']}"
        + (f" ({of.undated:,} without a year)" if of.undated else "")
        + "."
    )
    if of.learnt_from:
        use = "left out" if of.left_out else "used all the same (--with-known)"
        yield f"{count(of.learnt_from, 'paper')} are among those that the model was fitted to: {use}."
    if of.repeated:
        yield f"{count(of.repeated, 'record')} repeat a paper: their outcomes were merged."
    if of.other_sets:
        yield f"{count(of.other_sets, 'record')} belong to other subsets."
    if of.unsettled:
        decisions = ", ".join(f"{name} {many:,}" for name, many in of.unsettled.items())
        yield f"Neither accepted nor rejected, and left out of these two outcomes: {decisions}."
    if of.refused:
        yield f"{count(of.refused, 'line')} could not be read."
    yield from of.notes


def remarks(validation: Validation) -> list[str]:
    """How to read the tables."""
    return [
        "Spearman's correlation is computed within each group (a venue and year, a year, a data set) and averaged by "
        "group size, so that differences between groups do not count. 95% intervals come from "
        f"{validation.draws:,} bootstrap samples of papers. AUC: pairs within one group, with DeLong's interval; 0.5 "
        "is chance.",
        "Groups are divided further by which metadata of a paper are known (abstract, keywords, authors, fields, "
        "references), since files that differ in them may differ in their outcomes too.",
        "Given length: the same with the length of the text in words held constant. Baselines stand below the metrics. "
        "Metrics of which less is meant to be better are negated, so that a correlation above 0 is as intended.",
        "The two forms of originality are mirror images of each other.",
    ]


def star(finding: MetricFinding) -> str:
    """`*` where the result is significant after correction for all tests."""
    return "*" if finding.q is not None and finding.q <= SIGNIFICANT else ""


def percent(share: float) -> str:
    """`12%`; `<1%` for a positive share that would round to 0."""
    return "<1%" if 0 < share < 0.005 else f"{100 * share:.0f}%"


def cells(finding: MetricFinding, table: OutcomeTable) -> tuple[str, ...]:
    """A row of the table, under `HEADS`."""
    return (
        _label(finding),
        with_interval(signed(finding.spearman.value), signed_interval(finding.spearman)) + star(finding),
        with_interval(signed(finding.both_decisions.value), signed_interval(finding.both_decisions)),
        with_interval(signed(finding.given_length.value), signed_interval(finding.given_length)),
        auc(finding.auc),
        q_value(finding.q),
        f"{finding.n:,}",
        percent(finding.missing),
        finding_verdict(finding, table),
    )


def _label(finding: MetricFinding) -> str:
    """Baselines stand in brackets."""
    return f"({metric_title(finding.metric)})" if finding.is_baseline else metric_title(finding.metric)


def finding_verdict(finding: MetricFinding, table: OutcomeTable) -> str:
    """How well a metric predicts this outcome; empty for baselines."""
    if finding.standing is None:
        return ""
    best = table.best_baseline
    return _VERDICTS[finding.standing].format(baseline=best.metric if best else "a baseline")


def auc(of: Estimate | None) -> str:
    """`0.56 [0.53 to 0.59]`."""
    return NONE if of is None else with_interval(number(of.value), interval(of))


def q_value(value: float | None) -> str:
    """`0.012`; very small ones as a bound."""
    return NONE if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"
