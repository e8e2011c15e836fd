"""The keywords of a text: few, topical ones first, of any language, without signs of a query language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.literature.sources.query_words import LONG_TEXT, is_long, key_query, keywords, quoted_phrases


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("trade guilds in medieval Flanders", ["trade", "guilds", "medieval", "flanders"]),
        ("How do large models generate novel ideas?", ["large", "models", "generate", "novel", "ideas"]),
        ("Einfluss der Zünfte im mittelalterlichen Flandern", ["einfluss", "zünfte", "mittelalterlichen", "flandern"]),
        ("L'économie des guildes", ["économie", "guildes"]),
        ("Влияние гильдий на политику", ["влияние", "гильдий", "политику"]),
        ("मध्यकालीन व्यापार संघ", ["मध्यकालीन", "व्यापार", "संघ"]),
        ("中世纪的贸易行会", ["中世纪的贸易行会"]),
        ("Alzheimer's disease, APOE-ε4 and 17 T-cells", ["alzheimer", "disease", "apoe", "ε4", "cells"]),
        ("the of and", ["the", "of", "and"]),
        ("?!", []),
        ("", []),
    ],
)
def test_function_words_and_signs_are_left_out(text: str, found: list[str]) -> None:
    assert key_query(text, 10) == found


def test_words_that_every_paper_holds_are_the_first_to_go() -> None:
    text = "We propose a novel approach to improve the efficient analysis of coral bleaching in Fiji"
    assert set(keywords(text, 3)) == {"coral", "bleaching", "fiji"}


def test_what_a_long_text_repeats_and_names_comes_first() -> None:
    text = (
        "Reefs are dying. Much has been written about oceans, fishing, tourism, temperature and acid water. Bleaching "
        "of reefs follows heat; bleaching at night is rarer. In Fiji, reefs recover sooner after bleaching."
    )
    assert set(keywords(text, 3)) == {"reefs", "bleaching", "fiji"}


def test_capitals_of_a_title_are_no_names() -> None:
    title = "Ants That Carry Heavy Loads in Rain"
    assert keywords(title, 10) == keywords(title.lower(), 10)


def test_a_query_is_told_from_an_abstract() -> None:
    assert not is_long("How do trade guilds in medieval Flanders shape the politics of towns?")
    assert is_long(" ".join(f"{letter}word" for letter in "abcdefghijklmnop"))


def test_phrases_in_quotes_are_found_in_every_typography() -> None:
    phrases, rest = quoted_phrases('ants "tree of life" and “deep sea”, «vie marine» or "unclosed')
    assert phrases == ["tree of life", "deep sea", "vie marine"]
    assert key_query(rest, 10) == ["ants", "unclosed"]


@given(st.text(max_size=400), st.integers(-1, 20))
def test_keywords_of_any_text_are_few_plain_words_of_it(text: str, most: int) -> None:
    found = keywords(text, most)
    assert len(found) <= max(0, most)
    assert len(set(found)) == len(found)
    assert all(word and not any(char.isspace() or char in '"()|&!*?~:+-' for char in word) for word in found)
    assert sorted(key_query(text, most)) == sorted(found)
    assert bool(is_long(text)) <= (len(text) > LONG_TEXT)
    phrases, _ = quoted_phrases(text)
    assert all(phrase.strip() == phrase and '"' not in phrase for phrase in phrases)


@given(st.text(max_size=200), st.integers(0, 10))
def test_fewer_keywords_are_the_first_of_more(text: str, most: int) -> None:
    assert keywords(text, most) == keywords(text, most + 5)[:most]
