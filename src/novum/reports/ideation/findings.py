"""The main facts of a report in short phrases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from novum.core import (
    Candidate,
    Experiment,
    ExperimentDraft,
    Idea,
    Ideation,
    IdeationReport,
    NoveltyCheck,
    Paper,
    PriorWork,
)
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.phrases import cosine, count, percent
from novum.reports.sanitizing import clean_line

DEMONSTRATION = (
    "The text of these ideas was written by a very small model that runs on this machine, to show how Novum works: do "
    "not judge the ideas by it, and do not rely on what it says about papers. The papers, their links and the "
    "similarity figures are real."
)
REAL_MODEL = (
    "For ideas worth judging, set a key such as `OPENAI_API_KEY` and run the same command again, or add "
    "`--model provider:name`."
)
"""Markdown."""
NO_IDEAS = "This run ended without an idea. The notes below give the reasons."


def final_check(candidate: Candidate) -> NoveltyCheck | None:
    """The last novelty check of the idea as it stands; None when its final form was never checked."""
    return last_check_of(candidate.idea, candidate)


def last_check_of(idea: Idea, candidate: Candidate) -> NoveltyCheck | None:
    """The last check of one draft."""
    return next((check for check in reversed(candidate.checks) if check.idea_id == idea.id), None)


def other_checks(candidate: Candidate) -> list[NoveltyCheck]:
    """Checks that are neither the last of the idea nor the last of one of its drafts."""
    shown = [last_check_of(text, candidate) for text in (candidate.idea, *candidate.earlier_drafts)]
    return [check for check in candidate.checks if not any(check is known for known in shown)]


def nearest(candidate: Candidate) -> PriorWork | None:
    """The most similar paper that the final check found."""
    check = final_check(candidate)
    return max(check.nearest, key=lambda prior: prior.similarity, default=None) if check else None


def verdict(check: NoveltyCheck | None) -> str:
    """The verdict of a novelty check in words."""
    if check is None:
        return "not checked"
    return {True: "idea not found in the library", False: "idea already known", None: "no verdict"}[check.novel]


def years(papers: Iterable[Paper]) -> str:
    """`1998–2024`, `2022`, or nothing when no year is known."""  # the dash of print
    known = sorted({paper.year for paper in papers if paper.year})
    if not known:
        return ""
    return f"{known[0]}–{known[-1]}" if len(known) > 1 else str(known[0])


def has_chains(ideation: Ideation) -> bool:
    """Whether some idea is based on a chain of papers."""
    return any(candidate.chain is not None for candidate in ideation.candidates)


def headline(report: IdeationReport) -> str:
    """The whole outcome in one sentence."""
    ideation = report.ideation
    if ideation.best is None:
        return NO_IDEAS
    return "; ".join([_origin(report), *_rank(ideation.best), *_nearest(report, ideation.best)]) + "."


def _origin(report: IdeationReport) -> str:
    candidates = report.ideation.candidates
    chains = [candidate.chain for candidate in candidates if candidate.chain]
    papers = {paper.id: paper for chain in chains for paper in chain.papers}
    ideas = count(len(candidates), "idea")
    if not papers:
        named = {each.paper_id for one in candidates for each in one.idea.citations if each.paper_id}
        return f"{ideas}, {count(len(named), 'real paper')} cited" if named else f"{ideas}, no real paper cited"
    span = years(papers.values())
    return f"{ideas} from {count(len(chains), 'chain')} of {count(len(papers), 'real paper')}" + (
        f" ({span})" if span else ""
    )


def _rank(best: Candidate) -> list[str]:
    return [] if best.win_rate is None else [f"best won {percent(best.win_rate)} of its comparisons"]


def _nearest(report: IdeationReport, best: Candidate) -> list[str]:
    prior = nearest(best)
    paper = CitedPapers(report).paper(prior.paper_id) if prior else None
    if prior is None:
        return ["no prior paper was compared with it"]
    name = f"{clean_line(paper.title, 160)} ({paper.year or 'n.d.'})" if paper else "a paper this report does not hold"
    return [f"nearest prior paper at cosine {cosine(prior.similarity)}: {name}"]


@dataclass(frozen=True)
class RevisionSummary:
    """One part of an experiment plan, and how it differs from the draft before."""

    part: str
    added: tuple[str, ...]
    dropped: tuple[str, ...]


_PARTS = ("hypothesis", "steps", "datasets", "baselines", "metrics", "ablations", "analysis", "feasibility", "sketch")


def revisions(drafts: tuple[ExperimentDraft, ...]) -> list[tuple[ExperimentDraft, list[RevisionSummary]]]:
    """Each draft with what it changed against the one before it; the first changes nothing."""
    plans = [draft.experiment for draft in drafts]
    before = [None, *plans[:-1]]
    return [(draft, _changes(old, draft.experiment)) for old, draft in zip(before, drafts, strict=True)]


def _changes(old: Experiment | None, new: Experiment) -> list[RevisionSummary]:
    if old is None:
        return []
    pairs = ((part, _lines(old, part), _lines(new, part)) for part in _PARTS)
    return [
        RevisionSummary(part, tuple(x for x in now if x not in then), tuple(x for x in then if x not in now))
        for part, then, now in pairs
        if then != now
    ]


def _lines(plan: Experiment, part: str) -> tuple[str, ...]:
    value: str | tuple[str, ...] = getattr(plan, part)
    if isinstance(value, tuple):
        return value
    return (value,) if value else ()
