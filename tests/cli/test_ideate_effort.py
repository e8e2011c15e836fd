"""`novum ideate --effort` and `--dry-run`: a budget in one word, and what a run would take."""

from __future__ import annotations

import json

import pytest

import novum
from novum.methods.effort import effort_options
from novum.methods.effort_costs import cost_table
from novum.runs.ideation import DEFAULT_METHOD


def test_a_dry_run_prints_what_a_run_would_take_and_sends_nothing(here, serve):
    server = serve()
    request = ("ideate", "molecules", "--method", "portfolio", "--effort", "low", "--dry-run")
    ended = here(*request, "--model", server.model)
    assert ended.code == 0
    row = cost_table()["portfolio"]["low"]
    calls = sum(role.get("calls", 0) for role in row["roles"].values())
    assert f"Calls:   {calls:,}, of which {row['steps']} wait for each other" in ended.out
    assert "Tokens:  " in ended.out
    assert "Time:    " in ended.out
    assert "at low effort" in ended.out
    assert "Price:   unknown: the price of server:scripted" in ended.out
    assert ended.out.rstrip().endswith("Nothing was sent (--dry-run).")
    assert server.asked == []


def test_a_dry_run_says_dollars_where_the_price_is_known(here, serve, tmp_path):
    prices = '[prices]\n"server:scripted" = { input_per_million = 2.0, output_per_million = 8.0 }\n'
    (tmp_path / "novum.toml").write_text(prices)
    ended = here("ideate", "molecules", "--dry-run", "--json", "--model", serve().model)
    answer = json.loads(ended.out)
    roles = cost_table()[DEFAULT_METHOD]["default"]["roles"].values()
    expected = sum(2.0 * each["prompt_tokens"] + 8.0 * each["answer_tokens"] for each in roles) / 1e6
    assert answer["usd"] == pytest.approx(expected)
    assert answer["unpriced"] == []
    assert answer["calls"] == sum(each["calls"] for each in roles)


def test_a_dry_run_names_the_options_that_it_does_not_count(here):
    ended = here("ideate", "molecules", "--dry-run", "--branches", "7", "--effort", "low", "--before", "2020-01-01")
    assert "Note:    branches=7 is not in this count." in ended.out
    assert "before=" not in ended.out


def test_a_dry_run_of_a_method_that_was_not_measured_says_so(here):
    ended = here("ideate", "molecules", "--dry-run", "--method", "real-paper")
    assert ended.code == 2
    assert "The calls of real-paper were not measured" in ended.err


def test_a_dry_run_checks_topic_and_options_first(here):
    assert here("ideate", " ", "--dry-run").code == 2
    assert here("ideate", "molecules", "--dry-run", "--option", "nothing=1").code == 2


def test_an_effort_reaches_the_options_of_the_run_and_given_options_win(home, serve):
    given = {"experiment": False, "branches": 2, "home": home, "model": serve().model}
    ideation = novum.ideate("molecules", effort="low", **given).report.ideation
    low = effort_options("chain-of-ideas", "low")
    assert ideation.options["branches"] == 2
    assert ideation.options["length"] == low["length"]
    assert not any("effort" in note for note in ideation.notes)


def test_a_method_that_cannot_use_an_effort_says_so_in_one_line(home, serve):
    model = serve().model
    ideation = novum.ideate("molecules", method="gpt-researcher", effort="low", home=home, model=model).report.ideation
    (note,) = [each for each in ideation.notes if "effort" in each]
    assert note.startswith("gpt-researcher has no levels of effort and runs with its own options.")


@pytest.mark.parametrize(
    ("arguments", "method"),
    [
        ((), "portfolio"),
        (("--effort", "low"), "portfolio"),
        (("--branches", "2"), "chain-of-ideas"),
        (("--from-opportunities", "2"), "chain-of-ideas"),
        (("--count", "3"), "chain-of-ideas"),
        (("--method", "rag"), "rag"),
    ],
)
def test_the_method_is_the_winner_of_the_study_unless_something_else_is_asked_for(here, serve, arguments, method):
    ended = here("ideate", "molecules", "--dry-run", "--json", "--model", serve().model, *arguments)
    assert f"Counted by running {method}" in json.dumps(json.loads(ended.out)["notes"])


def test_with_the_offline_model_it_is_the_one_that_shows_papers(here):
    assert "Counted by running chain-of-ideas" in here("ideate", "molecules", "--dry-run").out


def test_a_run_without_a_method_develops_the_best_seeds_and_checks_the_ideas(here, serve, tmp_path):
    server = serve()
    done = here(
        "ideate", "molecules", "--model", server.model, "--effort", "low", "--source", "none", "--option",
        "experiment=no", "--out", "made",
    )  # fmt: skip
    assert done.code == 0, done.err
    report = json.loads((tmp_path / "made" / "report.json").read_text())
    assert report["ideation"]["method"] == "portfolio"
    assert report["ideation"]["candidates"][0]["checks"]
    assert "is not known. The command novum judge validate" in report["judges_and_people"]
    assert "novum judge validate" in (tmp_path / "made" / "report.html").read_text()
