"""Which keywords rise and which fade."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Paper
from novum.literature import Filters, Library
from novum.literature.search.ranking.growth import KeywordCounts, growth, trends
from novum.literature.search.ranking.keywords import keywords
from tests.literature.conftest import entry, paper


def test_keywords_are_fields_and_groups_of_words_without_stop_words() -> None:
    about = paper("A Study of Large Language Models", fields=("Language  Models",), abstract="We use C++ for the web.")
    assert keywords(about) == {
        "language models", "large language", "large language models", "language", "c++", "web",
    }  # fmt: skip
    assert "web" not in keywords(about, abstract=False)


def test_groups_do_not_reach_over_the_end_of_a_phrase() -> None:
    assert "models llms" not in keywords(paper("x", abstract="Language models (LLMs). Robots walk."))
    assert "llms robots" not in keywords(paper("x", abstract="Language models (LLMs). Robots walk."))


def test_addresses_and_lost_characters_are_no_keywords() -> None:
    assert keywords(paper("Kites", abstract="See https://github.com/kites/x and (cid:12).")) == {"kites"}


@given(st.text(max_size=300))
@settings(max_examples=50)
def test_any_text_has_keywords_or_none(text: str) -> None:
    assert all(found.strip() and len(found.split()) <= 3 for found in keywords(Paper(title="x", abstract=text)))


def test_the_trend_of_a_keyword_is_that_of_its_share() -> None:
    years, totals = np.arange(2010.0, 2020.0), np.full(10, 100.0)
    steady, rising = np.full(10, 20.0), np.arange(2.0, 22.0, 2.0)
    slopes, z = trends(np.array([steady, rising, rising[::-1]]), totals, years)
    assert (slopes[0], z[0]) == (pytest.approx(0), pytest.approx(0))
    assert z[1] == pytest.approx(-z[2])
    assert z[1] > 3
    assert slopes[1] > 0
    # The Cochran-Armitage statistic by hand: T / sqrt(p (1-p) N sum of squared distances).
    distance, p = years - years.mean(), rising.sum() / 1000
    assert z[1] == pytest.approx((rising - 100 * p) @ distance / np.sqrt(p * (1 - p) * 100 * (distance**2).sum()))


def corpus(seed: int = 0, growing: int = 1) -> Iterator[Paper]:
    """Papers of ten years: of kites ever more of them, of steam ever fewer, of bread always a third."""
    chance = random.Random(seed)
    for year in range(2010, 2020):
        for n in range(40 + growing * (year - 2010) * 10):
            words = [word for word, share in _shares(year).items() if chance.random() < share]
            yield paper(f"Number {n} of {year}", year, abstract=". ".join([*words, "Ovens"]))


def _shares(year: int) -> dict[str, float]:
    return {"kites": 0.05 + (year - 2010) * 0.05, "steam engines": 0.5 - (year - 2010) * 0.05, "bread": 0.33}


@pytest.mark.parametrize("growing", [0, 1])
def test_rising_and_fading_keywords_are_found_however_the_field_grows(growing: int) -> None:
    counted = KeywordCounts()
    counted.add(corpus(growing=growing))
    found = growth(counted, 5)
    assert [one.keyword for one in found.rising] == ["kites"]
    assert [one.keyword for one in found.fading] == ["steam engines"]
    rises = found.rising[0]
    assert rises.growth > 1.1
    assert rises.z > 3
    assert list(rises.papers) == list(range(2010, 2020))
    assert rises.shares[2019] == rises.papers[2019] / found.papers[2019]


def test_a_part_of_a_keyword_does_not_stand_beside_it() -> None:
    counted = KeywordCounts()
    counted.add(corpus())
    assert "steam" not in {one.keyword for one in growth(counted, 50, surely=0).fading}


def test_where_years_or_papers_are_missing_there_is_no_trend() -> None:
    counted = KeywordCounts()
    assert growth(counted, 5).rising == ()
    counted.add([paper("Kites", None), paper("Kites", 2010)])
    assert growth(counted, 5, fewest=1).papers == {2010: 1}
    assert growth(counted, 5, fewest=1).rising == ()


def test_memory_is_bounded_and_frequent_keywords_survive_it() -> None:
    counted = KeywordCounts(most=500)
    noise = (paper(f"Kites {n:x}aa {n:x}bb", 2010 + n % 5) for n in range(2000))
    counted.add(noise)
    assert sum(map(len, counted.by_year.values())) <= 500 + 10
    assert counted.totals()["kites"] == 2000


def test_a_library_is_asked_as_a_whole_or_around_a_question(library: Library) -> None:
    library.add([entry(one) for one in corpus()])
    library.add([entry(paper(f"Ships at Sea {n}", 2010 + n % 10)) for n in range(50)])
    whole = asyncio.run(library.keyword_growth(k=3))
    assert [one.keyword for one in whole.rising] == ["kites"]
    assert sum(whole.papers.values()) == library.stats().papers
    around = asyncio.run(library.keyword_growth("ships at sea", neighbourhood=50))
    assert sum(around.papers.values()) == 50
    old = asyncio.run(library.keyword_growth(filters=Filters.model_validate({"before": "2015-01-01"})))
    assert max(old.papers) == 2014
