"""Ablations (Tables 3 and 4) on an example computed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.idea_metrics.ablation import ablation
from novum.idea_metrics.composite import CREATIVITY_WEIGHTS, weighted_composite

PARTS = {
    "originality": [0.5, 0.7],
    "feasibility": [0.4, 0.6],
    "impact": [0.1, 0.3],
    "reliability": [0.9, None],
}
SHARES = st.one_of(st.none(), st.floats(0, 1))


def rows(**more):
    return {row.left_out: row for row in ablation(PARTS, CREATIVITY_WEIGHTS, **more)}


def test_with_all_parts_it_is_the_mean_index():
    """0.15 + 0.08 + 0.04 + 0.09 = 0.36, and 0.45 / 0.9 = 0.5 where reliability is not known."""
    full = rows()[None]
    assert full.kept == tuple(PARTS)
    assert full.renewed == full.dropped == pytest.approx((0.36 + 0.5) / 2)


def test_without_a_part_weights_are_renewed_or_dropped():
    """Without impact: 0.32 / 0.6 and 0.33 / 0.5 renewed; 0.32 and 0.33 / 0.9 dropped."""
    without = rows()["impact"]
    assert without.kept == ("originality", "feasibility", "reliability")
    assert without.renewed == pytest.approx((0.32 / 0.6 + 0.33 / 0.5) / 2)
    assert without.dropped == pytest.approx((0.32 + 0.33 / 0.9) / 2)


def test_rows_come_in_the_order_of_the_papers_tables():
    assert list(rows()) == [None, "reliability", "impact", "feasibility", "originality"]


def test_a_criterion_tells_how_each_composite_goes_with_it():
    three = {name: [*values, 0.2] for name, values in PARTS.items()}
    found = {row.left_out: row for row in ablation(three, CREATIVITY_WEIGHTS, [2.0, 3.0, 1.0])}
    assert found[None].correlation.n == 3
    assert found[None].correlation.r > 0.9
    assert rows()[None].correlation is None


@settings(max_examples=50)
@given(st.lists(st.tuples(SHARES, SHARES, SHARES), min_size=1, max_size=8))
def test_all_parts_together_are_the_weighted_mean_and_dropping_never_adds(ideas):
    weights = {"a": 0.5, "b": 0.3, "c": 0.2}
    parts = dict(zip(weights, map(list, zip(*ideas, strict=True)), strict=True))
    full, *without = ablation(parts, weights)
    wholes = [weighted_composite(dict(zip(weights, idea, strict=True)), weights).value for idea in ideas]
    known = [each for each in wholes if each is not None]
    assert full.renewed == (pytest.approx(sum(known) / len(known)) if known else None)
    assert all(row.dropped is None or row.dropped <= full.dropped + 1e-12 for row in without)
    assert all(row.renewed is None or 0 <= row.renewed <= 1 for row in without)


def test_a_part_of_no_weight_is_none_and_the_last_one_left_is_not_left_out():
    (only,) = ablation({"a": [0.5], "b": [0.1]}, {"a": 1.0, "b": 0.0})
    assert (only.kept, only.renewed) == (("a",), 0.5)


@pytest.mark.parametrize(
    ("parts", "weights", "why"),
    [
        ({"a": [1], "b": [1, 2]}, {"a": 1, "b": 1}, "different numbers"),
        ({"a": [1]}, {"a": 0}, "above 0"),
    ],
)
def test_what_is_no_table_is_refused(parts, weights, why):
    with pytest.raises(ValueError, match=why):
        ablation(parts, weights)
