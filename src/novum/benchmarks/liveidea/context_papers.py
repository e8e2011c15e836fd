"""The papers that judges are shown beside an idea: found once, noted down in the run, and from then on the same.

What a question shows is part of its key in the ledger, and a library grows and its entries are mended. A run therefore
notes what it showed: taken up again, or read from the ledger alone, it asks exactly what it asked before. A paper is
written down once for a run, however many ideas it is shown beside, and stays as it was then.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from novum.benchmarks.liveidea.records import IdeaRecord
from novum.core import Paper, shorten
from novum.core.record import Value
from novum.ledger import Run

PAPERS_SHOWN = "papers-shown"
"""The event of one idea's papers."""
MOST_PAPERS = 20
GIST = 900
"""Characters of a paper's abstract, or of the summary in its place."""
_AUTHORS = 3
"""More than two are `et al.`."""

PaperSearch = Callable[[str], Awaitable[Sequence[Paper]]]
"""The papers of the library that are nearest to a text, nearest first."""


class ContextPapers(Value):
    """What a run notes of one idea."""

    model: str
    keyword: str
    number: int
    papers: tuple[str, ...]
    """Ids, nearest first."""
    new: tuple[Paper, ...] = ()
    """Those of them that the run had not shown before, as they were shown."""


class ContextPaperLog:
    """Papers beside the ideas of one run. `find`: looks for them; None where nothing may be looked for any more."""

    def __init__(self, run: Run, find: PaperSearch | None) -> None:
        self._run = run
        self._find = find
        self._papers: dict[str, Paper] = {}
        self._beside: dict[tuple[str, str, int], tuple[str, ...]] = {}
        for _, event in run.ledger.events(run.id):
            if event.kind == PAPERS_SHOWN:
                self._take(ContextPapers.model_validate(event.data))

    @property
    def without(self) -> int:
        """Ideas that no paper was found for."""
        return sum(not papers for papers in self._beside.values())

    async def beside(self, idea: IdeaRecord) -> list[Paper] | None:
        """Its papers, nearest first; None where they are not known and nothing may be looked for."""
        if idea.key not in self._beside:
            if self._find is None:
                return None
            self._note(idea, [brief(paper) for paper in await self._find(idea.idea)])
        return [self._papers[paper] for paper in self._beside[idea.key]]

    def _note(self, idea: IdeaRecord, found: Sequence[Paper]) -> None:
        shown = ContextPapers(
            model=idea.model,
            keyword=idea.keyword,
            number=idea.number,
            papers=tuple(dict.fromkeys(paper.id for paper in found)),
            new=tuple(paper for paper in found if paper.id not in self._papers),
        )
        self._take(shown)
        self._run.emit(PAPERS_SHOWN, **shown.model_dump(mode="json", exclude_defaults=True))

    def _take(self, shown: ContextPapers) -> None:
        for paper in shown.new:
            self._papers.setdefault(paper.id, paper)
        self._beside[shown.model, shown.keyword, shown.number] = shown.papers


def brief(paper: Paper) -> Paper:
    """What of a paper is shown, and nothing else."""
    return Paper(
        title=paper.title,
        authors=paper.authors[:_AUTHORS],
        year=paper.year,
        date=paper.date,
        abstract=shorten(paper.gist, GIST),
    )
