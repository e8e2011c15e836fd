"""The papers of a report: each once, numbered, with where it is used, and where a citation leads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from novum.core import Candidate, Citation, Experiment, Idea, IdeationReport, Paper, normal_title


@dataclass(frozen=True)
class CitedPapers:
    """All papers of one report: those of the chains first, then the others."""

    report: IdeationReport

    @cached_property
    def _known(self) -> dict[str, Paper]:
        ideation = self.report.ideation
        chained = [paper for candidate in ideation.candidates for paper in _chain_papers(candidate)]
        return {paper.id: paper for paper in (*chained, *ideation.papers)}

    @property
    def papers(self) -> tuple[Paper, ...]:
        """Each once, in the order of their numbers."""
        return tuple(self._known.values())

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {paper_id: number for number, paper_id in enumerate(self._known, 1)}

    def paper(self, paper_id: str | None) -> Paper | None:
        """The paper of that id; None when the report does not hold it."""
        return self._known.get(paper_id) if paper_id else None

    def number(self, paper: Paper) -> int:
        """Its number in the list of papers, from 1."""
        return self._numbers[paper.id]

    def cited(self, citation: Citation) -> Paper | None:
        """Where a citation leads; None when it is unresolved."""
        return self.paper(citation.paper_id)

    def renames(self, citation: Citation) -> bool:
        """Whether the text names the work otherwise than the library does."""
        paper = self.cited(citation)
        return paper is None or normal_title(citation.name) != normal_title(paper.title)

    @cached_property
    def unresolved(self) -> tuple[Citation, ...]:
        """Citations that lead nowhere, each name once."""
        names = {citation.name: citation for citation in _citations(self.report) if self.cited(citation) is None}
        return tuple(names.values())

    @cached_property
    def uses(self) -> dict[str, tuple[str, ...]]:
        """Paper id to the places where it is used, in words."""
        found: dict[str, dict[str, None]] = {}
        for paper_id, place in _uses(self.report):
            found.setdefault(paper_id, {})[place] = None
        return {paper_id: tuple(places) for paper_id, places in found.items()}


def papers_cited(report: IdeationReport) -> list[Paper]:
    """Papers cited by an idea or an experiment or standing in a chain, each once, in order of appearance."""
    shelf = CitedPapers(report)
    chained = [paper for candidate in report.ideation.candidates for paper in _chain_papers(candidate)]
    cited = [shelf.cited(citation) for citation in _citations(report)]
    return list({paper.id: paper for paper in (*chained, *cited) if paper is not None}.values())


def citing_texts(report: IdeationReport) -> Iterator[tuple[str, Idea | Experiment]]:
    """Everything that may cite, with a name for it: final ideas, their earlier drafts, experiments."""
    for number, candidate in enumerate(report.ideation.candidates, 1):
        yield f"cited by idea {number}", candidate.idea
        for draft in candidate.earlier_drafts:
            yield f"cited by an earlier draft of idea {number}", draft
    for draft_number, plan in enumerate(report.ideation.drafts, 1):
        last = draft_number == len(report.ideation.drafts)
        yield "cited by the experiment" if last else "cited by an earlier experiment draft", plan.experiment


def _citations(report: IdeationReport) -> Iterator[Citation]:
    for _, text in citing_texts(report):
        yield from text.citations


def _chain_papers(candidate: Candidate) -> tuple[Paper, ...]:
    return candidate.chain.papers if candidate.chain else ()


def _uses(report: IdeationReport) -> Iterator[tuple[str, str]]:
    for number, candidate in enumerate(report.ideation.candidates, 1):
        for paper in _chain_papers(candidate):
            yield paper.id, f"in chain {number}"
        for check in candidate.checks:
            for prior in check.nearest:
                yield prior.paper_id, f"near idea {number}"
            if check.closest_id:
                yield check.closest_id, f"near idea {number}"
        ground = report.ideation.ground(candidate.idea)
        for snippet in ground.evidence if ground else ():
            yield snippet.paper_id, f"read for idea {number}"
    yield from (
        (paper_id, "evidence of an opportunity") for start in report.ideation.starts for paper_id in start.paper_ids
    )
    for place, text in citing_texts(report):
        for citation in text.citations:
            if citation.paper_id:
                yield citation.paper_id, place
    for plan in report.ideation.drafts:
        for paper_id in plan.looked_up:
            yield paper_id, "looked up for the experiment"
