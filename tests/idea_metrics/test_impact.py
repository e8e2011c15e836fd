"""Potential impact: citations foretold from what was known on the day, and honestly tried on later years."""

from __future__ import annotations

import asyncio
import json
import math
import random

import numpy as np
import pytest
import xgboost
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Ridge

from novum.core import Subject
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus, read_corpus
from novum.idea_metrics.impact import Impact
from novum.idea_metrics.impact.evaluation import YearSplit, split_by_year, venue_year_mean
from novum.idea_metrics.impact.linear import RidgeWithMissing
from novum.idea_metrics.impact.metric import FittedImpact
from novum.idea_metrics.impact.training import target_of
from novum.idea_metrics.impact.trees_file import FILE, read_trees
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.publication_history import PublicationHistory
from novum.literature import Library
from novum.literature.starter import install_starter
from tests.idea_metrics.made_up import corpus_of, made_up_papers

LOVED = "graphs"


def cited_for_their_topic(count=240):
    """Papers on graphs are cited twenty times as much as others, all less the younger they are."""
    rng = random.Random(7)
    papers = made_up_papers(count)
    for number, paper in enumerate(papers):
        usual = 400 if paper.fields == (LOVED,) else 20
        times = usual * (2021 - paper.year) / 10 * rng.lognormvariate(0, 0.4)
        papers[number] = paper.model_copy(update={"citation_count": int(times)})
    return papers


@pytest.fixture(scope="module")
def corpus():
    return corpus_of(cited_for_their_topic())


@pytest.fixture(scope="module")
def impact(corpus):
    return Impact.fit(corpus, seed=0)


def batch_of(corpus, rows=None, **changes):
    """Papers of the corpus as subjects, with their own vectors."""
    rows = range(len(corpus)) if rows is None else rows
    subjects = [each.model_copy(update=changes) for each in corpus.subjects(rows)]
    return seen_as(subjects, corpus.vectors[list(rows)])


def seen_as(subjects, vectors):
    nothing = np.zeros_like(vectors)
    return SubjectBatch(subjects, vectors, nothing, [nothing[:0]] * len(subjects))


AS_IDEAS = {"year": None, "venue": "", "fields": (), "authors": (), "references": ()}


def test_what_is_cited_much_is_predicted_to_be_also_for_ideas_of_which_only_the_text_is_known(impact, corpus):
    ideas = impact.measure(batch_of(corpus, **AS_IDEAS))
    loved = np.array([paper.fields == (LOVED,) for paper in corpus.papers])
    assert np.median(ideas[loved]) > 3 * np.median(ideas[~loved])


def test_equation_3_is_the_predicted_number_by_the_largest_in_the_library(impact, corpus):
    """The same with the trees as they are kept, read by the library that wrote them."""
    raw = impact.measure(batch_of(corpus))
    learned, state = impact.fitted, impact.state()
    matrix = learned.features.matrix(corpus.subjects(range(len(corpus))), corpus.vectors)
    newest, year = max(corpus.years), state.facts["year"]
    matrix[:, learned.features.columns("year")] = [year, math.log1p(newest - year)]
    trees = xgboost.Booster(model_file=bytearray(state.files[FILE]))
    start = RidgeWithMissing.from_arrays(state.arrays, matrix.shape[1]).predict(matrix)
    predicted = np.expm1(trees.predict(xgboost.DMatrix(matrix, base_margin=start)))
    assert raw == pytest.approx(predicted / predicted.max(), rel=1e-4)
    assert raw.max() == pytest.approx(1)
    assert raw.min() >= 0


def test_the_record_of_its_quality_is_of_later_years_beside_two_simpler_ways(impact, corpus):
    output = impact.quality
    later = sum(paper.year >= output["split_year"] for paper in corpus.papers)
    assert (output["trained_on"], output["tested_on"]) == (len(corpus) - later, later)
    assert output["target"] == "counted by the papers' sources"
    ours, mean = output["xgboost"], output["venue_year_mean"]
    assert ours["spearman"] > 0.5
    assert ours["rmse"] < 1.5
    assert {*output["linear"], *output["xgboost_on_text_alone"]} == {*ours} == {*mean}


def test_a_paper_of_last_year_is_worth_as_much_as_the_same_of_long_ago(impact, corpus):
    alone = {"authors": (), "references": ()}
    early, late = (impact.measure(batch_of(corpus, year=year, **alone)) for year in (2011, 2019))
    assert early.tolist() == late.tolist()


