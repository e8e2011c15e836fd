"""What a forecast must beat: simple scores of the same pairs, taken from the same table."""

from __future__ import annotations

from novum.core.arrays import Floats, Vectors
from novum.opportunities.features.table import COLUMNS

BASELINES = {
    "preferential attachment": "attachment",
    "common neighbours": "common",
    "Jaccard": "jaccard",
    "Adamic–Adar": "adamic_adar",
    "resource allocation": "allocation",
    "names alike (embedding)": "names_alike",
}
"""By the name that people know, and the column of it."""


def baseline(table: Vectors, name: str) -> Floats:
    """The score of each pair, shape (n,). Raises KeyError for an unknown name."""
    return table[:, COLUMNS.index(BASELINES[name])].astype(float)
