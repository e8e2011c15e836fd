"""A study of agreement between people and judges: plots, an HTML page without scripts, files, and table rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from novum.benchmarks.arena.report import charts
from novum.benchmarks.arena.report import phrases as words
from novum.benchmarks.arena.report.agreement import ArenaAgreement, KindAgreement
from novum.benchmarks.arena.report.page import TEMPLATES
from novum.benchmarks.arena.report.records import JudgeComparison
from novum.reports import phrases
from novum.reports.charts.drawing import plot_images
from novum.reports.charts.look import chart_label
from novum.reports.charts.plot import Plot
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.page import render_page
from novum.statistics.games import AVERAGE
from novum.statistics.records import Correlation, Estimate

_MOST = 12
"""Pairs of judges in one chart."""
HEADS = (
    "kind", "judge", "judge", "criterion", "same winner", "same outcome", "kappa", "weighted", "pearson", "spearman",
    "entrants", "matches", "decided",
)  # fmt: skip


def agreement_plots(study: ArenaAgreement) -> tuple[Plot, ...]:
    """For each kind: the same winner by criterion, and ratings against ratings."""
    return tuple(plot for of in study.kinds for plot in _plots(of))


def _plots(of: KindAgreement) -> Iterator[Plot]:
    displayed = [each for each in (of.with_people or of.all) if _decided(each)][:_MOST]
    lead = "" if of.kind == "idea" else "experiment-"
    if displayed:
        yield Plot(
            f"{lead}same-winner",
            "The same winner",
            "; ".join(
                f"{charts.pair_name(each)}: {phrases.share_text(each.matches.average.same_winner.value)}"
                for each in displayed
            )
            + ".",
            "Among pairs in which both name a winner, with 95% intervals over topics. Half is chance.",
            charts.agreement(displayed, (*(each.criterion for each in displayed[0].matches.criteria), AVERAGE)),
        )
    points = {name: rated for name, rated in of.ratings.items() if len(rated) > 1}
    if points and of.rated_by:
        one, other = of.rated_by
        yield Plot(
            f"{lead}rated",
            "Ratings by people and by judges" if of.with_people else "Ratings by two judges",
            f"Ratings of the entrants by {chart_label(one)} against those by {chart_label(other)}, by criterion.",
            "Each point an entrant, by Bradley–Terry from all that either side judged. Dotted: equal ratings.",
            charts.scatters(
                [(name, [(each.entrant, each.one, each.other) for each in rated]) for name, rated in points.items()],
                one,
                other,
            ),
        )


def _decided(of: JudgeComparison) -> bool:
    return of.matches.average.same_winner.value is not None


def write_agreement(study: ArenaAgreement, folder: Path) -> ReportFiles:
    """Write `agreement.html`, `agreement.json` and the charts into `folder`.

    Raises BadInput when the folder cannot be written.
    """
    page = partial(render_agreement_page, study)
    return write_report_with_charts(study, agreement_plots(study), page, {}, folder, name="agreement")


def render_agreement_page(study: ArenaAgreement, svgs: Mapping[str, str] | None = None) -> str:
    """One self-contained page without any script."""
    found = agreement_plots(study)
    return render_page(
        "arena_agreement.html.j2",
        TEMPLATES,
        study=study,
        words=words,
        headline=headline(study),
        plots={each.name: each for each in found},
        images=plot_images(found, svgs),
    )


def headline(study: ArenaAgreement) -> str:
    """What came out, in a sentence or two."""
    who = phrases.count(len(study.judges), "judge")
    if study.people:
        who = f"{phrases.count(len(study.people), 'person', 'people')} and {who}"
    first = next((each for of in study.kinds for each in of.all if _decided(each)), None)
    if first is None:
        return f"{who}; no two of them named a winner of the same pair."
    of = first.matches.average
    bounds = phrases.share_interval(of.same_winner)
    return (
        f"{who}. {first.first} and {first.second} name the same winner in {phrases.share_text(of.same_winner.value)}"
        f"{f' ({bounds})' if bounds else ''} of {of.decided:,} decisions in which both name one."
    )


def rows(study: ArenaAgreement) -> Iterator[tuple[str, ...]]:
    """A line for each two judges, as a terminal shows it; for the first two of each sort one for each criterion too."""
    for of in study.kinds:
        in_full = [sort[0] for sort in (of.with_people, of.among_people, of.among_judges) if sort]
        for each in of.all:
            criteria = each.matches.criteria if each in in_full else ()
            for found in (each.matches.average, *criteria):
                average, name = found.criterion == AVERAGE, found.criterion
                yield (
                    of.kind, each.first, each.second, found.criterion,
                    _share(found.same_winner), _share(found.same), _value(found.kappa), _value(found.weighted_kappa),
                    _r(each.ratings.pearson.get(name), each.ratings.mean_pearson, average),
                    _r(each.ratings.spearman.get(name), each.ratings.mean_spearman, average),
                    f"{each.entrants}", f"{found.matches:,}", f"{found.decided:,}",
                )  # fmt: skip


def _share(of: Estimate) -> str:
    return phrases.with_interval(phrases.share_text(of.value), phrases.share_interval(of))


def _value(of: Estimate) -> str:
    return phrases.with_interval(phrases.number(of.value), phrases.interval(of))


def _r(of: Correlation | None, mean: float | None, average: bool) -> str:
    """On the average of the criteria the mean, which has no interval."""
    if average or of is None:
        return phrases.number(mean if average else None)
    return phrases.with_interval(phrases.number(of.r), phrases.interval(of) if of.r is not None else "")


def grade_rows(study: ArenaAgreement) -> Iterator[tuple[str, ...]]:
    """A line for each entrant and criterion that experts graded."""
    for each in study.grades:
        yield each.entrant, each.criterion, _share(each.share.rate), *(f"{count:,}" for count in each.counts.values())
