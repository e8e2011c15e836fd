"""Orders beyond likeness: variety, citations as they were known on a day, what a neighbourhood rests on."""

from __future__ import annotations

import asyncio
import datetime as dt
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.literature import Filters, Hit, Library
from novum.literature.search.ranking.evidence import Citations, cited_for_its_age, coupling, strongest_coupling
from novum.literature.search.ranking.mmr import mmr, to_unit_range
from tests.literature.conftest import entry, paper

# Variety


def test_variety_passes_over_a_paper_that_says_the_same_again() -> None:
    relevance = np.array([1.0, 0.9, 0.5])
    similarities = np.array([[1.0, 0.95, 0.1], [0.95, 1.0, 0.1], [0.1, 0.1, 1.0]])
    assert mmr(relevance, similarities, 3, diversity=0.0) == [0, 1, 2]
    assert mmr(relevance, similarities, 3, diversity=0.5) == [0, 2, 1]


@given(st.lists(st.floats(0, 1), max_size=8), st.floats(0, 1), st.integers(0, 10))
def test_whatever_the_variety_each_paper_is_chosen_once(relevance: list[float], diversity: float, k: int) -> None:
    alike = np.random.default_rng(0).random((len(relevance), len(relevance)))
    chosen = mmr(np.array(relevance), alike, k, diversity)
    assert len(chosen) == len(set(chosen)) == min(k, len(relevance))
    if chosen and diversity < 1:
        assert relevance[chosen[0]] == max(relevance) or math.isclose(
            relevance[chosen[0]], max(relevance), abs_tol=1e-9
        )


@pytest.mark.parametrize("diversity", [-0.1, 1.1, math.nan])
def test_variety_is_a_share(diversity: float) -> None:
    with pytest.raises(ValueError, match="from 0"):
        mmr(np.ones(1), np.ones((1, 1)), 1, diversity)


def test_scores_are_stretched_to_one_scale() -> None:
    assert to_unit_range(np.array([2.0, 4.0, 3.0])).tolist() == [0, 1, 0.5]
    assert to_unit_range(np.array([7.0, 7.0])).tolist() == [1, 1]
    assert to_unit_range(np.zeros(0)).tolist() == []


def test_a_search_with_variety_shows_another_side_of_the_matter_sooner(library: Library) -> None:
    gist = "Graph neural networks predict how strongly a drug binds to its protein target."
    twins = [paper(f"Graph Networks for Drug Binding, Part {n}", abstract=gist) for n in range(1, 6)]
    other = paper("Drug Binding by Quantum Chemistry", abstract="Energies of drug and protein from first principles.")
    library.add([entry(one) for one in [*twins, other]])

    def place_of_other(diversity: float) -> int:
        hits = asyncio.run(library.search("graph networks for drug binding", 6, diversity=diversity))
        return [hit.paper.title for hit in hits].index(other.title)

    assert place_of_other(0) == 5
    assert place_of_other(0.7) == 1


# Citations


def test_coupling_is_the_share_of_references_in_common() -> None:
    assert coupling({1, 2, 3, 4}, {3, 4, 5, 6}) == 0.5
    assert coupling({1, 2}, {1, 2}) == 1
    assert coupling({1}, set()) == 0
    assert strongest_coupling([{1}, {9}, set()], [{1}, {1, 2}]).tolist() == [1, 0, 0]


def test_citations_count_by_the_year() -> None:
    counts, days = np.array([10.0, 10.0, 0.0]), np.array([365.25, 9 * 365.25, np.nan])
    young, old, unknown = cited_for_its_age(counts, days)
    assert young == pytest.approx(math.log(1 + 10 / 2))
    assert old == pytest.approx(math.log(1 + 10 / 10))
    assert unknown == 0


