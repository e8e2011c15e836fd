"""Metrics of ideas from Python: fitted, tuned and validated as by `novum metrics`."""

from __future__ import annotations

import asyncio
import csv
import shutil

import pytest

import novum
from novum.errors import BadInput
from tests.cli.learnt import fill, learn
from tests.idea_metrics.made_up import made_up_papers
from tests.training.review_files import lines, paper


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("fitted"))


@pytest.fixture
def home(fitted, tmp_path):
    return shutil.copytree(fitted, tmp_path / "home")


@pytest.fixture
def ratings(tmp_path):
    """30 ideas, of which those on graphs are liked."""
    file = tmp_path / "ratings.csv"
    ideas = made_up_papers(30, seed=7)
    rows = [(each.title, each.abstract, "graphs", 5 if each.fields == ("graphs",) else 1) for each in ideas]
    with file.open("w", newline="") as target:
        csv.writer(target).writerows([("title", "text", "topic", "rating"), *rows])
    return file


def models(home):
    return sorted(each.name for each in (home / "metrics").iterdir())


def test_metrics_are_fitted_with_the_number_of_clusters_at_the_knee(tmp_path):
    home = fill(tmp_path / "home")
    card = novum.fit_metrics(clusters="elbow", top_cited=20, topics=4, name="mine", home=home)
    assert card.name == "mine"
    assert card.settings.clusters == card.sizes["clusters"]
    assert (home / "metrics" / "mine" / "elbow.svg").exists()


def test_a_tuned_model_is_stored_under_its_name(home, ratings):
    tuning = novum.tune_metrics(ratings, name="liked", force=True, home=home)
    assert tuning.folder == home / "metrics" / "liked"
    assert models(home) == ["default", "liked"]


def test_a_dry_run_stores_nothing(home, ratings):
    tuning = asyncio.run(novum.tune_metrics_async(ratings, dry_run=True, ablation=True, home=home))
    assert tuning.satisfaction.rated == 30
    assert set(tuning.ablation) == {"creativity", "satisfaction"}
    assert tuning.folder is None
    assert models(home) == ["default"]


def test_a_scale_that_cannot_be_read_is_refused(home, ratings):
    with pytest.raises(BadInput, match="scale: 'five' is no scale"):
        novum.tune_metrics(ratings, scale="five", home=home)


def test_metrics_are_compared_with_reviews_and_reported(home, tmp_path):
    reviews = lines(tmp_path / "reviews.jsonl", [paper(number) for number in range(12)])
    validation = novum.validate_metrics(reviews, bootstrap_samples=100, out=tmp_path / "report", home=home)
    assert validation.account.records == 12
    assert (tmp_path / "report" / "report.html").exists()


def test_a_library_that_is_named_and_not_there_is_not_made(home, tmp_path):
    reviews = lines(tmp_path / "reviews.jsonl", [paper(number) for number in range(12)])
    with pytest.raises(BadInput, match="holds no library"):
        novum.validate_metrics(reviews, library=tmp_path / "nowhere", home=home)
    assert not (tmp_path / "nowhere").exists()


def test_a_validation_needs_outcomes(home):
    with pytest.raises(BadInput, match="citations=True"):
        novum.validate_metrics(home=home)
