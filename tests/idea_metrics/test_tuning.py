"""Weights fitted to people's ratings, and how well they agree with ratings that they did not see (Table 12)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Composite, Scorecard, Subject
from novum.idea_metrics.composite import SATISFACTION_WEIGHTS, weighted_composite
from novum.idea_metrics.feedback import Feedback
from novum.idea_metrics.rated_ideas import HumanPreference, RatedIdeas, rated_ideas, with_pairs
from novum.idea_metrics.tuning import composite, grade, grouped_folds, tune
from tests.idea_metrics.made_up import corpus_of, made_up_papers

NAMES = list(SATISFACTION_WEIGHTS)
TRUE = np.array([0.7, 0.3, 0, 0, 0])


def rated(n=60, seed=0, noise=0.0, truth=TRUE):
    """People who rate by the first two parts and know nothing of the others."""
    rng = np.random.default_rng(seed)
    parts = rng.random((n, 5))
    ratings = np.clip(0.2 + 0.6 * parts @ truth + noise * rng.normal(size=n), 0, 1)
    return RatedIdeas(parts, SATISFACTION_WEIGHTS, ratings, np.arange(n))


@settings(max_examples=25)
@given(st.integers(6, 40), st.integers(2, 6), st.integers(0, 99))
def test_every_row_is_left_out_once_and_with_its_group(n, number, seed):
    groups = np.arange(n) // (1 + seed % 2)
    if len(np.unique(groups)) < number:
        return
    outs = []
    for train, test in grouped_folds(groups, number, seed):
        assert not set(groups[train]) & set(groups[test])
        assert len(train) + len(test) == n
        outs += test.tolist()
    assert sorted(outs) == list(range(n))


def test_too_few_rows_cannot_be_cut():
    with pytest.raises(ValueError, match="cannot be divided"):
        list(grouped_folds(np.arange(3), 5, 0))


def test_weights_by_which_people_rated_are_found():
    found = tune(rated())
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
    weights = tune(rated(40, seed, noise)).weights
    assert weights is None or sum(weights.values()) == pytest.approx(1)
    assert weights is None or min(weights.values()) >= 0


def test_noise_does_not_go_with_noise_the_wrong_way_round():
    """A part of high ratings is foretold by a line through the others, which are lower: over all parts that alone would
    make the two correlate, by about -0.2 on average."""
    found = [tune(rated(20, seed, 0.3, truth=0 * TRUE)).lines[2].pearson.r or 0 for seed in range(60)]
    assert abs(np.mean(found)) < 0.1


def test_people_s_scale_changes_no_correlation():
    untuned, on_scale, *_ = tune(rated(60, noise=0.05)).lines
    assert on_scale.pearson.r == pytest.approx(untuned.pearson.r)


def test_what_was_fitted_from_chance_is_seldom_taken_for_better():
    assert sum(tune(rated(40, seed, 0.3, truth=0 * TRUE)).better for seed in range(60)) <= 8


def test_people_who_rate_by_chance_are_not_agreed_with():
    found = tune(rated(200, seed=1, noise=0.3, truth=0 * TRUE))
    assert abs(found.lines[2].pearson.r or 0) < 0.25
    assert not found.better


def test_where_no_part_goes_with_the_ratings_there_are_no_weights():
    ideas = rated(60)
    found = tune(replace(ideas, ratings=1 - ideas.columns.mean(axis=1)))
    assert found.weights is None
    assert not found.better


def test_a_part_that_is_hardly_ever_known_keeps_its_share():
    ideas = rated()
    ideas.columns[10:, 4] = np.nan
    found = tune(ideas)
    assert found.unlearnt == ("feedback",)
    assert found.weights["feedback"] == pytest.approx(0.2)
    assert found.weights["keyword_relevance"] == pytest.approx(0.8 * 0.7, abs=0.02)


@settings(max_examples=40)
@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=5, max_size=5))
def test_the_composite_is_the_models_own(values):
    mine = composite(np.array([values], dtype=float), np.array(list(SATISFACTION_WEIGHTS.values())))[0]
    whole = weighted_composite(dict(zip(NAMES, values, strict=True)), SATISFACTION_WEIGHTS).value
    assert (np.isnan(mine) and whole is None) or mine == pytest.approx(whole)


def test_the_nearest_of_five_grades():
    assert grade(np.array([0, 0.12, 0.13, 0.5, 0.86, 0.88, 1, 7])).tolist() == [1, 1, 2, 3, 4, 5, 5, 5]


def test_table_12_has_a_line_for_each_criterion():
    ideas = rated()
    shifted = 0.5 * ideas.ratings + 0.1
    shifted[:10] = np.nan
    found = tune(replace(ideas, criteria={"relevance": shifted}))
    (line,) = found.criteria
    assert (line.name, line.grades.n) == ("relevance", 50)
    assert line.people == pytest.approx(np.nanmean(shifted))
    assert line.score == pytest.approx(line.people, abs=1e-6), "on the scale of its own criterion"


def test_predicted_feedback_never_sees_the_rating_that_it_predicts():
    """Ratings and embeddings are noise: learnt from all, feedback would seem to know; left out, it does not."""
    rng = np.random.default_rng(0)
    corpus = corpus_of(made_up_papers(80))
    ideas = rated(80, seed=5, noise=0.3, truth=0 * TRUE)
    vectors = rng.normal(size=corpus.vectors.shape).astype(np.float32)
    prior = Feedback.fit(corpus)
    seen = prior.learn(vectors, ideas.ratings)[0]
    found = tune(replace(ideas, vectors=vectors, feedback=prior))
    assert abs(found.lines[2].pearson.r or 0) < 0.3
    assert seen.prior_learnt_from == 80


def test_predicted_feedback_learns_what_people_like():
    corpus = corpus_of(made_up_papers(120))
    liked = np.array([0.8 if "speech" in paper.fields else 0.3 for paper in corpus.papers])
    parts = np.random.default_rng(0).random((120, 5))
    ideas = RatedIdeas(parts, SATISFACTION_WEIGHTS, liked, np.arange(120), vectors=corpus.vectors)
    found = tune(replace(ideas, feedback=Feedback.fit(corpus)))
    assert max(found.weights, key=found.weights.get) == "feedback"
    assert found.better
    assert found.lines[2].pearson.r > found.lines[1].pearson.r


def test_pairs_are_left_out_together_and_agreement_is_reported():
    ideas = rated(40)
    pairs = []
    for first in range(0, 40, 2):
        ahead = ideas.ratings[first] - ideas.ratings[first + 1]
        pairs.append(
            HumanPreference(first, first + 1, 3 - (abs(ahead) > 0.05) * int(np.sign(ahead)) * (1 + (abs(ahead) > 0.2)))
        )
    linked = with_pairs(ideas, pairs)
    assert len(set(linked.groups)) == 20
    found = tune(linked).pairs
    assert found["tuned"].same_side == 1
    assert found["tuned"].grades.kappa == pytest.approx(1)
    assert found["untuned"].grades.kappa < 1


def test_ideas_compared_in_a_chain_are_one_group():
    linked = with_pairs(rated(20), [HumanPreference(0, 1, 3), HumanPreference(2, 3, 3), HumanPreference(1, 2, 3)])
    assert len(set(linked.groups[:4])) == 1
    assert len(set(linked.groups)) == 17


def test_a_long_chain_of_comparisons_costs_no_more_than_its_length():
    chain = [HumanPreference(row, row + 1, 3) for row in range(29_999)]
    assert len(set(with_pairs(rated(30_000), chain).groups.tolist())) == 1


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
    groups = rated_ideas(cards, SATISFACTION_WEIGHTS, np.ones(3)).groups
    assert groups[0] == groups[1] != groups[2]


@pytest.mark.parametrize("ratings", [np.ones(5), np.full(30, np.nan)])
def test_too_few_or_unknown_ratings_are_refused(ratings):
    few = RatedIdeas(np.ones((len(ratings), 5)), SATISFACTION_WEIGHTS, ratings, np.arange(len(ratings)))
    with pytest.raises(ValueError, match="at least 20 ideas"):
        tune(few)
