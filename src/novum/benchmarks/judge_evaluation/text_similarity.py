"""Compare reports with real reviews: the similarity of texts, and whether the criticism fits its own paper best.

Both are measured for real reviews too: reviews of the same paper give the upper bound, of another paper the lower one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from novum.benchmarks.judge_evaluation.baselines import random_index
from novum.benchmarks.judge_evaluation.data import BaselineData, JudgedPaper, papers_with_texts
from novum.benchmarks.judge_evaluation.records import PaperReview, TextSimilarity
from novum.benchmarks.judge_evaluation.statistics.token_matching import (
    TokenBag,
    mean_similarity,
    ranks_of_own,
    token_bag,
    token_rarity,
    token_similarity,
)
from novum.judges.written_report import review_parts
from novum.literature.embedding import StaticEmbedder, token_table, tokens_of


@dataclass(frozen=True)
class ReportTexts:
    """The reports of one reviewer on one paper. `skip`: the index of the real review that the report is itself."""

    texts: tuple[str, ...]
    skip: int | None = None


class RealTexts:
    """The papers with real review texts, tokenised once; some milliseconds a paper."""

    def __init__(self, papers: tuple[JudgedPaper, ...], lessons: BaselineData, seed: int) -> None:
        self._table = token_table()
        texts = lessons.texts or [text for paper in papers for text in paper.reviews]
        self._rare = token_rarity([tokens_of(text) for text in texts], len(self._table))
        self._papers, self._seed = papers, seed
        self.places = papers_with_texts(papers)
        """Indices of the papers whose texts are compared."""
        self._reviews = {place: [self._bag(text) for text in papers[place].reviews] for place in self.places}
        self._about = np.stack([self._bag(paper.shown.text).middle for paper in papers])

    def of_real(self) -> dict[int, ReportTexts]:
        """One random real review of each paper."""
        found = {}
        for place in self.places:
            reviews = self._papers[place].reviews
            own = random_index(self._papers[place].outcome.id, len(reviews), self._seed)
            found[place] = ReportTexts((reviews[own],), own)
        return found

    def measured(
        self, reviews: Sequence[PaperReview | None], mine: dict[int, ReportTexts]
    ) -> tuple[PaperReview | None, ...]:
        """The same reviews with the measurements of their texts. `mine`: by index of the paper."""
        places = [place for place in self.places if place in mine and reviews[place] is not None]
        ranks = self._ranks(places, mine)
        measured = list(reviews)
        for place in places:
            review = reviews[place]
            assert review is not None
            same, other = self._alike(place, mine[place])
            measured[place] = review.model_copy(update={"same": same, "other": other, "ranks": ranks[place]})
        return tuple(measured)

    def _alike(self, place: int, mine: ReportTexts) -> tuple[TextSimilarity | None, TextSimilarity | None]:
        """Similarity to real reviews of the same paper, and to those of the next paper with any."""
        bags = [self._bag(text) for text in mine.texts]
        own = [each for number, each in enumerate(self._reviews[place]) if number != mine.skip]
        foreign: list[TokenBag] = []
        if len(self.places) > 1:
            foreign = self._reviews[self.places[(self.places.index(place) + 1) % len(self.places)]]
        pairs = [[token_similarity(bag, real) for bag in bags for real in reals] for reals in (own, foreign)]
        return mean_similarity(pairs[0]), mean_similarity(pairs[1])

    def _ranks(self, places: Sequence[int], mine: dict[int, ReportTexts]) -> dict[int, tuple[int, ...]]:
        """The rank of its own paper for the criticism in each report."""
        own = [place for place in places for _ in mine[place].texts]
        if not own:
            return {}
        criticisms = np.stack([self._bag(criticism_of(text)).middle for place in places for text in mine[place].texts])
        found: dict[int, list[int]] = {place: [] for place in places}
        for place, rank in zip(own, ranks_of_own(criticisms, np.array(own, dtype=np.intp), self._about), strict=True):
            found[place].append(int(rank))
        return {place: tuple(ranks) for place, ranks in found.items()}

    def _bag(self, text: str) -> TokenBag:
        return token_bag(tokens_of(text), self._table, self._rare)


def criticism_of(text: str) -> str:
    """The criticism in a report; the whole report where it has no such part."""
    parts = review_parts(text)
    return "\n".join(parts.against) if parts.against and not parts.undivided else text


EMBEDDER = StaticEmbedder.name
