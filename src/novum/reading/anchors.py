"""Which of the relevant papers a chain should start from: one with citations on both sides, the best of equal ones.

A chain grows along citations. A paper that cites nothing and is cited by nothing in the library makes a chain of one
paper, however well it fits, so citations count before the grade.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from novum.core import Paper
from novum.core.concurrency import run_concurrently
from novum.literature import Filters, PaperLibrary
from novum.reading.guide import Guide
from novum.reading.relevance import RelevanceQuery, Relevant

MOST_TRIED = 3
"""Most papers from which a branch tries to grow its chain. The citations of these alone are fetched beforehand: a chain
starts from one of them, and fetching takes several requests for each paper."""
_COMPARED = 5
"""Most equal candidates that are compared directly."""


async def rank_anchors(
    guide: Guide, library: PaperLibrary, search: RelevanceQuery, accepted: Sequence[Relevant], filters: Filters
) -> list[Relevant]:
    """The relevant papers (best grade first) in the order in which a chain should start from them: those with citations
    in the library before those without any, then by grade, then those with citations on both sides. When several are
    equally good and best, the guide chooses among them."""
    await run_concurrently(
        library.expand(each.paper, search.topic.text, filters)
        for each in accepted[:MOST_TRIED]
        if _sides(library, each.paper, filters) < 2
    )
    sides: dict[str, int] = {}
    for each in accepted:
        sides[each.paper.id] = _sides(library, each.paper, filters)
        await asyncio.sleep(0)  # answers that arrive meanwhile are read and recorded

    def rank(each: Relevant) -> tuple[bool, int, int]:
        return sides[each.paper.id] == 0, -each.fit, -sides[each.paper.id]

    ordered = sorted(accepted, key=rank)
    equal = [each for each in ordered if rank(each) == rank(ordered[0])][:_COMPARED]
    first = await guide.choose_anchor(search, equal) if len(equal) > 1 else equal
    return [*first, *(each for each in ordered if each not in first)]


def _sides(library: PaperLibrary, paper: Paper, filters: Filters) -> int:
    """On how many sides of a paper the library has citations: 0 to 2."""
    return bool(library.references(paper.id, filters)) + bool(library.citing(paper.id, filters))
