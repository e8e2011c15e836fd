"""What a reader wants to know first of the best idea, in a form that page, Markdown and terminal share.

Every text in it is shown once: `Brief.rest` has the rest of the idea, without the sentences above it.
"""

from __future__ import annotations

from dataclasses import dataclass

from novum.core import DETAILS, Candidate, Idea, Ideation, IdeationReport
from novum.core.sentences import sentences_of
from novum.reports import phrases
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.ideation.comparisons import JudgingRecord, judging_record
from novum.reports.ideation.novelty import QuotedPaper, difference, quoted_paper, verdict
from novum.reports.ideation.origins import objections, origin_in_words
from novum.reports.sentences import SaidOnce, first_sentences

MOST_SIMILAR = "no checker named the closest paper; this one has the most similar text"
_STEPS = 3
"""First steps of a plan that are shown where an idea names no check of its own."""
_SENTENCES = 3
_PARTS = {"motivation": "Motivation", "novelty": "What is new", "method": "Method"}
_RISKS = {"rival": "Strongest rival", "assumption": "It rests on the assumption", "unchecked": "Could not be checked"}


@dataclass(frozen=True)
class Named:
    """A text (Markdown of a model) under a name."""

    name: str
    text: str


@dataclass(frozen=True)
class Brief:
    """The best idea at a glance. Texts are Markdown of models; empty ones are left out."""

    title: str
    origin: str
    """Which of many short ideas it was developed from, in words; empty for methods that record none."""
    in_short: str
    """The idea in three sentences."""
    why_now: str
    verdict: str
    """Of the novelty check, in words."""
    closest: QuotedPaper | None
    difference: str
    test: str
    """The cheapest check that could refute it; empty where the idea names none."""
    steps: tuple[str, ...]
    """The first steps of the plan, where the idea names no check."""
    risks: tuple[Named, ...]
    record: JudgingRecord
    reason: str
    """The reason of the novelty check, as far as the difference does not say it."""
    rest: tuple[Named, ...]
    """The idea in full, without what the fields above say."""


def brief(report: IdeationReport) -> Brief | None:
    """The brief of the best idea; None without one."""
    best = report.ideation.best
    return None if best is None else _brief(best, report.ideation, CitedPapers(report))


def _brief(best: Candidate, ideation: Ideation, shelf: CitedPapers) -> Brief:
    idea, check, said = best.idea, best.final_check, SaidOnce()
    in_short = said.new(_in_short(best))
    why_now = said.new(first_sentences(idea.motivation, 2) or _last_trend(best))
    differs, test = said.new(difference(best)), said.new(idea.check)
    plan = ideation.experiment
    steps = () if test or plan is None else tuple(said.say(each) for each in plan.steps[:_STEPS])
    risks = tuple(Named(each.name, said.new(each.text)) for each in _risks(best, ideation))
    return Brief(
        title=idea.title,
        origin=origin_in_words(ideation, best),
        in_short=in_short,
        why_now=why_now,
        verdict=verdict(check, shelf),
        closest=quoted_paper(best, shelf),
        difference=differs,
        test=test,
        steps=steps,
        risks=tuple(each for each in risks if each.text),
        record=judging_record(ideation, idea.id),
        reason=said.new(check.reason) if check else "",
        rest=_rest(best, said),
    )


def _in_short(best: Candidate) -> str:
    """Where the idea comes from and its mechanism; the beginning of its summary where it names no mechanism."""
    idea = best.idea
    if not idea.mechanism:
        return first_sentences(idea.summary or idea.method, _SENTENCES)
    mechanism = first_sentences(idea.mechanism, _SENTENCES - 1)
    return f"{first_sentences(idea.summary, _SENTENCES - len(sentences_of(mechanism)))} {mechanism}".strip()


def _last_trend(best: Candidate) -> str:
    trends = best.chain.trends if best.chain else ()
    return first_sentences(trends[-1].text, 2) if trends else ""


def _risks(best: Candidate, ideation: Ideation) -> list[Named]:
    """What could kill it: by its writer; without that, the first weakness that a review or its writer names."""
    idea = best.idea
    named = [Named(title, getattr(idea, field)) for field, title in _RISKS.items() if getattr(idea, field)]
    # A finding of the novelty check is stored as an attack too; it names neither a check nor a rival, and stands above.
    attacks = [each for each in objections(ideation, best) if each.objection and (each.check or each.rival)]
    if attacks:
        named.insert(0, Named("A critic's last objection", attacks[-1].objection))
    if named:
        return named
    ground = ideation.ground(idea)
    if ground is not None and ground.weak_point:
        return [Named("Doubtful, according to its writer", ground.weak_point)]
    reviews = [each.review for each in ideation.drafts if each.review and each.review.weaknesses]
    return [Named("A reviewer of the plan objects", reviews[-1].weaknesses[0])] if reviews else []


def _rest(best: Candidate, said: SaidOnce) -> tuple[Named, ...]:
    idea = best.idea
    mechanism = Named(DETAILS["mechanism"], said.new(idea.mechanism))
    parts = [Named(title, said.new(getattr(idea, field))) for field, title in _PARTS.items()]
    summary = Named("In summary", said.new(idea.summary))
    return tuple(each for each in (mechanism, *parts, summary) if each.text)


def idea_parts(idea: Idea) -> tuple[Named, ...]:
    """All parts of an idea that is not shown in brief, the summary first and without a name, no sentence twice."""
    said = SaidOnce()
    fields = {"summary": "", **_PARTS, **DETAILS}
    parts = [Named(title, said.new(getattr(idea, field))) for field, title in fields.items()]
    return tuple(each for each in parts if each.text)


def capitalized(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def record_in_words(record: JudgingRecord) -> str:
    """`won 5 of 6 comparisons`, with the ties; never a share of few."""
    if not record.judged:
        return "not compared"
    ties = f", {phrases.count(record.tied, 'tie')}" if record.tied else ""
    return f"won {record.won} of {phrases.count(record.judged, 'comparison')}{ties}"


def record_details(record: JudgingRecord, writer: str = "") -> str:
    """Who judged, in which orders, and with what interval; empty without a comparison. `writer`: the model that wrote
    the idea, which may not judge itself unnoticed."""
    if not record.judged:
        return ""
    parts = [
        "both orders" if record.both_orders else "not every pair in both orders",
        _interval(record),
        f"{record.unreadable} more unreadable" if record.unreadable else "",
        "judged by the model that wrote it" if set(record.judges) == {writer} else "",
    ]
    return ", ".join(filter(None, parts))


def _interval(record: JudgingRecord) -> str:
    share = record.interval
    if share is None or share.low is None or share.high is None:
        return ""
    return (
        f"share won {phrases.percent(share.low)} to {phrases.percent(share.high)} (95% interval, {record.pairs} pairs)"
    )
