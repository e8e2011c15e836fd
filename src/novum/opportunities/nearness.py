"""Which concepts have the words of a topic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novum.core.arrays import Floats
from novum.literature.search.ranking.keywords import runs
from novum.opportunities.plain_text import plain_text


def common_words(topic: str, names: Sequence[str]) -> Floats:
    """For each name the share of its words that the topic has, shape (n,): plural aside, stop words out."""
    asked = {_stem(word) for run in runs(plain_text(topic)) for word in run}
    shares = ([_stem(word) in asked for word in name.split()] for name in names)
    return np.array([sum(found) / len(found) for found in shares])


def _stem(word: str) -> str:
    return word.removesuffix("s").replace("-", "")
