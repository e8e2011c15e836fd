"""Rounds: which ideas become pairs, when rounds stop, and what is read of answers; without training."""

import numpy as np
import pytest

from novum.errors import BadInput
from novum.methods.topic_prompt import title_and_abstract
from novum.training.ideas.diversity import Diversity, distinct_pairs, diversity_of
from novum.training.ideas.evaluation import MeanScore, mean_by_topic
from novum.training.ideas.pairing import CLOSE, REPEATED, UNSCORED, UNUSABLE, pair_ideas
from novum.training.ideas.round_records import IterateTask, IterationReport, RoundResult, stop_reason
from novum.training.ideas.rounds import _sampled, served_name
from novum.training.ideas.scoring import read_objective
from novum.training.ideas.writing import WrittenIdea, with_examples
from novum.training.report.rounds import HEADS, headline, rows, write_rounds

TASK = IterateTask(name="p3", model="p2", topics=("a", "b"), held_out=("c", "d"), rounds=3)


def idea(number, topic="bees", words=20, title=None):
    text = " ".join(f"word{number}{place}" for place in range(words))
    return WrittenIdea(topic=topic, sample=number, title=f"Idea {number}" if title is None else title, abstract=text)


def result(number, score, distinct=0.8, spread=0.5, duplicates=0.0):
    return RoundResult(
        number=number, model=f"m{number}", pairs=8 if number else 0, scores={"objective": MeanScore(mean=score)},
        diversity=Diversity(distinct=distinct, spread=spread, duplicates=duplicates),
    )  # fmt: skip


def test_the_best_idea_on_a_topic_is_chosen_against_those_that_are_lower_by_the_margin():
    found = pair_ideas([idea(n) for n in range(4)], [0.9, 0.88, 0.5, 0.1], margin=0.5)
    assert [(pair.chosen.sample, pair.rejected.sample) for pair in found.pairs] == [(0, 3), (0, 2)]
    assert found.pairs[0].difference == pytest.approx(0.8)


def test_ideas_are_only_compared_on_one_topic():
    found = pair_ideas([idea(0, "bees"), idea(1, "rivers")], [1.0, 0.0], margin=0)
    assert found.pairs == () and found.left_out == {CLOSE: 2}


def test_what_has_no_form_no_score_or_is_known_is_in_no_pair():
    ideas = [idea(0), idea(1), idea(2, title=""), idea(3), idea(0), idea(5)]
    found = pair_ideas(ideas, [1.0, 0.0, 0.5, None, 1.0, 0.2], 0, is_known=lambda one: one.sample == 5)
    assert [(pair.chosen.sample, pair.rejected.sample) for pair in found.pairs] == [(0, 1)]
    assert found.left_out == {UNUSABLE: 1, UNSCORED: 1, REPEATED: 2}


def test_length_is_not_what_is_learnt():
    assert pair_ideas([idea(0, words=60), idea(1, words=20)], [1.0, 0.0], 0).pairs == ()


def test_rounds_stop_when_the_held_out_score_no_longer_rises():
    assert stop_reason([result(0, 0.5)], TASK) == ""
    assert stop_reason([result(0, 0.5), result(1, 0.6)], TASK) == ""
    assert "did not rise in round 2" in stop_reason([result(0, 0.5), result(1, 0.6), result(2, 0.6)], TASK)
    patient = TASK.model_copy(update={"patience": 2})
    assert stop_reason([result(0, 0.5), result(1, 0.6), result(2, 0.6)], patient) == ""
    assert "all 3 rounds" in stop_reason([result(n, n / 10) for n in range(4)], TASK)


@pytest.mark.parametrize(
    ("worse", "message"),
    [({"distinct": 0.5}, "word pairs fell"), ({"spread": 0.2}, "spread"), ({"duplicates": 0.6}, "60% of the ideas")],
)
def test_rounds_stop_when_ideas_become_alike(worse, message):
    rounds = [result(0, 0.5), result(1, 0.9, **worse)]
    assert message in stop_reason(rounds, TASK)
    report = IterationReport(name="p3", task=TASK, objective="CI", rounds=tuple(rounds), stopped="x")
    assert report.best.number == 0


@pytest.mark.parametrize(("most", "kept"), [("rows.most=10", 7), ("rows.most=2", 0), ("rows.most=99", 20)])
def test_new_pairs_are_trained_on_before_earlier_ones(most, kept):
    earlier = [{"row": number} for number in range(20)]
    task = TASK.model_copy(update={"overrides": (most,)})
    rows = _sampled(earlier, task, new=3)
    assert len(rows) == kept and all(row in earlier for row in rows)
    assert rows == _sampled(earlier, task, new=3)


def test_the_page_of_rounds_shows_both_scores(tmp_path):
    report = IterationReport(
        name="p3", task=TASK, objective="CI", rounds=(result(0, 0.5), result(1, 0.6)), stopped="all rounds are done"
    )
    assert all(len(row) == len(HEADS) for row in rows(report))
    assert "Round 1 is used: CI of 0.600 on held-out topics instead of 0.500" in headline(report)
    page = write_rounds(report, tmp_path)
    assert "wins against round 0" in page.html.read_text() and (tmp_path / "charts" / "rounds.svg").is_file()


def test_diversity_counts_different_word_pairs_distances_and_repeats():
    assert distinct_pairs(["a b a b", "a b"]) == pytest.approx(2 / 4)
    assert distinct_pairs([""]) is None
    vectors = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
    found = diversity_of(["t", "t", "t"], ["a b", "a c", "d e"], ["One", "Two", "Three"], vectors)
    assert found.duplicates == pytest.approx(2 / 3) and found.spread == pytest.approx(4 / 6)


def test_a_mean_counts_topics_equally():
    assert mean_by_topic(["a", "a", "b"], [0.0, 1.0, 1.0], 0).mean == 0.75
    assert mean_by_topic(["a"], [None], 0).mean is None


@pytest.mark.parametrize(
    ("text", "title", "abstract"),
    [
        ("Title: Bees\n\nAbstract: They dance.", "Bees", "They dance."),
        ("**Title:** Bees\n**Abstract:** They\ndance.", "Bees", "They dance."),
        ("Bees dance.", "", ""),
        ("Title: Bees\n\nThey dance.", "Bees", ""),
    ],
)
def test_title_and_abstract_are_read_from_an_answer(text, title, abstract):
    assert title_and_abstract(text) == (title, abstract)


def test_examples_are_earlier_answers_to_the_same_request():
    turns = [{"role": "user", "content": "?"}]
    assert [each["role"] for each in with_examples(turns, ["x", "y"])] == ["user", "assistant"] * 2 + ["user"]


def test_the_model_of_a_round_has_its_number_on_a_server():
    assert served_name("server:m@http://h/v1", 0) == "server:m@http://h/v1"
    assert served_name("server:m@http://h/v1", 2) == "server:m-round-2@http://h/v1"


@pytest.mark.parametrize(
    ("text", "kind"),
    [("published", "published"), ("rating", "rating"), ("judge:mini", "reviewer"), ("openai:a,openai:b", "panel")],
)
def test_an_objective_is_read_from_its_name(text, kind):
    assert read_objective(text).kind == kind


def test_the_factors_of_the_published_objective_can_be_chosen():
    assert read_objective("published", 1.0, 0.0).name == "1·CI + 0·USS/10"


@pytest.mark.parametrize("text", ["", "nothing", "judge:a,judge:b", "judge:a,openai:b"])
def test_an_objective_that_is_none_is_refused(text):
    with pytest.raises(BadInput, match="--objective"):
        read_objective(text)