def test_nothing_that_came_later_is_known_of_a_paper(impact, corpus):
    """A hundred later papers by the same people, citing everything: what is seen of the others stays as it was."""
    later = made_up_papers(100, seed=3, first_year=2019, years=1)
    later = [each.model_copy(update={"references": tuple(one.id for one in corpus.papers)}) for each in later]
    grown = corpus_of([*corpus.papers, *later])
    features = impact.fitted.features
    inputs = batch_of(corpus)
    here = features.matrix(inputs.subjects, inputs.vectors)
    there = type(features)(
        *(getattr(features, name) for name in ("middle", "axes", "venues", "fields")), past_of(grown)
    )
    assert np.array_equal(there.matrix(inputs.subjects, inputs.vectors), here, equal_nan=True)


def past_of(corpus):
    return PublicationHistory.of(corpus)


def test_references_and_authors_are_seen_as_they_stood_the_year_before(impact, corpus):
    subject = corpus.subjects([200])[0]
    features = impact.fitted.features
    (row,) = features.matrix([subject], corpus.vectors[[200]])
    cited = [
        sum(one in each.references and each.year < subject.year for each in corpus.papers) for one in subject.references
    ]
    ages = [subject.year - corpus.papers[corpus.row_of[one]].year for one in subject.references]
    means = [np.mean(np.log1p(cited)), np.mean(ages)]
    expected = [math.log1p(len(cited)), *means, math.log1p(max(cited)), max(ages)]
    assert row[features.columns("references")] == pytest.approx(expected, rel=1e-5)
    written = [
        sum(name in each.authors and each.year < subject.year for each in corpus.papers) for name in subject.authors
    ]
    assert row[features.columns("authors")[1]] == pytest.approx(np.mean(np.log1p(written)), rel=1e-5)


def test_the_company_of_others_changes_nothing(impact, corpus):
    rows = random.Random(1).sample(range(len(corpus)), 40)
    whole = impact.measure(batch_of(corpus))
    assert impact.measure(batch_of(corpus, rows)).tolist() == whole[rows].tolist()
    assert [impact.measure(batch_of(corpus, [row])).item() for row in rows[:5]] == whole[rows[:5]].tolist()


def test_the_explanation_says_which_group_raises_it_and_which_lowers_it(impact, corpus):
    raw = impact.measure(batch_of(corpus))
    output = {row: impact.explain(batch_of(corpus), row, raw[row]) for row in (int(raw.argmax()), int(raw.argmin()))}
    best, worst = output.values()
    assert best.startswith("about ")
    assert ", had it been published in 20" in best
    assert "raised by " in best
    assert "text (×" in best.partition("lowered")[0]
    assert "lowered by " in worst
    assert "\n" not in best + worst


def test_what_moves_an_idea_is_explained_by_known_groups_only_and_makes_the_whole_prediction(impact, corpus):
    features, predictor = impact.fitted.features, impact.fitted.predictor
    matrix = features.matrix(corpus.subjects([5, 6]), corpus.vectors[[5, 6]])
    whole, shares = predictor.predict(matrix), predictor.shares(matrix).sum(axis=1)
    assert whole[1] - whole[0] == pytest.approx(shares[1] - shares[0], abs=1e-4)
    idea = batch_of(corpus, [5], **AS_IDEAS)
    output = impact.explain(idea, 0, 0.5)
    assert not any(group in output for group in ("venue", "field", "references", "authors", "year ("))


def test_the_same_seed_learns_the_same_and_what_was_stored_comes_back(impact, corpus):
    past = PublicationHistory.of(corpus)
    again = FittedImpact.of(corpus, past, target_of(corpus, past), seed=0)
    assert again.predictor.state().files == impact.state().files
    stored = Impact.of_state(impact.state())
    assert stored.measure(batch_of(corpus)).tolist() == impact.measure(batch_of(corpus)).tolist()
    assert stored.quality == impact.quality


@pytest.mark.parametrize(
    "damage",
    [
        lambda state: ModelState(state.arrays, state.facts, {FILE: state.files[FILE][:50]}),
        lambda state: ModelState(state.arrays, state.facts, {FILE: b""}),
        lambda state: ModelState(state.arrays, state.facts),
        lambda state: ModelState(dict(state.arrays) | {"axes": state.arrays["axes"][:, 1:]}, state.facts, state.files),
        lambda state: ModelState(dict(state.arrays) | {"axes": state.arrays["axes"][1:]}, state.facts, state.files),
        lambda state: ModelState(state.arrays, dict(state.facts) | {"venues": [1]}, state.files),
        lambda state: ModelState(state.arrays, dict(state.facts) | {"highest": "many"}, state.files),
        lambda state: ModelState(state.arrays, dict(state.facts) | {"highest": 0}, state.files),
        lambda state: ModelState(state.arrays, {}, state.files),
    ],
)
def test_what_was_stored_and_is_damaged_is_refused(impact, damage):
    with pytest.raises((KeyError, ValueError)):
        Impact.of_state(damage(impact.state()))


