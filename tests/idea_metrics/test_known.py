"""A model remembers the titles that it learnt from, and nothing else of them."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.benchmarks.metric_validation.study import trained_on
from novum.core import Subject
from novum.idea_metrics.fit import MetricFit, fit_model
from novum.idea_metrics.known_titles import KnownTitles
from novum.idea_metrics.model import FittedMetrics
from novum.idea_metrics.settings import FitSettings
from novum.literature import Library, StaticEmbedder
from tests.idea_metrics.made_up import corpus_of, made_up_papers

UNCITED = {"citation_count": None, "references": ()}


def test_a_title_is_known_however_it_is_written():
    known = KnownTitles.of(["Chain-of-Thought  Prompting…", "Über Graphen", "图神经网络"])
    assert "chain of thought: PROMPTING" in known
    assert "uber graphen" in known
    assert "图神经网络" in known
    assert "Chain of thought" not in known


@given(st.lists(st.text(max_size=20), max_size=30), st.text(max_size=20))
def test_what_has_neither_letters_nor_digits_is_never_known_and_all_else_that_was_named_is(titles, other):
    known = KnownTitles.from_arrays(KnownTitles.of(titles).arrays())
    assert all(title in known for title in titles if any(map(str.isalnum, title)))
    assert "…!" not in known
    assert "" not in known
    assert len(known) <= len(set(titles))
    assert isinstance(other in known, bool)


@pytest.mark.parametrize("hashes", [np.array([2, 1]), np.array([1, 1]), np.array([[1]]), np.array(3)])
def test_damaged_hashes_are_refused(hashes):
    with pytest.raises(ValueError, match="damaged"):
        KnownTitles.from_arrays({"titles": hashes})


def test_a_model_tells_what_it_has_seen_without_the_library(tmp_path):
    papers = made_up_papers(40, **UNCITED)
    model = asyncio.run(fit_model(MetricFit(corpus_of(papers), FitSettings(clusters=2, topics=2)), StaticEmbedder()))
    model.save(tmp_path / "model")
    back = FittedMetrics.load(tmp_path / "model", StaticEmbedder())
    assert back.knows(papers[7].title.upper() + "!")
    assert not back.knows("Something that nobody has written")
    assert papers[7].title.encode() not in (tmp_path / "model" / "known.safetensors").read_bytes()
    with Library.open(tmp_path / "empty") as library:
        seen = trained_on(library, back.card.learnt_from, back)
        assert [seen(Subject(title=title)) for title in (papers[3].title, "Another")] == [True, False]
