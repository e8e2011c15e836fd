"""The numbers and the protocol of a LiveIdeaBench report in words."""

from __future__ import annotations

from collections.abc import Sequence

from novum.benchmarks.liveidea.records import Effort, LiveIdeaRun
from novum.benchmarks.liveidea.report.records import LiveIdeaReport
from novum.benchmarks.liveidea.statistics.scores import ModelScores
from novum.core import Spend
from novum.reports import phrases
from novum.reports.phrases import NONE, interval, number, signed_interval, with_interval
from novum.statistics.records import Correlation, KrippendorffAlpha

_PAIRS = {
    "first": "the first two ideas of a keyword",
    "neighbours": "each idea of a keyword with the next",
    "all": "every two ideas of a keyword",
}
_COMBINED = {"mean": "their mean", "lowest": "the lowest of them"}


def alpha(agreement: KrippendorffAlpha) -> str:
    """Krippendorff's alpha with the number of ideas."""
    if agreement.alpha is None:
        return NONE
    return f"{number(agreement.alpha)} over {phrases.count(agreement.units, 'idea')}"


def r_with_interval(r: Correlation) -> str:
    """`0.82 [0.61 to 0.92]`."""
    return with_interval(number(r.r), interval(r) if r.r is not None else "")


def missing(scores: ModelScores) -> int:
    """Scores that were requested and not given, over all dimensions."""
    return sum(counted.missing for counted in scores.judgements.values())


def footprint(effort: Effort) -> Spend:
    """What one model took in one role, as `novum.reports.phrases` takes it."""
    shared = effort.model_dump(include=set(Spend.model_fields))
    return Spend.model_validate(shared)


def total(efforts: Sequence[Effort]) -> Spend:
    """The sum; what is unknown in one is counted as unknown in the total."""
    fields = ("calls", "prompt_tokens", "completion_tokens", "usd", "usd_unknown", "energy_kwh", "co2_kg")
    sums = {name: sum(getattr(each, name) for each in efforts) for name in (*fields, "footprint_unknown")}
    return Spend.model_validate(sums)


def headline(report: LiveIdeaReport) -> str:
    """What was measured, and which models have the highest average."""
    run = report.run
    requested = sum(each.asked for each in report.ideas)
    judged = sum(each.fates.get("judged", 0) for each in report.ideas)
    given = sum(each.given for scores in report.leaderboard for each in scores.judgements.values())
    lacking = sum(missing(scores) for scores in report.leaderboard)
    disciplines = len({each.discipline for each in run.keywords if each.discipline})
    over = f" of {phrases.count(disciplines, 'discipline')}" if disciplines else ""
    sentence = (
        f"{phrases.count(len(run.models), 'model')} on {phrases.count(len(run.keywords), 'keyword')}{over}: "
        f"{judged:,} of {phrases.count(requested, 'idea')} judged, {phrases.count(given, 'score')} given"
    )
    return f"{sentence}, {f'{lacking:,}' if lacking else 'none'} missing. {standing(report.leaderboard)}".rstrip()


def standing(leaderboard: Sequence[ModelScores]) -> str:
    """Which model has the highest average, and which cannot be distinguished from it; empty for fewer than two."""
    known = [each for each in leaderboard if each.average.value is not None]
    if len(known) < 2:
        return ""
    first, *others = known
    unclear = [each for each in others if not phrases.clear_sign(each.behind)]
    second = (unclear or others)[0]
    lower = number(abs(second.behind.value or 0.0))
    highest = f"{first.model} has the highest average; that of {second.model} is {lower} lower"
    if second.behind.low is None:
        return f"{highest}, and how certain that is, is not known."
    if not unclear:
        return f"{highest} ({signed_interval(second.behind)}), more than chance between keywords explains."
    names = phrases.listed([each.model for each in (first, *unclear)])
    return f"{names} cannot be distinguished on these keywords: {highest} ({signed_interval(second.behind)})."


def prompts(run: LiveIdeaRun) -> str:
    """Whose prompts a run used, with their hashes, and what its scores can be compared with."""
    if run.of_others:
        return "not stated in the table, so its scores are comparable only with each other"
    how = run.protocol
    hashes = ", ".join(f"{name} {digest[:12]}" for name, digest in how.prompt_hashes.items())
    shown = f" (SHA-256: {hashes})" if hashes else ""
    if how.prompts == "published":
        return f"published, word for word{shown}"
    return f"novum, Novum's own wording{shown}; scores cannot be compared with those by the published prompts"


def protocol(report: LiveIdeaReport) -> list[tuple[str, str]]:
    """The protocol with its numbers, as pairs of a name and a value."""
    run, how = report.run, report.run.protocol
    keywords = f"{len(run.keywords):,}" + (f", list of {run.keywords_dated}" if run.keywords_dated else "")
    intervals = f"95%, by {report.draws:,} bootstrap samples of keywords" if report.draws else "none requested"
    if run.of_others:
        ideas = f"at most {how.ideas} for each keyword and model"
        return [
            ("Keywords", keywords),
            ("Ideas", ideas),
            ("Protocol", "not stated in the table"),
            ("Prompts", prompts(run)),
            ("Intervals", intervals),
        ]
    excluded = "under 101 or over 2,499 characters, and over 199" if how.as_released else f"over {how.most_words}"
    matched = "anywhere, inside words too" if how.published_fallback else "as whole words near the beginning"
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
        ("Tries", f"at most {how.tries} for an answer that is empty or cannot be read"),
        ("Refusals", f"matched {matched}; then requested once more with the academic prompt"),
        ("Temperature", "each provider's own" if how.temperature is None else f"{how.temperature:g}"),
        ("Seed of the draws", str(run.seed)),
        ("Intervals", intervals),
        ("Protocol", "as in the released code" if how.as_released else "as in the paper"),
        ("Prompts", prompts(run)),
    ]
    if run.anchors:
        facts.append(("Anchor ideas", f"the set {run.anchors}, judged by the whole panel; in no score of a model"))
    if how.papers:
        papers = phrases.count(how.papers, "paper")
        facts.append(("Nearest papers", f"{papers} of the library shown in a second judgement; in no score above"))
    if how.marked:
        facts.append(("Models that mark their final idea", ", ".join(how.marked)))
    return facts
