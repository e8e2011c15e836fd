"""Numbers of a study of foresight as people say them. What is not known says so."""

from __future__ import annotations

from collections.abc import Iterator

from novum.benchmarks.arena.report.phrases import percent, percents
from novum.benchmarks.foresight.records import EARLIER, Calibration, ForesightRun
from novum.benchmarks.foresight.report.records import ELSEWHERE, Foresight, ForesightReport, Measure
from novum.benchmarks.liveidea.report.phrases import NONE, interval, number, signed, signed_interval
from novum.reports import phrases
from novum.statistics.estimate import Estimate

__all__ = [
    "NONE", "calibration", "headline", "interval", "knows", "number", "percent", "percents", "points",
    "points_interval", "protocol", "rows", "signed", "signed_interval",
]  # fmt: skip
HEADS = ("method", "ideas", "similarity", "hits", "over earlier papers", "over other topics", "over plain prompt")


def headline(report: ForesightReport) -> str:
    """What came out, in a sentence or two."""
    known = [each for each in report.methods if each.closeness.similarity.value is not None]
    run = report.run
    about = (
        f"{phrases.count(len(report.methods), 'method')} on {phrases.count(len(run.topics), 'topic')}, "
        f"{phrases.count(len(run.cutoffs), 'cut-off')}, {phrases.count(run.horizon, 'year')} after each. "
    )
    if not known:
        return f"{about}No idea could be compared with the future."
    best = max(known, key=lambda each: each.closeness.similarity.value or 0.0)
    return f"{about}{_best(best)}"


def _best(best: Foresight) -> str:
    similarity = best.closeness.similarity
    over = best.gains[EARLIER].similarity
    told = f"Nearest to what was published later is {best.name}, with a similarity of {number(similarity.value, 3)}"
    if over.value is None:
        return f"{told}."
    way = f"{number(abs(over.value), 3)} {'more' if over.value > 0 else 'less'} than earlier papers on the same topics"
    if over.low is None or over.high is None:
        return f"{told}: {way}, on too few topics to tell it from chance."
    if over.low <= 0 <= over.high:
        return f"{told}: {way}, which may be chance ({signed(over.low, 3)} to {signed(over.high, 3)})."
    return f"{told}: {way} ({signed(over.low, 3)} to {signed(over.high, 3)})."


def points(share: float | None) -> str:
    """A difference of two shares: `+12`, in percentage points."""
    return NONE if share is None else signed(100 * share, 0)


def points_interval(estimate: Estimate) -> str:
    """`+3 to +21`; empty where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{points(estimate.low)} to {points(estimate.high)}"


def protocol(run: ForesightRun) -> Iterator[tuple[str, str]]:
    """How it was done: names and values."""
    yield "Cut-offs", ", ".join(f"{each.label} (future from {each.day})" for each in run.cutoffs)
    yield "Years after each", f"{run.horizon:,}"
    yield "Similarity", f"mean cosine with the {run.neighbours:,} nearest papers"
    yield "Papers near a topic", f"{run.pool_used:,} of each year"
    yield "Earlier papers", f"the {run.earlier:,} nearest to each topic from before the day, each taken as an idea"
    yield "Topics", "drawn from the library's fields" if run.drawn else "given"
    yield "Library", run.library
    yield "Seed", f"{run.seed}"


def calibration(found: Calibration) -> str:
    """How the threshold came about."""
    if found.threshold is None:
        return f"No threshold could be set: only {phrases.count(found.random_pairs, 'pair')} of papers could be drawn."
    told = (
        f"Two papers count as being about the same from a similarity of {found.threshold:.3f} on, which "
        f"{100 * (found.passed_random or 0):.2g}% of {found.random_pairs:,} random pairs of the same years reach"
    )
    if found.passed_citing is None:
        return (
            f"{told}. No two papers of these years cite each other, so what share of related papers passes is unknown."
        )
    return (
        f"{told}, and {percent(found.passed_citing)} of {found.citing_pairs:,} pairs that cite each other. A citing "
        f"pair is the more similar of the two in {percent(found.separation)} of cases (50% is a coin)."
    )


def knows(run: ForesightRun) -> Iterator[str]:
    """What the ideas may owe to knowledge of the future, in so many words."""
    made = [each for each in run.methods if each.method]
    if made:
        models = ", ".join(dict.fromkeys(run.account.models.values())) if run.account else ""
        yield (
            "Methods were shown only papers that were certainly public before each day. The models behind them may all "
            f"the same know the future from their training: {models or 'not recorded'}. Where a model was trained on "
            "papers from after a day, its ideas may repeat them, and nearness is memory. The plain prompt has the same "
            "memory and reads nothing: what a method gains over it is not memory alone."
        )
    if len(made) < len(run.methods):
        names = ", ".join(each.name for each in run.methods if not each.method)
        yield (
            f"{names}: these ideas were made before, elsewhere. Which models made them, and what these know from their "
            "training, is not known here (what was read for them is said under “To be borne in mind”). Ideas made "
            "after the future was published prove nothing by being near to it."
        )


def rows(report: ForesightReport) -> Iterator[tuple[str, ...]]:
    """A line for each method and stand-in, as a terminal shows it."""
    plain = report.run.plain
    for each in report.standings:
        yield (
            each.name,
            f"{each.ideas:,}",
            _told(each.closeness.similarity),
            _share(each.closeness.hits),
            *(_gain(each.gains.get(name)) for name in (EARLIER, ELSEWHERE, plain)),
        )


def _told(of: Estimate) -> str:
    return number(of.value, 3) + (f" [{interval(of, 3)}]" if of.low is not None else "")


def _share(of: Estimate) -> str:
    return percent(of.value) + (f" [{percents(of)}]" if of.low is not None else "")


def _gain(of: Measure | None) -> str:
    if of is None:
        return NONE
    bounds = of.similarity
    told = f" [{signed(bounds.low, 3)} to {signed(bounds.high, 3)}]" if bounds.low is not None else ""
    return signed(of.similarity.value, 3) + told
