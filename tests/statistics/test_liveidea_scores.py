"""The LiveIdeaBench leaderboard from columns of judgements."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.benchmarks.liveidea.statistics.judgements import JUDGED, Judgements
from novum.benchmarks.liveidea.statistics.scores import keyword_means, score_models
from novum.statistics.weighted import weighted_quantile

NAN = float("nan")


def judgements(rows, *, models=1, keywords=1, judges=3):
    """From (model, keyword, idea, judge, dimension, score) with numbers for names."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * 6
    numbers = [np.array(column, dtype=np.int64) for column in columns[:5]]
    named = [
        tuple(f"{kind}{each}" for each in range(count))
        for kind, count in (("m", models), ("k", keywords), ("j", judges))
    ]
    return Judgements(*named, *numbers, np.array(columns[5], dtype=float))


def world(models=3, keywords=20, ideas=2, judges=5, *, severity=0.0, seed=0):
    """A whole run: three judges an idea, one a pair, models better by one point each, judges `severity` apart."""
    rng = np.random.default_rng(seed)
    rows = []
    for model, keyword in product(range(models), range(keywords)):
        quality = 4 + model + rng.normal(0, 0.5)
        for idea in range(ideas):
            for judge in rng.permutation(judges)[:3]:
                rows += [(model, keyword, idea, judge, d, quality + severity * (judge - 2)) for d in range(3)]
        rows.append((model, keyword, 0, rng.integers(judges), 3, rng.choice([1, 4, 7, 10])))
    return judgements(rows, models=models, keywords=keywords, judges=judges)


def test_an_idea_counts_once_however_many_judges_answered():
    rows = [(0, 0, 0, judge, 0, score) for judge, score in enumerate((4, 6, 8))] + [(0, 0, 1, 0, 0, 9)]
    rows += [(0, 0, 1, 1, 0, NAN), (0, 0, 1, 2, 0, NAN)]
    (score,) = score_models(judgements(rows), draws=10)
    assert score.originality.value == pytest.approx((6 + 9) / 2)


def test_what_was_not_judged_is_counted_and_never_filled_in():
    rows = [(0, 0, 0, judge, 0, score) for judge, score in enumerate((4, NAN, 8))]
    (score,) = score_models(judgements(rows), draws=10)
    assert score.originality.value == 6
    assert (score.judgements["originality"].given, score.judgements["originality"].missing) == (2, 1)
    assert (score.clarity.value, score.flexibility.value, score.average.value) == (None, None, None)
    assert score.judgements["clarity"].given == score.keywords == 0


def test_flexibility_is_the_30th_percentile_of_the_keywords_means():
    means = [3.0, 9.0, 5.0, 6.0, 4.0]
    rows = [(0, keyword, 0, 0, d, value) for keyword, value in enumerate(means) for d in range(4)]
    (score,) = score_models(judgements(rows, keywords=5), draws=10)
    assert score.flexibility.value == pytest.approx(np.quantile(means, 0.3)) == pytest.approx(4.2)
    assert score.average.value == pytest.approx((4 * 5.4 + 4.2) / 5)


def test_a_keyword_without_one_dimension_is_no_part_of_flexibility():
    rows = [(0, keyword, 0, 0, d, value) for keyword, value in enumerate((3, 5, 9)) for d in range(4)]
    rows = [row for row in rows if not (row[1] == 0 and row[4] == 3)]
    (score,) = score_models(judgements(rows, keywords=3), draws=10)
    assert score.keywords == 2
    assert score.flexibility.value == pytest.approx(5 + 0.3 * 4)


def test_row_wise_flexibility_takes_single_judgements_of_three_dimensions():
    rng = np.random.default_rng(3)
    scores = rng.integers(1, 11, size=(6, 2, 3, 3))
    rows = [(0, k, i, j, d, scores[k, i, j, d]) for k, i, j, d in np.ndindex(scores.shape)]
    rows += [(0, k, 0, 0, 3, 10) for k in range(6)]
    (score,) = score_models(judgements(rows, keywords=6), draws=10)
    assert score.flexibility_by_rows.value == pytest.approx(np.quantile(scores.mean(axis=3).ravel(), 0.3))


def test_keyword_means_are_there_for_maps_by_discipline():
    means = keyword_means(judgements([(0, 1, 0, 0, 0, 4), (0, 1, 0, 1, 0, 7)], keywords=2))
    assert means.shape == (len(JUDGED), 2, 1)
    assert means[0, 1, 0] == 5.5
    assert np.isnan(means[0, 0, 0])


def test_better_models_are_distinguished_and_intervals_hold_the_point():
    scores = score_models(world(), draws=300, seed=5)
    assert [each.model for each in sorted(scores, key=lambda each: -each.originality.value)] == ["m2", "m1", "m0"]
    for each in scores:
        for estimate in (each.originality, each.fluency, each.flexibility, each.flexibility_by_rows, each.average):
            assert estimate.low <= estimate.value <= estimate.high
    assert scores[0].originality.high < scores[1].originality.low


def test_the_same_seed_gives_the_same_leaderboard():
    assert score_models(world(), draws=50, seed=1) == score_models(world(), draws=50, seed=1)
    assert score_models(world(), draws=50, seed=1) != score_models(world(), draws=50, seed=2)


