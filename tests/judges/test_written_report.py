"""What a report in prose says for and against, by its headings and lists; and repeated text."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.judges.loops import without_repetition
from novum.judges.written_report import review_parts

DATA = Path(os.environ.get("NOVUM_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
MADE = [
    "STRENGTHS:\n1. a thing\n\nQUESTIONS:\nWhat of it?",
    "STRENGTHS:\n- one thing\nWEAKNESSES:\n- another thing",
    "Strengths\nIt is short.\nWeaknesses\nIt says little.",
]


@pytest.mark.parametrize(
    "text",
    [
        "## Strengths\n* a good thing\n## Weaknesses\n* a bad thing",
        "**Strengths:**\na good thing\n\n**Weaknesses:** a bad thing",
        "Pros: a good thing\nCons: a bad thing",
        "Strengths And Weaknesses:\nStrengths\n1) a good thing\nWeakness\n1) a bad thing",
        "STRENGTHS AND WEAKNESSES:\n+ a good thing\n- a bad thing",
        "Strengths and weaknesses:\nS1: a good thing\nW1: a bad thing",
        "Reasons to accept:\n- a good thing\nReasons to reject:\n- a bad thing",
        "**Strengths**\n- **a good** thing\n**Weaknesses**\n- **a bad thing**",
        "3. Main strengths of the idea:\na good thing\n4. Major concerns\na bad thing",
    ],
)
def test_the_forms_of_many_venues_are_known(text):
    parts = review_parts(text)
    assert (parts.strengths, parts.against, parts.undivided) == (("a good thing",), ("a bad thing",), False)


@pytest.mark.parametrize(
    ("under", "point", "kept"),
    [
        ("LIMITATIONS", "N/A", False),
        ("LIMITATIONS", "The limitations are adequately addressed.", False),
        ("LIMITATIONS", "The limitations are addressed, but not all.", True),
        ("QUESTIONS", "Please see the weaknesses above.", False),
        ("QUESTIONS", "No further questions.", False),
        ("WEAKNESSES", "No comparison of the two.", True),
        ("WEAKNESSES", "[1] A. Byron: Turns. Letters 2001.", False),
    ],
)
def test_what_says_nothing_is_no_criticism(under, point, kept):
    assert review_parts(f"{under}:\n- {point}").against == ((point,) if kept else ())


@given(st.lists(st.text(alphabet="abcdefgh", min_size=1, max_size=5), min_size=4, max_size=12, unique=True),
       st.integers(3, 9))  # fmt: skip
def test_a_phrase_said_again_and_again_is_said_once(words, times):
    phrase = " ".join(words)
    assert without_repetition(f"Before. {phrase}\n" + f"{phrase}\n" * times + "After.") == f"Before. {phrase}\nAfter."
    assert without_repetition(f"{phrase} {phrase}") == f"{phrase} {phrase}"


def real_reviews():
    """Those of every 200th paper; a few made by hand where there are none."""
    place = DATA / "reviews.jsonl.gz"
    if not place.is_file():
        return MADE
    with gzip.open(place, "rt", encoding="utf-8") as file:
        papers = [json.loads(line) for number, line in enumerate(file) if not number % 200]
    return [each["text"] for paper in papers for each in paper["reviews"]]


def test_nearly_all_real_reviews_have_their_points_read():
    found = [review_parts(text) for text in real_reviews()]
    assert sum(bool(each.against) for each in found) >= 0.97 * len(found)
    assert sum(bool(each.strengths) for each in found) >= 0.9 * len(found)
    assert sum(each.undivided for each in found) <= 0.1 * len(found)
