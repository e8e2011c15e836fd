"""Finding papers by words and meaning."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from novum.core import Paper
from novum.errors import LibraryError
from novum.literature import Entry, Filters, Hit, Library, StaticEmbedder
from novum.literature.search.fusion import Candidates, relevance
from novum.literature.search.text_search import only_allowed
from novum.literature.search.word_queries import Wording, Words, look_closer, pairs_in
from tests.literature.conftest import ATTENTION, BERT, COOKING, FOLDING, MOLECULES, entry, paper


def titles(hits: Sequence[Hit]) -> list[str]:
    return [hit.paper.title for hit in hits]


def search(library: Library, query: str, k: int = 10, **conditions: object) -> list[Hit]:
    return asyncio.run(library.search(query, k, Filters.model_validate(conditions)))


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("pre-training a bidirectional language model", BERT),
        ("predicting the structure of proteins", FOLDING),
        ("vegetables at low temperature", COOKING),
        ("graph neural networks for molecules", MOLECULES),
        ("Vaswani", ATTENTION),
    ],
)
def test_a_question_finds_its_paper_first(shelf: Library, question: str, best: Paper) -> None:
    assert titles(search(shelf, question, 3))[0] == best.title


def test_a_hit_says_what_put_it_there(shelf: Library) -> None:
    hit = search(shelf, BERT.title, 1)[0]
    assert (hit.text_rank, hit.vector_rank) == (1, 1)
    assert 0 < hit.similarity <= 1


@pytest.mark.parametrize("query", ["", "   ", "?!*:()[]{}\"'", 'title:* OR body:"', "x" * 10_000, "日本語", "\x00"])
def test_no_query_is_read_as_syntax_or_breaks_the_search(shelf: Library, query: str) -> None:
    assert len(search(shelf, query)) <= 5


def test_filters_hold_inside_the_search_so_that_no_hit_is_lost_to_them(library: Library) -> None:
    described = [paper(f"Attention to detail number {n}", 2000 + n % 20, "Ada Lovelace") for n in range(400)]
    library.add([entry(one) for one in described])
    hits = search(library, "attention to detail", 20, before=dt.date(2001, 1, 1))
    assert len(hits) == 20
    assert {hit.paper.year for hit in hits} == {2000}


def test_a_wide_filter_loses_no_hit_either(library: Library) -> None:
    described = [paper(f"Attention to detail number {n}", 2000 + n % 2) for n in range(400)]
    library.add([entry(one) for one in described])
    out = tuple(one.id for one in described[:120])
    hits = search(library, "attention to detail", 50, exclude_ids=out, before=dt.date(2001, 1, 1))
    assert len(hits) == 50
    assert {hit.paper.year for hit in hits} == {2000}
    assert not {hit.paper.id for hit in hits} & set(out)


@given(st.lists(st.integers(0, 60), unique=True), st.sets(st.integers(0, 60)))
def test_what_is_found_is_checked_against_what_is_allowed(found: list[int], allowed: set[int]) -> None:
    assert only_allowed(found, np.array(sorted(allowed), np.int64)) == [row for row in found if row in allowed]
    assert only_allowed(found, None) == found


RARE = [f"{first}{second}{third}ium" for first in "bdfg" for second in "aeo" for third in "klmn"]


def test_of_a_long_question_every_word_counts(library: Library) -> None:
    """Candidates are found by a few of its words, but compared by all of them."""
    some, more = paper("Some Elements", abstract=" ".join(RARE[:30])), paper("More Elements", abstract=" ".join(RARE))
    library.add([entry(one) for one in (some, more)])
    assert titles(search(library, " ".join(RARE))) == [more.title, some.title]


def test_a_long_text_is_not_better_for_holding_a_long_question_by_chance(library: Library) -> None:
    filler = " ".join(f"filler{n}" for n in range(600))
    brief = paper("Elements in Brief", abstract=" ".join(RARE[:20]))
    long = paper("Elements at Length", abstract=f"{' '.join(RARE[:24])} {filler}")
    library.add([entry(one) for one in (long, brief)])
    assert titles(search(library, " ".join(RARE[:24])))[0] == brief.title


words = st.lists(st.sampled_from("abcdef"), max_size=30)


@given(words, words, st.sampled_from("abc"))
def test_a_close_look_never_likes_a_text_less_for_a_word_of_the_question(
    title: list[str], gist: list[str], word: str
) -> None:
    asked = Wording({"a": 3.0, "b": 2.0, "c": 1.0})
    with_noise, with_word = Words(title, [*gist, "z"]), Words(title, [*gist, word])
    scores = look_closer(asked, [with_noise, with_word, Words([], ["z"])])
    assert scores[1] > scores[0] >= 0 == scores[2]


@pytest.mark.parametrize(("text", "closer"), [("drug target binding", "strong drug binding"), ("a b", "b, a")])
def test_words_that_stand_together_in_the_question_had_better_stand_together(text: str, closer: str) -> None:
    said, together = text.split(), closer.replace(",", "").split()
    asked = Wording(dict.fromkeys(said, 1.0), dict.fromkeys(pairs_in(said), 2.0))
    apart = Words([], [one for word in together for one in (word, "x", "x", "x")])
    near = Words([], [*together, *["x"] * (len(apart.gist) - len(together))])
    scores = look_closer(asked, [apart, near])
    assert scores[1] > scores[0] > 0


def test_a_pair_does_not_reach_over_the_end_of_a_title() -> None:
    asked = Wording({"a": 1.0, "b": 1.0}, {("a", "b"): 2.0})
    over, within = look_closer(asked, [Words(["a"], ["b"]), Words(["x"], ["a", "b"])])
    bare = look_closer(Wording(asked.words), [Words(["a"], ["b"]), Words(["x"], ["a", "b"])])
    assert over == pytest.approx(bare[0])
    assert within > bare[1]


def test_a_paper_whose_like_are_good_answers_is_believed_more() -> None:
    one_kind, other_kind = [1.0, 0.0], [0.0, 1.0]
    units = np.array([one_kind, one_kind, other_kind, other_kind], np.float32)
    found = Candidates([1, 2, 3, 4], np.array([0.9, 0.9, 1.0, 0.1]), np.full(4, 0.5), units, np.zeros(4, bool))
    scores = relevance(found)
    assert scores[0] == pytest.approx(scores[1])
    assert scores[1] > scores[2] > scores[3]
    assert (
        len(relevance(Candidates([], np.zeros(0), np.zeros(0), np.zeros((0, 2), np.float32), np.zeros(0, bool)))) == 0
    )


def test_before_is_strict(library: Library) -> None:
    day = dt.date(2020, 5, 1)
    library.add([entry(paper("Engines on the Day", 2020, date=day)), entry(paper("Engines in the Year", 2020))])
    assert titles(search(library, "engines", before=day)) == []
    assert titles(search(library, "engines", before=day + dt.timedelta(days=1))) == ["Engines on the Day"]


@pytest.mark.parametrize(
    ("conditions", "allowed"),
    [
        ({"fields": ("LANGUAGE models",)}, {ATTENTION.title, BERT.title}),
        ({"venues": ("nature", "Food letters")}, {FOLDING.title, COOKING.title}),
        ({"min_citations": 50_000}, {ATTENTION.title, BERT.title}),
        ({"since": dt.date(2019, 6, 1)}, {FOLDING.title, COOKING.title}),
        ({"exclude_ids": (ATTENTION.id, BERT.id, MOLECULES.id)}, {FOLDING.title, COOKING.title}),
        ({"fields": ("alchemy",)}, set()),
    ],
)
def test_every_filter_works_the_same_in_every_kind_of_search(
    shelf: Library, conditions: dict[str, object], allowed: set[str]
) -> None:
    filters = Filters.model_validate(conditions)
    assert set(titles(asyncio.run(shelf.search("attention model", 10, filters)))) == allowed
    assert set(titles(asyncio.run(shelf.nearest("attention model", 10, filters)))) == allowed
    assert {one.title for one in shelf.papers(filters)} == allowed


def test_neighbours_come_by_cosine_similarity(shelf: Library) -> None:
    hits = asyncio.run(shelf.nearest(f"{BERT.title}. {BERT.gist}", 5))
    assert hits[0].paper.id == BERT.id
    assert hits[0].similarity == pytest.approx(1, abs=1e-3)
    assert [hit.similarity for hit in hits] == sorted((hit.similarity for hit in hits), reverse=True)


def test_ranking_takes_papers_from_inside_and_outside_the_library(shelf: Library) -> None:
    outside = paper("Root Vegetables and Slow Cooking at Low Heat", 2021, "Chef Anonymous")
    hits = asyncio.run(shelf.rank("slow cooking of vegetables", [ATTENTION, outside, COOKING]))
    assert {hit.paper.id for hit in hits[:2]} == {outside.id, COOKING.id}
    assert hits[2].paper == ATTENTION


def test_papers_that_rank_equal_come_by_id(library: Library) -> None:
    twins = [paper("Silence", year) for year in (2001, 2002, 2003)]
    hits = asyncio.run(library.rank("silence", twins))
    assert [hit.paper.id for hit in hits] == sorted(one.id for one in twins)


def test_an_empty_library_finds_nothing_and_does_not_mind(library: Library) -> None:
    assert search(library, "anything") == []
    assert asyncio.run(library.nearest("anything")) == []
    assert asyncio.run(library.rank("anything", [])) == []


def test_what_was_just_added_or_enriched_is_found_at_once(library: Library) -> None:
    library.add([entry(paper("A Plain Title", 2020, "Ada Lovelace"))])
    assert search(library, "zeppelins")[0].text_rank is None
    library.add([entry(paper("A Plain Title", 2020, "Ada Lovelace", abstract="All about zeppelins."))])
    assert search(library, "zeppelins")[0].text_rank == 1


def test_a_merged_paper_leaves_the_indexes_too(library: Library) -> None:
    library.add(
        [
            entry(paper("Zeppelins Great and Small", 2019, "Ada Lovelace", ids={"arxiv": "1901.00001"})),
            entry(paper("Zeppelins Revisited", 2021, "Ada Lovelace", ids={"doi": "10.1/x"})),
        ]
    )
    assert len(search(library, "zeppelins")) == 2
    both = {"arxiv": "1901.00001", "doi": "10.1/x"}
    library.add([Entry(paper=paper("Zeppelins Revisited", 2021, "Ada Lovelace", ids=both))])
    assert len(search(library, "zeppelins")) == 1


def test_searches_at_once_all_get_their_answer(shelf: Library) -> None:
    async def ask() -> list[list[Hit]]:
        return await asyncio.gather(*(shelf.search("attention", 3) for _ in range(20)))

    answers = asyncio.run(ask())
    assert all(titles(one) == titles(answers[0]) for one in answers)


class LetterEmbedder:
    """Counts letters: an embedder of somebody else's."""

    name = "letters-26"
    dimensions = 26

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        letters = "abcdefghijklmnopqrstuvwxyz"
        return np.array([[text.lower().count(letter) for letter in letters] for text in texts], dtype=np.float32)


