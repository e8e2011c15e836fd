"""Whether an idea is new, as far as the library shows: the novelty check that all methods share."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core import Candidate, NoveltyCheck, Paper, shorten
from novum.judges.novelty import check_novelty, nearest_papers
from novum.lab import Lab
from novum.literature import Filters, PaperLibrary
from novum.llm import conduct
from novum.methods.experiment_design import find_visible_paper
from novum.methods.proposal import Draft
from novum.reading import OutOfSight

_GIST, _PART = 300, 500
"""Characters of an abstract, and of each part, in the text of a finding."""


async def novelty_check_of(
    lab: Lab, draft: Draft, at_hand: Sequence[Paper], filters: Filters, *, turn: int = 1
) -> NoveltyCheck:
    """The draft against the nearest papers: by its text, by its author's queries, and among those `at_hand`, which
    must pass `filters`. Titles that the checker recalls and the run must not know of are left out. `turn` counts the
    drafts of an idea from 1.
    """
    nearest = await nearest_papers(lab.library, draft.idea, draft.queries, at_hand, filters)
    check = await conduct(lab.models, check_novelty(draft.idea, nearest, turn))
    return check.model_copy(
        update={"recalled": tuple(title for title in check.recalled if _is_visible(lab, title, filters))}
    )


def is_known(candidate: Candidate) -> bool:
    """Whether a named paper contains the idea as it stands. An idea without a decided check counts as not known."""
    check = candidate.final_check
    return check is not None and check.novel is False


def finding_text(candidate: Candidate, library: PaperLibrary) -> str:
    """What the novelty check of the idea as it stands came to, as a short text for judges and designers: verdict,
    closest paper with the beginning of its abstract, what is shared, and what the idea adds. Empty without a check."""
    check = candidate.final_check
    if check is None:
        return ""
    closest = check.closest
    paper = library.get(closest.paper_id) if closest else None
    parts = (
        ("Result", check.verdict),
        ("Closest paper", f"{paper.short_citation}: {paper.title}. {shorten(paper.gist, _GIST)}" if paper else ""),
        ("What they share" if check.novel is not None else "Reason", check.reason),
        ("What the idea adds", check.difference),
    )
    return "\n".join(f"{heading}: {shorten(text, _PART)}" for heading, text in parts if text)


def _is_visible(lab: Lab, title: str, filters: Filters) -> bool:
    if filters.before is None:  # nothing is out of sight then, and a look-up takes ten milliseconds
        return True
    try:
        find_visible_paper(lab, title, filters)
    except OutOfSight:
        return False
    return True
