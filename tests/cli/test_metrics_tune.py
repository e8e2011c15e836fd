"""`novum metrics tune`: ratings and comparisons by people in, a model that agrees with them out, and honest numbers."""

from __future__ import annotations

import asyncio
import csv
import json
import shutil

import numpy as np
import pytest

from novum.core import Subject
from novum.idea_metrics.composite import SATISFACTION_WEIGHTS
from novum.idea_metrics.idea_ratings import RatingScale, read_ratings
from novum.idea_metrics.model import FittedMetrics
from novum.idea_metrics.rated_ideas import rated_ideas
from novum.literature import StaticEmbedder
from tests.idea_metrics.made_up import made_up_papers

from .learnt import learn


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("learnt"))


@pytest.fixture
def home(learnt, tmp_path):
    return shutil.copytree(learnt, tmp_path / "home")


def rated(place, count=48, **more):
    """Two raters who like speech, on a scale from 1 to 10."""
    with place.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["title", "abstract", "topic", "rating", "criterion", "rater", "low", "high"])
        writer.writeheader()
        for number, paper in enumerate(made_up_papers(count, seed=7)):
            likes = 8 if "speech" in paper.fields else 3
            for rater in ("ada", "bob"):
                row = {"title": paper.title, "abstract": paper.abstract, "topic": "speech", "rater": rater}
                writer.writerow(row | {"rating": likes + number % 2, "low": 1, "high": 10} | more)
    return str(place)


def test_tuning_writes_a_new_model_that_has_learnt_what_people_said(here, home, tmp_path):
    done = here("metrics", "tune", "--ratings", rated(tmp_path / "r.csv"), "--name", "mine")
    assert done.code == 0, done.err
    assert "48 ideas, 96 ratings by 2 raters" in done.out
    assert "Pearson" in done.out
    card = json.loads((home / "metrics" / "mine" / "card.json").read_text())
    assert card["settings"]["name"] == "mine"
    assert card["quality"]["feedback"]["learnt_from"] == "ratings"
    assert card["quality"]["User Satisfaction Score, tuned"]["rated_ideas"] == 48
    assert sum(card["satisfaction_weights"].values()) == pytest.approx(1)
    assert card["satisfaction_weights"] != dict(SATISFACTION_WEIGHTS)
    untouched = json.loads((home / "metrics" / "default" / "card.json").read_text())
    assert untouched["satisfaction_weights"] == dict(SATISFACTION_WEIGHTS)


def test_a_tuned_model_scores_what_people_like_higher(here, home, tmp_path):
    here("metrics", "tune", "--ratings", rated(tmp_path / "r.csv"))
    model = FittedMetrics.load(home / "metrics" / "default", StaticEmbedder())
    speech = Subject(title="Voice and accent of a speaker", text="Speech recognition of an acoustic phoneme in noise.")
    rain = Subject(title="Rain and drought", text="A forecast of ocean temperature and carbon in the atmosphere.")
    liked, other = asyncio.run(model.score([speech, rain]))
    assert liked.parts["feedback"].scaled > other.parts["feedback"].scaled
    assert "48 ratings by people" in liked.parts["feedback"].why
    columns = rated_ideas([liked], model.card.satisfaction_weights, np.ones(1)).columns
    assert columns[0, 4] == liked.parts["feedback"].scaled


def test_a_dry_run_writes_nothing_and_json_says_all(here, home, tmp_path):
    before = (home / "metrics" / "default" / "card.json").read_bytes()
    done = here(
        "metrics", "tune", "--ratings", rated(tmp_path / "r.csv"), "--dry-run", "--json", "--ablation", "--creativity"
    )
    told = json.loads(done.out)
    assert told["written"] is None
    assert told["ideas"] == 48
    assert [line["name"] for line in told["satisfaction"]["lines"]][2] == "tuned"
    assert {name: len(rows) for name, rows in told["ablation"].items()} == {"creativity": 5, "satisfaction": 6}
    assert told["creativity"]["rated"] == 48
    assert (home / "metrics" / "default" / "card.json").read_bytes() == before


def by_chance(place, count=40, top=5):
    """Ratings that have nothing to do with the ideas."""
    rng = np.random.default_rng(3)
    with place.open("w") as file:
        for paper in made_up_papers(count, seed=7):
            row = {"title": paper.title, "text": paper.abstract, "rating": int(rng.integers(1, top + 1))}
            file.write(json.dumps(row) + "\n")
    return str(place)


def test_what_agrees_no_better_than_before_is_not_written_unless_it_is_wanted(here, home, tmp_path):
    before = (home / "metrics" / "default" / "card.json").read_bytes()
    done = here("metrics", "tune", "--ratings", by_chance(tmp_path / "r.jsonl"))
    assert done.code == 0, done.err
    assert "the weights stay as they are" in done.out
    assert "--force" in done.out
    assert "Nothing was written; the model is unchanged." in done.out
    assert (home / "metrics" / "default" / "card.json").read_bytes() == before
    told = json.loads(here("metrics", "tune", "--ratings", "r.jsonl", "--force", "--name", "trial", "--json").out)
    assert (told["better"], told["taken"]) == (False, {"satisfaction": True, "creativity": False})
    assert (home / "metrics" / "trial" / "card.json").is_file()