def test_vectors_of_two_embedders_are_never_mixed(tmp_path: Path) -> None:
    with Library.open(tmp_path, embedder=LetterEmbedder()) as library:
        library.add([entry(ATTENTION)])
        assert len(search(library, "attention")) == 1
        assert library.stats().embedder == "letters-26"
    with Library.open(tmp_path) as library:
        assert library.get(ATTENTION.id) is not None
        with pytest.raises(LibraryError, match="letters-26, not with wordllama-256"):
            search(library, "attention")


def test_an_embedder_that_returns_nonsense_is_named(tmp_path: Path) -> None:
    class Broken(LetterEmbedder):
        async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.full((len(texts), self.dimensions), np.nan, dtype=np.float32)

    with Library.open(tmp_path, embedder=Broken()) as library:
        library.add([entry(ATTENTION)])
        with pytest.raises(LibraryError, match="letters-26 returned"):
            search(library, "attention")


def test_the_static_embedder_gives_like_texts_like_vectors_and_empty_texts_none() -> None:
    embedder = StaticEmbedder()
    texts = ["graph neural networks", "networks of neurons on graphs", "boiled carrots", ""]
    vectors = asyncio.run(embedder.embed(texts))
    assert vectors.shape == (4, embedder.dimensions)
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors[:3], axis=1)
    cosines = (vectors[:3] @ vectors[:3].T) / np.outer(lengths, lengths)
    assert cosines[0, 1] > cosines[0, 2]
    assert not vectors[3].any()
    assert np.allclose(vectors, asyncio.run(embedder.embed(texts * 3))[8:])
