"""Studies: balanced and blind plans, answers that are safe at once, and statistics against known values."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest

from novum.benchmarks.arena.human_judgements import read_human_judgements
from novum.benchmarks.liveidea.ratings import read_ratings
from novum.core import Idea
from novum.errors import BadInput
from novum.runs.idea_sources.rows import idea_of_text
from novum.settings import load_settings
from novum.studies.assignment import plan_for
from novum.studies.forms import FORMS
from novum.studies.records import JudgeScore, Participant, Study, StudyItem
from novum.studies.results import opposite, study_result
from novum.studies.setup import StudyPlan, study_from
from novum.studies.storage import StudyStore
from novum.studies.tables import as_csv, study_tables


def idea(name, topic="bridges", generator=""):
    return Idea(topic=topic, title=name, motivation="", novelty="", method="", summary=f"About {name}.",
                generator=generator)  # fmt: skip


def item(number, *, pair=False):
    second = {"second": idea(f"other {number}"), "second_source": "beta"} if pair else {}
    return StudyItem(id=f"item {number}", topic="bridges", first=idea(f"idea {number}"), first_source="alpha", **second)


def study(form="ratings", items=6, **changes):
    pair = FORMS[form].subjects == "pair"
    values = {"per_participant": 4, "checks": 1, **changes}
    return Study(id="study-1", title="Ideas", form_name=form, items=tuple(item(n, pair=pair) for n in range(items)),
                 **values)  # fmt: skip


def participants(of, count):
    found = []
    for number in range(1, count + 1):
        found.append(Participant(number=number, link=f"link {number}", plan=plan_for(of, number, found)))
    return found


@pytest.mark.parametrize("count", range(1, 10))
def test_every_item_is_given_equally_often(count):
    given = Counter(task.item for each in participants(study(), count) for task in each.plan if task.item)
    every = [given[f"item {number}"] for number in range(6)]
    assert max(every) - min(every) <= 1


def test_each_idea_of_a_pair_is_shown_first_equally_often():
    people = participants(study("pairs", per_participant=6), 8)
    swapped = Counter(task.item for each in people for task in each.plan if task.swapped)
    assert all(swapped[f"item {number}"] == 4 for number in range(6))


def test_participants_have_different_orders_and_the_same_one_each_time():
    plans = [[task.item for task in each.plan if task.item] for each in participants(study(per_participant=6), 4)]
    assert len({tuple(plan) for plan in plans}) > 1
    again = [[task.item for task in each.plan if task.item] for each in participants(study(per_participant=6), 4)]
    assert plans == again


def test_attention_checks_are_never_first():
    for each in participants(study(checks=3), 20):
        assert sum(not task.item for task in each.plan) == 3
        assert each.plan[0].item


@pytest.fixture
def store(tmp_path):
    return StudyStore(tmp_path / "home")


def test_an_answer_is_kept_at_once_and_a_later_one_replaces_it(store, tmp_path):
    saved = store.add(study())
    person = store.invite(saved)
    store.save(saved, person, 0, "clarity", "3")
    store.save(saved, person, 0, "clarity", "7")
    [answer] = StudyStore(tmp_path / "home").answers(saved.id)
    assert answer.value == "7"


@pytest.mark.parametrize(
    ("task", "question", "value"),
    [(0, "clarity", "11"), (0, "beauty", "3"), (99, "clarity", "3"), (-1, "clarity", "3")],
)
def test_an_answer_that_the_form_does_not_offer_is_refused(store, task, question, value):
    saved = store.add(study())
    with pytest.raises(BadInput):
        store.save(saved, store.invite(saved), task, question, value)


def test_a_closed_study_takes_no_answers_and_keeps_those_it_has(store):
    saved = store.add(study())
    person = store.invite(saved)
    store.save(saved, person, 0, "clarity", "3")
    closed = store.set_state(saved.id, "closed")
    with pytest.raises(BadInput, match="closed"):
        store.save(closed, person, 0, "clarity", "4")
    with pytest.raises(BadInput, match="closed"):
        store.invite(closed)
    assert len(store.answers(saved.id)) == 1


def test_links_are_long_and_lead_to_one_participant(store):
    saved = store.add(study())
    links = {store.invite(saved).link for _ in range(20)}
    assert len(links) == 20
    assert min(map(len, links)) >= 32
    assert store.by_link("guess") is None


def answered(store, saved, answer):
    """All participants of three answer everything; `answer(participant, item, question)` gives the value as seen from
    the first idea."""
    for _ in range(3):
        person = store.invite(saved)
        for at, task in enumerate(person.plan):
            for question in saved.form.questions:
                value = answer(person.number, task.item, question.name) if task.item else task.expected
                store.save(saved, person, at, question.name, opposite(question, value) if task.swapped else value)
    return study_result(saved, store.participants(saved.id), store.answers(saved.id))


def rows_in(table):
    return list(csv.DictReader(io.StringIO(table)))


def test_people_who_agree_have_perfect_coefficients(store):
    saved = store.add(study(per_participant=6))
    result = answered(store, saved, lambda person, name, question: str(int(name[-1]) + 2))
    for each in result.criteria:
        assert each.alpha.alpha == pytest.approx(1)
        assert each.icc.agreement_single.value == pytest.approx(1)
        assert each.kappa == pytest.approx(1)


def test_a_severe_rater_lowers_absolute_agreement_but_not_consistency(store):
    saved = store.add(study(per_participant=6))
    result = answered(store, saved, lambda person, name, question: str(int(name[-1]) + person))
    [originality, *_] = result.criteria
    assert originality.icc.consistency_single.value == pytest.approx(1)
    assert originality.icc.agreement_single.value < 0.95


def test_a_preference_counts_for_the_same_idea_whichever_side_it_was_shown_on(store):
    saved = store.add(study("pairs", per_participant=6))
    result = answered(store, saved, lambda person, name, question: "2")
    won = {each.source: each.mean for each in result.sources if each.criterion == "novelty"}
    assert won == {"alpha": 1.0, "beta": 0.0}


def test_both_bad_is_no_preference(store):
    saved = store.add(study("grades", per_participant=6))
    result = answered(store, saved, lambda person, name, question: "both bad")
    assert all(each.answers == 0 for each in result.criteria)
    assert result.sources == ()


def test_whoever_fails_a_check_is_left_out(store):
    saved = store.add(study(per_participant=6))
    answered(store, saved, lambda person, name, question: "5")
    person = store.invite(saved)
    for at, task in enumerate(person.plan):
        wrong = "1" if task.expected != "1" else "2"
        store.save(saved, person, at, "originality", wrong if not task.item else "10")
    result = study_result(saved, store.participants(saved.id), store.answers(saved.id))
    assert result.left_out == (4,)
    assert set(result.criteria[0].scores.values()) == {5.0}
    tables = study_tables(saved, store.participants(saved.id), store.answers(saved.id))
    assert {each["rater"] for each in rows_in(tables["ratings.csv"])} == {"p1", "p2", "p3"}
    assert {each["rater"] for each in rows_in(tables["tuning.csv"])} == {"p1", "p2", "p3"}
    checks = {each["participant"]: each["attention_checks"] for each in rows_in(tables["answers.csv"])}
    assert checks == {"1": "passed", "2": "passed", "3": "passed", "4": "failed"}


def test_agreement_with_model_judges_is_a_rank_correlation(store):
    judged = [JudgeScore(item=f"item {n}", criterion="novelty", judge="model", score=n / 6) for n in range(6)]
    saved = store.add(study("pairs", per_participant=6, judged=judged))
    result = answered(store, saved, lambda person, name, question: str(min(int(name[-1]) // 2, 2)))
    [novelty, *others] = result.criteria
    assert novelty.with_judges.r > 0.9
    assert all(each.with_judges is None for each in others)


def test_a_study_without_answers_claims_nothing(store):
    saved = store.add(study())
    result = study_result(saved, [store.invite(saved)], [])
    assert all(each.alpha.alpha is None and each.kappa is None for each in result.criteria)
    assert result.participants[0].passed is None


def test_ratings_are_read_by_the_command_that_compares_panels_with_people(store):
    saved = store.add(study(per_participant=6))
    answered(store, saved, lambda person, name, question: str(int(name[-1]) + 2))
    tables = study_tables(saved, store.participants(saved.id), store.answers(saved.id))
    table = read_ratings(tables["ratings.csv"], "ratings.csv")
    assert len(table.ratings) == 6 * 3 * 3
    assert table.refused == ()


@pytest.mark.parametrize("form", ["pairs", "grades"])
def test_pairs_are_read_by_the_command_that_compares_judges_with_people(store, tmp_path, form):
    saved = store.add(study(form, per_participant=6))
    values = {"pairs": "2", "grades": "better"}
    answered(store, saved, lambda person, name, question: values[form])
    file = tmp_path / "matches.csv"
    file.write_text(study_tables(saved, store.participants(saved.id), store.answers(saved.id))["matches.csv"])
    found = read_human_judgements(file)
    assert len(found.judged_pairs) == 6 * 3
    assert found.notes == []
    assert {verdict.outcome for each in found.judged_pairs for verdict in each.verdicts} == {"first"}


def test_comments_are_exported_with_the_idea_that_they_are_about(store):
    saved = store.add(study(checks=1, per_participant=3))
    person = store.invite(saved)
    for task in range(len(person.plan)):
        store.comment(saved, person, task, f"=on task {task}")
    table = study_tables(saved, [person], [], store.comments(saved.id))["comments.csv"]
    rows = list(csv.DictReader(table.splitlines()))
    assert [row["item"] for row in rows] == [each.item for each in person.plan]
    assert [row["comment"] for row in rows] == [f"'=on task {task}" for task in range(len(person.plan))]
    assert all(bool(row["first"]) == bool(row["item"]) for row in rows)


@pytest.mark.parametrize("text", ["=SUM(A1)", "\uff1dSUM(A1)", "@cmd", "\t=1"])
def test_no_cell_becomes_a_formula(text):
    assert f"'{text}" in as_csv([{"title": text}])


def test_pairs_are_made_of_different_sources_on_one_topic(tmp_path):
    settings = load_settings({"home": str(tmp_path)})
    file = tmp_path / "ideas.csv"
    file.write_text("topic,title,summary,generator\nbridges,One,Text one,rag\nbridges,Two,Text two,plain\n"
                    "bridges,Three,Text three,rag\nsoup,Four,Text four,rag\n")  # fmt: skip
    made = study_from(StudyPlan("Ideas", "pairs", [str(file)]), settings)
    assert len(made.items) == 2
    assert all(each.first_source != each.second_source for each in made.items)


def test_a_study_without_ideas_says_what_to_name(tmp_path):
    settings = load_settings({"home": str(tmp_path)})
    with pytest.raises(BadInput, match="no idea to judge"):
        study_from(StudyPlan("Ideas", "ratings"), settings)
    lonely = [idea_of_text("One\nText", "given", "bridges")]
    with pytest.raises(BadInput, match="no pair"):
        study_from(StudyPlan("Ideas", "pairs", ideas=lonely), settings)


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.name)
def test_the_opposite_of_the_opposite_is_the_answer_itself(form):
    for question in form.questions:
        for choice in question.choices:
            assert opposite(question, opposite(question, choice.value)) == choice.value
