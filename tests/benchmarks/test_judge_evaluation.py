"""Reviewers compared with real outcomes: good reviewers are distinguished from others, and nothing is invented."""

from __future__ import annotations

import asyncio
import csv
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from novum.benchmarks.judge_evaluation.baselines import compute_baselines
from novum.benchmarks.judge_evaluation.data import BaselineData, EvaluationSet, JudgedPaper, ShownPaper
from novum.benchmarks.judge_evaluation.durable import JUDGE_EVALUATION, JudgeEvaluationOptions, evaluation_task
from novum.benchmarks.judge_evaluation.expected_ratings import expected_rating_reviewers
from novum.benchmarks.judge_evaluation.records import (
    CONSTANT,
    RATING_MODEL,
    REAL,
    RIDGE,
    JudgeEvaluationRun,
    PaperOutcome,
    PaperReview,
    Reviewer,
)
from novum.benchmarks.judge_evaluation.report.numbers import judge_evaluation_report
from novum.benchmarks.judge_evaluation.report.page import write_judge_evaluation
from novum.benchmarks.judge_evaluation.report.phrases import figure_rows, group_rows, headline
from novum.core.trained import TRAINED_FILE, TrainedModel
from novum.errors import BadInput, ModelError
from novum.ledger import Ledger
from novum.llm.offline.trained import TrainedReceipt, register_trained
from novum.runs.engine import replay, resume, start
from tests.benchmarks.reviewer_lab import loaded, make_set, reviewers, working
from tests.idea_metrics.made_up import made_up_papers

TEST = 12


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    return make_set(tmp_path_factory.mktemp("reviewers"), ideas="rules")


@pytest.fixture
def server(serve):
    return serve(reviewers)


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def evaluated(home, data, server=None, settings=None, **wanted):
    """A run, and its report."""
    task, _ = evaluation_task(loaded(home, server), JudgeEvaluationOptions(str(data), **{"reports": 1} | wanted))
    run = working(home, lambda place: start(JUDGE_EVALUATION, place, task), server, **(settings or {}))
    return run, judge_evaluation_report(run, draws=200)


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def judged_papers(years, count=400):
    """Papers whose reviewers like speech. The venue rejects what it likes least, and its workshop nothing."""
    rng = random.Random(str(years))
    made = []
    for number, paper in enumerate(made_up_papers(count, seed=years)):
        is_workshop = number % 2 == 0
        liking = 0.5 + (0.2 if paper.fields[0] == "speech" else 0) + rng.gauss(0, 0.03)
        outcome = PaperOutcome(
            id=f"{years} {number}", title=paper.title, venue="Workshop" if is_workshop else "Venue", year=years,
            ratings=tuple(min(1, max(0, liking + rng.gauss(0, 0.02))) for _ in range(3)),
            accepted=is_workshop or liking > 0.5,
        )  # fmt: skip
        made.append(JudgedPaper(outcome, ShownPaper(paper.title, paper.abstract), ()))
    return made


def test_with_enough_training_papers_the_regression_is_the_predicted_rating_and_kinds_of_venues_are_apart():
    earlier, later = judged_papers(2020), judged_papers(2021)
    lessons = BaselineData([each.shown for each in earlier], [each.outcome for each in earlier])
    given = EvaluationSet("made up", "2021", "", tuple(later), lessons, {})
    baselines, training = asyncio.run(compute_baselines(given, seed=0))
    assert [each.name for each in baselines] == [CONSTANT, RATING_MODEL, REAL]
    assert training.spearman_left_out > 0.1
    report = judge_evaluation_report(_run(given, baselines, training), draws=100)
    predicted, real = line(report, RATING_MODEL), line(report, REAL)
    assert predicted.rating.spearman.low > 0
    assert predicted.rating.over_constant.high < 0
    assert (predicted.mixed.papers, predicted.uniform.papers) == (200, 200)
    assert real.mixed.icc.value > 0.7
    assert predicted.mixed.icc.value is None
    assert len(list(group_rows(report))) == 2


def _run(given, baselines, training):
    return JudgeEvaluationRun(
        name="run", data=given.name, cutoff=given.cutoff, split="test", idea_texts=False, reports=1,
        papers=tuple(each.outcome for each in given.judged), training=training, embedder="static", reviewers=baselines,
    )  # fmt: skip


def line(report, name):
    return next(each for each in report.standings if each.name.startswith(name))


