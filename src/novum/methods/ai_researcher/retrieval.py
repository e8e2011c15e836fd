"""Papers to start from: searches and look-ups of references that the reader asks for, and its grades for what they
bring.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean

from pydantic import Field

from novum.core import Paper, Topic, shorten
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, label, listed, prose
from novum.reading import Bibliography

_HITS = 8
"""Papers taken from each search, and from the references of a paper."""
_GRADED_AT_ONCE = 8
_SHOWN = 10
"""Best papers so far that are shown to the reader before its next search."""


class LiteratureSearches(Answer):
    """The answer to `researcher_searches`."""

    missing: str = prose(
        400, "what somebody who looks for an idea on this topic should have read and has not found yet"
    )
    queries: list[str] = listed(3, "search queries of 3 to 10 words; empty when nothing is missing", longest=120, few=2)
    references_of: list[str] = listed(
        2, "labels of papers whose reference lists should be looked through; empty if none", longest=8, few=0
    )


class Grade(Answer):
    """What is said of one paper."""

    label: str = label("label of the paper, such as P1")
    reason: str = prose(200, "one sentence: what of it could lead to an idea, or why nothing does")
    relevance: int = Field(description="1 to 10, as the question explains", ge=1, le=10)
    empirical: int = Field(description="1 to 10, as the question explains", ge=1, le=10)
    usefulness: int = Field(description="1 to 10, as the question explains", ge=1, le=10)


class Grades(Answer):
    """The answer to `researcher_grades`."""

    grades: list[Grade] = listed(_GRADED_AT_ONCE, "one for each paper, in the order of the list", least=1)


@dataclass(frozen=True)
class RetrievalLimits:
    """The number of papers and of search rounds, and the filters."""

    papers: int
    rounds: int
    filters: Filters


@dataclass
class _GradedPapers:
    """Papers found so far, and their grades from 1 to 10 where the reader gave one."""

    papers: dict[str, Paper] = field(default_factory=dict)
    grades: dict[str, float] = field(default_factory=dict)
    requests: dict[str, list[Paper]] = field(default_factory=dict)
    """Searches and look-ups, each with the papers that it was the first to bring."""

    def best_first(self) -> list[Paper]:
        """Ungraded last, equals in the order in which they were found."""
        return sorted(self.papers.values(), key=lambda paper: -self.grades.get(paper.id, 0.0))

    def outcomes(self) -> tuple[str, ...]:
        """The earlier requests and their results, so that the reader does not repeat unsuccessful ones."""
        return tuple(f"{request}: {self._outcome(brought)}" for request, brought in self.requests.items())

    def _outcome(self, brought: Sequence[Paper]) -> str:
        if not brought:
            return "nothing new"
        grades = [self.grades[paper.id] for paper in brought if paper.id in self.grades]
        papers = f"{len(brought)} new paper{'s' if len(brought) > 1 else ''}"
        return f"{papers}, best grade {max(grades):.1f}" if grades else f"{papers}, not graded"


async def retrieve_papers(lab: Lab, topic: Topic, wanted: RetrievalLimits, notes: list[str]) -> list[Paper]:
    """The best papers for the topic, best first. A reader too small to judge papers is not asked: then the library's
    own search decides, and a note says so.
    """
    if lab.models.model_for("reader").provider.small:
        notes.append("Papers were chosen by the library's search alone: the reader is too small to grade them.")
        return await _searched(lab, topic.text, wanted.papers, wanted.filters)
    graded = _GradedPapers()
    await _add_graded(lab, topic, graded, await _searched(lab, topic.text, _HITS, wanted.filters), notes)
    for turn in range(1, wanted.rounds + 1):
        with lab.run.step(f"search {turn}"):
            brought = await _requested_papers(lab, topic, graded, wanted.filters, notes)
            if not brought:
                break
            graded.requests |= brought
            await _add_graded(lab, topic, graded, [paper for papers in brought.values() for paper in papers], notes)
    if graded.papers and not any(graded.grades.values()):
        notes.append("The reader gave no usable grades: papers were chosen by their similarity to the topic.")
        return [hit.paper for hit in await lab.library.rank(topic.text, graded.best_first())][: wanted.papers]
    return graded.best_first()[: wanted.papers]


async def _searched(lab: Lab, query: str, count: int, filters: Filters) -> list[Paper]:
    return [hit.paper for hit in await lab.library.search(query, count, filters)]


async def _requested_papers(
    lab: Lab, topic: Topic, graded: _GradedPapers, filters: Filters, notes: list[str]
) -> dict[str, list[Paper]]:
    """New papers from the reader's next searches and look-ups; empty when it requests nothing more."""
    shelf = Bibliography(graded.best_first()[:_SHOWN])
    grades = {entry.label: graded.grades.get(entry.paper.id) for entry in shelf.entries}
    needs = {"topic": topic.text, "papers": shelf.entries, "grades": grades, "asked": graded.outcomes()}
    try:
        answer = await lab.models.ask(Question("researcher_searches", needs, LiteratureSearches, role="reader"))
    except NoUsableAnswer:
        notes.append("A request for searches gave no usable answer; the search ended early.")
        return {}
    queries = [query for query in dict.fromkeys(answer.queries[:3]) if query.strip() and query not in graded.requests]
    brought = {query: await _searched(lab, query, _HITS, filters) for query in queries}
    for name in answer.references_of[:2]:
        citing = shelf.paper(name)
        if citing is not None and (request := _look_up(citing)) not in graded.requests:
            cited = lab.library.references(citing.id, filters)
            brought[request] = [hit.paper for hit in await lab.library.rank(topic.text, cited)][:_HITS]
    return _each_once(brought, graded.papers)


def _look_up(paper: Paper) -> str:
    return f"references of {paper.short_citation}, {shorten(paper.title, 60)}"


def _each_once(brought: Mapping[str, Sequence[Paper]], known: Mapping[str, Paper]) -> dict[str, list[Paper]]:
    """Each new paper under the request that found it first."""
    seen = set(known)
    first: dict[str, list[Paper]] = {}
    for request, papers in brought.items():
        first[request] = [paper for paper in papers if paper.id not in seen]
        seen |= {paper.id for paper in papers}
    return first


async def _add_graded(lab: Lab, topic: Topic, graded: _GradedPapers, papers: Sequence[Paper], notes: list[str]) -> None:
    """Adds what is new, graded."""
    new = {paper.id: paper for paper in papers if paper.id not in graded.papers}
    listed_once = list(new.values())
    batches = await run_concurrently(
        _grade_papers(lab, topic, listed_once[begin : begin + _GRADED_AT_ONCE])
        for begin in range(0, len(new), _GRADED_AT_ONCE)
    )
    graded.papers |= new
    for grades in batches:
        graded.grades |= grades
    ungraded = sum(paper_id not in graded.grades for paper_id in new)
    if ungraded:
        notes.append(f"{ungraded} of {len(new)} papers found by a search got no usable grade.")


async def _grade_papers(lab: Lab, topic: Topic, papers: Sequence[Paper]) -> dict[str, float]:
    """Mean of the three grades by paper id; empty without a usable answer."""
    shelf = Bibliography(papers)
    needs = {"topic": topic.text, "papers": shelf.entries}
    try:
        answer = await lab.models.ask(Question("researcher_grades", needs, Grades, role="reader", temperature=0.0))
    except NoUsableAnswer:
        return {}
    return {
        paper.id: mean((each.relevance, each.empirical, each.usefulness))
        for each in answer.grades
        if (paper := shelf.paper(each.label))
    }
