"""Judges compared with people: who agrees is told from who does not, and nothing is invented."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.benchmarks.judge_validation.measures import FEWEST_FOR_CURVE, agreement_rows, score_curve
from novum.benchmarks.judge_validation.records import JudgeOpinions
from novum.benchmarks.judge_validation.task import JudgeValidationTask, ValidatedText
from novum.benchmarks.judge_validation.texts import CLEAR, ValidationChoice, choose_texts, clear_pairs, read_texts
from novum.core import Idea
from novum.errors import BadInput


def text(number, people, group="venue 2020", **more):
    idea = Idea(topic="", title=f"Paper {number}", motivation="", novelty="", method="", summary=f"Number {number}.")
    return ValidatedText(idea=idea, group=group, people=people, **more)


def rated(count=120, seed=0):
    """Papers of two venues; four reviewers of each, and the better ones accepted."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        worth = float(rng.normal())
        ratings = tuple(float(each) for each in 5 + worth + rng.normal(0, 1, 4))
        made.append(
            text(number, worth, f"venue {2020 + number % 2}", ratings=ratings, accepted=worth > 0, predicted=worth / 9)
        )
    return made


def task_of(texts, by="rubric", judges=("server:one",)):
    return JudgeValidationTask(
        judges=judges, by=by, outcome="rating", texts=tuple(texts), pairs=clear_pairs(texts, 2, seed=1)
    )


def rows_of(task, *opinions, draws=200):
    rows, curve = agreement_rows(task, opinions, draws)
    return {row.name: row for row in rows}, curve


def scoring(name, scores):
    return JudgeOpinions(judge=name, scores=tuple(scores))


# -- what the table says ----------------------------------------------------------------------------------------------


def test_a_perfect_judge_a_reversed_one_and_one_that_says_the_same_of_all_are_told_apart():
    texts = rated()
    task = task_of(texts, judges=("a", "b", "c"))
    people = [each.people for each in texts]
    rows, _ = rows_of(
        task,
        scoring("knows", people),
        scoring("reversed", [-each for each in people]),
        scoring("constant", [0.5] * len(texts)),
    )
    assert (rows["knows"].right.value, rows["knows"].spearman.value) == (1, pytest.approx(1))
    assert rows["knows"].auc.value == 1
    assert (rows["reversed"].right.value, rows["reversed"].auc.value) == (0, 0)
    assert rows["constant"].right.value == 0.5
    assert rows["constant"].right.low is None, "an interval of no width would look like certainty"
    assert rows["constant"].spearman.value is None


def test_a_judge_whose_marks_are_the_same_in_another_order_says_the_same_of_all():
    texts = rated()
    means = [(0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3]
    assert means[0] != means[1]
    scores = [means[each.people > 0] for each in texts]
    rows, curve = rows_of(task_of(texts, judges=("a", "b")), scoring("one", scores), scoring("other", scores[::-1]))
    for name in ("one", "other", "panel"):
        assert (rows[name].right.value, rows[name].spearman.value, rows[name].auc.value) == (0.5, None, 0.5)
    assert curve is None


def test_a_judge_that_guesses_is_not_said_to_agree_and_a_panel_is_a_row_of_its_own():
    texts = rated(200)
    rng = np.random.default_rng(3)
    task = task_of(texts, judges=("a", "b"))
    guessed, knows = scoring("guesses", rng.random(200)), scoring("knows", [each.people for each in texts])
    rows, _ = rows_of(task, guessed, knows)
    assert rows["guesses"].right.low < 0.5 < rows["guesses"].right.high
    assert rows["guesses"].right.value < rows["panel"].right.value
    assert set(rows) == {"guesses", "knows", "panel", "predicted rating", "one reviewer, against the others"}
    assert 0.6 < rows["one reviewer, against the others"].right.value < 1
    assert rows["predicted rating"].right.value == 1


def test_a_pairwise_judge_is_measured_by_its_points_and_by_both_orders():
    texts = rated(60)
    task = task_of(texts, by="pair")
    points = [1.0 if texts[a].people > texts[b].people else 0.0 for a, b in task.pairs]
    rows, _ = rows_of(task, JudgeOpinions(judge="knows", points=(*points[:-1], None)))
    assert (rows["knows"].pairs, rows["knows"].right.value) == (len(points) - 1, 1)
    assert rows["knows"].spearman.value > 0.5


def test_answers_that_are_missing_count_for_nothing():
    texts = rated(40)
    scores = [None if number % 2 else each.people for number, each in enumerate(texts)]
    rows, _ = rows_of(task_of(texts), scoring("half", scores))
    assert rows["half"].texts == 20
    assert rows["half"].right.value in (1, None)


@given(st.integers(0, 2**16), st.integers(1, 4))
def test_pairs_are_of_one_group_and_people_clearly_differ_on_them(seed, opponents):
    texts = rated(40, seed)
    pairs = clear_pairs(texts, opponents, seed)
    for first, second in pairs:
        assert texts[first].group == texts[second].group
        assert abs(texts[first].people - texts[second].people) >= CLEAR
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)