@pytest.fixture(scope="session")
def plain(data, tmp_path_factory):
    """Baselines alone; only looked at."""
    return evaluated(tmp_path_factory.mktemp("plain"), data)


def test_without_reviewers_the_baselines_and_a_real_referee_stand_alone(plain):
    run, report = plain
    assert [each.name for each in report.standings] == [CONSTANT, RIDGE, REAL]
    assert len(run.papers) == TEST
    assert run.account.spend.calls == 0


def test_the_constant_says_the_mean_of_the_training_papers(plain):
    run, report = plain
    constant = line(report, CONSTANT)
    real = np.array([paper.mean for paper in run.papers])
    assert constant.rating.mean == pytest.approx(run.training.mean)
    assert constant.rating.rmse.value == pytest.approx(np.sqrt(((real - run.training.mean) ** 2).mean()))
    assert constant.rating.level_rmse.value == pytest.approx(real.std() * TEST / (TEST - 1))
    assert constant.rating.spearman.value is None
    assert constant.decision.auc.value == 0.5


def test_a_real_referee_is_held_against_the_others_and_not_against_itself(plain):
    """Two referees always one step of nine apart."""
    _, report = plain
    real = line(report, REAL)
    assert real.rating.rmse.value == pytest.approx(1 / 9)
    assert real.spread.difference.value == pytest.approx(1 / 9)
    assert real.spread.noise.value == pytest.approx(1 / 18)
    assert real.spread.icc.value > 0.9


def test_real_reviews_fit_their_own_paper_and_resemble_others_of_it(plain):
    _, report = plain
    texts = line(report, REAL).texts
    assert texts.nearest.value > 0.8
    assert texts.same.f.value > texts.other.f.value
    assert texts.among == TEST


def test_a_reviewer_that_knows_the_outcome_is_distinguished_from_one_that_does_not(home, data, server):
    _, report = evaluated(home, data, server, judges=("server:knows", "server:coin"))
    knows, coin = line(report, "server:knows"), line(report, "server:coin")
    assert knows.rating.spearman.value == pytest.approx(1)
    assert (knows.decision.accuracy.value, knows.decision.auc.value, knows.decision.own) == (1, 1, True)
    assert knows.rating.over_constant.high < 0
    assert coin.rating.spearman.value is None
    assert coin.decision.said == 0
    assert coin.decision.brier.value == pytest.approx(0.25)
    assert "server:knows: RMSE 0.056, better than the constant" in headline(report)


def test_marks_and_utilities_are_put_on_the_scale_of_the_venues(home, data, server):
    run, _ = evaluated(home, data, server, judges=("server:knows",), papers=5)
    for paper, review in zip(run.papers, run.reviewers[0].reviews, strict=True):
        level = int(paper.title.split()[1])
        assert review.rating == pytest.approx((level - 1) / 9)
        assert (review.utility, review.accept) == (level / 10, level >= 6)


def test_what_brings_no_usable_answer_is_counted_and_in_no_figure(home, data, server):
    _, report = evaluated(home, data, server, judges=("server:mute", "server:knows"), papers=6, reports=3)
    mute = line(report, "server:mute")
    assert (mute.asked, mute.lost, mute.undecided) == (18, 18, 6)
    assert (mute.rating.papers, mute.rating.rmse.value, mute.decision.papers) == (0, None, 0)
    assert next(iter(figure_rows(report)))[-1] == "18 of 18 reports, 6 undecided"
    assert line(report, "server:knows").rating.papers == 6


def test_a_trained_reviewer_and_its_base_get_the_prompt_of_its_training(home, data, server):
    judge, base = f"judge:mini@{server.base_url}", f"server:plain@{server.base_url}"
    run, report = evaluated(home, data, server, judges=(judge,), base=base)
    trained, untuned = run.reviewers[:2]
    assert [(each.name, each.kind, each.of) for each in (trained, untuned)] == [
        ("judge:mini", "trained", ()), ("server:plain, untuned", "base", ("judge:mini",))
    ]  # fmt: skip
    assert {each.form for each in server.asked} == {""}
    assert all("the whole work, its results included" in each.text for each in server.asked)
    assert line(report, "judge:mini").rating.spearman.value == pytest.approx(1)
    decision = line(report, "judge:mini").decision
    assert (decision.own, decision.calibrated, decision.auc.value) == (False, True, 1)
    assert line(report, "judge:mini").rating.over_base.high < 0
    assert "better than the constant, better than the ridge on embeddings and better than its base" in headline(report)


