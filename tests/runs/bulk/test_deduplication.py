"""Which ideas of a batch are returned, and which are left out as near-duplicates."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Idea
from novum.idea_metrics.near_duplicates import DistinctFilter, distinct_rows
from novum.runs.bulk.deduplication import REPEATED, SURPLUS, Deduplication, found_idea
from novum.runs.bulk.rounds import Turn


def idea(title, question=0, place=0, **parts):
    said = dict.fromkeys(("motivation", "novelty", "method", "summary"), "") | {"summary": f"About {title}."} | parts
    return found_idea(Turn(question, 0, 0), place, Idea(topic=f"question {question}", title=title, **said))


def apart(count):
    return np.eye(count, dtype=np.float32)


def titles(found):
    return [each.title for each in found]


def test_ideas_with_the_same_words_or_title_are_returned_once_whatever_the_question():
    ideas_so_far = Deduplication(near=1)
    ideas = [
        idea("One"),
        idea("Two", 1),
        idea("one!", 2, summary="Other words."),
        idea("Three", 3, summary="About One."),
    ]
    assert titles(ideas_so_far.add(ideas, apart(4))) == ["One", "Two"]
    assert [(each.found.title, each.why, each.like.title) for each in ideas_so_far.dropped] == [
        ("one!", REPEATED, "One"),
        ("Three", REPEATED, "One"),
    ]


def test_a_near_duplicate_in_a_later_round_is_recorded_with_the_idea_it_resembles():
    ideas_so_far = Deduplication(near=0.9)
    ideas_so_far.add([idea("One"), idea("Two")], apart(2))
    near_two = np.array([[0.1, 1.0]], np.float32)
    assert ideas_so_far.add([idea("Two again")], near_two) == []
    (dropped,) = ideas_so_far.dropped
    assert (dropped.like.title, round(dropped.cosine, 2)) == ("Two", 1.0)


def test_a_surplus_is_dropped_from_the_questions_with_the_most_ideas():
    ideas_so_far = Deduplication(near=1)
    ideas = [
        idea(f"{question} {place}", question, place) for question, many in enumerate((4, 1, 2)) for place in range(many)
    ]
    ideas_so_far.add(ideas, apart(7))
    assert titles(ideas_so_far.select(5)) == ["0 0", "0 1", "1 0", "2 0", "2 1"]
    assert [(each.found.title, each.why) for each in ideas_so_far.dropped] == [("0 2", SURPLUS), ("0 3", SURPLUS)]


def random_vectors(count, seed):
    return np.random.default_rng(seed).normal(size=(count, 3)).astype(np.float32)


def distinct_in_batches(vectors, sizes, similarity):
    taker, begin, kept = DistinctFilter(similarity), 0, []
    for size in sizes:
        results = list(taker.take(vectors[begin : begin + size]))
        kept += [begin + row for row, duplicate in enumerate(results) if duplicate is None]
        begin += size
    assert len(taker) == len(kept)
    return kept


@given(st.lists(st.integers(0, 12), min_size=1, max_size=4), st.floats(0.1, 0.95), st.integers(0, 1000))
def test_adding_batch_after_batch_equals_adding_all_at_once(sizes, similarity, seed):
    vectors = random_vectors(sum(sizes), seed)
    assert distinct_in_batches(vectors, sizes, similarity) == distinct_rows(vectors, similarity)


def test_many_more_than_are_compared_at_once_are_compared_with_all():
    vectors = random_vectors(700, 0)
    kept = distinct_in_batches(vectors, [300, 1, 399], 0.9)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    among = units[kept] @ units.T
    assert (among.max(axis=0) >= 0.9).all(), "what was left out is like something kept"
    assert (np.sort(among[:, kept], axis=1)[:, -2] < 0.9 + 1e-6).all(), "and what was kept is like nothing else"
