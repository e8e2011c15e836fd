"""Pairs to learn from: near misses that differ in worth alone, in splits that tell each other nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import faiss
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Subject, normal_title
from novum.errors import BadInput
from novum.training.preferences.balance import ScoredPair, balanced, imbalance_of
from novum.training.preferences.choosing import rows_of
from novum.training.preferences.pool import PairCandidate, build_pool, candidates_of_ideas
from novum.training.preferences.splitting import best_cuts, split_topics
from tests.training.made_up import Taste, literature, made, pairs_by_id

SEEDS = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=3)
"""Each example is a whole data set; `test_many_literatures_hold_no_leak` makes more of them."""


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Small clusterings cost more in waiting threads than in work."""
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    yield
    faiss.omp_set_num_threads(before)


def pairs_in(preferences):
    return [pair for split in preferences.chosen.splits for pair in split]


# No leak


def assert_without_leak(preferences, duplicate):
    """Later years, other topics, other papers, other texts."""
    pool, of = preferences.pool, preferences.topics.of
    rows = [rows_of(split) for split in preferences.chosen.splits]
    for earlier, later in combinations(rows, 2):
        assert pool.years[earlier].max() < pool.years[later].min()
        assert set(of[earlier]).isdisjoint(of[later])
        titles = [{normal_title(pool.candidates[row].subject.title) for row in side} for side in (earlier, later)]
        assert titles[0].isdisjoint(titles[1])
        assert (pool.vectors[earlier] @ pool.vectors[later].T).max() <= duplicate + 1e-6


LITERATURES = given(SEEDS, st.integers(5, 12), st.sampled_from([0.7, 0.9, 0.97]))


@FEW
@LITERATURES
def test_no_split_reveals_anything_of_another(seed, topics, duplicate):
    assert_without_leak(made(*literature(seed, topics=topics), duplicate=duplicate), duplicate)


@pytest.mark.slow
@settings(max_examples=100)
@LITERATURES
def test_many_literatures_hold_no_leak(seed, topics, duplicate):
    assert_without_leak(made(*literature(seed, topics=topics), duplicate=duplicate), duplicate)


def test_a_text_that_occurs_twice_stays_in_the_later_split_alone():
    """The same account under another title, in the year and on the topic of another split."""
    candidates, vectors = literature(5)
    before = made(candidates, vectors)
    tested = int(before.chosen.splits[2][0].chosen)
    original = before.pool.candidates[tested]
    trained = next(at for at, one in enumerate(candidates) if one.id == pairs_by_id(before)[0][0][0])
    vectors[trained] = before.pool.vectors[tested]
    after = made(candidates, vectors)
    ids = [{one for pair in split for one in pair} for split in pairs_by_id(after)]
    assert not (candidates[trained].id in ids[0] and original.id in ids[2])


def test_of_two_papers_with_one_title_the_earlier_stands_for_both():
    candidates, vectors = literature(1)
    again = replace(candidates[0], id="paper-again", year=2023)
    pool = build_pool([*candidates, again], np.vstack([vectors, vectors[:1]]), dated=True)
    assert "paper-again" not in {one.id for one in pool.candidates}
    assert pool.dropped == {"another one has the same title": 1}


# What a pair is


@FEW
@given(SEEDS, st.floats(0.02, 0.3), st.floats(0.0, 0.5), st.floats(1.05, 1.5), st.integers(0, 4), st.integers(1, 4))
def test_every_pair_keeps_to_what_was_asked(seed, margin, similarity, ratio, years, uses):
    """The margin in both scores, nearness, lengths, years, uses."""
    preferences = made(
        *literature(seed), margin=margin, similarity_from=similarity, length_ratio=ratio, years_apart=years, uses=uses
    )
    pool, scores = preferences.pool, preferences.scores
    known = np.sort(scores.creativity)
    used = np.bincount([row for pair in pairs_in(preferences) for row in (pair.chosen, pair.rejected)])
    assert used.max() <= uses
    for pair in pairs_in(preferences):
        chosen, rejected = pair.chosen, pair.rejected
        assert scores.creativity[chosen] > scores.creativity[rejected]
        assert scores.satisfaction[chosen] > scores.satisfaction[rejected]
        between = np.searchsorted(known, scores.creativity[[rejected, chosen]])
        assert between[1] - between[0] >= margin * len(known) - 1e-6
        assert similarity - 1e-6 <= pool.vectors[chosen] @ pool.vectors[rejected] <= 0.9 + 1e-6
        assert max(pool.words[[chosen, rejected]]) <= ratio * min(pool.words[[chosen, rejected]]) + 1e-6
        assert abs(pool.years[chosen] - pool.years[rejected]) <= years
        assert preferences.topics.of[chosen] == preferences.topics.of[rejected] >= 0


