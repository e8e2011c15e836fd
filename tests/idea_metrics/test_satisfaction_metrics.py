"""Keyword relevance, readability and diversity (eqs. 7, 8 and 10) against calculations of the test's own."""

from __future__ import annotations

import gzip
import json
import math
import os
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Subject
from novum.files.arrays import ModelState
from novum.idea_metrics.diversity import FLOOR, Diversity, inverse
from novum.idea_metrics.keyword_relevance import KeywordRelevance
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.readability import Readability, count_text, syllable_counter
from tests.idea_metrics.made_up import corpus_of, made_up_papers

DATA = Path(os.environ.get("NOVUM_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
REAL = [file for file in [DATA / "papers.jsonl.gz"] if file.exists()]
ORDINARY = [
    "The cat sat on the mat. It was happy there, and it didn't want to leave!",
    "We propose a self-attention network (see Fig. 2). Results improve by 3.5 % et al. in 2020; why? Nobody's sure.",
    "Optimization",
    "e.g. this isn't it... is it? 'Quoted' words -- and dashes — too. Naïve café façades aren't rare.",
]
EASY = "The sun is up. The dog ran to me. We had a good day."
HARD = (
    "Notwithstanding considerable heterogeneity, probabilistic characterizations of representational "
    "generalization necessitate computationally sophisticated regularization methodologies."
)


def flesch(text):
    """textstat's own number, without its rounding of the two averages."""
    count = type(syllable_counter())()
    count.set_rounding(False)
    return count.flesch_reading_ease(text)


@pytest.fixture(scope="module")
def corpus():
    return corpus_of(made_up_papers(80))


def batch(vectors, interests=None, **subject):
    rows = np.asarray(vectors, dtype=np.float32)
    other = np.zeros_like(rows) if interests is None else np.asarray(interests, dtype=np.float32)
    return SubjectBatch([Subject(title="idea", **subject)] * len(rows), rows, other, [rows[:0]] * len(rows))


def texts(*several):
    nothing = np.zeros((len(several), 3), dtype=np.float32)
    return SubjectBatch(
        [Subject(title="", text=text) for text in several], nothing, nothing, [nothing[:0]] * len(several)
    )


def unit(vector):
    return np.asarray(vector, dtype=float) / math.hypot(*vector)


def test_keyword_relevance_is_the_cosine_of_the_idea_and_what_was_requested():
    idea, interest = (3.0, 4.0), (4.0, 3.0)
    there = batch([unit(idea)], [unit(interest)], topic="graphs", keywords=("nodes",))
    (raw,) = KeywordRelevance().measure(there)
    assert raw == pytest.approx((3 * 4 + 4 * 3) / 25)
    assert KeywordRelevance().explain(there, 0, raw) == "cosine 0.96 between the idea and “graphs, nodes”"


def test_without_a_topic_relevance_is_missing_and_says_so():
    part, nobody_asked = KeywordRelevance(), batch([unit((1, 0))])
    assert np.isnan(part.measure(nobody_asked)).all()
    assert "neither a topic nor keywords" in part.explain(nobody_asked, 0, math.nan)
    wordless = batch([(0, 0)], [unit((1, 0))])
    assert np.isnan(part.measure(wordless)).all()
    assert "no text" in part.explain(wordless, 0, math.nan)


@pytest.mark.parametrize("text", [*ORDINARY, EASY, HARD])
def test_readability_is_the_flesch_score_of_textstat(text):
    (raw,) = Readability().measure(texts(text))
    assert raw == pytest.approx(flesch(text), abs=1e-9)


@settings(max_examples=50)
@given(st.text(alphabet="abcdetiou ABC.,!?'-()\n12é", max_size=120))
def test_words_and_sentences_are_counted_as_by_textstat(text):
    count = count_text(text)
    if count is not None:
        assert count.ease == pytest.approx(flesch(text), abs=1e-9)


@pytest.mark.parametrize("file", REAL, ids=str)
def test_on_real_abstracts_it_is_the_same_number(file):
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        abstracts = [json.loads(line)["abstract"] for line in islice(lines, 100)]
    raw = Readability().measure(texts(*abstracts))
    assert raw == pytest.approx([flesch(text) for text in abstracts], abs=1e-9)


def test_short_words_in_short_sentences_are_easier_and_the_number_is_not_bounded():
    easy, hard = Readability().measure(texts(EASY, HARD))
    assert easy > 100
    assert hard < 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no words"),
        ("!!! ??? 12 + 3 = 15", "no words"),
        ("图神经网络的消息传递", "not written in Latin letters"),
        ("Нейронная сеть with one word", "not written in Latin letters"),
    ],
)
def test_what_cannot_be_read_aloud_in_english_has_no_number(text, why):
    there = texts(text)
    assert np.isnan(Readability().measure(there)).all()
    assert why in Readability().explain(there, 0, math.nan)


def test_an_endless_text_is_read_as_far_as_it_matters():
    (raw,) = Readability().measure(texts("The sun is up and we are out. " * 8_000))
    assert raw == pytest.approx(count_text("The sun is up and we are out. ").ease, abs=0.1)


def test_diversity_is_one_over_the_mean_cosine_to_every_paper(corpus):
    part = Diversity.fit(corpus)
    ideas = corpus.vectors[:6]
    raw = part.measure(batch(ideas))
    for value, idea in zip(raw, ideas.astype(float), strict=True):
        cosines = [sum(a * b for a, b in zip(idea, paper, strict=True)) for paper in corpus.vectors.astype(float)]
        assert value == pytest.approx(len(cosines) / sum(cosines), rel=1e-4)
    assert "80 papers" in part.explain(batch(ideas), 0, raw[0])


@settings(max_examples=50)
@given(st.lists(st.floats(-1, 1), min_size=2, max_size=20))
def test_the_less_similar_an_idea_the_more_diverse_and_never_beyond_all_bounds(cosines):
    made = inverse(np.array(sorted(cosines)))
    assert np.isfinite(made).all()
    assert (made > 0).all()
    assert (np.diff(made) <= 0).all()


def test_the_bend_of_diversity_has_no_step():
    beside = inverse(np.array([FLOOR * (1 - 1e-9), FLOOR, FLOOR * (1 + 1e-9)]))
    assert beside == pytest.approx(1 / FLOOR, rel=1e-6)
    assert inverse(np.array([0.0]))[0] == pytest.approx(200)


def test_the_explanation_of_an_idea_unlike_all_papers_names_the_tangent(corpus):
    part = Diversity.fit(corpus)
    opposite = batch(-corpus.vectors[:1])
    raw = part.measure(opposite)[0]
    assert np.isfinite(raw)
    assert "tangent" in part.explain(opposite, 0, raw)
    assert np.isnan(part.measure(batch(np.zeros_like(corpus.vectors[:1])))).all()


def test_parts_come_back_from_what_was_stored(corpus):
    part = Diversity.fit(corpus)
    ideas = batch(corpus.vectors[:5])
    assert (Diversity.of_state(part.state()).measure(ideas) == part.measure(ideas)).all()
    assert KeywordRelevance.of_state(KeywordRelevance.fit(corpus).state()) == KeywordRelevance()
    assert Readability.of_state(Readability.fit(corpus).state()) == Readability()


@pytest.mark.parametrize("mean", [np.ones((2, 2)), np.array([np.nan, 1])])
def test_a_damaged_mean_is_refused(mean):
    with pytest.raises(ValueError, match="mean vector is damaged"):
        Diversity.of_state(ModelState({"mean": mean}, {"papers": 3}))
