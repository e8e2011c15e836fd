"""Equations 5, 6 and 12 and Table 5: parts weighed together, also when some are missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.idea_metrics.composite import CREATIVITY_WEIGHTS, SATISFACTION_WEIGHTS, combined, weighted_composite

parts = st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1), min_size=1)


def test_the_creativity_index_of_a_worked_example():
    values = {"originality": 0.5, "feasibility": 0.6, "impact": 0.7, "reliability": 0.8}
    found = weighted_composite(values, CREATIVITY_WEIGHTS)
    assert found.value == pytest.approx(0.3 * 0.5 + 0.2 * 0.6 + 0.4 * 0.7 + 0.1 * 0.8)  # 0.63
    assert found.weights == pytest.approx(CREATIVITY_WEIGHTS)
    assert found.missing == ()


def test_what_is_missing_leaves_its_weight_to_the_others():
    found = weighted_composite(
        {"originality": 0.5, "feasibility": 0.6, "impact": None, "reliability": 0.8}, CREATIVITY_WEIGHTS
    )
    assert found.weights == pytest.approx({"originality": 0.5, "feasibility": 1 / 3, "reliability": 1 / 6})
    assert found.value == pytest.approx(0.5 * 0.5 + 0.6 / 3 + 0.8 / 6)
    assert found.missing == ("impact",)


def test_of_nothing_known_nothing_is_said():
    found = weighted_composite(dict.fromkeys(SATISFACTION_WEIGHTS), SATISFACTION_WEIGHTS)
    assert (found.value, found.weights, set(found.missing)) == (None, {}, set(SATISFACTION_WEIGHTS))


@pytest.mark.parametrize("weights", [{}, {"a": 0.0}, {"a": 1.0, "b": -0.5}])
def test_weights_that_weigh_nothing_are_refused(weights):
    with pytest.raises(ValueError, match="weights"):
        weighted_composite({"a": 1.0, "b": 1.0}, weights)


@given(parts, st.floats(0.1, 10))
def test_it_lies_between_its_parts_and_only_the_ratio_of_weights_counts(values, scale):
    weights = {name: 1.0 + place for place, name in enumerate(sorted(values))}
    found = weighted_composite(values, weights).value
    assert found is not None
    assert min(values.values()) - 1e-12 <= found <= max(values.values()) + 1e-12
    assert weighted_composite(
        values, {name: scale * weight for name, weight in weights.items()}
    ).value == pytest.approx(found)


@given(parts, st.sampled_from("abcdef"), st.floats(0, 1))
def test_a_better_part_never_makes_it_worse(values, name, gain):
    weights = dict.fromkeys(values, 1.0)
    better = values | ({name: min(1.0, values[name] + gain)} if name in values else {})
    before, after = weighted_composite(values, weights).value, weighted_composite(better, weights).value
    assert before is not None
    assert after is not None
    assert after >= before - 1e-12


def test_the_combined_score_has_the_constants_of_table_5():
    assert combined(0.8, 0.9) == pytest.approx(0.638 * 0.8 + 0.352 * 4.5 / 10)
    assert combined(None, 0.9) is None
    assert combined(0.8, None) is None
