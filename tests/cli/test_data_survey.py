"""`novum data build survey`: forms that people fill in, and that the metrics are tuned to."""

from __future__ import annotations

import csv
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Idea
from novum.idea_metrics.idea_ratings import RatingScale, read_ratings
from novum.idea_metrics.report.survey import survey_page
from novum.idea_metrics.survey import SCALE, form_of, idea_as_text, survey_pairs

HOSTILE = '=HYPERLINK("http://x")'


def idea(number, topic="bees"):
    return Idea(
        topic=topic, title=f"Idea {number}", motivation="", novelty="", method="", summary=f"What idea {number} says."
    )


@pytest.fixture
def table(tmp_path):
    rows = [idea(number, topic).model_dump(mode="json") for topic in ("bees", "fog") for number in range(5)]
    rows.append(idea(HOSTILE).model_dump(mode="json") | {"title": HOSTILE})
    file = tmp_path / "ideas.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def filled(file, preference):
    with file.open(newline="", encoding="utf-8-sig") as opened:
        rows = list(csv.DictReader(opened))
    for row in rows:
        row["preference"] = preference(row)
    with file.open("w", newline="") as opened:
        writer = csv.DictWriter(opened, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return rows


def test_forms_come_back_as_comparisons_by_each_person(here, table, tmp_path):
    done = here("data", "build", "survey", str(table), "--pairs", "8", "--people", "2", "--out", "survey")
    assert done.code == 0, done.err
    names = sorted(file.name for file in (tmp_path / "survey").iterdir())
    assert names == ["README.md", "survey-01.csv", "survey-01.html", "survey-02.csv", "survey-02.html"]
    files = [tmp_path / "survey" / f"survey-0{person}.csv" for person in (1, 2)]
    for file in files:  # both prefer the idea with the smaller number, wherever it stands
        filled(file, lambda row: 1 if row["a"] < row["b"] else 5)
    read = read_ratings(files, RatingScale(1, 5))
    assert (read.ratings, read.raters, read.left_out) == (16, {"person 1", "person 2"}, [])
    assert len(read.pairs) == 8
    assert all(len({ratings[rater][0] for rater in ratings}) == 1 for ratings in read.pairs.values())


def test_pairs_that_are_left_out_are_reported_and_formulas_stay_text(here, table, tmp_path):
    assert here("data", "build", "survey", str(table), "--pairs", "25", "--people", "1", "--out", "s").code == 0
    file = tmp_path / "s" / "survey-01.csv"
    assert not any(line.startswith("=") for line in file.read_text().replace('"', "").split(","))
    rows = filled(file, lambda row: "" if HOSTILE in row["a"] + row["b"] else "3")
    read = read_ratings([file], RatingScale(1, 5))
    unfilled = sum(HOSTILE in row["a"] + row["b"] for row in rows)
    assert len(read.left_out) == unfilled > 0
    assert "preference is missing" in read.left_out[0]


def test_nobody_is_told_who_made_an_idea_and_every_choice_is_explained():
    pairs = survey_pairs([idea(number).model_copy(update={"generator": "secret-method"}) for number in range(4)], 3)
    page = survey_page(form_of(pairs, 1), 1)
    assert "secret-method" not in page
    assert all(words in page for words in SCALE.values())
    assert "<script" not in page


@given(st.integers(2, 12), st.integers(1, 30), st.integers(0, 99))
def test_pairs_are_of_one_topic_and_no_idea_is_everywhere(ideas, most, seed):
    pool = [idea(number, topic) for topic in ("bees", "fog") for number in range(ideas)]
    pairs = survey_pairs(pool, most, seed)
    assert len(pairs) == min(most, ideas * (ideas - 1))
    assert len({frozenset((one.id, other.id)) for one, other in pairs}) == len(pairs)
    assert all(one.topic == other.topic for one, other in pairs)
    used = Counter(each.id for pair in pairs for each in pair)
    assert max(used.values()) <= -(-2 * len(pairs) // len(pool)) + 2


@given(st.integers(0, 99), st.integers(1, 20))
def test_two_people_see_the_same_pairs_with_the_sides_exchanged(seed, person):
    pairs = survey_pairs([idea(number) for number in range(6)], 9, seed)
    one, next_one = form_of(pairs, person, seed), form_of(pairs, person + 1, seed)
    sides = {(idea_as_text(each.a), idea_as_text(each.b)) for each in one}
    assert sides == {(idea_as_text(each.b), idea_as_text(each.a)) for each in next_one}


def test_ideas_on_different_topics_make_no_survey(here, tmp_path):
    (tmp_path / "i.jsonl").write_text(
        "".join(json.dumps(idea(1, topic).model_dump(mode="json")) + "\n" for topic in ("bees", "fog"))
    )
    done = here("data", "build", "survey", "i.jsonl", "--out", "s")
    assert done.code == 2
    assert "No two ideas are on the same topic" in done.err


def test_forms_that_may_be_filled_in_are_not_replaced_unasked(here, tmp_path):
    ideas = "".join(
        json.dumps({"title": f"Idea {n}", "summary": f"Body {n}.", "topic": "bridges"}) + "\n" for n in range(3)
    )
    (tmp_path / "i.jsonl").write_text(ideas)
    assert here("data", "build", "survey", "i.jsonl", "--out", "s").code == 0
    (tmp_path / "s" / "survey-01.csv").write_text("filled in")
    again = here("data", "build", "survey", "i.jsonl", "--out", "s")
    assert again.code == 2
    assert "exists already" in again.lines[-1] and "--force" in again.lines[-1]
    assert (tmp_path / "s" / "survey-01.csv").read_text() == "filled in"
    assert here("data", "build", "survey", "i.jsonl", "--out", "s", "--force").code == 0
    assert (tmp_path / "s" / "survey-01.csv").read_text() != "filled in"
