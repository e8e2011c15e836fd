"""Concepts that occur together in papers, and the ways between them."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Paper
from novum.literature.search.ranking.concept_graph import ConceptGraph, without_loops


def about(*concepts: str, number: int = 0) -> Paper:
    return Paper(title=f"{'. '.join(concepts)}. {number}", year=2000)


def line(*concepts: str) -> list[Paper]:
    """Papers that join each of these with the next, two for each pair."""
    return [about(one, other, number=number) for one, other in pairwise(concepts) for number in range(2)]


OTHERS = [Paper(title=4 * letter, year=2000) for letter in "abcdefghijklmnop"]
"""Papers that share nothing with the rest: what is in more than half of all papers would be no concept."""


def graph_of(papers: list[Paper], **options: int) -> ConceptGraph:
    return ConceptGraph([*papers, *OTHERS], **options)


def test_concepts_of_one_paper_are_joined_and_its_papers_show_it() -> None:
    graph = graph_of(line("kites", "wind", "sails"))
    assert graph.concepts == ("kites", "sails", "wind")
    relation = graph.relation("wind", "kites")
    assert (relation.first, relation.second, relation.together_in) == ("wind", "kites", 2)
    assert all("kites" in paper.title for paper in relation.papers)
    with pytest.raises(KeyError):
        graph.relation("kites", "sails")


def test_the_shortest_way_runs_along_papers() -> None:
    graph = graph_of(line("kites", "wind", "sails", "ropes"))
    assert graph.shortest("kites", "ropes") == ["kites", "wind", "sails", "ropes"]
    assert graph.shortest("kites", "kites") == ["kites"]
    assert graph.steps_from("kites") == {"kites": 0, "wind": 1, "sails": 2, "ropes": 3}


def test_of_two_ways_of_as_many_steps_the_surer_one_is_taken() -> None:
    by_chance = [about("kites", "bread"), about("bread", "ropes")]
    alone = [about("bread", number=number) for number in range(2, 12)]
    graph = graph_of([*line("kites", "wind", "ropes"), *by_chance, *alone])
    assert graph.shortest("kites", "ropes") == ["kites", "wind", "ropes"]
    assert graph.relation("kites", "wind").association > graph.relation("kites", "bread").association


def test_between_islands_there_is_no_way() -> None:
    graph = graph_of([*line("kites", "wind"), *line("ropes", "knots")])
    assert graph.shortest("kites", "knots") == []
    assert graph.wandering("kites", "knots", 1, random.Random(0)) == []


def test_the_mainland_is_the_largest_part_that_holds_together() -> None:
    graph = graph_of([*line("ants", "bees"), *line("kites", "wind", "sails"), *line("ropes", "knots")])
    assert graph.largest_component() == ["kites", "sails", "wind"]
    assert ConceptGraph([]).largest_component() == []


def test_what_occurs_in_one_paper_only_is_no_concept() -> None:
    graph = graph_of([*line("kites", "wind"), about("kites", "shanties")])
    assert "shanties" not in graph.concepts


def test_of_too_many_concepts_the_more_frequent_are_kept() -> None:
    papers = [*line("kites", "wind", "sails"), about("wind", number=9)]
    assert graph_of(papers, most=2).concepts == ("kites", "wind")


def test_a_graph_of_nothing_is_empty() -> None:
    assert ConceptGraph([]).joined() == []
    assert ConceptGraph([about("kites")]).joined() == []


def test_two_that_never_part_are_sure_of_each_other() -> None:
    graph = graph_of([*line("kites", "wind"), *line("ropes", "knots")])
    assert graph.relation("kites", "wind").association == pytest.approx(1.0)


def test_what_is_in_most_papers_is_no_concept() -> None:
    papers = [about("sky", one, other, number=number) for number, (one, other) in enumerate([("kites", "wind")] * 3)]
    graph = ConceptGraph([*papers, about("bread", number=1), about("bread", number=2), about("sky", "bread")])
    assert graph.concepts == ("bread", "kites", "wind")


@given(st.integers(0, 500), st.integers(0, 4))
def test_a_wandering_way_keeps_its_ends_its_steps_are_relations_and_nothing_comes_twice(seed: int, stops: int) -> None:
    rng = random.Random(seed)
    names = ["kites", "wind", "sails", "ropes", "knots", "masts", "decks"]
    papers = line(*names) + [about(*rng.sample(names, 2), number=number) for number in range(6)]
    graph = graph_of(papers)
    way = graph.wandering("kites", "decks", stops, rng)
    assert (way[0], way[-1]) == ("kites", "decks")
    assert len(set(way)) == len(way)
    assert all(graph.relation(one, other).papers for one, other in pairwise(way))
    assert graph_of(papers).wandering("kites", "decks", stops, random.Random(1)) == graph.wandering(
        "kites", "decks", stops, random.Random(1)
    )


@given(st.lists(st.sampled_from("abcde"), min_size=1, max_size=12))
def test_without_loops_every_place_is_visited_once_and_steps_stay_steps(way: list[str]) -> None:
    steps = set(pairwise(way))
    kept = without_loops(way)
    assert (kept[0], kept[-1]) == (way[0], way[-1])
    assert len(set(kept)) == len(kept)
    assert set(pairwise(kept)) <= steps
