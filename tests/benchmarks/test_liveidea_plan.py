"""What a measurement will take, told beforehand; and its keywords, ours, a user's, or fresh from papers."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections import Counter

import pytest

from novum.benchmarks.liveidea.anchors import built_in_anchors
from novum.benchmarks.liveidea.keywords import built_in_keywords, read_keywords, sample_keywords
from novum.benchmarks.liveidea.new_keywords import names_a_subject, refresh_keywords
from novum.benchmarks.liveidea.plan import expected_calls, make_plan
from novum.benchmarks.liveidea.ranking import read_ranking
from novum.benchmarks.liveidea.records import Keyword, LiveIdeaProtocol
from novum.benchmarks.liveidea.task import LiveIdeaTask, panel_from, panel_of
from novum.core import Paper
from novum.errors import BadInput
from novum.ledger import Share
from novum.llm import ModelName, Price, PriceTable
from novum.testing import ideas_and_scores
from tests.benchmarks.liveidea_lab import assignment, measured, stock

TODAY = dt.date(2026, 11, 1)


def planned(
    models=("openai:gpt-4o", "ollama:llama3.3"), judges=("mistral:mistral-large-latest",), count=10, **protocol
):
    panel, addresses = panel_of([ModelName.parse(name) for name in judges])
    keywords = tuple(Keyword(keyword=f"k{n}") for n in range(count))
    return LiveIdeaTask(
        models=models, keywords=keywords, panel=panel, addresses=addresses, protocol=LiveIdeaProtocol(**protocol)
    )


@pytest.mark.parametrize("protocol", [{}, {"ideas": 3, "pairs": "all"}, {"ideas": 1, "judges": 2}])
def test_calls_are_those_that_a_run_makes(serve, tmp_path, protocol):
    server = serve(ideas_and_scores)
    what = assignment(server, models=("judge-a", "dreamer-3"), **protocol)
    measured(tmp_path, what)
    assert sum(expected_calls(what).values()) == pytest.approx(server.answered)


def test_anchors_and_second_judgements_are_counted_too(serve, tmp_path):
    server = serve(ideas_and_scores)
    stock(tmp_path, "A study of subjects")
    what = assignment(server, models=("judge-a", "dreamer-3"), keywords=1, anchors=built_in_anchors(3), papers=2)
    measured(tmp_path, what)
    assert sum(expected_calls(what).values()) == pytest.approx(server.answered)
    without = what.model_copy(update={"anchors": None})
    assert sum(expected_calls(without).values()) == pytest.approx(server.answered - 12)
    assert make_plan(what, PriceTable()).anchors == 3


def test_more_papers_are_more_to_read():
    read = [sum(row.prompt_tokens for row in make_plan(planned(papers=n), PriceTable()).rows) for n in (0, 1, 5)]
    second, each_paper = 10 * 2 * 2 * 800, 10 * 2 * 2 * 250
    assert read[1] - read[0] == second + each_paper
    assert read[2] - read[1] == 4 * each_paper


def test_the_published_measurement_has_the_published_number_of_judgements():
    models = tuple(f"ollama:model-{n}" for n in range(41))
    plan = make_plan(planned(models, [f"ollama:judge-{n}" for n in range(10)], 1180), PriceTable())
    roles = Counter()
    for row in plan.rows:
        roles[row.role] += row.calls
    assert roles["ideas"] == 41 * 1180 * 2
    assert roles["judging"] == pytest.approx(41 * 1180 * 7)
    assert plan.usd == 0, "what runs on one's own machine costs nothing"


def test_known_prices_are_summed_and_unknown_ones_named():
    plan = make_plan(planned(judges=("server:mine@http://127.0.0.1:1/v1",)), PriceTable())
    rows = {(row.model, row.role): row for row in plan.rows}
    assert rows["openai:gpt-4o", "ideas"].usd > 0
    assert rows["ollama:llama3.3", "ideas"].usd == 0
    assert rows["server:mine", "judging"].usd is None
    assert plan.unpriced == ("server:mine",)
    assert "server:mine" in plan.unfooted


def test_a_pilot_tells_what_a_call_takes():
    own = {"server:mine": Price(1.0, 2.0)}
    what = planned(("server:mine@http://127.0.0.1:1/v1",), ("ollama:judge",))
    shares = [
        Share(
            model=what.models[0], prompt="liveidea_idea", calls=4, prompt_tokens=400, completion_tokens=4000, seconds=8
        )
    ]
    plan = make_plan(what, PriceTable(own), shares, basis="a pilot")
    row = next(row for row in plan.rows if row.role == "ideas")
    assert (row.calls, row.prompt_tokens, row.completion_tokens) == (20, 2000, 20_000)
    assert row.usd == pytest.approx((2000 * 1 + 20_000 * 2) / 1e6)
    assert row.seconds == pytest.approx(20 * 2 / 32)


def test_a_panel_from_a_ranking_needs_models_that_can_be_asked():
    ranked = read_ranking("model,organisation,score\nopenai:gpt-4o,OpenAI,9\nclaude-3,Anthropic,8\n").models
    with pytest.raises(BadInput, match="'claude-3' of the ranking cannot be used"):
        panel_from(ranked, ModelName.parse, 10)
    panel, addresses = panel_from(ranked[:1], ModelName.parse, 10)
    assert (panel.judges[0].organisation, addresses) == ("OpenAI", {"openai:gpt-4o": "openai:gpt-4o"})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"models": ()}, "no model is named"),
        ({"models": ("a:b", "a:b")}, "'a:b' is named twice"),
        ({"keywords": ()}, "no keyword is named"),
        ({"protocol": {"ideas": 0}}, "ideas must be from 1"),
        ({"protocol": {"tries": 99}}, "tries must be from 1"),
        ({"protocol": {"papers": 21}}, "papers must be from 0 to 20"),
        ({"protocol": {"temperature": float("nan")}}, "temperature must be from 0 to 2"),
        ({"protocol": {"marked": ("nobody",)}}, "nobody is to mark its ideas and is not among the models"),
    ],
)
def test_an_assignment_that_cannot_be_carried_out_says_why(change, why):
    with pytest.raises(ValueError, match=why):
        LiveIdeaTask.model_validate(planned().model_dump() | change)


# Keywords


def test_our_list_is_large_enough_and_even():
    by_discipline = Counter(each.discipline for each in built_in_keywords().keywords)
    assert len(by_discipline) == 22
    assert sum(by_discipline.values()) >= 1180


def test_fewer_keywords_are_the_first_of_more_and_come_from_all_disciplines():
    whole = built_in_keywords().keywords
    few, more = sample_keywords(whole, 22, 0), sample_keywords(whole, 100, 0)
    assert more[:22] == few
    assert len({each.discipline for each in few}) == 22
    assert sample_keywords(whole, 22, 1) != few


def test_a_list_of_ones_own_may_be_odd_and_what_is_no_keyword_is_reported():
    text = '\ufeffKeyword,Field,date\n"so-called ""dark\nmatter""",astronomy,2026-10-01\n,x,\n'
    text += "Dark  Matter,y,\ndark matter,z,2026-11-02\n"
    found = read_keywords(text + "x" * 201 + ",long,\n")
    assert [each.keyword for each in found.keywords] == ['so-called "dark matter"', "Dark Matter"]
    assert found.dated == "2026-10-01"
    assert [each.why for each in found.refused] == [
        "no keyword", "'dark matter' is there already", "201 characters, at most 200 are a keyword",
    ]  # fmt: skip


