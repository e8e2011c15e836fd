"""A foresight study in words and table cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novum.benchmarks.foresight.records import EARLIER, ForesightRun, ThresholdCalibration
from novum.benchmarks.foresight.report.records import ELSEWHERE, ForesightMeasure, ForesightReport, MethodForesight
from novum.reports import phrases
from novum.reports.phrases import (
    NONE,
    count,
    interval,
    number,
    share_interval,
    share_text,
    signed,
    signed_interval,
    with_interval,
)
from novum.statistics.records import Estimate

HEADS = ("method", "ideas", "similarity", "hits", "over earlier papers", "over other topics", "over plain prompt")


def headline(report: ForesightReport) -> str:
    """The result in a sentence or two."""
    known = [each for each in report.methods if each.closeness.similarity.value is not None]
    run = report.run
    about = (
        f"{count(len(report.methods), 'method')} on {count(len(run.topics), 'topic')}, "
        f"{count(len(run.cutoffs), 'cut-off')}, {count(run.horizon, 'year')} after each. "
    )
    if not known:
        return f"{about}No idea could be compared with the future."
    known.sort(key=lambda each: -(each.closeness.similarity.value or 0.0))
    return f"{about}{_nearest(known)} {_over_earlier(known[0])}".rstrip()


def _nearest(methods: Sequence[MethodForesight]) -> str:
    """Which of the methods, highest similarity first, comes nearest, and which cannot be distinguished from it."""
    first, *others = methods
    similarity = number(first.closeness.similarity.value, 3)
    if not others:
        return f"{first.name} has a similarity of {similarity} to what was published later."
    unclear = [each for each in others if not phrases.clear_sign(each.behind)]
    second = (unclear or others)[0]
    nearest = (
        f"{first.name} has the highest similarity to what was published later, {similarity}; "
        f"{second.name} has {number(abs(second.behind.value or 0.0), 3)} less, {_certainty(second.behind)}."
    )
    if not unclear or second.behind.low is None:
        return nearest
    names = phrases.listed([each.name for each in (first, *unclear)])
    return f"{names} cannot be distinguished on these topics: {nearest}"


def _over_earlier(method: MethodForesight) -> str:
    over = method.gains[EARLIER].similarity
    if over.value is None:
        return ""
    difference = f"{number(abs(over.value), 3)} {'more' if over.value > 0 else 'less'} than"
    return f"{method.name} has {difference} earlier papers on the same topics, {_certainty(over)}."


def _certainty(difference: Estimate) -> str:
    if difference.low is None:
        return "on too few topics for an interval"
    interval = f"95% interval {signed_interval(difference, 3)}"
    return interval if phrases.clear_sign(difference) else f"which may be chance ({interval})"


def points(share: float | None) -> str:
    """A difference of two shares: `+12`, in percentage points."""
    return NONE if share is None else signed(100 * share, 0)


def points_interval(estimate: Estimate) -> str:
    """`+3 to +21`; empty where there is no interval."""
    return "" if estimate.low is None else f"{points(estimate.low)} to {points(estimate.high)}"


def protocol(run: ForesightRun) -> Iterator[tuple[str, str]]:
    """The settings of the study: names and values."""
    yield "Cut-offs", ", ".join(f"{each.label} (future from {each.day})" for each in run.cutoffs)
    yield "Years after each", f"{run.horizon:,}"
    yield "Similarity", f"mean cosine with the {run.neighbours:,} nearest papers"
    yield "Papers near a topic", f"{run.pool_used:,} of each year"
    yield (
        "Earlier papers",
        f"the {run.earlier:,} nearest to each topic from before the cut-off, each compared like an idea",
    )
    yield "Topics", "sampled from the library's fields" if run.drawn else "given"
    yield "Library", run.library
    yield "Seed", f"{run.seed}"


def calibration(found: ThresholdCalibration) -> str:
    """How the threshold was set."""
    if found.threshold is None:
        return f"No threshold could be set: there are only {count(found.random_pairs, 'pair')} of papers."
    text = (
        f"Two papers count as being about the same subject from a similarity of {found.threshold:.3f}, which "
        f"{100 * (found.passed_random or 0):.2g}% of {found.random_pairs:,} random pairs of the same years reach"
    )
    if found.passed_citing is None:
        return f"{text}. No two papers of these years cite each other: the share of related papers above it is unknown."
    return (
        f"{text}, and {share_text(found.passed_citing)} of {found.citing_pairs:,} pairs that cite each other. A citing "
        f"pair is more similar than a random one in {share_text(found.separation)} of cases (50% is chance)."
    )


def prior_knowledge(run: ForesightRun) -> Iterator[str]:
    """What the models and authors may have known of the future."""
    generated = [each for each in run.methods if each.method]
    if generated:
        models = ", ".join(dict.fromkeys(run.account.models.values())) if run.account else ""
        yield (
            "Methods read only papers that were certainly public before each cut-off. Their models may still know "
            f"the future from training: {models or 'not recorded'}. Where a model was trained on papers from after "
            "a cut-off, its ideas may repeat them, and similarity may be memory. The plain prompt has the same memory "
            "and reads nothing, so a gain over it is not memory alone."
        )
    if len(generated) < len(run.methods):
        names = ", ".join(each.name for each in run.methods if not each.method)
        yield (
            f"{names}: these ideas were given. It is not known which models generated them and what these know from "
            "training (what was read for them is listed under “Notes”). The similarity of ideas that were generated "
            "after the future was published proves nothing."
        )


def rows(report: ForesightReport) -> Iterator[tuple[str, ...]]:
    """A row for each method and baseline, under `HEADS`."""
    plain = report.run.plain
    for each in report.standings:
        yield (
            each.name,
            f"{each.ideas:,}",
            with_interval(number(each.closeness.similarity.value, 3), interval(each.closeness.similarity, 3)),
            with_interval(share_text(each.closeness.hits.value), share_interval(each.closeness.hits)),
            *(_gain(each.gains.get(name)) for name in (EARLIER, ELSEWHERE, plain)),
        )


def _gain(of: ForesightMeasure | None) -> str:
    if of is None:
        return NONE
    return with_interval(signed(of.similarity.value, 3), signed_interval(of.similarity, 3))
