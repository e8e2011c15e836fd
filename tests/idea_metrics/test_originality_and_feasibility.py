"""Equations 1 and 2 against calculations of the test's own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Subject
from novum.idea_metrics.feasibility import Feasibility, weigh
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.originality import Originality
from tests.idea_metrics.made_up import corpus_of, made_up_papers

PAPERS = made_up_papers(120)


@pytest.fixture(scope="module")
def corpus():
    return corpus_of(PAPERS)


def batch(vectors):
    rows = np.asarray(vectors, dtype=np.float32)
    nothing = np.zeros_like(rows)
    return SubjectBatch(
        [Subject(title=f"idea {n}") for n in range(len(rows))], rows, nothing, [nothing[:0]] * len(rows)
    )


def test_originality_is_one_over_the_distance_to_the_nearest_centroid_and_one(corpus):
    part = Originality.fit(corpus, clusters=7, seed=0)
    raw = part.measure(batch(corpus.vectors[:9]))
    for value, vector in zip(raw, corpus.vectors[:9].astype(float), strict=True):
        distance = min(math.dist(vector, centroid) for centroid in part.centroids.astype(float))
        assert value == pytest.approx(1 / (distance + 1), rel=1e-5)


@pytest.mark.parametrize("clusters", [1, 5, 60])
def test_papers_that_were_fitted_from_stand_where_they_would_had_they_not_been(corpus, clusters):
    """Each centroid is the mean of its papers: once more without the one that is asked about."""
    part = Originality.fit(corpus, clusters=clusters, seed=0)
    points = corpus.vectors.astype(float)
    which = np.linalg.norm(points[:, None] - part.centroids[None], axis=2).argmin(axis=1)
    raw = part.measure_own(batch(corpus.vectors))
    for row in range(0, len(points), 7):
        others = np.arange(len(points)) != row
        centroids = [points[others & (which == each)] for each in range(len(part.centroids))]
        distance = min(math.dist(points[row], its.mean(axis=0)) for its in centroids if len(its))
        assert raw[row] == pytest.approx(1 / (distance + 1), abs=2e-3)
    assert (raw <= part.measure(batch(corpus.vectors)) + 1e-3).all(), "never closer than it looks"


def test_an_idea_like_the_papers_is_about_as_original_as_they(corpus):
    """Beside their distances as they are, everything new looks farther away than nearly all that was learnt from."""
    part = Originality.fit(corpus, clusters=30, seed=0)
    new = part.measure(batch(corpus_of(made_up_papers(80, seed=9)).vectors))
    inside, fair = part.measure(batch(corpus.vectors)), part.measure_own(batch(corpus.vectors))
    assert (inside < np.median(new)).mean() < 0.2
    assert 0.25 < (fair < np.median(new)).mean() < 0.75


def test_as_printed_the_most_typical_scores_highest(corpus):
    part = Originality.fit(corpus, clusters=7, seed=0)
    on_it = part.centroids[:1]
    off_it = on_it + np.linspace(0, 2, 6)[:, None] * np.ones_like(on_it)
    raw = part.measure(batch(off_it))
    assert raw[0] == pytest.approx(1)
    assert (np.diff(raw) < 0).all()
    assert (raw > 0).all()


def test_without_a_text_nothing_is_said(corpus):
    for part in (Originality.fit(corpus, clusters=3), Feasibility.fit(corpus)):
        empty = batch(np.zeros((1, corpus.vectors.shape[1])))
        assert np.isnan(part.measure(empty)).all()
        assert "no text" in part.explain(empty, 0, float("nan"))


def test_feasibility_is_the_weighted_mean_cosine_to_the_most_cited(corpus):
    part = Feasibility.fit(corpus, top=10, weights="count")
    ranked = sorted(corpus.papers, key=lambda paper: -paper.citation_count)[:10]
    idea = corpus.vectors[5]
    cosines = [float(idea @ corpus.vectors[corpus.row_of[paper.id]]) for paper in ranked]
    weights = [paper.citation_count for paper in ranked]
    expected = sum(w * c for w, c in zip(weights, cosines, strict=True)) / sum(weights)
    assert part.measure(batch([idea]))[0] == pytest.approx(expected, rel=1e-4)
    assert ranked[int(np.argmax(cosines))].title in part.explain(batch([idea]), 0, expected)


@given(st.sampled_from(["log", "count", "equal"]), st.lists(st.integers(0, 10**6), min_size=2, max_size=20))
def test_more_citations_never_weigh_less(way, counts):
    ordered = np.sort(np.array(counts, dtype=float))
    assert (np.diff(weigh(ordered, way)) >= 0).all()


@pytest.mark.parametrize("count", [0, None])
def test_where_nobody_is_cited_feasibility_says_so(count):
    part = Feasibility.fit(corpus_of(made_up_papers(40, citation_count=count)))
    subjects_batch = batch(np.ones((2, 256)))
    assert np.isnan(part.measure(subjects_batch)).all()
    assert "known citations" in part.explain(subjects_batch, 0, float("nan"))


def test_what_was_fitted_comes_back_as_it_was(corpus):
    for part in (Originality.fit(corpus, clusters=5), Feasibility.fit(corpus)):
        back = type(part).of_state(part.state())
        subjects_batch = batch(corpus.vectors[:5])
        assert np.allclose(back.measure(subjects_batch), part.measure(subjects_batch))
        assert back.explain(subjects_batch, 0, 0.5) == part.explain(subjects_batch, 0, 0.5)