def test_a_decider_gives_utilities_to_who_only_writes(home, data, server):
    judge = f"judge:mini@{server.base_url}"
    run, _ = evaluated(home, data, server, judges=(judge,), decider="server:knows", papers=4)
    assert all(review.utility is not None for review in run.reviewers[0].reviews)


def test_the_base_of_a_trained_reviewer_is_found_by_what_its_training_noted(home, data):
    settings = loaded(home)
    register_trained(
        TrainedReceipt(name="mini", purpose="judge", base="offline:small", folder=str(home)), settings.models_folder
    )
    task, told = evaluation_task(settings, JudgeEvaluationOptions(str(data), judges=("judge:mini",)))
    assert [(each.model, each.kind, each.of) for each in task.asked] == [
        ("judge:mini", "trained", ()), ("offline:small", "base", ("judge:mini",))
    ]  # fmt: skip
    assert not told


def test_two_that_were_made_from_one_base_are_both_held_against_it(home, data, server):
    judges = tuple(f"judge:{name}@{server.base_url}" for name in ("mini", "other"))
    _, report = evaluated(home, data, server, judges=judges, base=f"server:plain@{server.base_url}", papers=6)
    assert [each.name for each in report.evaluated] == ["judge:mini", "server:plain, untuned", "judge:other"]
    assert all(line(report, f"judge:{name}").rating.over_base.value is not None for name in ("mini", "other"))


def test_a_base_that_is_not_served_is_reported_and_not_prompted(home, data, server):
    task, told = evaluation_task(
        loaded(home, server), JudgeEvaluationOptions(str(data), judges=(f"judge:mini@{server.base_url}",))
    )
    assert [each.kind for each in task.asked] == ["trained"]
    assert "--base server:NAME" in told[0]


def test_ideas_without_results_can_be_shown_instead_of_abstracts(home, data, server):
    judge = f"judge:mini@{server.base_url}"
    run, _ = evaluated(home, data, server, judges=(judge,), idea_texts=True, papers=4)
    assert run.idea_texts
    assert all("before anything has been carried out" in each.text for each in server.asked)


def test_reports_are_compared_with_real_ones_in_both_orders(home, data, server):
    """The editor always prefers what is shown first, which comes to nothing."""
    run, report = evaluated(home, data, server, judges=("server:knows",), compare_by="server:editor", papers=6)
    assert run.reviewers[0].reviews[0].preferred == (1, 0)
    assert "the report of server:knows comes first" in run.reviewers[0].reviews[0].reason
    preference = line(report, "server:knows").preference
    assert (preference.share.value, preference.first_seat, preference.missing) == (0.5, 1, 0)


def test_a_comparison_in_one_order_only_counts_for_nothing(plain):
    """Who leans to a seat would else be heard wherever the other answer is lost."""
    run, _ = plain
    told = (PaperReview(ratings=(0.5,), preferred=(1, None)), PaperReview(ratings=(0.5,), preferred=(0.5, 0)))
    model = Reviewer(name="server:x", kind="model", reviews=told + (None,) * (TEST - 2))
    preference = judge_evaluation_report(run.model_copy(update={"reviewers": (model, *run.reviewers)}), draws=0)
    found = line(preference, "server:x").preference
    assert (found.papers, found.share.value, found.missing) == (1, 0.25, 1)


def test_a_run_whose_budget_ends_keeps_what_it_has_and_asks_nothing_twice(home, data, server):
    task, _ = evaluation_task(
        loaded(home, server), JudgeEvaluationOptions(str(data), judges=("server:knows",), reports=1)
    )
    first = working(home, lambda place: start(JUDGE_EVALUATION, place, task), server, budget_calls=20)
    assert first.stopped
    seen = working(home, lambda place: replay(JUDGE_EVALUATION, place, first.name), server)
    reached = sum(each is not None for each in seen.reviewers[0].reviews)
    assert 0 < reached < TEST
    assert line(judge_evaluation_report(seen, draws=50), "server:knows").unreached == TEST - reached
    done = working(home, lambda place: resume(JUDGE_EVALUATION, place, first.name), server)
    assert not done.stopped
    assert len(server.asked) == TEST * 2
    again = working(home, lambda place: resume(JUDGE_EVALUATION, place, first.name), server)
    assert again == done == working(home, lambda place: replay(JUDGE_EVALUATION, place, first.name), server)
    assert len(server.asked) == TEST * 2


