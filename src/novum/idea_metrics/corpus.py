"""The papers that are learnt from, as columns: what fitting needs of a library, read once."""

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
"""Fewer papers with a text say nothing about what is usual among them."""
_PAGE = 2000
LONGEST_TEXT = 20_000
"""Characters of a text that are read: more of it no longer changes what is said of it."""


@dataclass(frozen=True)
class Corpus:
    """`n` papers with a title and a text, in the order of their years, those of one year in order of arrival; papers
    without a year come first."""

    papers: Sequence[Paper]
    """Their texts are cut off at `LONGEST_TEXT`."""
    vectors: Vectors
    """Of unit length, shape (n, d): the library's own vectors."""
    embedder: str

    def __len__(self) -> int:
        return len(self.papers)

    @cached_property
    def years(self) -> Floats:
        """Shape (n,); NaN where not known."""
        return np.array([np.nan if paper.year is None else paper.year for paper in self.papers], dtype=float)

    @cached_property
    def citations(self) -> Floats:
        """As counted by the papers' sources, shape (n,); NaN where not known."""
        counts = (paper.citation_count for paper in self.papers)
        return np.array([np.nan if count is None else max(count, 0) for count in counts], dtype=float)

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Paper id to row."""
        return {paper.id: row for row, paper in enumerate(self.papers)}

    def subjects(self, rows: Sequence[int] | NDArray[np.intp]) -> list[Subject]:
        """Papers seen as ideas."""
        return [Subject.of_paper(self.papers[row]) for row in rows]


async def read_corpus(
    library: Library, filters: Filters = EVERYTHING, told: Callable[[int], None] = lambda read: None
) -> Corpus:
    """The papers that pass and have a text. Embeds what has no vector yet; `told` hears how many have been read.

    Raises BadInput where too few papers have a text to learn from.
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
            told(len(selected))
    _take(library, page, selected, vectors)
    told(len(selected))
    if len(selected) < FEWEST_PAPERS:
        raise BadInput(
            f"The papers with an abstract are too few to learn from ({len(selected)}, and {FEWEST_PAPERS} are needed): "
            "bring more into the library (`novum library add`), or leave out filters."
        )
    order = sorted(range(len(selected)), key=lambda row: selected[row].year or 0)
    stacked = np.concatenate(vectors)
    return Corpus([selected[row] for row in order], stacked[order], library.embedder.name)


def _take(library: Library, page: list[Paper], kept: list[Paper], vectors: list[Vectors]) -> None:
    """Moves a page over; a paper whose vector another process has not made yet is left to the next fit."""
    ids, result = library.vectors([paper.id for paper in page])
    by_id = {paper.id: paper for paper in page}
    kept += [by_id[paper_id] for paper_id in ids]
    vectors.append(unit(result))
    page.clear()


def _short(paper: Paper) -> Paper:
    if len(paper.abstract) <= LONGEST_TEXT and len(paper.summary) <= LONGEST_TEXT:
        return paper
    return paper.model_copy(update={"abstract": paper.abstract[:LONGEST_TEXT], "summary": paper.summary[:LONGEST_TEXT]})


def unit(vectors: Vectors) -> Vectors:
    """Rows of unit length; a row of zeros stays one."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    return scaled