@pytest.fixture
def field(library: Library) -> Library:
    """Two papers on kites that say the same, one cited in 2015 by three others on kites, one in 2021 by nine; and a
    paper on bridges that all the early ones on kites rest on."""
    kites = "Kites in steady wind."
    library.add(
        [
            entry(paper("Steady Kites, Version One", 2010, abstract=kites), "one", "bridges"),
            entry(paper("Steady Kites, Version Two", 2010, abstract=kites), "two"),
            entry(paper("Suspended Bridges", 2005, abstract="Cables carry a load over a river."), "bridges"),
            *(entry(paper(f"Kite Study {n}", 2015, abstract="On kites."), "", "one", "bridges") for n in range(3)),
            *(entry(paper(f"Kite Report {n}", 2021, abstract="On kites."), "", "two") for n in range(9)),
        ]
    )
    return library


def titles(hits: Sequence[Hit]) -> list[str]:
    return [hit.paper.title for hit in hits]


def first_kite(library: Library, before: dt.date, citations: Citations) -> str:
    hits = asyncio.run(library.search("steady kites version", 10, Filters(before=before), citations=citations))
    return next(title for title in titles(hits) if title.startswith("Steady"))


def test_of_two_papers_that_say_the_same_the_one_cited_more_comes_first(field: Library) -> None:
    assert first_kite(field, dt.date(2030, 1, 1), Citations()) == "Steady Kites, Version Two"


def test_a_ranking_of_the_past_knows_nothing_of_later_citations(field: Library) -> None:
    assert first_kite(field, dt.date(2018, 1, 1), Citations()) == "Steady Kites, Version One"
    late, early = dt.date(2030, 1, 1), dt.date(2018, 1, 1)
    assert first_kite(field, late, Citations(before=early)) == "Steady Kites, Version One"


def test_what_rests_on_the_same_work_as_a_given_paper_comes_first(library: Library) -> None:
    library.add(
        [
            *(entry(paper(f"Root {n}", 2000), f"root{n}") for n in range(4)),
            entry(paper("Towers of Wood", 2010, abstract="Tall towers."), "", "root0", "root1"),
            entry(paper("Towers of Iron", 2010, abstract="Tall towers."), "", "root2", "root3"),
            entry(given := paper("Ships of Wood", 2011), "", "root0", "root1"),
            entry(other := paper("Ships of Iron", 2011), "", "root2", "root3"),
        ]
    )
    for ship, tower in ((given, "Towers of Wood"), (other, "Towers of Iron")):
        citations = Citations(coupled_with=(ship.id,))
        assert titles(asyncio.run(library.search("tall towers", 1, citations=citations))) == [tower]


def test_what_is_left_out_has_no_say_in_what_is_cited(field: Library) -> None:
    """A paper's own references must not tell what it should cite."""
    reports = tuple(one.id for one in field.papers() if one.title.startswith("Kite Report"))
    hits = asyncio.run(field.search("steady kites version", 10, Filters(exclude_ids=reports), citations=Citations()))
    assert next(title for title in titles(hits) if title.startswith("Steady")) == "Steady Kites, Version One"


def test_filters_hold_for_what_citations_bring_up_too(field: Library) -> None:
    bridges = field.find("Suspended Bridges")
    assert bridges is not None
    filters = Filters(exclude_ids=(bridges.id,))
    hits = asyncio.run(field.search("kites", 20, filters, citations=Citations()))
    assert hits
    assert bridges.title not in titles(hits)


# The neighbourhood


def test_a_neighbourhood_names_what_it_rests_on_and_who_says_so(field: Library) -> None:
    found = asyncio.run(field.most_cited_nearby("kites", 2, Filters(before=dt.date(2018, 1, 1))))
    assert [one.paper.title for one in found] == ["Suspended Bridges", "Steady Kites, Version One"]
    assert [len(one.cited_by) for one in found] == [4, 3]
    assert found[0].share == 1
    assert all(field.get(citing) for citing in found[0].cited_by)


def test_a_neighbourhood_in_a_library_without_citations_rests_on_nothing(library: Library) -> None:
    library.add([entry(paper("Kites", 2010))])
    assert asyncio.run(library.most_cited_nearby("kites")) == []
    assert asyncio.run(library.most_cited_nearby("  ")) == []