def test_the_scores_of_a_pair_are_those_that_the_model_gives_for_its_topic():
    taste = Taste()
    preferences = made(*literature(2), taste)
    for pair in pairs_in(preferences)[:50]:
        subjects = [preferences.subject(row) for row in (pair.chosen, pair.rejected)]
        assert subjects[0].topic == subjects[1].topic != ""
        expected = [preferences.scores.creativity[row] for row in (pair.chosen, pair.rejected)]
        assert [taste.card(subject).creativity.value for subject in subjects] == expected


def test_nothing_is_embedded_twice():
    """Candidates come with their vectors; of each topic its name is embedded, once for all of its ideas."""
    taste = Taste()
    preferences = made(*literature(2), taste)
    embedded = taste.embedder.texts
    assert len(embedded) == len(set(embedded))
    assert set(embedded) <= set(preferences.topics.names)


def test_the_way_of_originality_can_be_chosen():
    published, corrected = (made(*literature(2), originality=way).scores for way in ("published", "corrected"))
    assert (published.creativity == published.satisfaction).all()  # as this scorer has it
    assert (corrected.creativity != published.creativity).any()


def test_a_rejected_idea_is_as_near_as_there_is_one():
    """Of all that a chosen idea might have been set against, those that were taken lie nearer than most."""
    preferences = made(*literature(3, papers=800), uses=1)
    pool, of = preferences.pool, preferences.topics.of
    nearer = []
    for pair in pairs_in(preferences):
        others = np.flatnonzero(of == of[pair.chosen])
        nearer.append(np.mean(pool.vectors[others] @ pool.vectors[pair.chosen] < pair.similarity))
    assert np.mean(nearer) > 0.5


# Balance


@FEW
@given(SEEDS)
def test_length_does_not_tell_the_chosen_one_though_the_scores_like_it(seed):
    preferences = made(*literature(seed, papers=400), Taste(length=1.0))
    pairs = pairs_in(preferences)
    assert abs(sum(imbalance_of(pair, preferences.pool).length for pair in pairs)) <= max(3, 0.1 * len(pairs))


def test_of_what_cannot_be_balanced_a_quarter_is_kept():
    """Where every chosen one is the longer, a set that leans is better than none."""
    candidates, vectors = literature(4, papers=40)
    pool = replace(build_pool(candidates, vectors, dated=True), words=np.arange(40), years=np.zeros(40, dtype=int))
    pairs = [ScoredPair(number + 1, number, 0.7, 1.0) for number in range(30)]
    assert len(balanced(pairs, pool, 30)) == 8
    mixed = [
        pair if number % 2 else ScoredPair(pair.rejected, pair.chosen, 0.7, 1.0) for number, pair in enumerate(pairs)
    ]
    assert len(balanced(mixed, pool, 30)) == 30
    assert len(balanced(mixed, pool, 7)) == 7


# Splits


@FEW
@given(SEEDS)
def test_splits_are_near_their_shares_where_there_is_enough(seed):
    sizes = np.array([len(split) for split in made(*literature(seed, papers=1000, topics=40)).chosen.splits])
    assert np.allclose(sizes / sizes.sum(), [0.8, 0.1, 0.1], atol=0.08)


@given(st.lists(st.tuples(*[st.integers(0, 50)] * 3), min_size=1, max_size=60), SEEDS)
def test_every_topic_goes_to_one_split_that_it_has_pairs_for(counts, seed):
    pairs = np.array(counts)
    of = split_topics(pairs, seed).of
    assert of.shape == (len(pairs),)
    assert all(split == -1 or pairs[topic, split] > 0 for topic, split in enumerate(of))


def test_topics_whose_time_came_late_are_tested_on():
    """Two topics of the future lose nothing in the test set; those of all times stay in training."""
    pairs = np.array([[80, 10, 10]] * 10 + [[0, 0, 50]] * 2 + [[0, 50, 0]] * 2)
    of = split_topics(pairs, 0).of
    assert set(of[10:12]) == {2}
    assert set(of[12:]) == {1}
    assert set(of[:10]) == {0}


def test_cuts_leave_every_stretch_something():
    topics, years = np.repeat(np.arange(20), 30), np.tile(np.arange(2000, 2030), 20)
    cuts = best_cuts(topics, years, 0)
    assert cuts is not None
    assert np.bincount(cuts.stretch(years)).min() > 0
    assert best_cuts(topics, np.where(years % 2, 2001, 2000), 0) is None


# Always the same


