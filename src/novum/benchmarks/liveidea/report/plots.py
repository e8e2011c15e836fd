"""The plots of a report, in their order, each with what it shows in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from novum.benchmarks.liveidea.report.charts.comparisons import diversity, regression, side_by_side
from novum.benchmarks.liveidea.report.charts.ideas import (
    distributions,
    honeycombs,
    lengths,
    refusals,
    relations,
    spreads,
)
from novum.benchmarks.liveidea.report.charts.scores import DIMENSIONS, dimension_bars, heat_map, ranking, trade_off
from novum.benchmarks.liveidea.report.records import IdeaRelation, LiveIdeaReport, MeasureComparison
from novum.reports import phrases
from novum.reports.charts.look import chart_label
from novum.reports.charts.plot import Plot
from novum.reports.phrases import correlation_text


def plots(report: LiveIdeaReport) -> tuple[Plot, ...]:
    """Those that the run has numbers for."""
    makers: tuple[Callable[[LiveIdeaReport], Iterator[Plot]], ...] = (
        _ranking, _dimensions, _disciplines, _trade_off, _spreads, _distributions, _clarity, _lengths, _honeycombs,
        _responses, _refusals, _outside, _comparisons, _diversity,
    )  # fmt: skip
    return tuple(plot for make in makers for plot in make(report))


def _ranking(report: LiveIdeaReport) -> Iterator[Plot]:
    known = [each for each in report.leaderboard if each.average.value is not None]
    if known:
        best, last = known[0], known[-1]
        yield Plot(
            "ranking",
            "Ranking",
            f"{phrases.count(len(known), 'model')} by average score, from {chart_label(best.model)} "
            f"({best.average.value:.2f}) to {chart_label(last.model)} ({last.average.value:.2f}).",
            "Average of the five dimensions. Lines: 95% intervals by a bootstrap over keywords. The axis does not "
            "begin at zero.",
            ranking(report.leaderboard),
        )


def _dimensions(report: LiveIdeaReport) -> Iterator[Plot]:
    for name in DIMENSIONS:
        scores = {each.model: getattr(each, name).value for each in report.leaderboard}
        known = {model: score for model, score in scores.items() if score is not None}
        if known:
            best = max(known, key=lambda model: known[model])
            yield Plot(
                name,
                name.capitalize(),
                f"{name.capitalize()} of {phrases.count(len(known), 'model')}; highest: {chart_label(best)} "
                f"({known[best]:.2f}).",
                _MEANINGS[name],
                dimension_bars(report.leaderboard, name),
            )


_MEANINGS = {
    "originality": "Mean over ideas of the mean of their judges.",
    "feasibility": "Mean over ideas of the mean of their judges.",
    "clarity": "Mean over ideas of the mean of their judges.",
    "fluency": "How different the ideas of a keyword are: A, B, C, D as 10, 7, 4, 1, by one judge a pair.",
    "flexibility": "The score that 30% of keywords stay below, where a keyword's score is the mean of the other four.",
}


def _disciplines(report: LiveIdeaReport) -> Iterator[Plot]:
    if report.disciplines:
        best = max(report.disciplines, key=lambda each: each.score)
        yield Plot(
            "disciplines",
            "Models by discipline",
            f"Highest: {chart_label(best.model)} in {chart_label(best.discipline)} ({best.score:.2f} over "
            f"{phrases.count(best.keywords, 'keyword')}).",
            "Mean of originality, feasibility, clarity and fluency over the keywords of a discipline that have all "
            "four. Few keywords make an uncertain cell.",
            heat_map(report.disciplines, [each.model for each in report.leaderboard]),
        )


def _trade_off(report: LiveIdeaReport) -> Iterator[Plot]:
    if any(each.average.value is not None for each in report.leaderboard):
        yield Plot(
            "trade-off",
            "Feasibility and originality",
            "Feasibility against originality of each model; the leaderboard holds the same numbers.",
            "Larger: more fluent. Lighter: more flexible. Thicker edge: clearer. The dashed line joins the models that "
            "no other beats in both.",
            trade_off(report.leaderboard),
        )


def _spreads(report: LiveIdeaReport) -> Iterator[Plot]:
    if report.spreads:
        best = max(report.spreads, key=lambda each: each.mean.value or 0)
        yield Plot(
            "quality-by-model",
            "Quality of each model's ideas",
            f"Quality of the ideas of {phrases.count(len(report.spreads), 'model')}; highest mean: "
            f"{chart_label(best.model)} ({best.mean.value:.2f}).",
            "Quality of an idea: the mean of originality, feasibility and clarity, each over its judges. Tick: median; "
            "box: the middle half; line: all but the outer tenth; point: the mean, with its 95% interval by a "
            "bootstrap over keywords.",
            spreads(report.spreads),
        )


def _distributions(report: LiveIdeaReport) -> Iterator[Plot]:
    if report.distributions:
        highest = {each.what: max(each.bins, key=lambda one: one.ideas) for each in report.distributions}
        found = "; ".join(f"{what}: {one.low:g} to {one.high:g}" for what, one in highest.items())
        yield Plot(
            "score-distribution",
            "Distribution of scores",
            f"Scores of all ideas of all models. Most frequent: {found}.",
            "Share of ideas in each half point. Lines: 95% intervals by a bootstrap over keywords.",
            distributions(report.distributions),
        )


def _clarity(report: LiveIdeaReport) -> Iterator[Plot]:
    if report.clarity:
        yield Plot(
            "clarity-relations",
            "Clarity and the other dimensions",
            f"{_correlations(report.clarity)}.",
            "Each hexagon counts ideas of all models. Dashed: least squares. The interval of r is a 95% interval by a "
            "bootstrap over keywords. A judge gives all scores of an idea in one answer, which raises r.",
            relations(report.clarity),
        )


def _responses(report: LiveIdeaReport) -> Iterator[Plot]:
    if report.response_lengths:
        yield Plot(
            "response-length",
            "Length of the whole response and quality",
            f"Characters of whole responses with the quality of the idea in them. "
            f"{_correlations(report.response_lengths)}.",
            "Models that reason before they answer, thoughts included. Each hexagon counts ideas; the longest 1% of "
            "responses are counted at the end of the axis. Dashed: least squares. The interval of r is a 95% interval "
            "by a bootstrap over keywords.",
            relations(report.response_lengths),
        )


def _correlations(found: Sequence[IdeaRelation]) -> str:
    """`clarity and originality: r = 0.26 [0.20 to 0.31]; …`."""
    return "; ".join(
        f"{chart_label(each.name)}: r = "
        + phrases.with_interval(
            phrases.number(each.r.value), phrases.interval(each.r) if each.r.value is not None else ""
        )
        for each in found
    )


def _lengths(report: LiveIdeaReport) -> Iterator[Plot]:
    if any(each.words for each in report.ideas):
        yield Plot(
            "lengths",
            "Words of each model's ideas",
            "Words of each model's ideas: "
            + "; ".join(f"{chart_label(each.model)} {each.mean_words:.0f}" for each in report.ideas if each.mean_words)
            + " on average.",
            "Tick: median; box: the middle half; line: all but the outer tenth. Ideas that were excluded for their "
            "length are counted here too.",
            lengths(report.ideas, report.run.protocol.most_words),
        )


def _honeycombs(report: LiveIdeaReport) -> Iterator[Plot]:
    if report.length_quality:
        found = "; ".join(f"{each.what}: {correlation_text(each.r)}" for each in report.length_quality)
        yield Plot(
            "length-quality",
            "Length and quality",
            f"Words of an idea with its scores. {found}.",
            "Each hexagon counts ideas; quality is the mean of originality, feasibility and clarity. Dashed: least "
            "squares. Ideas of one keyword are alike, so the p-values are on the small side.",
            honeycombs(report.length_quality),
        )


def _refusals(report: LiveIdeaReport) -> Iterator[Plot]:
    requested = sum(each.asked for each in report.ideas)
    if requested:
        by_words = sum(each.first_refused for each in report.ideas) / requested
        anywhere = sum(each.first_refused_as_released for each in report.ideas) / requested
        yield Plot(
            "refusals",
            "First answers that decline",
            f"Of all first answers, {100 * by_words:.1f}% decline by whole words near the beginning, and "
            f"{100 * anywhere:.1f}% by matching anywhere.",
            "First answers that decline, before a model is asked again in the academic way. Matching anywhere also "
            "counts ideas such as one about what “AI cannot” do.",
            refusals(report.ideas),
        )


def _outside(report: LiveIdeaReport) -> Iterator[Plot]:
    if report.outside is not None and len(report.outside.points) >= 2:
        yield Plot(
            "outside",
            f"Compared with {chart_label(report.outside.name)}",
            f"{correlation_text(report.outside.r)}.",
            "Vertical lines: 95% intervals of the average; shaded: the 95% band of the regression.",
            regression(report.outside),
        )


def _comparisons(report: LiveIdeaReport) -> Iterator[Plot]:
    for each in report.comparisons:
        if any(pair.here.value is not None for pair in each.pairs):
            yield Plot(each.name, each.title, _moved(each), each.text, side_by_side(each))


def _moved(comparison: MeasureComparison) -> str:
    ranks = comparison.ranks()
    moved = [model for model, (here, there) in ranks.items() if here != there]
    measure = comparison.measure[:1].upper() + comparison.measure[1:]
    return (
        f"{measure} {comparison.here} and {comparison.there}: {len(moved)} of {len(ranks)} models change their place."
    )


def _diversity(report: LiveIdeaReport) -> Iterator[Plot]:
    found = report.distinctness
    if found is not None and any(each.fluency is not None for each in found.models):
        yield Plot(
            "diversity",
            "Fluency and distance between ideas",
            f"Distance between a keyword's ideas with fluency: {correlation_text(found.r)}.",
            "Each point a model. The correlation above is over keywords and models.",
            diversity(found),
        )