def test_a_list_from_a_spreadsheet_may_have_semicolons_and_signs_that_are_lost_are_reported():
    found = read_keywords("keyword;Domain\nfern, moss;botany\nSchr\ufffddinger;physics\n")
    assert [(each.keyword, each.discipline) for each in found.keywords] == [("fern, moss", "botany")]
    assert "save the list as UTF-8" in found.refused[0].why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no column keyword"),
        ("a,b\n1,2\n", "it has: a, b"),
        ("keyword\n", "no keyword"),
        ('keyword\nfern\n"moss\nlichen\n', "no CSV"),  # never closed: it would swallow the rest
    ],
)
def test_a_list_without_keywords_says_what_is_wanted(text, why):
    with pytest.raises(BadInput, match=why):
        read_keywords(text)


SUBJECTS = {
    "Physics and Astronomy": ("lattice magnets", "spin waves", "cold plasma jets", "neutron stars"),
    "Ecology": ("soil respiration", "pollinator networks", "forest fires", "river deltas"),
}
FILLING = ("Measurements of", "We ask about", "A survey of", "New data on", "The origin of", "Limits of")


def paper(number, subject, year, field):
    """A paper whose title and abstract name its subject, among words that fit every subject."""
    lead, other = FILLING[number % 6], FILLING[(number + 1) % 6]
    return Paper(
        title=f"{lead} {subject}",
        year=year,
        date=dt.date(year, 6, 1),
        fields=(field,),
        abstract=f"{other} {subject}. Extensive experimental results improve the training process ({number}).",
    )


