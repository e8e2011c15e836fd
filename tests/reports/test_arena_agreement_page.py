"""How far people and judges agree, as a record and as a page."""

from __future__ import annotations

import pytest

from novum.benchmarks.arena.report.agreement import GradedComparison, agreement_study, expert_win_rates
from novum.benchmarks.arena.report.agreement_page import agreement_plots, render_agreement_page, write_agreement
from novum.benchmarks.arena.report.judge_comparison import majority

from .arena_sample import EVIL, FAIR, SEATED, evil_run, people_of, said, sample_run
from .reading import Page

RUN = sample_run(4)
BLANK = '<svg width="9" height="9"></svg>'
"""In place of charts: drawing takes its time."""


def test_people_who_say_what_a_judge_says_agree_with_it_wholly():
    fair = [each for each in RUN.judged_pairs if each.judge == FAIR and each.kind == "idea"]
    ada = [each.model_copy(update={"judge": "Ada"}) for each in fair]
    study = agreement_study(RUN, ada, draws=20)
    found = next(each for each in study.kinds[0].with_people if each.second == FAIR)
    assert (found.first, found.matches.average.same_winner.value, found.matches.average.kappa.value) == ("Ada", 1, 1)
    assert found.ratings.mean_pearson == pytest.approx(1)
    assert found.entrants == 5
    assert [each.same.value for each in found.matches.criteria] == [1] * 5


def test_several_together_prefer_what_more_of_them_prefer():
    votes = [said("a", "b", "first", "x"), said("b", "a", "second", "y"), said("a", "b", "second", "z")]
    (together,) = majority(votes, "idea", "all")
    assert (together.first, {each.outcome for each in together.verdicts}) == ("a", {"first"})
    (even,) = majority(votes[1:], "idea", "all")
    assert {each.outcome for each in even.verdicts} == {"tie"}


def test_people_and_judges_are_held_together_and_one_by_one():
    study = agreement_study(RUN, people_of(RUN), draws=0)
    (ideas,) = study.kinds
    assert (study.people, study.judges) == (("Ada", "Bo"), (FAIR, SEATED))
    assert (ideas.with_people[0].first, ideas.with_people[0].second) == ("people together", "judges together")
    assert len(ideas.with_people) == 9
    assert [(each.first, each.second) for each in ideas.among_people] == [("Ada", "Bo")]
    assert [(each.first, each.second) for each in ideas.among_judges] == [(FAIR, SEATED)]
    assert not agreement_study(RUN, people_of(RUN), among_judges=False, draws=0).kinds[0].among_judges


def test_a_person_called_like_a_judge_and_topics_of_elsewhere_are_reported():
    people = people_of(RUN, people=(FAIR,))
    elsewhere = people[0].model_copy(update={"topic": "another"})
    shouting = people[1].model_copy(update={"topic": people[1].topic.upper()})
    study = agreement_study(RUN, [elsewhere, shouting, *people[2:]], draws=0)
    assert study.people == (f"{FAIR} (person)",)
    assert study.notes == (f"1 of {len(people)} judgements of people are on other topics or entrants.",)


def test_both_bad_is_left_out_of_the_experts_win_rate():
    grades = ("much better", "better", "worse", "both bad", "both bad")
    found = list(
        expert_win_rates(
            GradedComparison(topic="t", first="a", second="b", criterion="novelty", grade=g) for g in grades
        )
    )
    one, other = (each.share for each in found)
    assert (one.yes, one.no, one.undecided, one.rate.value) == (2, 1, 2, pytest.approx(2 / 3))
    assert other.rate.value == pytest.approx(1 / 3)


def test_the_page_on_agreement_holds_no_script_and_obeys_nobody():
    run = evil_run()
    people = [each.model_copy(update={"judge": f"person {each.judge}"}) for each in run.judged_pairs]
    graded = [GradedComparison(topic=run.topics[0], first=run.entrants[0].name, second=run.entrants[1].name,
                     criterion="novelty", grade="better")]  # fmt: skip
    study = agreement_study(run, people, graded, draws=0, notes=(EVIL,))
    drawn = {plot.name: BLANK for plot in agreement_plots(study)}
    page = Page(render_agreement_page(study, drawn))
    assert page.faults == []
    assert "script" not in page.tags
    assert "Do people agree?" in page.words
    assert "Experts in five grades" in page.words
    assert not page.values("href")[1:]


@pytest.mark.slow
def test_a_study_of_agreement_is_a_folder_too(tmp_path):
    files = write_agreement(agreement_study(RUN, people_of(RUN), draws=20), tmp_path)
    assert files.html.name == "agreement.html"
    assert {each.name for each in files.others} == {"same-winner.svg", "same-winner.png", "rated.svg", "rated.png"}
