"""What methods, judges and readers need of a library, be it the library itself or a view of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from novum.core import Paper
from novum.core.arrays import Vectors
from novum.literature.embedding import Embedder
from novum.literature.filters import EVERYTHING, Filters
from novum.literature.hit import Hit
from novum.literature.search.ranking.cooccurrence import EntityStore
from novum.literature.search.ranking.evidence import Citations
from novum.literature.search.ranking.growth import KeywordGrowth
from novum.literature.stats import LibrarySize

if TYPE_CHECKING:
    from novum.literature.library import Library


class PaperLibrary(Protocol):
    """Papers that can be searched and looked up. `Library` documents the methods."""

    @property
    def stored(self) -> Library:
        """The library on disk."""

    @property
    def embedder(self) -> Embedder: ...

    @property
    def folder(self) -> Path: ...

    def get(self, paper_id: str) -> Paper | None: ...

    def get_many(self, ids: Iterable[str]) -> list[Paper]: ...

    def by_identifier(self, scheme: str, value: str) -> Paper | None: ...

    def by_titles(self, titles: Iterable[str]) -> list[Paper]: ...

    def find(self, title: str, year: int | None = None) -> Paper | None: ...

    def citing(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]: ...

    def references(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]: ...

    def co_cited(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]: ...

    def sharing_references(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]: ...

    async def expand(self, paper: Paper, topic: str, filters: Filters = EVERYTHING) -> None:
        """Fetches the references of a paper and papers that cite it, where live sources are used."""

    def citations_before(self, paper_id: str, day: dt.date) -> int: ...

    def full_text(self, paper_id: str) -> str | None: ...

    def full_texts(self, paper_ids: Iterable[str]) -> dict[str, str]: ...

    def vectors(self, ids: Iterable[str]) -> tuple[list[str], Vectors]: ...

    def papers(self, filters: Filters = EVERYTHING) -> Iterator[Paper]: ...

    def size(self) -> LibrarySize: ...

    async def search(
        self,
        query: str,
        k: int = 10,
        filters: Filters = EVERYTHING,
        *,
        diversity: float = 0.0,
        citations: Citations | None = None,
    ) -> list[Hit]: ...

    async def nearest(self, text: str, k: int = 10, filters: Filters = EVERYTHING) -> list[Hit]: ...

    async def rank(self, text: str, papers: Sequence[Paper]) -> list[Hit]: ...

    async def keyword_growth(
        self,
        question: str = "",
        k: int = 20,
        filters: Filters = EVERYTHING,
        *,
        neighbourhood: int = 2000,
        abstracts: bool = True,
    ) -> KeywordGrowth: ...

    async def entities(self, filters: Filters = EVERYTHING, *, most: int = 20_000) -> EntityStore: ...