def test_what_was_learnt_before_stays_where_new_ratings_teach_nothing(here, home, tmp_path):
    assert here("metrics", "tune", "--ratings", rated(tmp_path / "r.csv")).code == 0
    before = {file: file.read_bytes() for file in (home / "metrics" / "default").glob("*.json")}
    assert here("metrics", "tune", "--ratings", by_chance(tmp_path / "r.jsonl")).code == 0
    assert {file: file.read_bytes() for file in before} == before


def test_ratings_of_another_scale_are_not_read_by_halves(here, home, tmp_path):
    """Of ratings from 1 to 10 those up to 5 would pass as being from 1 to 5."""
    done = here("metrics", "tune", "--ratings", by_chance(tmp_path / "r.jsonl", top=10))
    assert done.code == 2
    assert "they go from 6 to 10" in done.err
    assert "--scale 1-10" in done.err
    assert here("metrics", "tune", "--ratings", "r.jsonl", "--scale", "1-10", "--dry-run").code == 0


def test_a_rater_who_says_a_thing_twice_has_one_voice(tmp_path):
    rows = [{"title": "Bees", "rating": value, "rater": who} for who, value in (("ada", 5), ("ada", 5), ("bob", 1))]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    read = read_ratings([tmp_path / "r.jsonl"], RatingScale(1, 5))
    assert (read.overall.tolist(), read.ratings, read.repeated) == ([0.5], 3, 1)


def test_a_comparison_told_the_other_way_round_is_the_same_pair(tmp_path):
    rows = [{"a": "Bees", "b": "Fog", "preference": 2}, {"a": "Fog", "b": "Bees", "preference": 4}]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (pair,) = read_ratings([tmp_path / "r.jsonl"], RatingScale(1, 5)).preference_pairs()
    assert (pair.first, pair.second, pair.preference) == (0, 1, 2)


def test_comparisons_teach_too(here, home, tmp_path):
    papers = made_up_papers(60, seed=9)
    with (tmp_path / "pairs.jsonl").open("w") as file:
        for first, second in zip(papers[::2], papers[1::2], strict=True):
            ends = [{"title": each.title, "text": each.abstract} for each in (first, second)]
            better = 1 if "graphs" in first.fields else 4
            file.write(json.dumps({"a": ends[0], "b": ends[1], "preference": better, "rater": "ada"}) + "\n")
    done = here("metrics", "tune", "--ratings", "pairs.jsonl", "--dry-run", "--ablation")
    assert done.code == 0, done.err
    assert "On pairs (appendix F)" in done.out
    assert "Table 4" in done.out
    assert "Nothing was written" in done.out


def test_rows_that_cannot_be_read_are_told_with_their_number(here, home, tmp_path):
    file = tmp_path / "r.jsonl"
    good = [{"title": p.title, "text": p.abstract, "rating": 1 + n % 5} for n, p in enumerate(made_up_papers(24))]
    bad = [
        {"title": "x", "rating": 9}, {"title": "x"}, {"rating": 3}, {"title": "x", "rating": "good"},
        {"title": "x", "rating": 3, "low": 5, "high": 1}, {"a": "x", "b": "y", "preference": 7},
        {"a": "x", "b": "x", "preference": 1}, {"a": "x", "preference": 1}, {"title": "12 + 3", "rating": 4},
        {"title": "7", "text": "12 " * 10_000, "rating": 4},
    ]  # fmt: skip
    file.write_text("not json\n" + "".join(json.dumps(row) + "\n" for row in [*bad, *good]))
    done = here("metrics", "tune", "--ratings", str(file), "--dry-run")
    assert done.code == 0, done.err
    for row, why in [
        (1, "no JSON"), (2, "9 is not from 1 to 5"), (3, "rating is missing"), (4, "neither a title nor a text"),
        (5, "'good', no number"), (6, "not below high"), (7, "none of 1, 2"), (8, "same idea"), (9, "b says nothing"),
    ]:  # fmt: skip
        assert any(f"row {row}: " in line and why in line for line in done.lines), (row, why, done.err)
    assert "there are no words in it" in done.err
    assert "24 ideas" in done.out


@pytest.mark.parametrize(
    ("content", "arguments", "why"),
    [
        ("title,rating\n", (), "holds no ratings"),
        ("title,rating\nGraphs that learn,4\n", (), "There is 1 rated idea"),
        ("title,rating\nGraphs that learn,4\n", ("--scale", "5"), "no scale"),
        ("title,rating\nGraphs that learn,4\n", ("--metrics", "nobody"), "no fitted model"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused_in_a_line(here, home, tmp_path, content, arguments, why):
    (tmp_path / "r.csv").write_text(content)
    done = here("metrics", "tune", "--ratings", "r.csv", *arguments)
    assert done.code == 2
    assert why in done.err
    assert len(done.lines) == 1
