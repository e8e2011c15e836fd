"""Whether an idea is new, as far as the library shows: the novelty check that all methods share."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core import NoveltyCheck, Paper
from novum.judges.novelty import EVIDENCE_SHOWN, check_novelty, compared_papers, idea_text, nearest_papers
from novum.lab import Lab
from novum.literature import Filters, Hit
from novum.llm import conduct
from novum.methods.experiment_design import find_visible_paper
from novum.methods.novelty_findings import finding_text, is_known
from novum.methods.proposal import Draft
from novum.reading import OutOfSight

__all__ = ["finding_text", "is_known", "novelty_check_of"]

_FURTHER = 4
"""Papers of the checker's own search."""


async def novelty_check_of(
    lab: Lab, draft: Draft, at_hand: Sequence[Paper], filters: Filters, *, turn: int = 1
) -> NoveltyCheck:
    """The draft against the nearest papers: by its text, by its author's queries, and among those `at_hand`, which
    were judged relevant before and must pass `filters`. `turn` counts the drafts of an idea from 1.

    If the checker finds the papers too far away it may request one more search. What this finds, and works that the
    checker recalls and the library has, are compared in a second call. Titles that the library does not have stay as
    recalled; those that the run must not know of are left out.
    """
    evidence = await nearest_papers(lab.library, draft.idea, draft.queries, at_hand, filters)
    check = await conduct(lab.models, check_novelty(draft.idea, evidence, turn))
    further = await _further_papers(lab, check, filters) if check.novel is not False else []
    new = await _new_evidence(lab, draft, further, evidence)
    if new:
        relevant = [hit for hit in evidence if hit.paper.id in check.relevant_ids]
        shown = [*sorted(relevant, key=lambda hit: check.relevant_ids.index(hit.paper.id)), *new]
        again = await conduct(lab.models, check_novelty(draft.idea, _shown(shown, new), turn, may_search=False))
        check = _joined(check, again)
    return await _with_recalled_works(lab, draft, check, filters)


async def _further_papers(lab: Lab, check: NoveltyCheck, filters: Filters) -> list[Paper]:
    """What the search finds that the checker requested, and the works that it recalls and the library has."""
    found = await lab.library.search(check.further_query, _FURTHER, filters) if check.further_query else []
    recalled = (_visible_paper(lab, title, filters) for title in check.recalled)
    return [*(paper for paper in recalled if paper), *(hit.paper for hit in found)]


async def _new_evidence(lab: Lab, draft: Draft, papers: Sequence[Paper], evidence: Sequence[Hit]) -> list[Hit]:
    """The papers that were not compared yet, nearest first."""
    compared = {hit.paper.id for hit in evidence}
    return await lab.library.rank(idea_text(draft.idea), [paper for paper in papers if paper.id not in compared])


def _shown(hits: Sequence[Hit], new: Sequence[Hit]) -> list[Hit]:
    """At most twelve, among them all new ones."""
    earlier = [hit for hit in hits if hit not in new]
    return [*earlier[: EVIDENCE_SHOWN - len(new)], *new]


def _joined(first: NoveltyCheck, second: NoveltyCheck) -> NoveltyCheck:
    """The second check with the evidence of both; the first one's verdict where the second came to none."""
    compared = {prior.paper_id: prior for prior in (*first.nearest, *second.nearest)}
    verdict = first if second.novel is None and first.novel is not None else second
    return verdict.model_copy(
        update={
            "nearest": tuple(compared.values()),
            "further_query": first.further_query,
            "recalled": tuple(dict.fromkeys((*first.recalled, *second.recalled))),
        }
    )


async def _with_recalled_works(lab: Lab, draft: Draft, check: NoveltyCheck, filters: Filters) -> NoveltyCheck:
    """The check without recalled titles that the library has, which are no unverified ones: their papers are added to
    the evidence. Titles that the run must not know of are left out."""
    unknown: list[str] = []
    papers: list[Paper] = []
    for title in check.recalled:
        try:
            paper = find_visible_paper(lab, title, filters)
        except OutOfSight:
            continue
        papers.append(paper) if paper else unknown.append(title)
    compared = {prior.paper_id for prior in check.nearest}
    added = await lab.library.rank(idea_text(draft.idea), [paper for paper in papers if paper.id not in compared])
    return check.model_copy(update={"recalled": tuple(unknown), "nearest": (*check.nearest, *compared_papers(added))})


def _visible_paper(lab: Lab, title: str, filters: Filters) -> Paper | None:
    """The library's paper of that title; None, too, where the run must not know of it."""
    try:
        return find_visible_paper(lab, title, filters)
    except OutOfSight:
        return None
