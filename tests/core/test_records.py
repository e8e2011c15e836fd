"""Records: immutable, with an id that follows from what they say, and the same after a trip through JSON."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from novum.core import (
    Chain,
    Citation,
    Idea,
    Identifiers,
    Link,
    Match,
    Paper,
    Rating,
    Score,
    Topic,
    Verdict,
    normal_title,
    shorten,
)

words = st.text(max_size=60)


@given(title=words, year=st.none() | st.integers(1900, 2030), abstract=words)
def test_a_paper_survives_the_trip_through_json(title, year, abstract):
    paper = Paper(title=title, year=year, abstract=abstract, authors=("Ada Lovelace",), ids=Identifiers(doi="10.1/x"))
    again = Paper.model_validate_json(paper.model_dump_json())
    assert again == paper
    assert again.id == paper.id


def test_two_sources_that_agree_on_title_and_year_agree_on_the_paper():
    ours = Paper(title="Attention Is All You Need", year=2017, venue="NeurIPS")
    theirs = Paper(title="attention is all you  need.", year=2017, authors=("A. Vaswani",))
    assert ours.id == theirs.id


def test_the_same_title_in_another_year_is_another_paper():
    assert Paper(title="Editorial", year=2001).id != Paper(title="Editorial", year=2002).id


def test_a_record_cannot_be_changed_in_place():
    topic = Topic(text="protein design")
    with pytest.raises(ValidationError):
        topic.text = "something else"


def test_a_changed_copy_is_validated_and_has_its_own_id():
    topic = Topic(text="protein design")
    assert topic.but(text="enzyme design").id != topic.id
    with pytest.raises(ValidationError):
        topic.but(text="")


def test_the_id_of_an_idea_follows_what_it_says_not_who_said_it():
    said = {"topic": "t", "title": "T", "motivation": "m", "novelty": "n", "method": "x", "summary": "s"}
    assert Idea(**said, generator="rag").id == Idea(**said, generator="spark", citations=(Citation(name="A"),)).id


@pytest.mark.parametrize(
    "record",
    [
        Chain(topic="t", query="q", links=(Link(paper=Paper(title="A", year=2001), direction="anchor", reason="r"),)),
        Match(first_id="a", second_id="b", judge="j", verdicts=(Verdict(criterion="novelty", outcome="tie"),)),
        Score(subject_id="a", metric="originality", value=None, reason="refused"),
        Rating(rater="r1", subject_id="a", criterion="clarity", value=7),
    ],
)
def test_every_record_is_the_same_after_json(record):
    again = type(record).model_validate_json(record.model_dump_json())
    assert (again, again.id) == (record, record.id)


def test_a_paper_of_unknown_date_is_never_before_a_day():
    assert not Paper(title="A").is_before(dt.date(2030, 1, 1))


@pytest.mark.parametrize(
    ("year", "day", "before"),
    [(2020, dt.date(2021, 1, 1), True), (2020, dt.date(2020, 12, 31), False), (2020, dt.date(2020, 6, 1), False)],
)
def test_a_paper_of_which_only_the_year_is_known_counts_as_public_at_its_end(year, day, before):
    assert Paper(title="A", year=year).is_before(day) is before


def test_a_known_date_counts_to_the_day():
    paper = Paper(title="A", year=2020, date=dt.date(2020, 3, 1))
    assert paper.is_before(dt.date(2020, 3, 2))
    assert not paper.is_before(dt.date(2020, 3, 1))


@given(st.text(max_size=80))
def test_the_normal_form_of_a_title_is_its_own_normal_form(title):
    assert normal_title(normal_title(title)) == normal_title(title)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Réseaux: été!", "reseaux ete"),
        ("GPT-4 — Technical Report", "gpt 4 technical report"),
        ("snake_case", "snake case"),
    ],
)
def test_titles_that_differ_in_accents_case_and_signs_are_one(one, other):
    assert normal_title(one) == normal_title(other)


@given(st.text(max_size=200), st.integers(1, 50))
def test_a_shortened_text_keeps_its_limit(text, limit):
    assert len(shorten(text, limit)) <= max(limit, 1)


@pytest.mark.parametrize(
    ("authors", "displayed"),
    [
        (("Ada Byron",), "Byron 1843"),
        (("A B", "C D"), "B & D 1843"),
        (("A B", "C D", "E F"), "B et al. 1843"),
        ((), "Notes 1843"),
    ],
)
def test_a_short_citation_is_enough_to_recognise_a_paper(authors, displayed):
    assert Paper(title="Notes", year=1843, authors=authors).short_citation == displayed


def test_an_address_prefers_the_doi():
    assert Identifiers(doi="10.1/X", arxiv="1706.03762").url == "https://doi.org/10.1/X"
    assert Identifiers(arxiv="1706.03762").url == "https://arxiv.org/abs/1706.03762"
    assert Identifiers().url is None
