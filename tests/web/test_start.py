"""The start page, and what its form refuses."""

from __future__ import annotations

import pytest


def test_an_empty_workbench_says_how_to_begin(bench):
    page = bench().get("/").text
    assert "Nothing has run yet" in page
    assert "What should the ideas be about?" in page


def test_without_a_key_the_page_says_before_the_start_that_it_will_be_a_demonstration(bench):
    assert "a demonstration" in bench(writer="offline").get("/").text
    assert "a demonstration" not in bench(writer="openai:gpt-5.5").get("/").text


def test_the_estimate_names_calls_tokens_cost_and_time(bench):
    page = bench(writer="openai:gpt-5.5").post("/estimate", {"method": "rag"}).text
    for word in ("Calls", "Tokens", "Cost", "Time", "$"):
        assert word in page


def test_the_estimate_says_when_a_choice_has_no_effect(bench):
    assert "has no levels of effort" in bench().post("/estimate", {"method": "gpt-researcher", "effort": "high"}).text


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"topic": " "}, "The topic is empty"),
        ({"topic": "bridges", "method": "magic"}, "magic"),
        ({"topic": "bridges", "budget_usd": "much"}, "no number"),
        ({"topic": "bridges", "model": "nowhere:model"}, "nowhere"),
        ({"topic": "x" * 3_000}, "at most"),
    ],
)
def test_a_form_that_cannot_be_used_starts_nothing_and_says_why(bench, home, fields, says):
    answer = bench().post("/runs", fields)
    assert answer.status_code == 400
    assert says in answer.text
    assert list((home / "workbench" / "jobs").iterdir()) == []


def test_a_browser_cannot_start_runs_without_end(bench):
    browser = bench(starts_a_minute=1)
    browser.post("/runs", {"topic": ""})
    answer = browser.post("/runs", {"topic": ""})
    assert answer.status_code == 429
    assert "Try again" in answer.text


def test_an_unknown_page_says_where_to_go(bench):
    answer = bench().get("/nothing")
    assert answer.status_code == 404
    assert "start page" in answer.text


@pytest.mark.parametrize("name", ["../secret", "..%2fsecret", "vendor/../../app.py", "vendor/"])
def test_static_files_are_chosen_from_a_list(bench, name):
    assert bench().get(f"/static/{name}").status_code == 404
