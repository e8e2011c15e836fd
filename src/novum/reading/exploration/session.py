"""What questions that follow one another share: passages with their vectors, and what was found before."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core import Paper
from novum.core.evidence import Exploration
from novum.reading.exploration.examiners import Examiner, ReaderExaminer, SimilarityExaminer
from novum.reading.exploration.live_search import Desk, LiveSearch
from novum.reading.exploration.options import ExploreOptions
from novum.reading.exploration.passage_index import PassageIndex
from novum.reading.exploration.passages import Passage, cut


class Session:
    """Options and live sources are the same for all its questions."""

    def __init__(self, desk: Desk, options: ExploreOptions | None = None, live: LiveSearch | None = None) -> None:
        self.desk = desk
        self.options = options or ExploreOptions()
        self.live = live
        self.index = PassageIndex(desk.library.embedder)
        self.explorations: list[Exploration] = []
        self.examiner = self._examiner()
        self._held: set[str] = set()

    async def take_in(self, papers: Sequence[Paper]) -> int:
        """Cuts and embeds papers that it does not hold yet; how many these were."""
        new = {paper.id: paper for paper in papers if paper.id not in self._held}
        self._held |= new.keys()
        texts = self.desk.library.full_texts(new)
        await self.index.add([passage for paper in new.values() for passage in self._cut(paper, texts.get(paper.id))])
        return len(new)

    def _cut(self, paper: Paper, full_text: str | None) -> list[Passage]:
        return cut(paper, full_text, self.options.characters, self.options.overlap)

    def _examiner(self) -> Examiner:
        small = self.desk.models.model_for("reader").provider.small
        if self.options.judge == "similarity" or (self.options.judge == "auto" and small):
            return SimilarityExaminer(self.desk.library.embedder)
        return ReaderExaminer(self.desk.models)
