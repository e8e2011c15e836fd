"""The papers that judges are shown with an idea: searched once, recorded in the run, and the same from then on.

The papers are part of a question and so of its key in the ledger, while a library grows and its entries are corrected.
A run therefore records what it showed: when resumed or replayed, it sends the same questions. A paper is recorded once
per run, however many ideas it is shown with, and stays as it was.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from novum.benchmarks.liveidea.records import IdeaRecord
from novum.core import Paper, shorten
from novum.core.record import Value
from novum.ledger import Run

PAPERS_SHOWN = "papers-shown"
"""Event with the papers of one idea."""
MOST_PAPERS = 20
GIST = 900
"""Characters of a paper's abstract, or of its summary."""
_AUTHORS = 3
"""More than two are `et al.`."""

PaperSearch = Callable[[str], Awaitable[Sequence[Paper]]]
"""Returns the papers of the library that are nearest to a text, nearest first."""


class ContextPapers(Value):
    """The papers of one idea, as recorded in the ledger."""

    model: str
    keyword: str
    number: int
    papers: tuple[str, ...]
    """Ids, nearest first."""
    new: tuple[Paper, ...] = ()
    """Those that the run had not recorded before, as they were shown."""


class ContextPaperLog:
    """The papers of all ideas of a run. Without `search` only recorded papers are available."""

    def __init__(self, run: Run, search: PaperSearch | None) -> None:
        self._run = run
        self._search = search
        self._papers: dict[str, Paper] = {}
        self._by_idea: dict[tuple[str, str, int], tuple[str, ...]] = {}
        for _, event in run.ledger.events(run.id):
            if event.kind == PAPERS_SHOWN:
                self._add(ContextPapers.model_validate(event.data))

    @property
    def ideas_without_papers(self) -> int:
        return sum(not papers for papers in self._by_idea.values())

    async def of(self, idea: IdeaRecord) -> list[Paper] | None:
        """Its papers, nearest first; None when they are not recorded and cannot be searched."""
        if idea.key not in self._by_idea:
            if self._search is None:
                return None
            self._record(idea, [brief(paper) for paper in await self._search(idea.idea)])
        return [self._papers[paper] for paper in self._by_idea[idea.key]]

    def _record(self, idea: IdeaRecord, papers: Sequence[Paper]) -> None:
        context = ContextPapers(
            model=idea.model,
            keyword=idea.keyword,
            number=idea.number,
            papers=tuple(dict.fromkeys(paper.id for paper in papers)),
            new=tuple(paper for paper in papers if paper.id not in self._papers),
        )
        self._add(context)
        self._run.emit(PAPERS_SHOWN, **context.model_dump(mode="json", exclude_defaults=True))

    def _add(self, context: ContextPapers) -> None:
        for paper in context.new:
            self._papers.setdefault(paper.id, paper)
        self._by_idea[context.model, context.keyword, context.number] = context.papers


def brief(paper: Paper) -> Paper:
    """The parts of a paper that are shown."""
    return Paper(
        title=paper.title,
        authors=paper.authors[:_AUTHORS],
        year=paper.year,
        date=paper.date,
        abstract=shorten(paper.gist, GIST),
    )
