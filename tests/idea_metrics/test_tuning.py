"""Weights fitted to people's ratings, and how well they agree with ratings that they did not see (Table 12)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Composite, Scorecard, Subject
from novum.idea_metrics.composite import SATISFACTION_WEIGHTS, weighed
from novum.idea_metrics.feedback import Feedback
from novum.idea_metrics.rated_columns import Pair, Teaching, teaching_of, told_apart
from novum.idea_metrics.tuning import composite, grade, tune
from novum.statistics.nonnegative import cross_validated, folds, nonnegative_fit
from tests.idea_metrics.made_up import corpus_of, made_up_papers

NAMES = list(SATISFACTION_WEIGHTS)
TRUE = np.array([0.7, 0.3, 0, 0, 0])


def teaching(n=60, seed=0, noise=0.0, truth=TRUE):
    """People who rate by the first two parts and know nothing of the others."""
    rng = np.random.default_rng(seed)
    parts = rng.random((n, 5))
    ratings = np.clip(0.2 + 0.6 * parts @ truth + noise * rng.normal(size=n), 0, 1)
    return Teaching(parts, SATISFACTION_WEIGHTS, ratings, np.arange(n))


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_no_other_weights_of_nought_and_more_come_nearer(seed):
    """At a least of squares the slope is 0 along each weight above 0, and upwards along each that is 0."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    fit = nonnegative_fit(x, y)
    wrong = fit.predict(x) - y
    slope = (x - x.mean(axis=0)).T @ wrong
    assert (fit.weights >= 0).all()
    assert wrong.mean() == pytest.approx(0, abs=1e-9), "the constant is free"
    assert slope[fit.weights > 0] == pytest.approx(0, abs=1e-8)
    assert (slope[fit.weights == 0] >= -1e-8).all()


@settings(max_examples=25)
@given(st.floats(0.1, 100), st.floats(-10, 10))
def test_another_scale_of_ratings_scales_weights_and_shifts_the_constant(factor, shift):
    taught = teaching(30, noise=0.1)
    plain = nonnegative_fit(taught.parts, taught.ratings)
    other = nonnegative_fit(taught.parts, factor * taught.ratings + shift)
    assert other.weights == pytest.approx(factor * plain.weights, abs=1e-6)
    assert other.constant == pytest.approx(factor * plain.constant + shift, abs=1e-6)


@settings(max_examples=25)
@given(st.integers(6, 40), st.integers(2, 6), st.integers(0, 99))
def test_every_row_is_left_out_once_and_with_its_group(n, number, seed):
    groups = np.arange(n) // (1 + seed % 2)
    if len(np.unique(groups)) < number:
        return
    outs = []
    for kept, held in folds(n, number, seed, groups):
        assert not set(groups[kept]) & set(groups[held])
        assert len(kept) + len(held) == n
        outs += held.tolist()
    assert sorted(outs) == list(range(n))


def test_too_few_rows_cannot_be_cut():
    with pytest.raises(ValueError, match="cannot be cut"):
        list(folds(3, 5, 0))


def test_cross_validation_foretells_each_row_from_the_others():
    taught = teaching(20, noise=0.1)
    made = cross_validated(taught.parts, taught.ratings, number=4, seed=3)
    for kept, held in folds(20, 4, 3):
        fit = nonnegative_fit(taught.parts[kept], taught.ratings[kept])
        assert made[held] == pytest.approx([fit.constant + fit.weights @ row for row in taught.parts[held]])


def test_weights_by_which_people_rated_are_found():
    found = tune(teaching())
    assert list(found.weights.values()) == pytest.approx(TRUE, abs=1e-6)
    untuned, on_scale, tuned, mean = found.lines
    assert tuned.pearson.r == pytest.approx(1)
    assert tuned.error == pytest.approx(0, abs=1e-6)
    assert tuned.grades.observed == 1
    assert untuned.pearson.r < 1
    assert on_scale.error < mean.error
    assert found.better


@settings(max_examples=10)
@given(st.integers(0, 1000), st.floats(0, 0.3))
def test_tuned_weights_are_shares_whatever_people_say(seed, noise):
    weights = tune(teaching(40, seed, noise)).weights
    assert weights is None or sum(weights.values()) == pytest.approx(1)
    assert weights is None or min(weights.values()) >= 0


def test_noise_does_not_go_with_noise_the_wrong_way_round():
    """A part of high ratings is foretold by a line through the others, which are lower: over all parts that alone would
    make the two correlate, by about -0.2 on average."""
    found = [tune(teaching(20, seed, 0.3, truth=0 * TRUE)).lines[2].pearson.r or 0 for seed in range(60)]
    assert abs(np.mean(found)) < 0.1


def test_people_s_scale_changes_no_correlation():
    untuned, on_scale, *_ = tune(teaching(60, noise=0.05)).lines
    assert on_scale.pearson.r == pytest.approx(untuned.pearson.r)


def test_what_was_learnt_from_chance_is_seldom_taken_for_better():
    assert sum(tune(teaching(40, seed, 0.3, truth=0 * TRUE)).better for seed in range(60)) <= 8


def test_people_who_rate_by_chance_are_not_agreed_with():
    found = tune(teaching(200, seed=1, noise=0.3, truth=0 * TRUE))
    assert abs(found.lines[2].pearson.r or 0) < 0.25
    assert not found.better


