"""Is it new? An idea against the nearest papers of the library (Chain of Ideas, section 3.3 and Table 16).

A rejection must name the paper that already has the idea; the papers compared, with their similarities, are
stored either way.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Any, Literal

from pydantic import Field

from novum.core import Idea, NoveltyCheck, Paper, PriorWork
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.literature import Filters, Hit, PaperLibrary
from novum.llm import Answer, Question, label, listed, prose
from novum.reading import Bibliography

NEAREST_SHOWN, NAMED_KEPT = 8, 4
_QUERIES, _PER_QUERY = 2, 4
"""Queries of the writer that are searched, and papers of each."""
_LABEL = re.compile(r"\bP\d{1,3}\b")

Known = Literal["no", "partly", "yes"]


class Likeness(Answer):
    """The answer to `check_novelty`."""

    comparison: str = prose(900, "what the idea shares with the closest paper, and what that paper does not have")
    closest: str = label("label of the closest paper, such as P2, or none", or_none=True)
    near_enough: bool = Field(
        description="whether these papers are near enough to the idea to say much about its novelty"
    )
    recalled: list[str] = listed(
        3, "titles of published works you recall that come nearer than these", longest=240, few=0
    )
    known: Known = Field(description="yes only if the closest paper already has the idea's core: problem and mechanism")


async def nearest_papers(
    library: PaperLibrary, idea: Idea, queries: Sequence[str], at_hand: Sequence[Paper], filters: Filters
) -> list[Hit]:
    """The papers nearest to an idea: by the queries its author would use to find prior work, by its own text, and
    among the relevant ones `at_hand`.

    Each with the cosine similarity of its text to the idea's, nearest first. Half of the places are kept for works that
    the idea itself names: an embedding may miss them among chance likenesses, and what an idea stands on is what it is
    most likely to repeat.
    """
    text = f"{idea.title}\n{idea.summary}"
    papers = {paper.id: paper for paper in at_hand}
    searches = [library.search(query, _PER_QUERY, filters) for query in queries[:_QUERIES]]
    searches.append(library.search(text, NEAREST_SHOWN, filters))
    for hits in await run_concurrently(searches):
        papers |= {hit.paper.id: hit.paper for hit in hits}
    named = {each.paper_id for each in idea.citations if each.paper_id}
    papers |= {paper.id: paper for paper in library.get_many(sorted(named)) if filters.admits(paper)}
    ranked = await library.rank(text, list(papers.values()))
    nearest = [hit for hit in ranked if hit.paper.id in named][:NAMED_KEPT]
    nearest += [hit for hit in ranked if hit not in nearest][: NEAREST_SHOWN - len(nearest)]
    return sorted(nearest, key=ranked.index)


def _paper_named(shelf: Bibliography, label: str) -> Paper | None:
    """The paper behind the label; None where several are named, as in `not P2 but P3`."""
    return shelf.paper(label) if len(set(_LABEL.findall(label))) < 2 else None


def check_novelty(idea: Idea, nearest: Sequence[Hit], turn: int) -> Generator[Question[Likeness], Any, NoveltyCheck]:
    """One check of `idea` against `nearest`; `turn` counts the drafts from 1.

    Nothing to compare with, no usable answer, or a rejection that names no paper leaves `novel` None: not known.
    """
    prior = tuple(PriorWork(paper_id=hit.paper.id, similarity=round(hit.similarity, 4)) for hit in nearest)
    unknown = NoveltyCheck(idea_id=idea.id, round=turn, novel=None, nearest=prior)
    if not nearest:
        return unknown.model_copy(update={"reason": "The library holds no paper to compare it with."})
    shelf = Bibliography([hit.paper for hit in nearest])
    answer = yield Question(
        "check_novelty", {"idea": idea.text, "papers": shelf.entries}, Likeness, role="judge", temperature=0.0
    )
    if isinstance(answer, NoUsableAnswer):
        return unknown.model_copy(update={"reason": f"No usable answer: {answer}"})
    closest, reason = _paper_named(shelf, answer.closest), shelf.spelled_out(answer.comparison)
    if not answer.near_enough:
        reason += " The papers at hand are too far off to say much."
    if answer.known == "yes" and closest is None:
        return unknown.model_copy(update={"reason": f"Called known without naming a paper that has it: {reason}"})
    return NoveltyCheck(
        idea_id=idea.id,
        round=turn,
        novel=answer.known != "yes",
        nearest=prior,
        closest_id=closest.id if closest else None,
        reason=reason,
        recalled=tuple(answer.recalled[:3]),
    )
