"""One form and length for the ideas of a study."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novum.benchmarks.arena.common_form import TITLE_WORDS, cut_to_words, first_words
from novum.core import Idea

SENTENCES = st.lists(st.sampled_from(["One.", "Two words.", "Now three words!", "Why is that so?"]), max_size=60)


def idea(**parts):
    texts = dict.fromkeys(("title", "motivation", "novelty", "method", "summary"), "")
    return Idea(topic="t", **(texts | parts))


def words(of):
    return sum(len(text.split()) for text in (of.motivation, of.novelty, of.method))


@given(SENTENCES, SENTENCES, SENTENCES, st.integers(60, 120))
def test_no_idea_has_more_words_than_allowed_and_a_short_one_is_whole(motivation, novelty, method, most):
    written = idea(motivation=" ".join(motivation), novelty=" ".join(novelty), method=" ".join(method))
    shown = cut_to_words(written, most)
    assert words(shown) <= most
    if words(written) <= most:
        assert (shown.motivation, shown.novelty, shown.method) == (written.motivation, written.novelty, written.method)


@given(SENTENCES, st.integers(1, 40))
def test_a_text_is_cut_at_the_end_of_a_sentence(sentences, most):
    text = " ".join(sentences)
    cut = first_words(text, most)
    assert cut.endswith((".", "!", "?", "…")) or not cut
    assert text.startswith(cut.removesuffix(" …"))


def test_details_stand_in_the_method_without_headings_and_references_are_left_out():
    shown = cut_to_words(idea(method="Do it.", check="Look twice.", title="word " * 40, summary="All of it."), 100)
    assert shown.method == "Do it.\n\nLook twice."
    assert (shown.check, shown.summary, shown.citations) == ("", "", ())
    assert len(shown.title.split()) == TITLE_WORDS


def test_an_idea_of_a_summary_alone_keeps_it():
    assert cut_to_words(idea(summary="All of it."), 100).method == "All of it."


def test_a_text_is_not_cut_within_a_citation():
    text = "Robots share what they saw. Others direct messages (Das et al. 2019), or write them (e.g. Li et al. 2024)."
    assert first_words(text, 11) == "Robots share what they saw."
    assert first_words(text, 16) == "Robots share what they saw."
    assert first_words(text, 30) == text