def test_a_data_set_that_changed_since_the_start_is_refused(home, data, server, tmp_path):
    task, _ = evaluation_task(loaded(home, server), JudgeEvaluationOptions(str(data), judges=("server:knows",)))
    stopped = working(home, lambda place: start(JUDGE_EVALUATION, place, task), server, budget_calls=4)
    other = make_set(tmp_path / "other", test=9)
    with pytest.raises(BadInput, match="has changed since the run was started"):
        changed = task.model_copy(update={"data": str(other)})
        working(home, lambda place: start(JUDGE_EVALUATION, place, changed), server)
    assert stopped.stopped


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("reviews.jsonl", "novum data build judge"),
        ("empty", "has no data set of reviews"),
    ],
)
def test_a_folder_without_a_data_set_is_refused_with_the_command_that_builds_one(home, data, tmp_path, place, says):
    (tmp_path / "empty").mkdir()
    (tmp_path / "reviews.jsonl").write_text("{}\n")
    with pytest.raises(BadInput, match=says):
        evaluation_task(loaded(home), JudgeEvaluationOptions(str(tmp_path / place)))


def test_a_damaged_line_is_reported_with_its_number(home, data, tmp_path):
    hurt = make_set(tmp_path, test=4, train=4)
    path = hurt / "papers" / "test.jsonl"
    path.write_text(path.read_text() + '{"title": 3}\n')
    with pytest.raises(BadInput, match=r"test\.jsonl, line 5"):
        evaluation_task(loaded(home), JudgeEvaluationOptions(str(hurt)))


def test_a_paper_in_two_splits_is_refused(home, tmp_path):
    hurt = make_set(tmp_path, test=4, train=4)
    test, train = (hurt / "papers" / f"{split}.jsonl" for split in ("test", "train"))
    test.write_text(test.read_text() + train.read_text().splitlines()[0] + "\n")
    with pytest.raises(BadInput, match=r"test\.jsonl, line 5: this paper is repeated"):
        evaluation_task(loaded(home), JudgeEvaluationOptions(str(hurt)))


def test_ideas_that_were_written_again_make_another_set(home, tmp_path):
    changed = make_set(tmp_path, ideas="rules", test=4, train=4)
    wanted = JudgeEvaluationOptions(str(changed), idea_texts=True)
    before, _ = evaluation_task(loaded(home), wanted)
    rows = changed / "data" / "test.jsonl"
    rows.write_text(rows.read_text().replace("Abstract: ", "Abstract: Now "))
    assert evaluation_task(loaded(home), wanted)[0].digest != before.digest


def with_only(run, places):
    """The run as if the first reviewer had said something of these papers only."""
    told = tuple(each if at in places else None for at, each in enumerate(run.reviewers[0].reviews))
    return run.model_copy(update={"reviewers": (run.reviewers[0].model_copy(update={"reviews": told}),
                                                *run.reviewers[1:])})  # fmt: skip


def test_figures_of_few_papers_have_no_interval_and_no_reviewer_is_called_better(home, data, server):
    run, _ = evaluated(home, data, server, judges=("server:knows",))
    few = line(judge_evaluation_report(with_only(run, (0, 1)), draws=50), "server:knows").rating
    assert (few.papers, few.rmse.low, few.over_constant.high) == (2, None, None)
    assert few.rmse.value is not None
    assert "not distinguishable from the constant" in headline(
        judge_evaluation_report(with_only(run, (0, 1)), draws=50)
    )


def test_an_order_needs_no_probabilities(home, data, server):
    """Of a single rejected paper there is nothing to fit, but whether it is rated lowest can be seen."""
    run, _ = evaluated(home, data, server, judges=(f"judge:mini@{server.base_url}",))
    lowest = min(range(TEST), key=lambda at: run.papers[at].mean)
    papers = tuple(each.model_copy(update={"accepted": at != lowest}) for at, each in enumerate(run.papers))
    decision = line(judge_evaluation_report(run.model_copy(update={"papers": papers}), draws=50), "judge:mini").decision
    assert (decision.auc.value, decision.brier.value, decision.bins) == (1, None, ())


def test_papers_at_most_are_the_same_whenever_they_are_drawn(home, data):
    few = evaluated(home, data, papers=7)[0].papers
    assert few == evaluated(home, data, papers=7)[0].papers == evaluated(home, data, papers=9)[0].papers[:7]