def refreshed(papers, **more):
    return asyncio.run(refresh_keywords(papers, TODAY, **more))


def library_of_two_fields(years=range(2020, 2027)):
    return [
        paper(number, subjects[number % 4], year, field)
        for field, subjects in SUBJECTS.items()
        for year in years
        for number in range(60)
    ]


def test_fresh_keywords_are_what_recent_papers_are_about_and_what_grows():
    papers = library_of_two_fields()
    for year in range(2022, 2027):
        rising = max(0, year - 2022) * 6
        papers += [paper(n, "quantum error correction", year, "Physics and Astronomy") for n in range(rising)]
    papers.append(paper(0, "a study of nothing", 2026, "Unheard of"))
    fresh = refreshed(papers, each=10)
    found = {each.keyword: each for each in fresh.keywords}
    assert found["quantum error correction"].growth > 1.1
    assert {name for name, each in found.items() if each.discipline == "ecology"} == set(SUBJECTS["Ecology"])
    assert found["spin waves"].papers == 15
    assert (fresh.papers, fresh.without_field) == (len(papers), 1)
    assert all(each.date == TODAY for each in fresh.keywords)
    assert [each.keyword for each in fresh.as_keywords()] == [each.keyword for each in fresh.keywords]


def test_words_that_fit_every_subject_are_no_keyword():
    papers = library_of_two_fields()
    papers += [paper(n, "optimization procedures", year, "Ecology") for year in range(2020, 2027) for n in range(12)]
    found = {each.keyword for each in refreshed(papers, each=60).keywords}
    assert not found & {
        "optimization procedures",
        "training process",
        "experimental results",
        "extensive experimental results",
        "new data",
    }
    assert all(" " in keyword for keyword in found)
    assert names_a_subject("graph neural networks")
    assert not names_a_subject("training examples")
    assert not names_a_subject("graphene")


def test_a_discipline_with_few_recent_papers_gets_no_keywords_and_is_named():
    fresh = refreshed([*library_of_two_fields(), *(paper(n, "acid rain", 2026, "Chemistry") for n in range(49))])
    assert {each.discipline for each in fresh.keywords} == {"physics", "ecology"}
    assert fresh.too_small["chemistry"] == 49
    assert set(fresh.short) == {"physics", "ecology"}
    assert refreshed([]).keywords == ()


def test_a_keyword_goes_to_one_discipline_only():
    papers = library_of_two_fields()
    papers += [paper(n, "neural codes", 2026, field) for n in range(20) for field in SUBJECTS]
    keywords = [each.keyword for each in refreshed(papers, each=20).keywords]
    assert "neural codes" in keywords
    assert len(keywords) == len(set(keywords))
