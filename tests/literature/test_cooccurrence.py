"""Which things papers name together, and what keeps company with the things of a few papers."""

from __future__ import annotations

import asyncio
import datetime as dt
from itertools import chain, pairwise, repeat

from hypothesis import given
from hypothesis import strategies as st

from novum.core import Paper
from novum.literature import Filters, Library
from novum.literature.search.ranking.cooccurrence import EntityStore, GroupedArrays
from novum.literature.search.ranking.keywords import keywords
from tests.literature.conftest import entry

KITES = [Paper(title=f"Kite flying {number}", year=2000, abstract="Strong silk thread.") for number in range(4)]
SILK = [Paper(title=f"Silk thread {number}", year=2001, abstract="We study kite flying.") for number in range(3)]
SPIDERS = [Paper(title=f"Spider glands {number}", year=2002, abstract="They make silk thread.") for number in range(3)]
BREAD = [Paper(title=f"Bread baking {number}", year=2003, abstract="Of rye.") for number in range(30)]


def names(found):
    return [each.name for each in found]


def test_what_stands_with_the_things_of_the_given_papers_and_not_in_them_is_found() -> None:
    store = EntityStore.mined([*KITES, *SILK, *SPIDERS, *BREAD])
    (found,) = store.companions(KITES, 5)
    assert (found.name, found.papers, found.beside) == ("spider glands", 3, ("silk thread",))
    assert found.example in {paper.id for paper in SPIDERS}


def test_what_stands_everywhere_is_no_company() -> None:
    everywhere = [
        paper.but(abstract=f"{paper.abstract} On spider glands.") for paper in (*KITES[1:], *SILK, *SPIDERS, *BREAD)
    ]
    assert names(EntityStore.mined([KITES[0], *everywhere]).companions(KITES[:1], 5)) == []


def test_the_same_thing_in_the_plural_is_not_from_elsewhere() -> None:
    plural = [
        Paper(title=f"Kite flyings {number}", year=2000, abstract="Silk thread, silk threads.") for number in range(3)
    ]
    assert "kite flyings" not in names(EntityStore.mined([*KITES, *plural, *SILK, *BREAD]).companions(KITES, 5))


def test_what_a_given_paper_writes_with_a_hyphen_is_not_from_elsewhere() -> None:
    hyphened = KITES[0].but(abstract="Strong silk thread from spider-glands.")
    store = EntityStore.mined([hyphened, *KITES[1:], *SILK, *SPIDERS, *BREAD])
    assert store.companions([hyphened], 5) == []


def test_one_meeting_is_chance() -> None:
    once = Paper(title="Cloud chambers", year=2004, abstract="Silk thread.")
    store = EntityStore.mined([*KITES, *SILK, once, Paper(title="Cloud chambers again", year=2005), *BREAD])
    assert store.companions(KITES, 5) == []


def test_a_word_that_one_given_paper_drops_in_passing_does_not_bring_in_its_whole_field() -> None:
    passing = KITES[0].but(abstract="Strong silk thread, and bread baking for the crew.")
    dough = [Paper(title=f"Sour dough {number}", year=2005, abstract="For bread baking.") for number in range(3)]
    store = EntityStore.mined([passing, *KITES[1:], *SILK, *SPIDERS, *dough, *BREAD[:9]])
    assert set(names(store.companions([passing], 5))) == {"sour dough", "spider glands"}
    assert names(store.companions([passing, *KITES[1:], *SILK], 5)) == ["spider glands"]


def test_what_one_title_and_another_abstract_name_is_a_thing() -> None:
    spun = Paper(title="Moth cocoons", year=2006, abstract="Silk thread, spun.")
    again = Paper(title="Weaving", year=2007, abstract="Silk thread of moth cocoons.")
    assert names(EntityStore.mined([*KITES, *SILK, spun, again, *BREAD]).companions(KITES, 5)) == ["moth cocoons"]


def test_fields_are_things_too() -> None:
    papers = [Paper(title=f"On x{number}", year=1990, fields=("Arachnology", "Silk thread")) for number in range(3)]
    fields = Paper(title="Silk thread", year=1991, fields=("Silk thread",))
    assert names(EntityStore.mined([*papers, fields, *BREAD]).companions([fields], 3)) == ["arachnology"]


@given(st.lists(st.lists(st.integers(0, 9), max_size=6, unique=True), max_size=8))
def test_turned_round_each_number_leads_to_the_groups_that_hold_it(lists: list[list[int]]) -> None:
    inverted = GroupedArrays.of_lists(lists).inverted(10)
    for number in range(10):
        assert inverted.of(number).tolist() == [group for group, held in enumerate(lists) if number in held]


@given(st.lists(st.text(max_size=60), max_size=6))
def test_nothing_that_a_given_paper_names_itself_is_from_elsewhere(titles: list[str]) -> None:
    papers = [Paper(title=title, year=2000) for title in chain(titles, repeat("Silk thread", 2))]
    found = names(EntityStore.mined(papers).companions(papers[:1], 3))
    assert keywords(papers[0]).isdisjoint(found)


def test_a_library_mines_once_until_something_is_written(tmp_path) -> None:
    with Library.open(tmp_path / "library") as library:
        library.add([entry(paper) for paper in (*KITES, *SILK, *SPIDERS, *BREAD)])
        everything = Filters()
        store = asyncio.run(library.entities(everything))
        assert names(store.companions(KITES, 5)) == ["spider glands"]
        assert asyncio.run(library.entities(everything)) is store
        library.add([entry(Paper(title="Something new", year=2020))])
        assert asyncio.run(library.entities(everything)) is not store


def test_later_papers_are_not_counted_and_the_number_mined_is_bounded(tmp_path) -> None:
    with Library.open(tmp_path / "library") as library:
        library.add([entry(paper) for paper in (*KITES, *SILK, *SPIDERS, *BREAD)])
        earlier = asyncio.run(library.entities(Filters(before=dt.date(2002, 1, 1))))
        assert set(earlier.ids) == {paper.id for paper in (*KITES, *SILK)}
        assert len(asyncio.run(library.entities(most=10)).ids) == 10


def test_a_sample_is_spread_evenly_over_what_passes_and_never_too_large(tmp_path) -> None:
    with Library.open(tmp_path / "library") as library:
        library.add([entry(paper) for paper in (*KITES, *SILK, *SPIDERS, *BREAD)])
        late = Filters(since=dt.date(2002, 1, 1))
        passing = list(library.papers(late))
        for most in (1, 2, 7, 33, 50):
            taken = [passing.index(paper) for paper in library.sample(most, late)]
            assert len(taken) == min(most, 33)
            steps = {after - before for before, after in pairwise([*taken, 33])}
            assert max(steps) - min(steps) <= 1
        assert list(library.sample(5, Filters(since=dt.date(2050, 1, 1)))) == []
