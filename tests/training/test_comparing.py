"""Comparisons of trained models, carried out for real on a tiny base, which learns nothing worth comparing."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from novum.training.ideas.comparing import interdisciplinary

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")]
TINY = [
    "lengths.sequence=1400", "lengths.prompt=1100", "batch.rows=2", "rows.most=6", "held_out.rows=2",
    "held_out.choosing_rows=0", "held_out.times=1", "keeping.merge=false", "precision.compute=fp32",
]  # fmt: skip
SMALL = ["--most-topics", "2", "--samples", "1", "--max-tokens", "16", "--batch", "8"]
FIELDS = ["--field", "information retrieval", "--field", "language models"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    from tests.training.tiny_base import tiny_base

    return tiny_base(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def ideas(home, tmp_path_factory):
    place = tmp_path_factory.mktemp("ideas") / "set"
    novum(home, "metrics", "fit")
    novum(home, "data", "build", "ideas", "--topics", "4", "--out", place)
    return place


def novum(home, *words, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "novum", *map(str, words)], env=os.environ | {"NOVUM_HOME": str(home)},
        capture_output=True, text=True, check=False, timeout=3000,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("kind", "more", "entrants"),
    [
        ("fractions", ["--fractions", "0.01,1"], ["1-percent", "100-percent"]),
        ("tuning", ["--tuning", "full,prefix"], ["full", "prefix"]),
        ("domains", FIELDS, ["general", "of the field", "general", "of the field"]),
        ("ensemble", FIELDS, ["general", "ensemble"]),
    ],
)
def test_models_are_compared_on_the_same_topics_with_every_idea_on_record(
    kind, more, entrants, home, base, ideas, tmp_path
):
    options = [word for each in TINY for word in ("--option", each)]
    novum(home, "train", "compare", kind, "--data", ideas, "--base", base, "--out", tmp_path / kind, *SMALL, *more,
          *options)  # fmt: skip
    found = json.loads((tmp_path / kind / "comparison.json").read_text())
    groups = found["groups"].values()
    assert [each["name"] for group in groups for each in group["entrants"]] == entrants
    records = (tmp_path / kind / "records.jsonl").read_text().splitlines()
    assert len(records) == 2 * len(entrants)
    assert (tmp_path / kind / "report.html").is_file()


def test_examples_are_shown_to_one_model(home, base, ideas, tmp_path):
    words = ["--data", ideas, "--shots", "0,1", "--out", tmp_path / "few", *SMALL]
    out = novum(home, "train", "compare", "few-shot", base, *words)
    assert "0-shot" in out and "1-shot" in out


def test_models_of_the_past_are_compared_with_papers_of_later_years(home, base, ideas, tmp_path):
    options = [word for each in TINY for word in ("--option", each)]
    out = novum(home, "train", "compare", "years", "--years", "2021", "--last-year", "2023", "--base", base, "--out",
                tmp_path / "years", *SMALL, *options)  # fmt: skip
    assert "papers until" in out and (tmp_path / "years" / "charts" / "years.svg").is_file()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tuning"], "needs --data"),
        (["phases", "one"], "needs models"),
        (["domains"], "needs two fields"),
        (["few-shot"], "needs --data"),
        (["years", "--years", "soon"], "numbers with commas"),
    ],
)
def test_what_is_missing_is_reported_in_one_line(words, message, home, tmp_path):
    assert message in novum(home, "train", "compare", *words, "--out", tmp_path / "x", code=2)


def test_topics_of_two_fields_join_a_topic_of_each(tmp_path):
    places = {}
    for name in ("bees", "rivers"):
        places[name] = tmp_path / name
        places[name].write_text("".join(f"{name}, {number}, x, y\n" for number in range(2)))
    assert list(interdisciplinary(places, 5)) == ["bees, 0, x, rivers, 0, x", "bees, 1, x, rivers, 1, x"]
