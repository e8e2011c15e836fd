"""Features of single concepts: size, connections, growth, age and citations."""

from __future__ import annotations

import numpy as np

from novum.core.arrays import Floats
from novum.opportunities.snapshot import RECENT, Snapshot
from novum.opportunities.sparse import Table
from novum.statistics.quantile_table import share_below

_DAMPING, _STEPS = 0.85, 40

SINGLE_COLUMNS = (
    "papers", "papers_recent", "papers_growth", "papers_last_year",
    "neighbours", "neighbours_new", "neighbours_growth", "pagerank", "breadth", "age", "silence", "cited",
)  # fmt: skip


def single_features(snapshot: Snapshot, fewest: int) -> Floats:
    """Features of single concepts, shape (concepts, len(SINGLE_COLUMNS)). Sizes are ranks, 0 to 1, among the concepts
    with at least `fewest` papers, so that they mean the same in a larger library; growth is a log ratio with one
    added."""
    now, last, before, long_before = (snapshot.held_by(years).astype(float) for years in (0, 1, RECENT, 2 * RECENT))
    degree, degree_before = (snapshot.degrees(years).astype(float) for years in (0, RECENT))
    age, silence = snapshot.first_and_last
    among = now >= fewest

    def rank(values: Floats) -> Floats:
        return ranked(values, among)

    columns = {
        "papers": rank(now),
        "papers_recent": rank(now - before),
        "papers_growth": np.log((now - before + 1) / (before - long_before + 1)),
        "papers_last_year": rank(now - last),
        "neighbours": rank(degree),
        "neighbours_new": rank(degree - degree_before),
        "neighbours_growth": np.log((degree + 1) / (degree_before + 1)),
        "pagerank": rank(pagerank(snapshot.joint)),
        "breadth": np.log((degree + 1) / (now + 1)),
        "age": age,
        "silence": silence,
        "cited": rank(_cited(snapshot) / np.maximum(now, 1)),
    }
    return np.stack([columns[name] for name in SINGLE_COLUMNS], axis=1)


def ranked(values: Floats, among: np.ndarray) -> Floats:
    """For each value the share of the values `among` (a mask or indices) that are smaller, equal ones counting half,
    shape (n,); zeros where there are none."""
    sample = np.sort(values[among])
    return share_below(sample, values) if len(sample) else np.zeros(len(values))


def pagerank(joint: Table) -> Floats:
    """PageRank of each concept by joint papers, shape (concepts,); the sum is 1. `joint`: joint papers of concepts ×
    concepts, symmetric, so that the steps to a concept are in its row."""
    count = joint.shape[0]
    out = np.asarray(joint.sum(axis=1), float).ravel()
    share = np.divide(1, out, out=np.zeros(count), where=out > 0)
    chance = np.full(count, 1 / max(count, 1))
    for _ in range(_STEPS):
        lost = chance[out == 0].sum()
        chance = _DAMPING * (joint @ (share * chance) + lost / max(count, 1)) + (1 - _DAMPING) / max(count, 1)
    return chance


def _cited(snapshot: Snapshot) -> Floats:
    """Citations of the papers of each concept by papers of the library, shape (concepts,)."""
    counts = np.asarray(snapshot.cites.sum(axis=0)).ravel()
    return np.asarray(snapshot.held @ counts, float)