def test_where_no_part_goes_with_the_ratings_there_are_no_weights():
    taught = teaching(60)
    found = tune(replace(taught, ratings=1 - taught.parts.mean(axis=1)))
    assert found.weights is None
    assert not found.better


def test_a_part_that_is_hardly_ever_known_keeps_its_share():
    taught = teaching()
    taught.parts[10:, 4] = np.nan
    found = tune(taught)
    assert found.unlearnt == ("feedback",)
    assert found.weights["feedback"] == pytest.approx(0.2)
    assert found.weights["keyword_relevance"] == pytest.approx(0.8 * 0.7, abs=0.02)


@settings(max_examples=40)
@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=5, max_size=5))
def test_the_composite_is_the_models_own(values):
    mine = composite(np.array([values], dtype=float), np.array(list(SATISFACTION_WEIGHTS.values())))[0]
    whole = weighed(dict(zip(NAMES, values, strict=True)), SATISFACTION_WEIGHTS).value
    assert (np.isnan(mine) and whole is None) or mine == pytest.approx(whole)


def test_the_nearest_of_five_grades():
    assert grade(np.array([0, 0.12, 0.13, 0.5, 0.86, 0.88, 1, 7])).tolist() == [1, 1, 2, 3, 4, 5, 5, 5]


def test_table_12_has_a_line_for_each_criterion():
    taught = teaching()
    shifted = 0.5 * taught.ratings + 0.1
    shifted[:10] = np.nan
    found = tune(replace(taught, criteria={"relevance": shifted}))
    (line,) = found.criteria
    assert (line.name, line.grades.n) == ("relevance", 50)
    assert line.people == pytest.approx(np.nanmean(shifted))
    assert line.score == pytest.approx(line.people, abs=1e-6), "on the scale of its own criterion"


def test_predicted_feedback_never_sees_the_rating_that_it_foretells():
    """Ratings and embeddings are noise: learnt from all, feedback would seem to know; left out, it does not."""
    rng = np.random.default_rng(0)
    corpus = corpus_of(made_up_papers(80))
    taught = teaching(80, seed=5, noise=0.3, truth=0 * TRUE)
    vectors = rng.normal(size=corpus.vectors.shape).astype(np.float32)
    prior = Feedback.fit(corpus)
    seen = prior.learn(vectors, taught.ratings)[0]
    found = tune(replace(taught, vectors=vectors, feedback=prior))
    assert abs(found.lines[2].pearson.r or 0) < 0.3
    assert seen.prior_learnt_from == 80


def test_predicted_feedback_learns_what_people_like():
    corpus = corpus_of(made_up_papers(120))
    liked = np.array([0.8 if "speech" in paper.fields else 0.3 for paper in corpus.papers])
    parts = np.random.default_rng(0).random((120, 5))
    taught = Teaching(parts, SATISFACTION_WEIGHTS, liked, np.arange(120), vectors=corpus.vectors)
    found = tune(replace(taught, feedback=Feedback.fit(corpus)))
    assert max(found.weights, key=found.weights.get) == "feedback"
    assert found.better
    assert found.lines[2].pearson.r > found.lines[1].pearson.r


def test_pairs_are_left_out_together_and_agreement_is_told():
    taught = teaching(40)
    pairs = []
    for first in range(0, 40, 2):
        ahead = taught.ratings[first] - taught.ratings[first + 1]
        pairs.append(Pair(first, first + 1, 3 - (abs(ahead) > 0.05) * int(np.sign(ahead)) * (1 + (abs(ahead) > 0.2))))
    linked = told_apart(taught, pairs)
    assert len(set(linked.groups)) == 20
    found = tune(linked).pairs
    assert found["tuned"].same_side == 1
    assert found["tuned"].grades.kappa == pytest.approx(1)
    assert found["untuned"].grades.kappa < 1


def test_ideas_compared_in_a_chain_are_one_group():
    linked = told_apart(teaching(20), [Pair(0, 1, 3), Pair(2, 3, 3), Pair(1, 2, 3)])
    assert len(set(linked.groups[:4])) == 1
    assert len(set(linked.groups)) == 17


def test_a_long_chain_of_comparisons_costs_no_more_than_its_length():
    chain = [Pair(row, row + 1, 3) for row in range(29_999)]
    assert len(set(told_apart(teaching(30_000), chain).groups.tolist())) == 1


def test_the_same_words_on_two_topics_are_one_group():
    """Left out alone, one of them would be foretold by the other's rating."""
    subjects = [Subject(title="Bees that dance", text="A study.", topic=topic) for topic in ("hives", "dances")]
    subjects.append(Subject(title="Fog", text="Another."))
    none = Composite(value=None, weights={})
    cards = [
        Scorecard(
            subject=subject, parts={}, creativity=none, creativity_published=none, creativity_corrected=none,
            satisfaction=none, combined=None,
        )
        for subject in subjects
    ]  # fmt: skip
    groups = teaching_of(cards, SATISFACTION_WEIGHTS, np.ones(3)).groups
    assert groups[0] == groups[1] != groups[2]


@pytest.mark.parametrize("ratings", [np.ones(5), np.full(30, np.nan)])
def test_too_few_or_unknown_ratings_are_refused(ratings):
    few = Teaching(np.ones((len(ratings), 5)), SATISFACTION_WEIGHTS, ratings, np.arange(len(ratings)))
    with pytest.raises(ValueError, match="20 at least"):
        tune(few)