def test_keywords_are_what_is_drawn_so_repeated_judgements_narrow_nothing():
    rows = [(0, keyword, 0, 0, 0, score) for keyword, score in enumerate([2, 4, 6, 8, 10] * 4)]
    many = [(*row[:2], idea, judge, *row[4:]) for row in rows for idea in range(4) for judge in range(3)]
    few, repeated = (score_models(judgements(each, keywords=20), draws=500)[0].originality for each in (rows, many))
    assert (few.low, few.high) == pytest.approx((repeated.low, repeated.high))
    # The standard error of 20 keywords with a spread of √8 is 0.63.
    assert few.high - few.low == pytest.approx(2 * 1.96 * 0.632, rel=0.15)


def test_a_model_that_met_severe_judges_is_put_right():
    """Both models are equal; the first met the mild judges more often."""
    rng = np.random.default_rng(0)
    rows = []
    for model, keyword, idea in product(range(2), range(40), range(2)):
        panel = rng.choice(4, 3, replace=False, p=[0.4, 0.3, 0.2, 0.1] if model == 0 else [0.1, 0.2, 0.3, 0.4])
        rows += [(model, keyword, idea, judge, d, 6.0 - judge) for judge in panel for d in range(3)]
        rows += [(model, keyword, 0, judge, 3, 7.0 - judge) for judge in panel[:1]] if idea == 0 else []
    run = judgements(rows, models=2, keywords=40, judges=4)
    plain = score_models(run, draws=100)
    fair = score_models(run, draws=100, without_severity=True)
    assert plain[0].average.value - plain[1].average.value > 0.3
    for name in ("originality", "fluency", "flexibility", "average"):
        first, second = getattr(fair[0], name), getattr(fair[1], name)
        assert first.value == pytest.approx(second.value) == pytest.approx(4.5 + (name == "fluency"), abs=0.3)
        assert (first.low, first.high) == pytest.approx((first.value, first.value), abs=1e-9)


def test_without_severity_nothing_changes_where_judges_are_equally_severe():
    plain, fair = score_models(world(), draws=20), score_models(world(), draws=20, without_severity=True)
    for name in ("originality", "feasibility", "clarity"):
        assert [getattr(each, name).value for each in fair] == pytest.approx(
            [getattr(each, name).value for each in plain], abs=0.1
        )


def test_no_judgements_at_all_are_a_leaderboard_without_numbers():
    (score,) = score_models(judgements([]), draws=10)
    assert (score.originality.value, score.average.low, score.keywords) == (None, None, 0)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ((1, 0, 0, 0, 0, 5), "model"),
        ((0, 0, 0, 0, 4, 5), "dimension"),
        ((0, 0, -1, 0, 0, 5), "idea"),
        ((0, 0, 0, 0, 0, float("inf")), "infinite"),
    ],
)
def test_columns_that_do_not_fit_are_refused(row, text):
    with pytest.raises(ValueError, match=text):
        judgements([row])


@given(
    st.lists(st.tuples(st.floats(-5, 5) | st.just(NAN), st.integers(0, 4)), min_size=1, max_size=12), st.floats(0, 1)
)
def test_a_quantile_of_repeated_values_is_that_of_the_values_written_out(pairs, share):
    values, times = (np.array(each, dtype=float) for each in zip(*pairs, strict=True))
    found = weighted_quantile(values, times[None], share)[0]
    written = np.repeat(values, times.astype(int))
    written = written[~np.isnan(written)]
    if written.size:
        assert found == pytest.approx(np.quantile(written, share), abs=1e-9)
    else:
        assert np.isnan(found)


@pytest.mark.slow
def test_a_full_run_is_scored_within_the_promised_memory():
    """41 models × 1,180 keywords × 2 ideas × 3 judges with 1,000 draws: at most 2 GiB."""
    import resource

    run = big_run()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    scores = score_models(run, draws=1000)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert most < 2 * 2**20 or most == before, "what other tests took is not its own"
    assert len(scores) == 41


def big_run():
    rng = np.random.default_rng(1)
    model, keyword, idea = (each.ravel() for each in np.meshgrid(range(41), range(1180), range(2), indexing="ij"))
    panel = rng.random((len(model), 10)).argpartition(3, axis=1)[:, :3]
    parts = [
        (model, keyword, idea, panel[:, seat], np.full(len(model), d), rng.integers(1, 11, len(model)))
        for d in range(3)
        for seat in range(3)
    ]
    model, keyword = (each.ravel() for each in np.meshgrid(range(41), range(1180), indexing="ij"))
    judge = rng.integers(0, 10, len(model))
    parts.append((model, keyword, 0 * model, judge, np.full(len(model), 3), rng.choice([1, 4, 7, 10], len(model))))
    columns = [np.concatenate(each) for each in zip(*parts, strict=True)]
    names = [tuple(f"{kind}{each}" for each in range(count)) for kind, count in (("m", 41), ("k", 1180), ("j", 10))]
    return Judgements(*names, *(each.astype(np.int64) for each in columns[:5]), columns[5].astype(float))
