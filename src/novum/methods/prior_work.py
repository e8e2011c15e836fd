"""Whether an idea is new, as far as the library shows: the novelty check that all methods share."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core import Candidate, NoveltyCheck, Paper
from novum.judges.novelty import check_novelty, nearest_papers
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import conduct
from novum.methods.experiment_design import find_visible_paper
from novum.methods.proposal import Draft
from novum.reading import OutOfSight


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
    """Whether the last novelty check named a paper that contains the idea. An undecided check counts as not known."""
    return bool(candidate.checks) and candidate.checks[-1].novel is False


def _is_visible(lab: Lab, title: str, filters: Filters) -> bool:
    if filters.before is None:  # nothing is out of sight then, and a look-up takes ten milliseconds
        return True
    try:
        find_visible_paper(lab, title, filters)
    except OutOfSight:
        return False
    return True
