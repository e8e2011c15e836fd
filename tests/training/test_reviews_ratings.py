"""Ratings in every form that reviewers use, on the scales of their venues; decisions; languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.training.reviews.decisions import parse_decision
from novum.training.reviews.languages import other_language
from novum.training.reviews.ratings import parse_rating
from novum.training.reviews.scales import ObservedScales, Scale, known_scales, to_unit_scale


@pytest.mark.parametrize(
    ("raw", "form", "value"),
    [
        ("8: Top 50% of accepted papers, clear accept", "number", 8),
        ("3 (weak reject)", "number", 3),
        ("6", "number", 6),
        ("6.5", "number", 6.5),
        ("7/10", "number", 7),
        ("3.5 = Good", "number", 3.5),
        ("Rating: 6", "number", 6),
        ("Weak Reject (3)", "number", 3),
        ("4 out of 5", "number", 4),
        ("8, clear accept", "number", 8),
        ("6/weak accept", "number", 6),
        ("7 (out of 10)", "number", 7),
        ("Overall: 7", "number", 7),
        ("3,5", "number", 3.5),
        ("６：marginally above", "number", 6),
        ("3-4", "unreadable", None),
        ("5/10/2020", "unreadable", None),
        ("no award", "unreadable", None),
        ("weak_reject", "words", None),
        ("N/A (conflict)", "nothing", None),
        ("N/A", "nothing", None),
        ("  ", "nothing", None),
        ("weak accept", "words", None),
        ("Accept", "words", None),
        ("no comment", "unreadable", None),
        ("-1", "unreadable", None),
        ("12ab", "unreadable", None),
    ],
)
def test_a_rating_is_read_whatever_its_form(raw, form, value):
    assert (parse_rating(raw).form, parse_rating(raw).value) == (form, value)


def test_words_alone_stand_on_seven_steps():
    steps = ["strong reject", "reject", "weak reject", "borderline", "weak accept", "accept", "strong accept"]
    scaled = [parse_rating(step).scaled for step in steps]
    assert scaled == [pytest.approx(number / 6) for number in range(7)]


def test_the_same_number_is_another_rating_at_another_venue():
    seen = ObservedScales()
    old, new = (to_unit_scale("6", seen.scale("NeurIPS", year)) for year in (2024, 2025))
    assert (old.scaled, old.high, old.scale_from) == (pytest.approx(5 / 9), 10, "venue")
    assert (new.scaled, new.high) == (1.0, 6)
    assert old.raw == new.raw == "6"


def test_a_scale_that_nobody_knows_is_guessed_from_enough_ratings_and_says_so():
    seen = ObservedScales()
    for raw in ["2", "3", "5: accept", "4", "1"] * 2:
        seen.see("Workshop on Bees", 2022, raw)
    for raw in ["3", "6"]:
        seen.see("Workshop on Ants", 2022, raw)
    assert seen.scale("workshop on bees", 2022) == Scale(1, 5, "observed")
    assert seen.scale("Workshop on Ants", 2022) is None
    assert to_unit_scale("3", None).scaled is None


@pytest.mark.parametrize(
    ("ratings", "scale"),
    [
        (["3", "8", "6", "5"] * 60 + ["85"], (1, 10)),
        (["3", "8", "6", "5"] * 5 + ["85"], (1, 10)),
        (["40", "85", "66", "12", "9"] * 3, (1, 100)),
        (["0", "2", "4", "6", "8"] * 3, (0, 10)),
        (["1", "2", "5", "3"] * 60 + ["0"], (1, 5)),
        (["1000", "999"] * 10, None),
    ],
)
def test_one_mistyped_rating_does_not_stretch_the_scale_of_all_others(ratings, scale):
    seen = ObservedScales()
    for raw in ratings:
        seen.see("Workshop on Bees", 2022, raw)
    inferred = seen.scale("Workshop on Bees", 2022)
    assert (inferred and (inferred.low, inferred.high)) == scale


def test_a_rating_that_gives_its_scale_needs_no_venue():
    rating = to_unit_scale("7/10", None)
    assert (rating.scaled, rating.scale_from) == (pytest.approx(6 / 9), "form")


def test_a_number_outside_the_scale_is_kept_and_not_scaled():
    rating = to_unit_scale("8", ObservedScales().scale("NeurIPS", 2025))
    assert (rating.value, rating.high, rating.scaled) == (8, 6, None)


def test_words_of_a_venues_own_form_are_its_numbers():
    scale = ObservedScales().scale("F1000", 2020)
    scaled = [to_unit_scale(raw, scale).scaled for raw in ("approve", "approve-with-reservations", "reject")]
    assert scaled == [1, 0.5, 0]


def test_every_known_scale_names_its_venue_in_small_letters_and_has_two_ends():
    for (venue, year), scale in known_scales().items():
        assert venue == venue.lower()
        assert 2000 < year < 2100
        assert scale.low < scale.high


@given(raw=st.text(max_size=60), scale=st.sampled_from([None, Scale(1, 10, "venue"), Scale(0, 2, "venue")]))
def test_whatever_is_given_as_a_rating_ends_between_0_and_1_or_nowhere(raw, scale):
    rating = to_unit_scale(raw, scale)
    assert rating is None or rating.scaled is None or 0 <= rating.scaled <= 1
    assert rating is None or rating.raw == raw


@pytest.mark.parametrize(
    ("words", "decision"),
    [
        ("Accept (Oral)", "accepted"),
        ("Poster", "accepted"),
        ("Reject", "rejected"),
        ("Invite to Workshop Track", "workshop"),
        ("Withdraw", "withdrawn"),
        ("Withdrawn Submission", "withdrawn"),
        ("Desk Rejected Submission", "desk-rejected"),
        ("Active", "unknown"),
        ("", "unknown"),
        ("Unknown", "unknown"),
    ],
)
def test_decisions_keep_few_kinds(words, decision):
    assert parse_decision(words) == decision


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The paper is clear and the idea is new, but it is not shown that the method works for larger graphs.", ""),
        (
            "Die Arbeit ist klar und die Idee ist neu, aber es wird nicht gezeigt, dass das Verfahren für große "
            "Graphen mit vielen Knoten auch wirklich die Ergebnisse liefert.",
            "German",
        ),
        (
            "Le papier est clair et les idées sont dans la suite des travaux, mais la méthode ne passe pas sur les "
            "graphes que les auteurs annoncent pour la suite.",
            "French",
        ),
        (
            "Artykuł przedstawia nową metodę uczenia grafów, ale autorzy nie porównują jej z innymi metodami, co "
            "sprawia, że wyniki trudno ocenić i nie wiadomo, czy metoda działa w praktyce dla większych zbiorów.",
            "another language",
        ),
        ("该论文思路清晰，但实验不足，作者应当补充更多的比较。", "another script"),
        ("Nice.", ""),
        ("$x_1 + x_2 = y$, $\\alpha \\beta \\gamma$", ""),
    ],
)
def test_another_language_is_recognised_only_where_it_is_plain(text, language):
    assert other_language(text) == language
