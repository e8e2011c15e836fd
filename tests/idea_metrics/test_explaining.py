"""Explanations of many ideas are those of each alone, and found for all of them together."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from novum.core import Subject
from novum.idea_metrics.fit import MetricFit, fit_model
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.model import batch_of
from novum.idea_metrics.settings import FitSettings
from novum.literature import StaticEmbedder
from tests.idea_metrics.made_up import corpus_of, made_up_papers

PAPERS = made_up_papers(80)


@pytest.fixture(scope="module")
def model():
    return asyncio.run(fit_model(MetricFit(corpus_of(PAPERS), FitSettings(clusters=4, topics=4)), StaticEmbedder()))


@pytest.fixture(scope="module")
def ideas():
    papers = [Subject.of_paper(paper) for paper in made_up_papers(12, seed=4)]
    built_on = Subject(title="Graphs", text="A graph.", references=tuple(paper.id for paper in PAPERS[:4]))
    return [*papers, built_on, Subject(title=""), Subject(title="!!"), Subject(title="Entropy of graphs")]


def test_the_company_of_others_does_not_change_what_is_said_of_an_idea(model, ideas):
    together = asyncio.run(model.score(ideas))
    for idea, card in zip(ideas, together, strict=True):
        (alone,) = asyncio.run(model.score([idea]))
        assert {name: part.why for name, part in card.parts.items()} == {n: p.why for n, p in alone.parts.items()}


def test_what_a_part_needs_to_explain_a_batch_it_finds_once(model, ideas, monkeypatch):
    """The columns behind potential impact cost more than anything else."""
    features = type(model.parts["impact"].fitted.features)
    sizes = []
    whole = features.matrix
    monkeypatch.setattr(
        features, "matrix", lambda self, some, vectors: sizes.append(len(some)) or whole(self, some, vectors)
    )
    asyncio.run(model.score(ideas))
    assert sizes == [len(ideas)] * 2, "once to measure, once to explain"


def test_what_one_part_found_is_not_taken_for_anothers():
    nothing = np.zeros((1, 2), dtype=np.float32)
    batch = SubjectBatch([Subject(title="a")], nothing, nothing, [nothing[:0]])
    first, second = object(), object()
    assert [batch.once(first, lambda: 1), batch.once(first, lambda: 2), batch.once(second, lambda: 3)] == [1, 1, 3]


def test_an_embedder_that_makes_no_vector_yet_gets_their_length():
    class Remote(StaticEmbedder):
        dimensions = 0

    batch = asyncio.run(batch_of([Subject(title="")], Remote(), 256))
    assert batch.vectors.shape == batch.interests.shape == (1, 256)