@pytest.mark.parametrize(
    "papers",
    [
        made_up_papers(120, citation_count=None, references=()),
        made_up_papers(120, citation_count=0, references=()),
        made_up_papers(40, references=()),
    ],
)
def test_where_nobody_is_known_to_be_cited_nothing_is_said(papers):
    part = Impact.fit(corpus_of(papers))
    assert np.isnan(part.measure(batch_of(corpus_of(papers)))).all()
    assert part.explain(batch_of(corpus_of(papers)), 0, math.nan).startswith("too few papers of the library")
    assert Impact.of_state(part.state()).fitted is None


def test_without_counts_of_sources_citations_within_the_library_are_predicted():
    papers = made_up_papers(120, citation_count=None)
    part = Impact.fit(corpus_of(papers))
    assert part.quality["target"] == "by papers of the library"
    assert np.isfinite(part.measure(batch_of(corpus_of(papers)))).all()


@pytest.mark.parametrize("year", [None, 2020])
def test_papers_of_one_year_or_none_teach_but_cannot_be_tried(year):
    corpus = corpus_of(made_up_papers(80, year=year))
    part = Impact.fit(corpus)
    assert "span too few years" in part.quality["untested"]
    raw = part.measure(batch_of(corpus))
    assert raw.max() == pytest.approx(1)
    assert ("had it been published" in part.explain(batch_of(corpus), 0, raw[0])) == (year is not None)


@pytest.mark.parametrize(
    "subject",
    [
        Subject(title=""),
        Subject(title="word"),
        Subject(title="many", text="word " * 50_000),
        Subject(title="∑∫∂ ≠ ±", venue="⁂", authors=("‽",), fields=("",)),
        Subject(title="未来の研究", year=-5, references=("paper-none",) * 3),
        Subject(title="far", year=10**9, authors=tuple(f"Author {number}" for number in range(500))),
    ],
)
def test_whatever_is_asked_gets_a_number_from_0_to_1_or_none_for_lack_of_text(impact, corpus, subject):
    inputs = seen_as([subject, subject], np.vstack([corpus.vectors[:1], np.zeros_like(corpus.vectors[:1])]))
    raw = impact.measure(inputs)
    assert 0 <= raw[0] <= 1
    assert np.isnan(raw[1])
    assert impact.explain(inputs, 0, raw[0]).startswith("about ")
    assert impact.explain(inputs, 1, raw[1]) == "the idea has no text to predict citations from"


def test_nobody_asked_gets_no_answer(impact, corpus):
    assert impact.measure(seen_as([], corpus.vectors[:0])).shape == (0,)


# -- trees from anywhere --------------------------------------------------------------------------------------------


def one_tree(**changes):
    """A file with a tree of three nodes over two columns, some of it replaced."""
    columns = {
        "left_children": [1, -1, -1],
        "right_children": [2, -1, -1],
        "split_indices": [1, 0, 0],
        "default_left": [0, 0, 0],
        "split_conditions": [0.5, -1.0, 1.0],
        "base_weights": [0.0, -1.0, 1.0],
        "loss_changes": [2.0, 0.0, 0.0],
        "sum_hessian": [10.0, 5.0, 5.0],
    }
    model = {"trees": [columns | changes]}
    return json.dumps({"learner": {"gradient_booster": {"model": model, "name": "gbtree"}}, "sneaked": "in"}).encode()


def test_a_tree_of_three_nodes_is_walked_as_it_says():
    inputs = np.array([[9, 0.4], [9, 0.5], [9, math.nan]], dtype=np.float32)
    assert read_trees(one_tree(), 2).predict(inputs).tolist() == [-1, 1, 1]
    assert read_trees(one_tree(default_left=[1, 0, 0]), 2).predict(inputs).tolist() == [-1, 1, -1]
    assert read_trees(one_tree(sum_hessian=[10, 9, 1]), 2).shares(inputs)[:2] == pytest.approx(
        np.array([[0, -0.2], [0, 1.8]])
    ), "from the mean of its leaves, -0.8"


@pytest.mark.parametrize("subjects", [1, 300])
def test_trees_say_what_xgboost_says_of_any_columns(impact, subjects):
    """Also of columns that are missing, and of those that lie on a threshold."""
    rng = np.random.default_rng(subjects)
    file = impact.state().files[FILE]
    trees = read_trees(file, len(impact.fitted.features.groups))
    inputs = rng.normal(size=(subjects, len(impact.fitted.features.groups))).astype(np.float32)
    on_it = rng.random(inputs.shape) < 0.3
    inputs[on_it] = rng.choice(trees.threshold, on_it.sum())
    inputs[rng.random(inputs.shape) < 0.2] = np.nan
    theirs, data = xgboost.Booster(model_file=bytearray(file)), xgboost.DMatrix(inputs)
    assert trees.predict(inputs) == pytest.approx(theirs.predict(data), abs=1e-5)
    along = theirs.predict(data, pred_contribs=True, approx_contribs=True)[:, :-1]
    assert trees.shares(inputs) == pytest.approx(along, abs=1e-5)


