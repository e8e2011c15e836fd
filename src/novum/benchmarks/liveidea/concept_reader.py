"""The concepts that papers share, without a stored concept map: what a list of new keywords is made of."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from novum.core import Paper
from novum.literature import StaticEmbedder
from novum.literature.changes import ChangedPaper
from novum.opportunities.concepts import extract_concepts
from novum.opportunities.paper_columns import DatedPapers, PaperColumns
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.tokens import Lexicon, Reader, Tokens

_PAGE = 5_000
"""Papers that are read at once."""


@dataclass(frozen=True)
class ConceptsOfPaper:
    """The concepts of one paper. `place`: number of the papers that were read before it."""

    place: int
    year: int
    concepts: tuple[str, ...]


class ConceptReader:
    """Reads papers into columns, and finds the concepts that they share."""

    def __init__(self) -> None:
        self._reader = Reader(Lexicon(), Lexicon(), Lexicon())
        self._tokens = [Tokens.empty()]
        self._page: list[ChangedPaper] = []
        self._papers = 0

    def read(self, paper: Paper) -> None:
        """Adds one paper; its place is the number of papers before it."""
        self._page.append(
            ChangedPaper(
                number=self._papers,
                paper_id=paper.id,
                title=paper.title,
                gist=paper.gist,
                year=paper.year,
                venue="",
                fields=(),  # a field is no concept
                citations=None,
            )
        )
        self._papers += 1
        if len(self._page) == _PAGE:
            self._end_page()

    async def concepts(self, fewest: int) -> list[ConceptsOfPaper]:
        """Those of every paper with a year. A concept is in at least `fewest` papers, and in two."""
        self._end_page()
        tokens = functools.reduce(Tokens.followed_by, self._tokens)
        tokens = tokens.take(np.lexsort((tokens.number, tokens.year)))
        reader = self._reader
        columns = PaperColumns(tokens, *tokens.renumber(reader.words, reader.filed, reader.venues))
        dated = DatedPapers.of(columns)
        if not len(dated):
            return []
        settings = OpportunitySettings(fewest=max(fewest, 2))
        found = await extract_concepts(columns, dated, int(dated.years[-1]), settings, StaticEmbedder())
        starts = np.concatenate([[0], found.concept_to])
        return [
            ConceptsOfPaper(
                int(number), int(year), tuple(found.names[at] for at in found.concept[starts[row] : starts[row + 1]])
            )
            for row, (number, year) in enumerate(zip(dated.tokens.number, dated.years, strict=True))
        ]

    def _end_page(self) -> None:
        if self._page:
            self._tokens.append(self._reader.read(self._page))
            self._page = []
