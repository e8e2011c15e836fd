"""K-means over embeddings: ours beside scikit-learn's, on the same vectors, with the same number of clusters.

The vectors are those of a made-up corpus by the default embedder. scikit-learn's runs once from k-means++ (`n_init=1`)
with its own defaults for when to stop, and may use as many threads. Several seeds; medians of the ratios.
"""

from __future__ import annotations

import asyncio
import time
from statistics import median

import numpy as np
import orjson
from sklearn.cluster import KMeans

from figures.corpus import write_corpus
from figures.row import Bench, Row, at_most
from novum.idea_metrics.clusters import cluster
from novum.idea_metrics.corpus import unit
from novum.literature import StaticEmbedder

_POINTS, _CLUSTERS = 50_000, 150
_FASTER, _MORE_INERTIA = 2.0, 0.5


def clusters(bench: Bench) -> list[Row]:
    """How many times as fast, and how much more inertia in percent."""
    points = _points(bench)
    cluster(points[:2000], 10, 0)  # the engine is loaded
    faster, inertia = [], []
    for seed in range(bench.runs):
        began = time.perf_counter()
        ours = cluster(points, _CLUSTERS, seed)
        between = time.perf_counter()
        theirs = KMeans(_CLUSTERS, n_init=1, random_state=seed).fit(points)
        took = between - began, time.perf_counter() - between
        faster.append(took[1] / took[0])
        inertia.append(100 * (ours.inertia / theirs.inertia_ - 1))
        print(
            f"  seed {seed}: ours {took[0]:.1f} s, scikit-learn {took[1]:.1f} s ({theirs.n_iter_} iterations), "
            f"inertia {inertia[-1]:+.2f} %",
            flush=True,
        )
    times = median(faster)
    what = f"{len(points):,} points, {_CLUSTERS} clusters"
    return [
        Row("K-means, times as fast as scikit-learn", f"{times:.1f}", f">= {_FASTER:g}", times >= _FASTER, what),
        at_most("its inertia above scikit-learn's", median(inertia), _MORE_INERTIA, "", " %"),
    ]


def _points(bench: Bench) -> np.ndarray:
    file = bench.home / "points.jsonl"
    write_corpus(file, round(_POINTS / 0.65))
    texts = [
        f"{each['title']}. {each['abstract']}"
        for each in map(orjson.loads, file.read_bytes().splitlines())
        if each.get("abstract")
    ]
    return unit(asyncio.run(StaticEmbedder().embed(texts[:_POINTS])))
