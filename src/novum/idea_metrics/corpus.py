"""The training papers of a fit as columns, read once from a library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from novum.core import Paper, Subject
from novum.core.arrays import Floats, Vectors
from novum.errors import BadInput
from novum.literature import Filters, Library
from novum.literature.filters import EVERYTHING

FEWEST_PAPERS = 30
"""Papers with a text that a fit needs."""
_PAGE = 2000
LONGEST_TEXT = 20_000
"""Number of characters of a text that are read."""


@dataclass(frozen=True)
class Corpus:
    """`n` papers with a title and a text, ordered by year, then by arrival; papers without a year come first."""

    papers: Sequence[Paper]
    """With texts of at most `LONGEST_TEXT` characters."""
    vectors: Vectors
    """Embeddings of the library, of unit length, shape (n, d)."""
    embedder: str

    def __len__(self) -> int:
        return len(self.papers)

    @cached_property
    def years(self) -> Floats:
        """Years of the papers, shape (n,); NaN where unknown."""
        return np.array([np.nan if paper.year is None else paper.year for paper in self.papers], dtype=float)

    @cached_property
    def citations(self) -> Floats:
        """Citation counts according to the papers' sources, shape (n,); NaN where unknown."""
        counts = (paper.citation_count for paper in self.papers)
        return np.array([np.nan if count is None else max(count, 0) for count in counts], dtype=float)

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The row of each paper by its id."""
        return {paper.id: row for row, paper in enumerate(self.papers)}

    def subjects(self, rows: Sequence[int] | NDArray[np.intp]) -> list[Subject]:
        """The papers of these rows as subjects."""
        return [Subject.of_paper(self.papers[row]) for row in rows]


async def read_corpus(
    library: Library, filters: Filters = EVERYTHING, progress: Callable[[int], None] = lambda papers: None
) -> Corpus:
    """The papers that pass the filters and have a text. Embeds papers without a vector. `progress` is called with the
    number of papers read. Raises BadInput where too few papers have a text.
    """
    await library.embed()
    selected: list[Paper] = []
    vectors: list[Vectors] = []
    page: list[Paper] = []
    for paper in library.papers(filters):
        if paper.gist.strip():
            page.append(_short(paper))
        if len(page) == _PAGE:
            _take(library, page, selected, vectors)
            progress(len(selected))
    _take(library, page, selected, vectors)
    progress(len(selected))
    if len(selected) < FEWEST_PAPERS:
        raise BadInput(
            f"Too few papers have an abstract ({len(selected)}, and {FEWEST_PAPERS} are needed): add papers "
            "(`novum library add`), or use fewer filters."
        )
    order = sorted(range(len(selected)), key=lambda row: selected[row].year or 0)
    stacked = np.concatenate(vectors)
    return Corpus([selected[row] for row in order], stacked[order], library.embedder.name)


def _take(library: Library, page: list[Paper], selected: list[Paper], vectors: list[Vectors]) -> None:
    """Moves a page to the selected papers. Papers without a vector yet, which another process added, are left out."""
    ids, page_vectors = library.vectors([paper.id for paper in page])
    by_id = {paper.id: paper for paper in page}
    selected += [by_id[paper_id] for paper_id in ids]
    vectors.append(unit(page_vectors))
    page.clear()


def _short(paper: Paper) -> Paper:
    if len(paper.abstract) <= LONGEST_TEXT and len(paper.summary) <= LONGEST_TEXT:
        return paper
    return paper.model_copy(update={"abstract": paper.abstract[:LONGEST_TEXT], "summary": paper.summary[:LONGEST_TEXT]})


def unit(vectors: Vectors) -> Vectors:
    """The rows scaled to unit length, shape (n, d); a row of zeros does not change."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    return scaled