@FEW
@given(SEEDS, st.randoms(use_true_random=False))
def test_the_order_in_which_papers_come_does_not_matter(seed, shuffler):
    candidates, vectors = literature(seed, papers=300, topics=6)
    order = list(range(len(candidates)))
    shuffler.shuffle(order)
    mixed = [candidates[at] for at in order], vectors[order]
    assert pairs_by_id(made(candidates, vectors, seed=seed % 7)) == pairs_by_id(made(*mixed, seed=seed % 7))


def test_another_seed_makes_another_set():
    corpus = literature(6, papers=500, topics=25)
    assert pairs_by_id(made(*corpus, seed=1, most=100)) == pairs_by_id(made(*corpus, seed=1, most=100))
    assert pairs_by_id(made(*corpus, seed=1, most=100)) != pairs_by_id(made(*corpus, seed=2, most=100))


def test_no_more_pairs_than_asked_for():
    preferences = made(*literature(6, papers=500, topics=25), most=60, per_topic=4)
    assert len(pairs_in(preferences)) <= 60
    of = preferences.topics.of
    assert np.bincount([of[pair.chosen] for pair in pairs_in(preferences)]).max() <= 4


# Topics


def test_a_topic_is_named_by_many_titles_and_never_reveals_one():
    preferences = made(*literature(7))
    titles = [normal_title(one.subject.title) for one in preferences.pool.candidates]
    for name in preferences.topics.names:
        for phrase in name.split(", "):
            assert sum(f" {phrase} " in f" {title} " for title in titles) >= 3


def test_ideas_keep_the_topics_that_they_were_made_for():
    candidates, vectors = literature(8, papers=300, topics=10)
    ideas = [replace(one, generated=True, topic=f"Topic  {number % 10}") for number, one in enumerate(candidates)]
    preferences = made(ideas, vectors, apart="topic", overlap=0.9)
    assert {name.split()[0] for name in preferences.topics.names} == {"Topic"}
    assert all(pair.overlap == 1 for pair in pairs_in(preferences))


def test_an_idea_is_dated_by_the_newest_paper_that_it_builds_on():
    subject = Subject(title="New", text="idea", topic="t", references=("a", "b", "c"))
    years = {"a": 2011, "b": 2017}
    undated = Subject(title="Other", text="idea")
    assert [one.year for one in candidates_of_ideas([subject, undated], years.get, now=2024)] == [2018, 2024]
    assert candidates_of_ideas([subject], {"a": 2024}.get, now=2024)[0].year == 2024


# What cannot be used


def test_what_does_not_come_in_is_counted_with_its_reason():
    candidates, vectors = literature(9)
    short = PairCandidate("paper-short", Subject(title="Brief", text="too little"), False, 2015)
    long = PairCandidate("paper-long", Subject(title="Long", text="word " * 700), False, 2015)
    undated = replace(candidates[0], id="paper-undated", year=None, subject=Subject(title="When", text="w " * 80))
    nowhere = replace(undated, id="paper-zero", year=2015, subject=Subject(title="Zero", text="?? " * 80))
    more = [short, long, undated, nowhere]
    rows = np.vstack([vectors, vectors[:3], np.zeros((1, vectors.shape[1]), dtype=np.float32)])
    preferences = made([*candidates, *more], rows, Taste(silent={candidates[5].subject.title}))
    assert preferences.dropped == {
        "fewer than 40 words": 1, "more than 600 words": 1, "its year is unknown": 1, "nothing to embed": 1,
        "no score": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("papers", "years", "changes", "complaint"),
    [
        (300, [2020], {}, "--apart topic"),
        (300, range(2010, 2020), {"margin": 0.99}, "Lower --margin"),
        (12, range(2010, 2020), {}, "nothing is left for|No two ideas"),
    ],
)
def test_a_library_that_cannot_be_split_is_refused_with_a_way_out(papers, years, changes, complaint):
    with pytest.raises(BadInput, match=complaint):
        made(*literature(0, papers=papers, years=list(years)), **changes)


def test_where_all_say_the_same_the_refusal_says_so_and_offers_no_way_that_was_taken():
    """Ideas for ten topics, of which each tells what the others tell."""
    candidates, vectors = literature(0, papers=200)
    ideas = [replace(one, generated=True, topic=f"Topic {number % 10}") for number, one in enumerate(candidates)]
    with pytest.raises(BadInput, match="in nearly the same words") as refused:
        made(ideas, np.tile(vectors[:1], (200, 1)), apart="topic", similarity_to=1)
    assert "--apart topic" not in str(refused.value)


def test_papers_of_one_year_can_be_split_by_topic():
    preferences = made(*literature(0, papers=600, topics=30, years=[2020]), apart="topic")
    assert all(preferences.chosen.splits)


def test_nothing_at_all_is_refused():
    with pytest.raises(BadInput, match="None of 0 ideas"):
        made([], np.zeros((0, 4), dtype=np.float32))
