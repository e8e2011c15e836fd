"""K-means: no worse than a careful other implementation, the same for the same seed, and content with odd points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from novum.idea_metrics.clusters import cluster, elbow_curve, knee, nearest, seeds


def blobs(count, each=60, d=16, spread=0.1, seed=0):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(count, d))
    return np.concatenate([c + spread * rng.normal(size=(each, d)) for c in centres]).astype(np.float32)


def test_blobs_are_found_each_by_one_centroid():
    points = blobs(8)
    which, distance = nearest(points, cluster(points, 8, seed=1).centroids)
    groups = which.reshape(8, 60)
    assert (groups == groups[:, :1]).all()
    assert len(set(groups[:, 0])) == 8
    assert distance.max() < 1


@pytest.mark.parametrize("seed", range(3))
def test_the_inertia_is_that_of_another_implementation_within_half_a_percent(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(2000, 8)).astype(np.float32)
    ours = min(cluster(points, 20, seed=each).inertia for each in range(3))
    theirs = KMeans(20, n_init=3, random_state=seed).fit(points).inertia_
    assert ours <= theirs * 1.005


def test_the_inertia_is_the_sum_of_squares_to_the_nearest_centroid():
    points = blobs(3)
    found = cluster(points, 5, seed=0)
    by_hand = sum(min(((p - c) ** 2).sum() for c in found.centroids.astype(float)) for p in points.astype(float))
    assert found.inertia == pytest.approx(by_hand, rel=1e-5)


def test_the_same_seed_gives_the_same_centroids():
    points = blobs(5)
    assert np.array_equal(cluster(points, 4, seed=3).centroids, cluster(points, 4, seed=3).centroids)


@given(st.integers(1, 12), st.integers(1, 6), st.integers(0, 5))
def test_no_more_clusters_are_made_than_points_differ(count, different, seed):
    points = np.repeat(np.eye(6, dtype=np.float32)[:different], 4, axis=0)
    begin = seeds(points, count, np.random.default_rng(seed))
    assert len(begin) == min(count, different)
    assert len(np.unique(begin, axis=0)) == len(begin)
    assert len(cluster(points, count, seed).centroids) == min(count, different)


def test_the_elbow_of_well_parted_blobs_is_their_number():
    curve = elbow_curve(blobs(6, spread=0.02), [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 500_000], seed=0)
    assert [k for k, _ in curve] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12]
    place = knee([k for k, _ in curve], [inertia for _, inertia in curve])
    assert place is not None
    assert curve[place][0] in {5, 6}


def test_nothing_cannot_be_clustered():
    with pytest.raises(ValueError, match="nothing to cluster"):
        cluster(np.zeros((0, 4), dtype=np.float32), 3, seed=0)
