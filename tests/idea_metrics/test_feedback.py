"""Predicted feedback (eq. 11): a ridge about a prior, against the normal equations and against really leaving out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import PredictedRating, Subject
from novum.files.arrays import ModelState
from novum.idea_metrics.feedback import Feedback, percentiles
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.review_rating import default_rating_model
from novum.idea_metrics.ridge import ridge
from tests.idea_metrics.made_up import corpus_of, made_up_papers

RNG = np.random.default_rng(0)
SHAPES = [(30, 4), (6, 9)]


@pytest.fixture(scope="module")
def corpus():
    return corpus_of(made_up_papers(120))


@pytest.fixture(scope="module")
def prior(corpus):
    return Feedback.fit(corpus, seed=0)


def batch(vectors):
    rows = np.asarray(vectors, dtype=np.float32)
    return SubjectBatch([Subject(title="idea")] * len(rows), rows, np.zeros_like(rows), [rows[:0]] * len(rows))


def by_normal_equations(x, r, before, penalty):
    """argmin Σ (r - w·x - b)² + λ |w - w₀|² with b as one more, unpenalised weight."""
    wide = np.hstack([x, np.ones((len(x), 1))])
    pull = penalty * np.diag([*[1.0] * x.shape[1], 0.0])
    start = np.append(before, 0.0)
    return np.linalg.solve(wide.T @ wide + pull, wide.T @ r + pull @ start)


@pytest.mark.parametrize("shape", SHAPES, ids=["more rows", "more columns"])
@pytest.mark.parametrize("penalty", [0.1, 1.0, 30.0])
def test_weights_solve_the_normal_equations(shape, penalty):
    x, before = RNG.normal(size=shape), RNG.normal(size=shape[1])
    r = x @ RNG.normal(size=shape[1]) + 0.3
    made = ridge(x, r, before, (penalty,), (1.0,))
    expected = by_normal_equations(x, r, before, penalty)
    assert np.append(made.weights, made.constant) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("shape", SHAPES, ids=["more rows", "more columns"])
def test_what_is_said_of_a_row_left_out_is_that_of_a_fit_without_it(shape):
    x, before, r = RNG.normal(size=shape), RNG.normal(size=shape[1]), RNG.normal(size=shape[0])
    made = ridge(x, r, before, (2.0,), (1.0,))
    for out in range(shape[0]):
        rest = np.arange(shape[0]) != out
        without = by_normal_equations(x[rest], r[rest], before, 2.0)
        assert made.left_out[out] == pytest.approx(without[:-1] @ x[out] + without[-1], abs=1e-8)


def test_the_penalty_and_the_trust_are_those_that_err_least_on_what_is_left_out():
    x, before = RNG.normal(size=(40, 5)), RNG.normal(size=5)
    r = x @ before * 0.5 + RNG.normal(size=40) * 0.1
    tried = [(penalty, trust) for penalty in (0.1, 1.0, 10.0, 1e5) for trust in (1.0, 0.5, 0.0)]
    errors = {one: ridge(x, r, before, (one[0],), (one[1],)).error(r) for one in tried}
    made = ridge(x, r, before, (0.1, 1.0, 10.0, 1e5), (1.0, 0.5, 0.0))
    assert (made.penalty, made.trust) == min(errors, key=errors.get)


def test_a_prior_that_goes_against_the_ratings_is_let_go():
    x, before = RNG.normal(size=(200, 5)), np.ones(5)
    assert ridge(x, -(x @ before), before).weights == pytest.approx(-before, abs=0.01)
    assert ridge(x, RNG.normal(size=200), 5 * before).trust == 0


@settings(max_examples=40)
@given(st.lists(st.integers(0, 1000), min_size=2, max_size=30))
def test_percentiles_are_the_share_cited_less_with_equals_counting_half(citations):
    made = percentiles(np.array(citations, dtype=float), np.full(len(citations), 2020.0))
    shares = [sum((c > d) + (c == d) / 2 for d in citations) / len(citations) for c in citations]
    assert made == pytest.approx(shares)
    assert made.mean() == pytest.approx(0.5)
    assert ((made > 0) & (made < 1)).all()


def test_a_paper_is_compared_with_those_of_its_year_only():
    citations = np.array([1, 9, 100, 300, math.nan, 5, 7])
    years = np.array([2000, 2000, 2020, 2020, 2020, math.nan, 1999])
    made = percentiles(citations, years)
    assert made[:4] == pytest.approx([0.25, 0.75, 0.25, 0.75])
    assert np.isnan(made[4:]).all(), "no count, no year, nobody to compare with"


class NoBasis:
    """A rating model of another field."""

    def predict(self, subjects):
        return [PredictedRating(value=None, why="another field") for _ in subjects]


@pytest.fixture
def another_field(monkeypatch):
    monkeypatch.setattr("novum.idea_metrics.feedback.default_rating_model", NoBasis)


def test_the_prior_is_the_predicted_rating_where_that_has_a_basis(corpus, prior):
    made = default_rating_model().predict(corpus.subjects(range(len(corpus))))
    shares = np.array([each.share for each in made])
    raw = prior.measure(batch(corpus.vectors))
    assert np.corrcoef(raw, shares)[0, 1] > 0.2
    assert prior.quality["learnt_from"] == "predicted ratings"
    assert "the predicted rating of papers like it, from 120 papers" in prior.explain(batch(corpus.vectors), 0, raw[0])


@pytest.mark.usefixtures("another_field")
def test_the_prior_of_another_field_is_what_the_field_took_up():
    papers = made_up_papers(200)
    liked = [paper.model_copy(update={"citation_count": 90 if "graphs" in paper.fields else 1}) for paper in papers]
    corpus = corpus_of(liked)
    part = Feedback.fit(corpus, seed=0)
    raw = part.measure(batch(corpus.vectors))
    graphs = np.array(["graphs" in paper.fields for paper in corpus.papers])
    assert raw[graphs].min() > raw[~graphs].max()
    assert part.quality["learnt_from"] == "citations"
    assert "no ratings yet" in part.explain(batch(corpus.vectors), 0, raw[0])
    assert "200 papers" in part.explain(batch(corpus.vectors), 0, raw[0])


@pytest.mark.usefixtures("another_field")
@pytest.mark.parametrize("same", [{"citation_count": None}, {"year": None}, {"citation_count": 0}])
def test_where_citations_say_nothing_the_prior_is_one_half(same):
    corpus = corpus_of(made_up_papers(60, **same))
    part = Feedback.fit(corpus)
    assert part.measure(batch(corpus.vectors)) == pytest.approx(0.5)
    assert "one half for every idea" in part.explain(batch(corpus.vectors), 0, 0.5)
    assert part.quality == {"learnt_from": "constant", "number": 0, "error_left_out": None}


def test_ratings_are_fitted_and_said_to_be(corpus, prior):
    liked = np.array([0.9 if "speech" in paper.fields else 0.2 for paper in corpus.papers])
    part, made = prior.learn(corpus.vectors, liked)
    raw = part.measure(batch(corpus.vectors))
    assert np.abs(raw - liked).mean() < 0.1
    assert made.error(liked) == part.error < 0.2
    assert part.explain(batch(corpus.vectors), 0, raw[0]).startswith("predicted from 120 ratings by people")


def test_learning_twice_is_learning_once_and_can_be_undone(corpus, prior):
    ratings = np.linspace(0, 1, 120)
    once, _ = prior.learn(corpus.vectors, ratings)
    twice, _ = once.learn(corpus.vectors, ratings)
    assert (twice.weights == once.weights).all()
    assert (once.without_ratings().weights == prior.weights).all()
    assert once.without_ratings().quality == prior.quality


def test_people_who_agree_that_all_is_good_move_the_mean_alone(corpus, prior):
    part, _ = prior.learn(corpus.vectors, np.full(120, 0.8))
    assert part.measure(batch(corpus.vectors)) == pytest.approx(0.8, abs=1e-6)


@settings(max_examples=30)
@given(st.lists(st.floats(-50, 50, width=32), min_size=256, max_size=256))
def test_whatever_the_embedding_feedback_is_from_0_to_1(prior, vector):
    assert 0 <= prior.predict(np.array([vector], dtype=np.float32))[0] <= 1


def test_its_scale_is_how_predictions_lie_in_the_library(corpus, prior):
    share = prior.scale.share(prior.predict(corpus.vectors))
    assert share.mean() == pytest.approx(0.5, abs=0.01)


def test_an_idea_without_words_has_no_feedback(corpus, prior):
    nothing = batch(np.zeros((1, corpus.vectors.shape[1])))
    assert np.isnan(prior.measure(nothing)).all()
    assert "no text" in prior.explain(nothing, 0, math.nan)


def test_it_comes_back_from_what_was_stored(corpus, prior):
    learnt, _ = prior.learn(corpus.vectors, np.linspace(0, 1, 120))
    for part in (prior, learnt):
        back = Feedback.of_state(part.state())
        assert (back.measure(batch(corpus.vectors)) == part.measure(batch(corpus.vectors))).all()
        assert back.quality == part.quality
        assert back.without_ratings().quality == part.without_ratings().quality


@pytest.mark.parametrize(
    ("arrays", "facts"),
    [({"weights": np.ones(3)}, {}), ({"sample": np.ones((2, 2), np.float32)}, {}), ({}, {"source": "an oracle"})],
)
def test_damaged_feedback_is_refused(prior, arrays, facts):
    state = prior.state()
    with pytest.raises(ValueError, match=r"sizes|source of feedback"):
        Feedback.of_state(ModelState({**state.arrays, **arrays}, {**state.facts, **facts}))


def test_ratings_that_belong_to_other_vectors_are_refused(corpus, prior):
    with pytest.raises(ValueError, match="do not belong"):
        prior.learn(corpus.vectors[:5], np.ones(4))
