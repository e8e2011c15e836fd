"""What a judge leans to, found again in verdicts that were made that way."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from novum.benchmarks.arena.statistics.judge_bias import bias_of_judges
from novum.statistics.significance import sign_flip_test
from tests.statistics.arena_pairs import judged_pair

ENTRANTS = ("acme one", "other two", "third", "fourth")
TOPICS = 30
LENGTHS = {
    (str(topic), name): 100.0 * (2 if (topic + place) % 2 else 1)
    for topic in range(TOPICS)
    for place, name in enumerate(ENTRANTS)
}
CRITERIA = ("novelty", "clarity")


def made_up(seed=0):
    """Equal entrants before a judge that is fair, one that likes its seat, length, its family, and one that breaks."""
    rng = np.random.default_rng(seed)
    leaning = {
        "fair": lambda first, second, topic: 0.0,
        "seated": lambda first, second, topic: 0.3,
        "wordy": lambda first, second, topic: 0.4 * np.sign(LENGTHS[topic, first] - LENGTHS[topic, second]),
        "fond": lambda first, second, topic: 0.4 * ((first == "acme one") - (second == "acme one")),
    }
    return [
        judged_pair(
            one, other, {name: text(rng, lean(one, other, topic)) for name in CRITERIA}, topic=topic, judge=judge
        )
        for judge, lean in leaning.items()
        for topic in map(str, range(TOPICS))
        for first, second in combinations(ENTRANTS, 2)
        for one, other in ((first, second), (second, first))
    ]


def text(rng, lean):
    sampled = rng.uniform()
    return "tie" if sampled < 0.2 else "first" if sampled < 0.2 + 0.8 * (0.5 + lean) else "second"


@pytest.fixture(scope="module")
def judges():
    families = {"fond": "acme", "fair": "other"}
    found = bias_of_judges(
        made_up(),
        lengths=LENGTHS,
        judge_families=families,
        entrant_families={"acme one": "acme", "other two": "other"},
        draws=100,
    )
    return {each.judge: each for each in found}


def test_a_fair_judge_leans_to_nothing(judges):
    fair = judges["fair"]
    for preference in (fair.first_seat, fair.longer):
        assert preference.share.low < 0.5 < preference.share.high
        assert preference.p > 0.05
    assert fair.length_points.low < 0 < fair.length_points.high
    assert fair.own_family_beyond.low < 0 < fair.own_family_beyond.high


def test_a_liking_for_the_first_position_is_measured_and_tested(judges):
    seated = judges["seated"].first_seat
    assert seated.share.low < 0.8 < seated.share.high
    assert seated.share.low > 0.5
    assert seated.p < 0.001
    assert judges["seated"].inconsistent > judges["fond"].inconsistent


def test_a_liking_for_length_is_reported_in_share_and_in_points(judges):
    wordy = judges["wordy"]
    assert wordy.longer.share.low > 0.7
    assert wordy.longer.p < 0.001
    assert wordy.length_points.low > 100


def test_a_liking_for_the_own_family_is_held_against_what_others_say_of_it(judges):
    fond = judges["fond"]
    assert fond.own_family.value > 0.75
    assert fond.own_family_beyond.low > 0.1
    assert judges["seated"].own_family.value is None  # it has no family


def test_ties_and_contradictions_are_counted(judges):
    fair = judges["fair"]
    assert (fair.asked, fair.verdicts, fair.both_orders) == (360, 720, 360)
    assert fair.ties == pytest.approx(0.2, abs=0.05)
    assert fair.inconsistent == pytest.approx(1 - 0.2**2 - 2 * 0.4**2, abs=0.08)
    assert fair.always is None


def test_a_judge_that_always_says_the_same_is_reported():
    stuck = [judged_pair(*pair, "first", topic=str(t)) for t in range(6) for pair in (("a", "b"), ("b", "a"))]
    (found,) = bias_of_judges(stuck, draws=20)
    assert (found.always, found.first_seat.share.value, found.inconsistent) == ("first", 1, 1)
    assert found.first_seat.p == pytest.approx(2 / 2**6)


def test_failures_are_counted_and_lean_to_nothing():
    refusals = [judged_pair("a", "b", None, judge="mute"), judged_pair("b", "a", None, judge="mute")]
    half = [judged_pair("a", "b", {"novelty": "first", "clarity": "tie"}), judged_pair("b", "a", {"novelty": "second"})]
    mute, partial = bias_of_judges([*refusals, *half], draws=20)
    assert (mute.asked, mute.failed, mute.verdicts, mute.ties) == (2, 2, 0, None)
    assert (mute.first_seat.share.value, mute.first_seat.p, mute.inconsistent) == (None, None, None)
    assert (partial.failed, partial.silent, partial.both_orders, partial.inconsistent) == (0, 1, 1, 0)


def test_without_lengths_that_differ_nothing_is_said_of_length():
    judged_pairs = [judged_pair(*pair, "first", topic=str(t)) for t in range(3) for pair in (("a", "b"), ("b", "a"))]
    for lengths in (None, {}, {("0", "a"): 100.0}, {(str(t), name): 100.0 for t in range(3) for name in "ab"}):
        (found,) = bias_of_judges(judged_pairs, lengths=lengths, draws=10)
        assert (found.longer.decided, found.longer.share.value, found.length_points.value) == (0, None, None)


def test_strength_cannot_pass_for_a_liking_of_the_seat():
    """The better one sat first more often, since some orders failed: only whole pairs count."""
    strong = [
        judged_pair(*pair, text, topic=str(t))
        for t in range(8)
        for pair, text in ((("a", "b"), "first"), (("b", "a"), "second"))
    ]
    lone = [
        each
        for t in range(20, 40)
        for each in (judged_pair("a", "b", "first", topic=str(t)), judged_pair("b", "a", None, topic=str(t)))
    ]
    (found,) = bias_of_judges([*strong, *lone], draws=20)
    assert (found.first_seat.share.value, found.first_seat.decided, found.first_seat.p) == (0.5, 16, None)


def test_people_who_saw_one_order_each_are_measured_by_all_they_said():
    judged_pairs = [judged_pair("a", "b", "first", topic=str(t)) for t in range(5)]
    (found,) = bias_of_judges(judged_pairs, draws=20)
    assert (found.first_seat.share.value, found.first_seat.decided, found.both_orders) == (1, 5, 0)


def test_sign_flips_of_few_and_of_many_numbers():
    assert sign_flip_test([]) is None
    assert sign_flip_test([0, 0]) is None
    assert sign_flip_test([1]) == 1
    assert sign_flip_test([1, 1, 1]) == 0.25
    assert sign_flip_test([1] * 40) == pytest.approx(1e-4, rel=0.01)
    assert sign_flip_test([1, -1] * 20) == 1