@pytest.mark.slow
def test_the_report_tells_the_same_as_page_as_tables_and_as_data(plain, tmp_path):
    _, report = plain
    files = write_judge_evaluation(report, tmp_path)
    assert json.loads(files.json.read_text()) == json.loads(report.model_dump_json())
    page = files.html.read_text()
    assert "<script" not in page
    assert "ridge on embeddings" in page
    assert len(table(tmp_path / "papers.csv")) == 3 * TEST
    rows = {(row["reviewer"], row["figure"]): row for row in table(tmp_path / "figures.csv")}
    assert float(rows[CONSTANT, "rating: rmse"]["value"]) == line(report, CONSTANT).rating.rmse.value
    assert {file.name for file in (tmp_path / "charts").iterdir()} >= {"ratings.svg", "calibration.png"}


@pytest.mark.slow
def test_ten_thousand_papers_are_measured(plain):
    """The measures alone, on papers told again and again."""
    run, _ = plain
    times = 10_000 // TEST
    many = run.model_copy(
        update={
            "papers": run.papers * times,
            "reviewers": tuple(replace_reviews(each, times) for each in run.reviewers),
        }
    )
    report = judge_evaluation_report(many, draws=100)
    assert line(report, CONSTANT).rating.papers == times * TEST


def replace_reviews(reviewer, times):
    return reviewer.model_copy(update={"reviews": reviewer.reviews * times})


def test_an_unknown_name_is_refused_before_any_call(home, data):
    with pytest.raises(BadInput, match="no model provider"):
        evaluation_task(loaded(home), replace(JudgeEvaluationOptions(str(data)), judges=("nobody:x",)))


def test_beside_a_trained_folder_its_base_is_rated_too_and_each_once(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        told = TrainedModel(
            name=name, purpose="judge", base="offline:small", data="d", steps=1, seconds=1, tokens=1
        ).model_dump_json()  # fmt: skip
        (tmp_path / name / TRAINED_FILE).write_text(told)
    found = expected_rating_reviewers([str(tmp_path / "one"), str(tmp_path / "two"), "offline:small"])
    assert [(each.name, each.of) for each in found] == [
        ("one, likeliest rating", ()),
        ("offline:small, likeliest rating", ("one, likeliest rating", "two, likeliest rating")),
        ("two, likeliest rating", ()),
    ]  # fmt: skip
    (tmp_path / "two" / TRAINED_FILE).write_text("{}")
    with pytest.raises(BadInput, match="cannot be read"):
        expected_rating_reviewers([str(tmp_path / "two")])


@pytest.mark.slow
def test_what_a_process_of_its_own_cannot_rate_is_one_line_and_the_run_can_go_on(home, data, monkeypatch):
    """Whatever the reason is: here the model is nowhere."""
    monkeypatch.setattr("novum.benchmarks.judge_evaluation.durable.need_libraries", lambda: None)
    task, _ = evaluation_task(loaded(home), JudgeEvaluationOptions(str(data), expected=(str(home / "nowhere"),)))
    with pytest.raises(ModelError, match="could not be computed"):
        working(home, lambda place: start(JUDGE_EVALUATION, place, task))


def test_expected_ratings_are_computed_once_and_stored_with_the_run(home, data, monkeypatch):
    """The process that reads weights is stood in for by one that says the middle of the ratings that there are."""
    monkeypatch.setattr("novum.benchmarks.judge_evaluation.durable.need_libraries", lambda: None)
    monkeypatch.setattr("novum.benchmarks.judge_evaluation.expected_ratings.MODULE", "tests.benchmarks.middle_rating")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    run, report = evaluated(home, data, expected=("offline:small",))
    likeliest = line(report, "offline:small, likeliest rating")
    assert (likeliest.kind, likeliest.rating.papers, likeliest.texts) == ("expected", TEST, None)
    monkeypatch.setattr("novum.benchmarks.judge_evaluation.expected_ratings.MODULE", "nothing.of.this.name")
    with working(home, keep_open) as ledger:
        ledger.end_run(run.name, "stopped", "by hand", seconds=0)
    assert working(home, lambda place: resume(JUDGE_EVALUATION, place, run.name)).reviewers == run.reviewers


async def keep_open(place):
    return Ledger.open(place.settings.ledger_place)


def test_who_only_writes_reports_cannot_decide_or_compare(home, data):
    with pytest.raises(BadInput, match="judge:mini was trained to write reports"):
        evaluation_task(loaded(home), JudgeEvaluationOptions(str(data), decider="judge:mini"))
