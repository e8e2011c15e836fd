"""The main facts of a report in short phrases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from novum.core import Candidate, Chain, Experiment, ExperimentDraft, Ideation, IdeationReport, Paper
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.ideation.comparisons import judging_record
from novum.reports.ideation.novelty import closest_id
from novum.reports.phrases import count
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
WITHOUT_A_KEY = (
    "This run had no key of a model. What it found in the library is real and comes first. The text of the ideas was "
    "written by a very small model on this machine, only to show how Novum works, and is folded at the end."
)
"""Markdown."""
NO_IDEAS = "This run ended without an idea. The notes below give the reasons."


def years(papers: Iterable[Paper]) -> str:
    """`1998–2024`, `2022`, or nothing when no year is known."""  # the dash of print
    known = sorted({paper.year for paper in papers if paper.year})
    if not known:
        return ""
    return f"{known[0]}–{known[-1]}" if len(known) > 1 else str(known[0])


def papers_heading(ideation: Ideation) -> str:
    """What the papers of an idea are called: papers of a context follow no line."""
    return "The papers behind it" if ideation.context is not None else "The chain of papers behind it"


def follows_from(ideation: Ideation, chain: Chain) -> str:
    """`It follows from a chain of 8 papers, 2022–2024.`, for a run with or without a context."""
    span = years(chain.papers)
    papers = count(len(chain.papers), "paper") + (f", {span}" if span else "")
    if ideation.context is not None:
        return f"It was developed from {papers}, in {count(len(ideation.context.groups), 'group')}."
    return f"It follows from a chain of {papers}."


def has_chains(ideation: Ideation) -> bool:
    """Whether some idea is based on a chain of papers."""
    return any(candidate.chain is not None for candidate in ideation.candidates)


def headline(report: IdeationReport) -> str:
    """The whole outcome in one sentence. Of a demonstration: what of it is real."""
    ideation = report.ideation
    if report.account.demonstration and (known := _literature(report)):
        return f"{known}. The ideas are a demonstration."
    if ideation.best is None:
        return NO_IDEAS
    return "; ".join([_origin(report), *_rank(ideation), *_closest(report, ideation.best)]) + "."


def _literature(report: IdeationReport) -> str:
    """What the run found without the text of a model; empty where it found nothing."""
    literature, openings = report.literature, report.openings
    found = [
        _chains(report.ideation.candidates),
        f"{count(literature.on_topic, 'paper')} on the topic in the library of {literature.searched:,}"
        if literature
        else "",
        count(len(openings.openings), "opportunity", "opportunities") if openings and openings.openings else "",
    ]
    return "; ".join(filter(None, found))


def _origin(report: IdeationReport) -> str:
    candidates = report.ideation.candidates
    ideas = count(len(candidates), "idea")
    if (context := report.ideation.context) is not None:
        papers = {paper.id: paper for one in candidates if one.chain for paper in one.chain.papers}
        span = years(papers.values())
        told = f"{ideas} from {count(len(papers), 'real paper')}" + (f" ({span})" if span else "")
        return f"{told} in {count(len(context.groups), 'group')}"
    if chains := _chains(candidates):
        return f"{ideas} from {chains}"
    named = {each.paper_id for one in candidates for each in one.idea.citations if each.paper_id}
    return f"{ideas}, {count(len(named), 'real paper')} cited" if named else f"{ideas}, no real paper cited"


def _chains(candidates: Iterable[Candidate]) -> str:
    """`3 chains of 11 real papers (2009–2023)`; empty without a paper."""
    chains = [candidate.chain for candidate in candidates if candidate.chain]
    papers = {paper.id: paper for chain in chains for paper in chain.papers}
    span = years(papers.values())
    told = f"{count(len(chains), 'chain')} of {count(len(papers), 'real paper')}" + (f" ({span})" if span else "")
    return told if papers else ""


def _rank(ideation: Ideation) -> list[str]:
    record = judging_record(ideation, ideation.candidates[0].idea.id)
    if not record.judged:
        return []
    return [f"the best won {record.won} of {count(record.judged, 'comparison')}"]


def _closest(report: IdeationReport, best: Candidate) -> list[str]:
    check, shelf = best.final_check, CitedPapers(report)
    paper = shelf.paper(closest_id(check))
    if check is None or paper is None:
        return ["no prior paper was compared with it"]
    name = f"{clean_line(paper.title, 160)} ({paper.year or 'n.d.'})"
    return [f"partly anticipated by {name}" if check.known == "partly" else f"closest paper: {name}"]


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
