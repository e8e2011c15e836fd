"""`novum ideate`: a topic goes in, a report comes out, and what is said goes where it belongs."""

from __future__ import annotations

import json

import pytest

from novum.cli.ideas.session import announcement
from novum.core import IdeationReport
from novum.settings import load_settings
from tests.cli.conftest import SMALL

UNKNOWN = "trade guilds in medieval Flanders"
NO_NETWORK = '[source_addresses]\nopenalex = "http://127.0.0.1:9"\n'
"""A service that cannot be reached."""


@pytest.fixture
def model(serve):
    return serve().model


def test_a_topic_becomes_a_report(novum, model, tmp_path):
    ended = novum("ideate", "graph networks for molecules", *SMALL, "--model", model)
    assert ended.code == 0
    (folder,) = (tmp_path / "novum-reports").iterdir()
    assert {file.name for file in folder.iterdir()} == {
        "report.html",
        "report.md",
        "report.json",
        "papers.bib",
        "prompt.txt",
    }
    assert f"Report:    novum-reports/{folder.name}/report.html" in ended.out
    assert "Best idea: " in ended.out
    assert "Cost:      calls: " in ended.out


def test_the_answer_of_an_idea_model_becomes_a_report_without_papers(here, serve, tmp_path):
    answer = "Title: Bonds that vote\n\nAbstract: Atoms of a molecule vote on the charge of each bond, and we test it."
    done = here("ideate", "molecules", "--method", "topic-prompt", "--model", serve(lambda _: answer).model)
    assert done.code == 0, done.err
    (folder,) = (tmp_path / "novum-reports").iterdir()
    assert "Bonds that vote" in (folder / "report.md").read_text("utf-8")
    assert "Bonds that vote" in (folder / "report.html").read_text("utf-8")


@pytest.mark.slow
def test_json_on_stdout_is_the_report_and_nothing_else(novum, model, tmp_path):
    ended = novum("ideate", "molecules", *SMALL, "--model", model, "--json", "--out", str(tmp_path / "out"))
    report = IdeationReport.model_validate(json.loads(ended.out))
    assert report.ideation.topic == "molecules"
    assert "Ideas by server:scripted" in ended.err
    assert json.loads((tmp_path / "out" / "report.json").read_text()) == json.loads(ended.out)


def test_a_line_says_which_models_are_asked_and_why(here, model):
    ended = here("ideate", "molecules", *SMALL, "--model", model)
    assert ended.out.startswith(
        "Ideas by server:scripted (as asked), papers read by server:scripted, judged by server:scripted."
    )


def test_the_line_names_the_key_that_decided(tmp_path):
    settings = load_settings(environment={"OPENAI_API_KEY": "sk-1234567890abcdef", "NOVUM_HOME": str(tmp_path)})
    assert "(because OPENAI_API_KEY is set)" in announcement(settings)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("ideate", "Europe PMC and arXiv, which receive the topic, search queries and summaries of ideas"),
        ("explore", "Europe PMC and arXiv, which receive the question and search queries"),
        ("bulk", "Papers: the library alone."),
    ],
)
def test_the_line_says_which_services_receive_what(tmp_path, monkeypatch, kind, said):
    monkeypatch.setattr("novum.settings._USUAL_SOURCES", ("europe-pmc", "arxiv"))
    settings = load_settings(environment={"OPENAI_API_KEY": "sk-1234567890abcdef", "NOVUM_HOME": str(tmp_path)})
    assert said in announcement(settings, kind=kind)


def test_the_offline_model_is_announced_as_a_demonstration(tmp_path):
    settings = load_settings(environment={"NOVUM_HOME": str(tmp_path)})
    assert "This is a demonstration" in announcement(settings)


def test_away_from_a_terminal_there_is_a_line_for_each_top_level_step(here, model):
    ended = here("ideate", "molecules", *SMALL, "--model", model)
    assert [line.split(":")[0] for line in ended.lines] == ["perspectives", "chains", "branch 1", "experiment"]


def test_quiet_leaves_only_the_outcome(here, model):
    ended = here("ideate", "molecules", *SMALL, "--model", model, "--quiet")
    assert ended.err == ""
    assert ended.out.startswith("Best idea: ")


def test_options_reach_the_method_by_their_own_names_and_by_key_and_value(here, model, ledger):
    here("ideate", "molecules", *SMALL, "--model", model, "--before", "2016-01-01", "--option", "trends=false")
    options = ledger.run("last").params["options"]
    assert (options["branches"], options["before"], options["trends"]) == (1, "2016-01-01", False)


