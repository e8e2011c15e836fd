"""What the questions of one session share: passages with their vectors, and earlier explorations."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core import Paper
from novum.core.evidence import Exploration
from novum.reading.exploration.examiners import Examiner, ReaderExaminer, SimilarityExaminer
from novum.reading.exploration.live_search import LiveSearch, ReadingLab
from novum.reading.exploration.options import ExploreOptions
from novum.reading.exploration.passage_index import PassageIndex
from novum.reading.exploration.passages import Passage, split_paper


class ExplorationSession:
    """A session of one or several questions with the same options and live sources."""

    def __init__(self, lab: ReadingLab, options: ExploreOptions | None = None, live: LiveSearch | None = None) -> None:
        self.lab = lab
        self.options = options or ExploreOptions()
        self.live = live
        self.index = PassageIndex(lab.library.embedder)
        self.explorations: list[Exploration] = []
        self.examiner = self._examiner()
        self._held: set[str] = set()

    async def add_papers(self, papers: Sequence[Paper]) -> int:
        """Splits and embeds the papers that are new to the session. Returns their number."""
        new = {paper.id: paper for paper in papers if paper.id not in self._held}
        self._held |= new.keys()
        texts = self.lab.library.full_texts(new)
        await self.index.add([passage for paper in new.values() for passage in self._split(paper, texts.get(paper.id))])
        return len(new)

    def _split(self, paper: Paper, full_text: str | None) -> list[Passage]:
        return split_paper(paper, full_text, self.options.characters, self.options.overlap)

    def _examiner(self) -> Examiner:
        small = self.lab.models.model_for("reader").provider.small
        if self.options.judge == "similarity" or (self.options.judge == "auto" and small):
            return SimilarityExaminer(self.lab.library.embedder)
        return ReaderExaminer(self.lab.models)
