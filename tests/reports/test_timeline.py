"""The drawing of a chain: papers near their years, never over each other, labels that cross nothing."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Chain, Link, Paper
from novum.reports.ideation.timeline import CHAR, GAP, ROW, Node, Timeline, timeline

from .sample import STEPS_CHAIN, VERIFY_CHAIN

papers = st.builds(
    Paper,
    title=st.text(max_size=30),
    authors=st.lists(st.sampled_from(["Ann Wei", "Bo Katharopoulos-Schmidhuber", "推 論", ""]), max_size=3),
    year=st.none() | st.integers(1900, 2030),
)
chains = st.lists(papers, max_size=14).map(
    lambda found: Chain(
        topic="t",
        query="q",
        links=tuple(
            Link(paper=paper, direction="forward", reason="") for paper in sorted(found, key=lambda p: p.year or 0)
        ),
    )
)


def end(node: Node) -> float:
    return node.x + 6 + CHAR * len(node.label)


@given(chains, st.booleans())
def test_papers_keep_their_order_and_their_distance_inside_the_drawing(chain, labelled):
    line = timeline(chain, 340, labelled)
    assert all(later.x - earlier.x >= GAP - 0.2 for earlier, later in pairwise(line.nodes))
    assert all(15 <= node.x <= line.width - 15 for node in line.nodes)
    assert all(0 <= tick.x <= line.width for tick in line.ticks)


@given(chains)
def test_no_label_touches_another_label_or_the_pole_of_a_higher_one(chain):
    for one, other in combinations(timeline(chain).nodes, 2):
        if one.row <= other.row:
            assert end(one) <= other.x or one.x >= other.x


@given(chains)
def test_every_label_is_inside_the_drawing(chain):
    line: Timeline = timeline(chain)
    assert all(line.label_y(node) - ROW / 2 >= 0 for node in line.nodes)
    assert all(end(node) <= line.width for node in line.nodes)


def test_a_paper_with_room_around_it_stands_exactly_at_its_year():
    assert [node.x == node.year_x for node in timeline(STEPS_CHAIN).nodes][:2] == [True, True]


def test_a_crowd_spreads_evenly_to_both_sides_of_its_year():
    crowd = [node for node in timeline(VERIFY_CHAIN).nodes if node.number in {5, 6, 7}]
    assert crowd[0].x < crowd[0].year_x < crowd[2].x


def test_the_axis_names_the_first_and_the_last_year():
    ticks = timeline(VERIFY_CHAIN).ticks
    assert (ticks[0].year, ticks[-1].year) == (1997, 2023)


@pytest.mark.parametrize("year", [None, 2022])
def test_a_chain_of_one_paper_can_be_drawn(year):
    chain = Chain(topic="t", query="q", links=(Link(paper=Paper(title="x", year=year), direction="anchor", reason=""),))
    assert len(timeline(chain).nodes) == 1
    assert len(timeline(chain).ticks) == (1 if year else 0)
