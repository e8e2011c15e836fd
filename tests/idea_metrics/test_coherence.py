"""Coherence (eq. 9) against a slow calculation, word by word, and topics that are there to be found."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Subject
from novum.files.arrays import ModelState
from novum.idea_metrics.coherence import Coherence
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.topic_model import STEPS, TopicModel, fit_topics
from novum.idea_metrics.word_counts import counts, vocabulary, words
from tests.idea_metrics.made_up import TOPICS, corpus_of, made_up_papers

VOCABULARY = ["atom", "cell", "graph", "node", "orbit", "planet"]
PHI = np.array([[0.4, 0.4, 0.05, 0.05, 0.05, 0.05], [0.05, 0.05, 0.4, 0.4, 0.05, 0.05], [0.05] * 4 + [0.4, 0.4]])
MODEL = TopicModel(PHI.astype(np.float32), VOCABULARY, 0.1)
SOME_WORDS = st.lists(st.sampled_from([*VOCABULARY, "unheard"]), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def part():
    return Coherence.fit(corpus_of(made_up_papers(200)), topics=4, seed=0)


def batch(*texts):
    nothing = np.zeros((len(texts), 3), dtype=np.float32)
    return SubjectBatch([Subject(title="", text=text) for text in texts], nothing, nothing, [nothing[:0]] * len(texts))


def by_hand(text):
    """θ by the same steps and exp(-Σ log p(w) / N), one word after the other."""
    known = Counter(word for word in text.split() if word in VOCABULARY)
    if not known:
        return math.nan
    topics = range(len(PHI))
    theta = [1 / len(PHI)] * len(PHI)

    def chance(word):
        return sum(theta[k] * PHI[k][VOCABULARY.index(word)] for k in topics)

    for _ in range(STEPS):
        expected = [
            0.1 + sum(n * theta[k] * PHI[k][VOCABULARY.index(word)] / chance(word) for word, n in known.items())
            for k in topics
        ]
        theta = [each / sum(expected) for each in expected]
    total = sum(known.values())
    return math.exp(-sum(n * math.log(chance(word)) for word, n in known.items()) / total)


@settings(max_examples=40)
@given(st.lists(SOME_WORDS, min_size=1, max_size=6))
def test_perplexity_is_that_of_a_slow_calculation_whatever_is_scored_beside_it(several):
    texts = [" ".join(each) for each in several]
    found = MODEL.perplexities(MODEL.counts(texts))
    assert found == pytest.approx([by_hand(text) for text in texts], rel=1e-4, nan_ok=True)


@settings(max_examples=40)
@given(SOME_WORDS, st.randoms(use_true_random=False))
def test_the_order_of_words_makes_no_difference(some, random_order):
    shuffled = list(some)
    random_order.shuffle(shuffled)
    first, second = MODEL.perplexities(MODEL.counts([" ".join(some), " ".join(shuffled)]))
    assert first == pytest.approx(second, rel=1e-5, nan_ok=True)


@settings(max_examples=40)
@given(SOME_WORDS)
def test_perplexity_lies_between_the_surest_and_the_least_sure_word(some):
    (found,) = MODEL.perplexities(MODEL.counts([" ".join(some)]))
    assert math.isnan(found) or 1 / 0.4 - 1e-3 <= found <= 1 / 0.05 + 1e-3


def test_mixtures_are_shares_of_topics():
    theta = MODEL.mixtures(MODEL.counts(["atom cell atom", "graph planet", "unheard"]))
    assert theta[:2].sum(axis=1) == pytest.approx([1, 1], rel=1e-5)
    assert theta[0].argmax() == 0
    assert np.isnan(theta[2]).all()


def test_a_text_that_keeps_to_one_topic_is_less_perplexing_than_a_mix(part):
    rng = random.Random(0)
    one = [" ".join(rng.choices(TOPICS[topic], k=40)) for topic in TOPICS]
    every = [word for topic in TOPICS.values() for word in topic]
    mixed = [" ".join(rng.choices(every, k=40)) for _ in range(4)]
    raw = part.measure(batch(*one, *mixed))
    assert raw[:4].max() < raw[4:].min()
    assert part.better == -1


def test_the_reason_names_the_main_topics_by_their_words(part):
    output = batch("Graph nodes pass a message to each neighbour of the graph, a network of edge and node, xyzzy.")
    raw = part.measure(output)
    why = part.explain(output, 0, raw[0])
    assert any(word in why for word in ("graph", "node", "message", "neighbour"))
    assert f"perplexity {raw[0]:,.0f}" in why


@pytest.mark.parametrize(
    ("text", "why"), [("", "no words"), ("?! 12", "no words"), ("xyzzy plugh", "none of its words")]
)
def test_a_text_without_a_known_word_has_no_number(part, text, why):
    nothing = batch(text)
    assert np.isnan(part.measure(nothing)).all()
    assert why in part.explain(nothing, 0, math.nan)


def test_very_long_and_very_odd_texts_are_measured_like_others(part):
    odd = batch("graph " * 50_000, " ".join(part.model.vocabulary), "\ud800 graph \x00", "图 graph")
    assert np.isfinite(part.measure(odd)).all()


def test_the_same_seed_learns_the_same_topics(part):
    again = Coherence.fit(corpus_of(made_up_papers(200)), topics=4, seed=0)
    assert (again.model.phi == part.model.phi).all()


def test_it_comes_back_from_plain_arrays_and_a_list_of_words(part):
    state = part.state()
    ideas = batch("graph node message", "protein fold")
    assert (Coherence.of_state(state).measure(ideas) == part.measure(ideas)).all()
    assert state.files["vocabulary.txt"].decode().split() == list(part.model.vocabulary)


@pytest.mark.parametrize(
    "damage",
    [
        lambda phi: phi[:, 1:],
        lambda phi: phi * np.nan,
        lambda phi: -phi,
        lambda phi: phi[0],
        lambda phi: phi * 3,
    ],
)
def test_damaged_topics_are_refused(part, damage):
    state = part.state()
    with pytest.raises(ValueError, match="topics"):
        Coherence.of_state(ModelState({"phi": damage(state.arrays["phi"])}, state.facts, state.files))


def test_few_papers_have_few_topics():
    texts = ["graph node", "cell wall", "orbit planet"] * 4
    assert fit_topics(texts, topics=50, seed=0).phi.shape == (2, 6)


def test_papers_without_common_words_have_no_topics_and_say_so():
    part = Coherence.fit(corpus_of(made_up_papers(40, abstract="", summary="图神经网络", title="消息传递")), topics=4)
    idea = batch("图神经网络")
    for same in (part, Coherence.of_state(part.state())):
        assert np.isnan(same.measure(idea)).all()
        assert "too few words for a topic model" in same.explain(idea, 0, math.nan)


def test_a_vocabulary_leaves_out_what_is_rare_what_is_everywhere_and_stop_words():
    texts = ["graph node the"] * 3 + ["cell wall the"] * 3 + ["orbit the graph"]
    assert vocabulary(texts, most=10, fewest_texts=2, left_out=frozenset({"wall"})) == ["cell", "node"]
    assert vocabulary(texts, most=1, fewest_texts=1, left_out=frozenset()) == ["cell"]


def test_words_are_counted_in_lower_case_without_numbers():
    assert words("The GRAPH2vec of 12 é-mails!") == ["the", "graph", "vec", "mails"]
    found = counts(["graph Graph node", "", "node"], {"graph": 0, "node": 1})
    assert found.starts.tolist() == [0, 2, 2, 3]
    assert found.word.tolist() == [0, 1, 1]
    assert found.times.tolist() == [2, 1, 1]
    assert found.totals.tolist() == [3, 0, 1]
