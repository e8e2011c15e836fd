"""The predicted rating: learnt from reviewed papers, relative to venue and year, with an interval; or no score."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

from novum.benchmarks.metric_validation.outcomes import OutcomeLog
from novum.benchmarks.metric_validation.reviewed_texts import read_reviewed_texts
from novum.core import Subject
from novum.errors import BadInput
from novum.idea_metrics.review_rating import (
    ReviewedText,
    default_rating_model,
    fit_rating_model,
    load_rating_model,
    save_rating_model,
)
from novum.idea_metrics.review_rating.training import mean_correlation, standard_scores
from tests.idea_metrics.made_up import made_up_papers

DATA = Path(os.environ.get("NOVUM_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
REVIEWS = DATA / "reviews_scores_only.jsonl.gz"
ABSTRACT = (
    "We study how language models use evidence that contradicts what they have learned. Prior work measures this with "
    "synthetic documents, which differ from those that a search finds. We collect real documents with opposing "
    "answers, and show that models follow the document that repeats the question. A simple change of the training "
    "data removes half of this effect without any loss on other tasks."
)


def reviewed(count=400, seed=1, **more):
    """Papers of two venues with scales of their own, whose reviewers like speech and dislike climate."""
    rng = random.Random(seed)
    papers = []
    for number, paper in enumerate(made_up_papers(count, seed=seed)):
        liking = {"speech": 2.0, "climate": -2.0}.get(paper.fields[0], 0.0) + rng.gauss(0, 1)
        venue = number // 4 % 2
        scores = {"rating": 5 + liking if venue else 50 + 10 * liking}
        papers.append(
            ReviewedText(
                title=paper.title,
                text=paper.abstract,
                group=("small scale", "large scale")[1 - venue],
                year=2020,
                scores=scores,
                **more,
            )
        )
    return papers


@pytest.fixture(scope="module")
def model():
    return fit_rating_model(reviewed())


def subjects(papers):
    return [Subject(title=each.title, text=each.text) for each in papers]


def test_what_reviewers_liked_is_predicted_for_new_papers_whatever_the_scale_of_the_venue(model):
    new = reviewed(200, seed=2)
    predicted = np.array([each.value for each in model.predict(subjects(new))])
    scores = np.array([each.scores["rating"] for each in new])
    assert mean_correlation(predicted, scores, [each.group for each in new]) > 0.6


def test_the_interval_holds_nine_of_ten_real_ratings(model):
    new = reviewed(400, seed=3)
    real = standard_scores(np.array([each.scores["rating"] for each in new]), [each.group for each in new])
    made = model.predict(subjects(new))
    inside = np.mean([each.low <= z <= each.high for each, z in zip(made, real, strict=True)])
    assert 0.83 <= inside <= 0.96


def test_the_share_ranks_a_prediction_among_those_of_the_reviewed_papers(model):
    made = model.predict(subjects(reviewed(200, seed=4)))
    by_value = sorted(made, key=lambda each: each.value)
    assert [each.share for each in by_value] == sorted(each.share for each in made)
    assert by_value[0].share < 0.1
    assert by_value[-1].share > 0.9


def test_a_group_of_few_or_of_equal_ratings_teaches_nothing():
    scores = standard_scores(np.array([1.0, 2, 3] + [4.0] * 12 + list(range(10))), ["a"] * 3 + ["b"] * 12 + ["c"] * 10)
    assert np.isnan(scores[:15]).all()
    assert scores[15:].mean() == pytest.approx(0)
    assert scores[15:].std() == pytest.approx(1)


def test_too_few_rated_papers_are_refused_with_their_number():
    with pytest.raises(BadInput, match="100 papers have a rating"):
        fit_rating_model(reviewed(100))


def test_decisions_count_where_both_fates_are_frequent():
    """Ratings alone are noise here; the decision follows the topic."""
    rng = random.Random(8)
    papers = [
        ReviewedText(
            title=each.title,
            text=each.abstract,
            group="v",
            year=2020,
            scores={"rating": rng.gauss(5, 1)},
            accepted=each.fields[0] in ("speech", "graphs"),
        )
        for each in made_up_papers(400, seed=8)
    ]
    weights = fit_rating_model(papers)
    without = fit_rating_model([ReviewedText(p.title, p.text, p.group, p.year, p.scores) for p in papers])
    new = made_up_papers(200, seed=9)
    liked = np.array([each.fields[0] in ("speech", "graphs") for each in new], dtype=float)

    def agreement(fitted):
        values = np.array(
            [each.value for each in fitted.predict([Subject(title=p.title, text=p.abstract) for p in new])]
        )
        return mean_correlation(values, liked, ["v"] * len(new))

    assert agreement(weights) > agreement(without)


@pytest.mark.parametrize(
    ("subject", "why"),
    [
        (Subject(title="Graph networks that predict their own errors"), "fewer than 25 words"),
        (Subject(title="Banana", text="banana and an apple " * 20 + "banana " * 40), "repeats the word"),
        (
            Subject(
                title="Ideen für Netze",
                text="Wir untersuchen, wie sich die Genauigkeit von Netzen verbessern lässt, wenn nur wenige Daten "
                "vorliegen. Dazu schlagen wir ein neues Verfahren vor, das auf der Schätzung der Unsicherheit beruht.",
            ),
            "English",
        ),
        (
            Subject(
                title="Ectomycorrhizal fungi of boreal forests under experimental soil warming",
                text="We buried heating cables beneath plots of Norway spruce and sequenced fungal barcodes from root "
                "tips each August. Warming reduced the abundance of nitrophobic genera and increased the respiration "
                "of litter. These shifts explain a third of the carbon that was lost from the organic horizon.",
            ),
            "unlike those of the reviewed papers",
        ),
    ],
    ids=["short", "one word", "German", "another field"],
)
def test_a_text_unlike_the_reviewed_papers_gets_a_reason_and_no_score(subject, why):
    (made,) = default_rating_model().predict([subject])
    assert (made.value, made.share, made.low) == (None, None, None)
    assert why in made.why


def test_the_model_that_comes_with_novum_rates_an_abstract_with_its_aspects():
    (made,) = default_rating_model().predict([Subject(title="Knowledge conflicts in real documents", text=ABSTRACT)])
    assert made.low < made.value < made.high
    assert set(made.aspects) == {"soundness", "originality", "significance", "clarity"}
    assert "reviewed papers" in made.why


def test_a_stored_model_predicts_the_same(model, tmp_path):
    save_rating_model(model, tmp_path / "m")
    new = subjects(reviewed(20, seed=5))
    stored = load_rating_model(tmp_path / "m")
    assert [each.value for each in stored.predict(new)] == pytest.approx(
        [each.value for each in model.predict(new)], abs=0.01
    )
    assert stored.card == model.card


@pytest.mark.parametrize("damage", ["card.json", "model.safetensors"])
def test_a_damaged_model_says_what_to_do(model, tmp_path, damage):
    save_rating_model(model, tmp_path / "m")
    (tmp_path / "m" / damage).write_bytes(b"{}")
    with pytest.raises(BadInput, match="novum metrics fit --target ratings"):
        load_rating_model(tmp_path / "m")


@pytest.mark.skipif(not REVIEWS.is_file(), reason=f"needs {REVIEWS}")
def test_papers_of_later_years_are_ranked_as_their_reviewers_did():
    papers = read_reviewed_texts([REVIEWS], OutcomeLog())
    later = [each for each in papers if each.group == "iclr 2022"]
    fitted = fit_rating_model([each for each in papers if each.year < 2022])
    predicted = np.array([each.value if each.value is not None else np.nan for each in fitted.predict(subjects(later))])
    scores = np.array([each.scores.get("rating", np.nan) for each in later])
    assert np.isnan(predicted).mean() <= 0.01
    assert mean_correlation(predicted, scores, [each.group for each in later]) > 0.15