@pytest.mark.parametrize(
    "content",
    [
        one_tree(left_children=[0, -1, -1]),
        one_tree(left_children=[2, -1, -1]),
        one_tree(left_children=[9, -1, -1]),
        one_tree(left_children=[-1, -1, -1]),
        one_tree(right_children=[-1, -1, -1], left_children=[-1, -1, -1]),
        one_tree(split_indices=[2, 0, 0]),
        one_tree(split_indices=[-1, 0, 0]),
        one_tree(default_left=[7, 0, 0]),
        one_tree(split_conditions=[math.nan, 0.0, 0.0]),
        one_tree(split_conditions=[1e300, 0.0, 0.0]),
        one_tree(split_conditions=[10**400, 0.0, 0.0]),
        one_tree(split_conditions=[0.0]),
        one_tree(sum_hessian="none"),
        one_tree(split_conditions=[[0.0], [0.0], [0.0]]),
        one_tree(split_type=[1, 0, 0]),
        b"[" * 100_000,
        b'{"learner": 1}',
        b"\xff",
        b"",
    ],
)
def test_what_is_no_tree_is_refused_before_it_can_do_harm(content):
    with pytest.raises(ValueError, match=r"tree|damaged|Expecting|decode|numbers|larger"):
        read_trees(content, 2)


# -- the trial's pieces --------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.lists(st.one_of(st.just(math.nan), st.integers(1990, 2025)), max_size=120))
def test_a_split_leaves_all_of_a_year_on_one_side_and_the_later_ones_for_the_test(years):
    known = np.array(years, dtype=float)
    parts = split_by_year(known, np.arange(len(known)))
    if parts is not None:
        assert known[parts.earlier].max() < parts.year <= known[parts.later].min()
        assert len(parts.earlier) >= 30
        assert len(parts.later) >= 0.2 * np.isfinite(known).sum()
        assert len(parts.earlier) + len(parts.later) == np.isfinite(known).sum()


def test_the_mean_of_a_venue_is_that_of_its_last_known_year():
    papers = made_up_papers(7, references=())
    output = [(2010, "A"), (2011, "a."), (2011, "A"), (2012, "B"), (2013, "A"), (2013, "B"), (2013, "New")]
    papers = [each.model_copy(update={"year": y, "venue": v}) for each, (y, v) in zip(papers, output, strict=True)]
    corpus = Corpus(papers, np.zeros((7, 2), dtype=np.float32), "none")
    values = np.array([9.0, 1.0, 3.0, 5.0, 0.0, 0.0, 0.0])
    parts = YearSplit(2013, np.arange(4), np.arange(4, 7))
    assert venue_year_mean(corpus, parts, values).tolist() == [2.0, 5.0, 5.0]


def test_the_linear_baseline_is_ridge_regression_on_standardised_columns():
    rng = np.random.default_rng(0)
    matrix = (rng.normal(size=(300, 6)) * [1, 2, 3, 4, 5, 100] + 7).astype(np.float32)
    target = matrix @ rng.normal(size=6) + rng.normal(size=300)
    standardised = np.clip((matrix - matrix.mean(axis=0)) / matrix.std(axis=0), -5, 5)
    known = Ridge(alpha=100.0).fit(standardised, target).predict(standardised)
    made = RidgeWithMissing.fit(matrix, target)
    assert made.predict(matrix) == pytest.approx(known, rel=1e-3)
    assert made.mean + made.shares(matrix).sum(axis=1) == pytest.approx(made.predict(matrix))


def test_what_is_missing_is_taken_for_usual_unless_it_tells_something():
    column = np.array([[1.0], [3.0], [math.nan], [math.nan]] * 50, dtype=np.float32)
    tells, usual = (
        RidgeWithMissing.fit(column, np.array(of * 50)) for of in ([0.0, 0.0, 9.0, 9.0], [1.0, 3.0, 2.0, 2.0])
    )
    assert tells.predict(column)[2] > 4 > tells.predict(column)[0]
    assert usual.predict(column)[2] == pytest.approx(2.0)


@pytest.mark.slow
def test_on_the_starter_library_it_beats_the_mean_of_venue_and_year_by_far(tmp_path):
    with Library.open(tmp_path) as library:
        install_starter(library)
        output = Impact.fit(asyncio.run(read_corpus(library))).quality
    assert output["xgboost"]["spearman"] > output["venue_year_mean"]["spearman"] + 0.3
    assert output["xgboost"]["rmse"] < output["venue_year_mean"]["rmse"]
    assert output["xgboost"]["spearman"] > output["linear"]["spearman"] - 0.05
