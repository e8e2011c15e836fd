"""Reports in words beside real ones: how alike they are, and whether their criticism tells which paper it is about.

Both are measured for real reviews too, beside others of the same paper and of another one: the ceiling and the floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from novum.benchmarks.judge_evaluation.baselines import drawn
from novum.benchmarks.judge_evaluation.data import JudgedPaper, Lessons, places_with_words
from novum.benchmarks.judge_evaluation.records import Likeness, PaperReview
from novum.benchmarks.judge_evaluation.statistics.token_matching import (
    TokenBag,
    likeness,
    mean_likeness,
    places,
    rarity,
    token_bag,
)
from novum.judges.written_report import parts_of
from novum.literature.embedding import StaticEmbedder, token_table, tokens_of


@dataclass(frozen=True)
class Mine:
    """Reports in words on one paper, of one reviewer. `skip`: the real review that it is itself."""

    texts: tuple[str, ...]
    skip: int | None = None


class RealTexts:
    """The papers that have real reviews in words, taken apart once. Costs some milliseconds a paper."""

    def __init__(self, papers: tuple[JudgedPaper, ...], lessons: Lessons, seed: int) -> None:
        self._table = token_table()
        texts = lessons.texts or [text for paper in papers for text in paper.reviews]
        self._rare = rarity([tokens_of(text) for text in texts], len(self._table))
        self._papers, self._seed = papers, seed
        self.places = places_with_words(papers)
        """Of the papers whose texts are compared."""
        self._reviews = {place: [self._bag(text) for text in papers[place].reviews] for place in self.places}
        self._about = np.stack([self._bag(paper.shown.text).middle for paper in papers])

    def of_real(self) -> dict[int, Mine]:
        """One real review of each paper."""
        found = {}
        for place in self.places:
            reviews = self._papers[place].reviews
            own = drawn(self._papers[place].outcome.id, len(reviews), self._seed)
            found[place] = Mine((reviews[own],), own)
        return found

    def measured(self, reviews: Sequence[PaperReview | None], mine: dict[int, Mine]) -> tuple[PaperReview | None, ...]:
        """The same reviews with what is found of their texts; `mine` by the paper's place."""
        chosen = [place for place in self.places if place in mine and reviews[place] is not None]
        ranks = self._ranks(chosen, mine)
        told = list(reviews)
        for place in chosen:
            review = reviews[place]
            assert review is not None
            same, other = self._alike(place, mine[place])
            told[place] = review.model_copy(update={"same": same, "other": other, "ranks": ranks[place]})
        return tuple(told)

    def _alike(self, place: int, mine: Mine) -> tuple[Likeness | None, Likeness | None]:
        """With real reviews of the same paper, and with those of the next that has any."""
        bags = [self._bag(text) for text in mine.texts]
        own = [each for number, each in enumerate(self._reviews[place]) if number != mine.skip]
        foreign: list[TokenBag] = []
        if len(self.places) > 1:
            foreign = self._reviews[self.places[(self.places.index(place) + 1) % len(self.places)]]
        pairs = [[likeness(bag, real) for bag in bags for real in reals] for reals in (own, foreign)]
        return mean_likeness(pairs[0]), mean_likeness(pairs[1])

    def _ranks(self, chosen: Sequence[int], mine: dict[int, Mine]) -> dict[int, tuple[int, ...]]:
        """Of the criticism in each report."""
        own = [place for place in chosen for _ in mine[place].texts]
        if not own:
            return {}
        said = np.stack([self._bag(criticism_in(text)).middle for place in chosen for text in mine[place].texts])
        found: dict[int, list[int]] = {place: [] for place in chosen}
        for place, rank in zip(own, places(said, np.array(own, dtype=np.intp), self._about), strict=True):
            found[place].append(int(rank))
        return {place: tuple(ranks) for place, ranks in found.items()}

    def _bag(self, text: str) -> TokenBag:
        return token_bag(tokens_of(text), self._table, self._rare)


def criticism_in(text: str) -> str:
    """What a report says against the work; of one that does not part this from the rest, all of it."""
    parts = parts_of(text)
    return "\n".join(parts.against) if parts.against and not parts.undivided else text


EMBEDDER = StaticEmbedder.name
