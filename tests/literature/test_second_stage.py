"""The best papers of a search are ranked again with a sentence encoder, whose vectors are kept with the papers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from novum.errors import LibraryError
from novum.literature import Hit, Library
from novum.literature.search.second_stage import RERANKED
from tests.literature.conftest import entry, paper


class WordCounter:
    """An encoder whose vectors count letters of a text, so that similar texts are near; it remembers what it was
    given."""

    name = "letters"
    dimensions = 26

    def __init__(self) -> None:
        self.given: list[str] = []

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.given += texts
        counts = [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        vectors = np.array(counts, np.float32).reshape(len(texts), 26) + np.float32(0.1)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Preference(WordCounter):
    """An encoder to which every text with a certain word is the query."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self._word = word

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.given += texts
        return np.array([np.eye(26)[0 if self._word in text or text == QUERY else 1] for text in texts], np.float32)


QUERY = "attention in networks"
PAPERS = [
    entry(
        paper(f"Attention in networks of {place}", 2020, summary=f"We study attention in {place} networks {n} times.")
    )
    for n, place in enumerate(["Rome", "Oslo", "Bonn", "Lima", "Cairo", "Kyoto", "Quito", "Turin"])
]


def opened(folder: Path, encoder: WordCounter | None) -> Library:
    return Library.open(folder, reranker=encoder)


def filled(folder: Path, encoder: WordCounter | None, count: int = len(PAPERS)) -> Library:
    library = opened(folder, encoder)
    library.add(PAPERS[:count])
    return library


def search(library: Library, query: str = QUERY, k: int = 8) -> list[Hit]:
    return asyncio.run(library.search(query, k))


def places(hits: Sequence[Hit]) -> list[tuple[str, float]]:
    return [(hit.paper.title.split()[-1], hit.score) for hit in hits]


def test_what_the_encoder_holds_nearest_moves_up(tmp_path: Path) -> None:
    with filled(tmp_path / "without", None) as library:
        last = search(library)[-1].paper.title.split()[-1]
    with filled(tmp_path / "with", Preference(last)) as library:
        hits = search(library)
        assert places(hits)[0][0] == last
        assert sorted(place for place, _ in places(hits)) == sorted(place for place, _ in places(search(library, k=50)))
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_repeated_search_computes_nothing_and_a_new_paper_costs_one_vector(tmp_path: Path) -> None:
    encoder = WordCounter()
    with filled(tmp_path, encoder, 7) as library:
        first = search(library)
        assert len(encoder.given) == 7 + 1
        assert search(library) == first
        assert len(encoder.given) == 7 + 1
        library.add(PAPERS[7:])
        search(library)
        assert encoder.given[8:] == ["Attention in networks of Turin. We study attention in Turin networks 7 times."]


def test_vectors_are_kept_with_the_papers_from_one_process_to_the_next(tmp_path: Path) -> None:
    with filled(tmp_path, WordCounter()) as library:
        first = search(library)
        changes = library.stats().changes
    later = WordCounter()
    with opened(tmp_path, later) as library:
        assert search(library) == first
        assert later.given == [QUERY]
        assert library.stats().changes == changes


def test_the_ranking_does_not_depend_on_which_vectors_existed_before(tmp_path: Path) -> None:
    with filled(tmp_path / "one", WordCounter()) as library:
        expected = places(search(library))
    with opened(tmp_path / "other", WordCounter()) as library:
        for one in PAPERS:
            library.add([one])
            search(library, "networks of " + one.paper.title)
        assert places(search(library)) == expected


def test_a_paper_whose_text_changes_gets_a_new_vector(tmp_path: Path) -> None:
    encoder = WordCounter()
    with filled(tmp_path, encoder) as library:
        search(library)
        described = PAPERS[0].paper.model_copy(update={"abstract": "Zebras jazz quizzes. " * 9})
        library.add([entry(described)])
        search(library)
        assert [text for text in encoder.given[9:] if "Zebras" in text] == encoder.given[9:] != []


def test_vectors_stay_when_the_library_gets_another_embedder(tmp_path: Path) -> None:
    encoder = WordCounter()
    with filled(tmp_path, encoder) as library:
        search(library)
        asyncio.run(library.embed_with(WordCounter()))
        search(library)
        assert len(encoder.given) == 8 + 1


def test_a_paper_whose_title_is_the_query_stays_first(tmp_path: Path) -> None:
    with filled(tmp_path, Preference("Rome")) as library:
        assert search(library, "Attention in networks of Oslo")[0].paper.title == "Attention in networks of Oslo"


def test_a_library_that_cannot_be_written_is_ranked_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with filled(tmp_path, None) as library:
        asyncio.run(library.index())
        monkeypatch.setattr(library._database, "read_only", True)
        reading = Library(library._database, tmp_path, library.embedder, WordCounter())
        first = places(search(reading))
        assert places(search(reading)) == first
    with opened(tmp_path, encoder := WordCounter()) as library:
        assert places(search(library)) == first
        assert len(encoder.given) == 8 + 1


def test_an_encoder_that_returns_nonsense_is_named(tmp_path: Path) -> None:
    class Broken(WordCounter):
        async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.full((len(texts), 26), np.nan, np.float32)

    with filled(tmp_path, Broken()) as library, pytest.raises(LibraryError, match="letters"):
        search(library)


def test_more_papers_than_are_ranked_again_follow_in_their_order(tmp_path: Path) -> None:
    many = [entry(paper(f"Attention in networks number {n}", 2000 + n % 20)) for n in range(60)]
    with opened(tmp_path, encoder := WordCounter()) as library:
        library.add(many)
        hits = search(library, k=50)
        assert len({hit.paper.id for hit in hits}) == 50
        assert len(encoder.given) == RERANKED + 1
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
