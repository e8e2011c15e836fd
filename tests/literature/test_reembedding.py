"""Turning a library to another embedder: slowly, interruptibly, and all at once in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from novum.core.arrays import Vectors
from novum.errors import LibraryError, ModelUnreachable
from novum.literature import Library
from tests.literature.conftest import entry, paper

MANY = 2300
"""More than are embedded together twice."""


class Letters:
    """Counts letters. `name`: so that there can be several. `lasts`: texts after which it gives up."""

    dimensions = 26

    def __init__(self, name: str = "letters", lasts: int = 10**9) -> None:
        self.name = name
        self.asked = 0
        self._lasts = lasts

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += len(texts)
        if self.asked > self._lasts:
            raise ModelUnreachable("It is gone.")
        return np.array([[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts], np.float32)


def filled(folder: Path, papers: int = MANY) -> Library:
    library = Library.open(folder, embedder=Letters("old"))
    library.add(entry(paper(f"Paper {number} about {'ab' * (number % 7)}")) for number in range(papers))
    asyncio.run(library.index())
    return library


def turn(library: Library, embedder: Letters, *, keep: bool = False) -> list[int]:
    told: list[int] = []
    asyncio.run(library.embed_with(embedder, told.append, keep=keep))
    return told


def test_all_papers_get_new_vectors_and_search_goes_on_with_them(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        assert library.unembedded("new").papers == MANY
        assert turn(library, Letters("new")) == [1000, 2000, MANY]
        assert (library.stats().embedder, library.unembedded("new").papers) == ("new", 0)
        assert asyncio.run(library.search("about abab"))
    with Library.open(tmp_path, embedder=Letters("old")) as library, pytest.raises(LibraryError, match="made with new"):
        asyncio.run(library.search("about abab"))


def test_when_it_is_cut_off_the_old_vectors_serve_and_the_new_ones_are_not_made_twice(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        with pytest.raises(ModelUnreachable):
            turn(library, Letters("new", lasts=1500))
        assert library.stats().embedder == "old"
        assert asyncio.run(library.search("about abab"))
        assert library.unembedded("new").papers == MANY - 1000
        again = Letters("new")
        turn(library, again)
        assert (again.asked, library.stats().embedder) == (MANY - 1000, "new")


def test_what_comes_in_meanwhile_is_embedded_before_the_turn(tmp_path: Path) -> None:
    class Busy(Letters):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            if not self.asked:
                library.add([entry(paper("A late arrival"))])
            return await super().embed(texts)

    with filled(tmp_path, 10) as library:
        embedder = Busy("new")
        turn(library, embedder)
        assert embedder.asked == 11
        assert library.unembedded("new").papers == 0


def test_vectors_that_somebody_else_removes_meanwhile_are_made_again(tmp_path: Path) -> None:
    class Robbed(Letters):
        robbed = False

        async def embed(self, texts: Sequence[str]) -> Vectors:
            if self.asked >= 10 and not self.robbed:
                self.robbed = True
                with Library.open(tmp_path, embedder=Letters("old")) as other:
                    await other.embed_with(Letters("old"))  # which throws the vectors of all others away
            return await super().embed(texts)

    with filled(tmp_path, MANY) as library:
        embedder = Robbed("new")
        turn(library, embedder)
        assert (library.unembedded("new").papers, library.stats().embedder) == (0, "new")


@pytest.mark.parametrize(("keep", "again"), [(True, 0), (False, 10)])
def test_one_turns_back_at_once_when_the_old_vectors_were_kept(tmp_path: Path, keep: bool, again: int) -> None:
    with filled(tmp_path, 10) as library:
        turn(library, Letters("new"), keep=keep)
        back = Letters("old")
        turn(library, back)
        assert (back.asked, library.stats().embedder) == (again, "old")


def test_an_empty_library_turns_at_once(tmp_path: Path) -> None:
    with Library.open(tmp_path, embedder=Letters("old")) as library:
        assert turn(library, Letters("new")) == []
        assert library.stats().embedder == "new"


def test_nonsense_turns_nothing(tmp_path: Path) -> None:
    class Broken(Letters):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            return np.full((len(texts), 26), np.nan, np.float32)

    with filled(tmp_path, 10) as library:
        with pytest.raises(LibraryError, match="finite"):
            turn(library, Broken("new"))
        assert library.stats().embedder == "old"


def test_the_progress_of_embedders_with_long_names_is_kept_apart(tmp_path: Path) -> None:
    long = "server:" + "x" * 60
    with filled(tmp_path, 10) as library:
        turn(library, Letters(f"{long}-one"), keep=True)
        second = Letters(f"{long}-two")
        turn(library, second, keep=True)
        assert second.asked == 10