@given(st.integers(10, 60), st.integers(0, 99))
def test_every_group_has_its_share_of_the_chosen_texts(most, seed):
    chosen = choose_texts(rated(80), most, seed)
    assert len(chosen) <= most
    sizes = [sum(each.group == group for each in chosen) for group in ("venue 2020", "venue 2021")]
    assert abs(sizes[0] - sizes[1]) <= 1


# -- what a score stands for -------------------------------------------------------------------------------------------


def test_a_curve_says_what_a_score_stands_for_and_how_sure_that_is():
    rng = np.random.default_rng(0)
    people = rng.normal(size=600)
    scores = 1 / (1 + np.exp(-2 * people - rng.normal(0, 0.5, 600)))
    curve = score_curve(scores, people)
    assert curve.expected(0.95) - curve.expected(0.05) > 1
    assert curve.expected(-5) == curve.expected(min(curve.scores)), "outside of what was seen it goes no further"
    expected = np.array([curve.expected(each) for each in scores])
    inside = (people >= expected + curve.low) & (people <= expected + curve.high)
    assert 0.85 < inside.mean() < 0.95


def test_too_few_texts_and_equal_scores_have_no_curve():
    people = np.linspace(-1, 1, FEWEST_FOR_CURVE)
    assert score_curve(people[:-1], people[:-1]) is None
    assert score_curve(np.ones(FEWEST_FOR_CURVE), people) is None
    assert score_curve(people, people) is not None


# -- reading ----------------------------------------------------------------------------------------------------------


def record(number, ratings, **more):
    reviews = [{"rating": each} for each in ratings]
    return {
        "title": f"Paper {number}",
        "abstract": f"Number {number}.",
        "venue": "V",
        "year": 2020,
        "reviews": reviews,
    } | more


def written(tmp_path, records):
    file = tmp_path / "reviews.jsonl.gz"
    file.write_bytes(gzip.compress("".join(json.dumps(each) + "\n" for each in records).encode()))
    return file


def test_ratings_that_no_scale_has_and_records_without_text_are_left_out_and_counted(tmp_path):
    records = [record(number, [number % 5, 3]) for number in range(20)]
    records += [record(20, [2025, 4, 4]), record(21, [3], abstract=" "), record(22, [])]
    texts, left_out = read_texts(ValidationChoice([written(tmp_path, records)]))
    assert len(texts) == 21
    assert next(each.ratings for each in texts if each.idea.title == "Paper 20") == (4, 4)
    assert left_out == {"no abstract or text": 1, "no 'rating'": 1}


def test_an_unknown_rating_is_refused_with_those_that_there_are(tmp_path):
    file = written(tmp_path, [record(number, [number % 4], scores={"fun": number}) for number in range(12)])
    with pytest.raises(
        BadInput, match=r"These ratings are in the files: rating, fun\. Choose one of them by --outcome"
    ):
        read_texts(ValidationChoice([file], outcome="funny"))
    assert len(read_texts(ValidationChoice([file], outcome="fun"))[0]) == 12