def test_several_judges_form_a_panel(here, serve, ledger):
    server = serve()
    here("ideate", "molecules", *SMALL, "--model", server.model, "--judge", server.model, "--judge", "ollama:judge")
    assert ledger.run("last").params["settings"]["judges"] == [server.model, "ollama:judge"]


def test_a_budget_stops_the_run_cleanly_and_a_larger_one_takes_it_up(here, serve, ledger):
    server = serve()
    stopped = here("ideate", "molecules", *SMALL, "--model", server.model, "--budget-calls", "3")
    assert stopped.code == 3
    assert "--budget-calls" in stopped.lines[-1]
    assert "novum runs resume " in stopped.lines[-1]
    assert server.answered == 3
    assert here("runs", "resume", "last", "--budget-calls", "100").code == 0
    assert server.answered == ledger.spend(ledger.run("last").id).calls


def test_the_same_topic_again_costs_nothing_unless_fresh_answers_are_wanted(here, serve):
    server = serve()
    arguments = ("ideate", "molecules", *SMALL, "--model", server.model)
    here(*arguments)
    first = server.answered
    here(*arguments)
    assert server.answered == first
    here(*arguments, "--fresh")
    assert server.answered == 2 * first


# Which services see the queries, and topics that nothing is known of


def test_the_services_that_see_the_queries_are_named_first_and_without_a_network_one_line_says_so(
    novum, serve, tmp_path
):
    (tmp_path / "novum.toml").write_text(NO_NETWORK)
    server = serve()
    address = server.model.partition("@")[2]
    ended = novum("ideate", UNKNOWN, "--model", "server:scripted", "--base-url", address, "--source", "openalex")
    assert ended.code == 2
    (announced,) = ended.out.splitlines()
    assert announced.startswith("Ideas by server:scripted ")
    assert announced.endswith(
        "Papers: the library and OpenAlex, which receive the topic, search queries and summaries of ideas (not with "
        "--source none)."
    )
    (line,) = ended.lines
    assert line.startswith(
        f"novum: Nothing is known about “{UNKNOWN}”: none of the nearest of 8 papers of the library "
    )
    assert "“guilds”" in line
    assert "OpenAlex cannot be reached: check the network and proxy. Then run this again" in line
    assert "--force" in line
    assert server.asked == []


def test_the_usual_services_are_named_with_a_key_that_adds_one(tmp_path, monkeypatch):
    monkeypatch.setattr("novum.settings._USUAL_SOURCES", ("openalex", "arxiv"))
    monkeypatch.setattr("novum.settings._KEYED_SOURCES", {"semantic-scholar": ("S2_API_KEY",)})
    monkeypatch.setenv("S2_API_KEY", "a-key")
    environment = {"OPENAI_API_KEY": "sk-1234567890abcdef", "NOVUM_HOME": str(tmp_path)}
    assert " Papers: the library and OpenAlex, arXiv and Semantic Scholar, which receive " in announcement(
        load_settings(environment=environment)
    )


def test_without_services_the_line_says_so(here, model, tmp_path):
    ended = here("ideate", "molecules", *SMALL, "--model", model, "--source", "none")
    assert "Papers: the library alone." in ended.out.splitlines()[0]
    settings = load_settings(environment={"NOVUM_HOME": str(tmp_path)})
    assert "Papers: the library alone." in announcement(settings), "with the offline model"


def test_none_and_a_service_are_refused_together(here, serve):
    server = serve()
    ended = here("ideate", "molecules", "--model", server.model, "--source", "none", "--source", "openalex")
    assert (ended.code, server.asked) == (2, [])
    assert "`none` cannot be combined with services" in ended.lines[-1]


def test_a_topic_that_nothing_is_known_of_stops_in_one_line_and_force_goes_on(here, serve):
    server = serve()
    stopped = here("ideate", UNKNOWN, *SMALL, "--model", server.model, "--quiet")
    assert (stopped.code, server.asked) == (2, [])
    (line,) = stopped.lines
    assert "Let services be searched (`--source openalex --source crossref`)" in line
    went_on = here("ideate", UNKNOWN, *SMALL, "--model", server.model, "--force")
    assert went_on.code == 0, went_on.err
    assert "Note:      The library knows nothing about this topic: " in went_on.out


def test_many_topics_are_not_checked(here, serve, tmp_path):
    """Nobody waits for a word on each of thousands."""
    server = serve()
    ended = here("ideate", UNKNOWN, "--count", "2", "--method", "plain", "--model", server.model, "--out", "a.jsonl")
    assert ended.code == 0, ended.err
