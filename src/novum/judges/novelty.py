"""Is it new? An idea against the nearest papers of the library (Chain of Ideas, section 3.3 and Table 16).

The evidence comes from several sources, and each has reserved places: what the author's own queries find, papers that
were judged relevant before, what the idea's text finds, and works that the idea names. No common ranking decides which
of them are shown. A rejection must name the paper that already has the idea; the papers compared, with their
similarities, are stored either way.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import Any

from pydantic import Field

from novum.core import Idea, NoveltyCheck, Paper, PriorWork, shorten
from novum.core.concurrency import run_concurrently
from novum.core.novelty import Known
from novum.errors import NoUsableAnswer
from novum.literature import Filters, Hit, PaperLibrary
from novum.llm import Answer, Question, label, listed, prose
from novum.reading import Bibliography

EVIDENCE_SHOWN = 12
_QUERIES, _OF_QUERY = 3, 2
"""Queries of the author that are searched, and places reserved for the first papers of each."""
_GRADED, _NAMED, _BY_TEXT = 3, 2, 1
"""Places reserved for papers judged relevant, for works that the idea names, and for papers found by its text. The
text gets all places that the others leave."""
_PER_QUERY = 4
_LABEL = re.compile(r"\bP\d{1,3}\b")
_TITLE = 160
"""Characters of a title in a verdict."""


class Likeness(Answer):
    """The answer to `check_novelty`."""

    comparison: str = prose(900, "what the idea has in common with the closest paper: problem, mechanism, evidence")
    closest: str = label("label of the closest paper, such as P2, or none", or_none=True)
    difference: str = prose(500, "what the idea has that the closest paper does not have; empty if there is nothing")
    relevant: list[str] = listed(
        EVIDENCE_SHOWN, "labels of the papers that bear on the idea, the closest first", longest=12, few=0
    )
    near_enough: bool = Field(
        description="whether these papers are near enough to the idea to say much about its novelty"
    )
    further_query: str = prose(
        160, "if they are not near enough: one search query that would find nearer papers; otherwise empty"
    )
    recalled: list[str] = listed(
        3, "titles of published works you recall that come nearer than these", longest=240, few=0
    )
    known: Known = Field(
        description="yes only if the closest paper contains both the problem and the mechanism of the idea; partly if "
        "it contains one of them; otherwise no"
    )


@dataclass(frozen=True)
class EvidenceSources:
    """Papers that an idea may be compared with, by where they come from; each list has its best paper first."""

    of_queries: Sequence[Sequence[Paper]]
    graded: Sequence[Paper]
    by_text: Sequence[Paper]
    named: Sequence[Paper]

    def chosen(self, most: int = EVIDENCE_SHOWN) -> list[Paper]:
        """At most `most` different papers: first those in reserved places, in the order of the sources, then others
        in the same order."""
        found = list(_in_turn(self.of_queries))
        places = _OF_QUERY * len(self.of_queries)
        by_text = max(_BY_TEXT, most - places - _GRADED - _NAMED)
        taken: dict[str, Paper] = {}
        for source, reserved in (
            (found, places),
            (self.graded, _GRADED),
            (self.by_text, by_text),
            (self.named, _NAMED),
        ):
            taken |= {paper.id: paper for paper in islice(_others(source, taken), reserved)}
        rest = chain(found, self.graded, self.by_text, self.named)
        taken |= {paper.id: paper for paper in _others(rest, taken)}
        return list(taken.values())[:most]


def _in_turn(lists: Sequence[Sequence[Paper]]) -> Iterator[Paper]:
    """The first paper of each list, then the second of each, and so on."""
    return (paper for row in zip_longest(*lists) for paper in row if paper is not None)


def _others(papers: Iterable[Paper], taken: dict[str, Paper]) -> list[Paper]:
    """The papers that are not taken yet, each once."""
    return list({paper.id: paper for paper in papers if paper.id not in taken}.values())


async def nearest_papers(
    library: PaperLibrary, idea: Idea, queries: Sequence[str], at_hand: Sequence[Paper], filters: Filters
) -> list[Hit]:
    """At most 12 papers to compare an idea with, each with the cosine similarity of its text to the idea's, in order
    of priority.

    Two papers come from each of the author's `queries` (three at most), in the order of the search; three are the
    nearest of those `at_hand`, which were judged relevant before; two are works that the idea itself names; the others
    are found by the idea's text. Places that a source cannot fill go to the others. An embedding may miss the paper
    that matters among chance likenesses, so similarity decides only within one source.
    """
    text = idea_text(idea)
    searches = [library.search(query, _PER_QUERY, filters) for query in queries[:_QUERIES]]
    searches.append(library.search(text, EVIDENCE_SHOWN, filters))
    *of_queries, by_text = [[hit.paper for hit in hits] for hits in await run_concurrently(searches)]
    cited = sorted({each.paper_id for each in idea.citations if each.paper_id})
    named = [paper for paper in library.get_many(cited) if filters.admits(paper)]
    papers = {paper.id: paper for paper in (*chain(*of_queries), *by_text, *named, *at_hand)}
    hits = {hit.paper.id: hit for hit in await library.rank(text, list(papers.values()))}
    graded, mentioned = {paper.id for paper in at_hand}, {paper.id for paper in named}
    nearest_first = [papers[paper_id] for paper_id in hits]
    sources = EvidenceSources(
        of_queries,
        [paper for paper in nearest_first if paper.id in graded],
        by_text,
        [paper for paper in nearest_first if paper.id in mentioned],
    )
    return [hits[paper.id] for paper in sources.chosen()]


def idea_text(idea: Idea) -> str:
    """The text of an idea that is searched with and compared with papers."""
    return f"{idea.title}\n{idea.summary}"


def compared_papers(hits: Iterable[Hit]) -> tuple[PriorWork, ...]:
    """The papers compared, as a check stores them."""
    return tuple(PriorWork(paper_id=hit.paper.id, similarity=round(hit.similarity, 4)) for hit in hits)


def check_novelty(
    idea: Idea, nearest: Sequence[Hit], turn: int, *, may_search: bool = True
) -> Generator[Question[Likeness], Any, NoveltyCheck]:
    """One check of `idea` against `nearest`; `turn` counts the drafts from 1. `may_search`: whether the checker may
    request one more search.

    Nothing to compare with, no usable answer, or a rejection that names no paper leaves `novel` None: not known.
    """
    unknown = NoveltyCheck(idea_id=idea.id, round=turn, novel=None, nearest=compared_papers(nearest))
    if not nearest:
        return unknown.model_copy(update={"reason": "The library holds no paper to compare it with."})
    shelf = Bibliography([hit.paper for hit in nearest])
    needs = {"idea": idea.text, "papers": shelf.entries, "may_search": may_search}
    answer = yield Question("check_novelty", needs, Likeness, role="judge", temperature=0.0)
    if isinstance(answer, NoUsableAnswer):
        return unknown.model_copy(update={"reason": f"No usable answer: {answer}"})
    return unknown.model_copy(update=_findings(answer, shelf, may_search=may_search))


def _findings(answer: Likeness, shelf: Bibliography, *, may_search: bool) -> dict[str, Any]:
    """What a check stores of an answer. A verdict that the idea is known does not count unless it names its paper."""
    closest, reason = _paper_named(shelf, answer.closest), shelf.spelled_out(answer.comparison)
    found = {
        "reason": reason,
        "relevant_ids": _relevant_ids(answer.relevant, closest, shelf),
        "distance": "near" if answer.near_enough else "far",
        "further_query": answer.further_query.strip() if may_search and not answer.near_enough else "",
        "recalled": tuple(answer.recalled[:3]),
    }
    if closest is None and answer.known == "yes":
        return found | {"reason": f"Called known without naming a paper that has it: {reason}"}
    named = {"closest_id": closest.id, "closest_title": shorten(closest.title, _TITLE)} if closest else {}
    known = answer.known if closest else "no"
    difference = shelf.spelled_out(answer.difference)
    return found | named | {"known": known, "novel": known != "yes", "difference": difference}


def _paper_named(shelf: Bibliography, label: str) -> Paper | None:
    """The paper behind the label; None where several are named, as in `not P2 but P3`."""
    return shelf.paper(label) if len(set(_LABEL.findall(label))) < 2 else None


def _relevant_ids(labels: Iterable[str], closest: Paper | None, shelf: Bibliography) -> tuple[str, ...]:
    """The papers behind the labels, each once; the closest one is always among them, and first."""
    papers = [closest, *(_paper_named(shelf, each) for each in labels)]
    return tuple(dict.fromkeys(paper.id for paper in papers if paper))
