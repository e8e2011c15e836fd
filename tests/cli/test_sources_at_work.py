"""Services of papers where users meet them besides `library`: runs, the doctor, the settings; how far a filling is."""

from __future__ import annotations

import json

import pytest

from novum.cli.shell.library_progress import Lines, library_progress
from novum.literature import Library
from novum.runs.library import Rate
from tests.cli.conftest import SMALL
from tests.cli.test_library_add import asked, service, work, works
from tests.local_service import Said

__all__ = ["service"]
KEY = "a-key-that-is-nobodys-business"


@pytest.mark.parametrize("command", [("ideate", *SMALL), ("explore", "--rounds", "1")], ids=["ideate", "explore"])
def test_a_run_fetches_papers_of_its_topic(here, serve, service, home, command):
    service.on("/works", works(work(1), work(2)))
    name, *options = command
    ended = here(name, "how sheets fold", *options, "--model", serve().model, "--source", "openalex")
    assert ended.code == 0, ended.err
    assert any(each.query["search"] == "sheets fold" for each in asked(service))
    with Library.open(home / "library") as library:
        assert library.by_identifier("openalex", "W2")


def test_a_run_that_is_resumed_asks_the_services_that_it_asked_before(here, serve, service):
    service.on("/works", works(work(1)))
    model = serve().model
    stopped = here("ideate", "how sheets fold", *SMALL, "--model", model, "--source", "openalex", "--budget-calls", "3")
    assert stopped.code == 3
    before = len(asked(service))
    assert here("runs", "resume", "last", "--budget-calls", "500").code == 0
    assert len(asked(service)) > before


def test_an_unknown_service_is_reported_before_any_request(here, serve):
    server = serve()
    ended = here("ideate", "how sheets fold", "--model", server.model, "--source", "openalx")
    assert (ended.code, server.asked) == (2, [])
    assert "Did you mean openalex?" in ended.err


def doctor(here, serve):
    """The findings about services, by name."""
    findings = json.loads(here("doctor", "--model", serve().model, "--json").out)
    return {one["what"].removeprefix("source "): one for one in findings if one["what"].startswith("source ")}


def test_the_doctor_says_of_every_service_whether_its_key_is_set_and_what_it_costs(here, serve, monkeypatch):
    monkeypatch.setenv("S2_API_KEY", KEY)
    found = doctor(here, serve)
    assert found["semantic-scholar"]["found"].startswith("S2_API_KEY a-k…ness; ")
    assert found["semantic-scholar"]["advice"] == ""
    assert found["openalex"]["found"].startswith(
        "no key is set; without a key OpenAlex answers 10 to 100 searches a day"
    )
    assert found["openalex"]["advice"].startswith("set OPENALEX_API_KEY (free, ")
    assert "https://openalex.org/settings/api" in found["openalex"]["advice"]
    assert found["arxiv"]["found"].startswith("needs no key; free: one request every three seconds")
    assert (found["arxiv"]["state"], found["arxiv"]["advice"]) == ("fine", "")


def test_the_doctor_advises_an_address_for_crossref_and_no_key(here, serve, monkeypatch):
    assert doctor(here, serve)["crossref"]["advice"].startswith("set NOVUM_CONTACT, or contact in novum.toml")
    monkeypatch.setenv("NOVUM_CONTACT", "me@example.org")
    found = doctor(here, serve)["crossref"]
    assert (found["state"], found["advice"]) == ("fine", "")
    assert found["found"].startswith("your address me@example.org is sent; free: one search a second, three for users")


def test_the_doctor_shows_what_a_service_said_last_of_its_limits(here, serve, service):
    headers = {"X-RateLimit-Limit-USD": "0.1", "X-RateLimit-Remaining-USD": "0.0", "X-RateLimit-Reset": "7300"}
    service.on("/works", Said(works(work(1)).body, headers=headers))
    assert here("library", "add", "--source", "openalex", "sheets").code == 0
    found = doctor(here, serve)["openalex"]
    assert "; $0 of $0.10 left when last asked, resets at " in found["found"]
    assert found["found"].endswith("UTC (in 2 h)")
    assert found["state"] == "note"


@pytest.mark.parametrize(
    ("setting", "state", "found"),
    [
        ("openalex,arxiv", "fine", "runs on one topic ask OpenAlex, arXiv, unless the setting sources is none"),
        ("none", "fine", "runs use the library alone: no service is asked"),
        ("openalexx", "broken", "there is no source 'openalexx'"),
    ],
)
def test_the_doctor_says_which_services_runs_ask(here, serve, monkeypatch, setting, state, found):
    monkeypatch.setenv("NOVUM_SOURCES", setting)
    results = json.loads(here("doctor", "--model", serve().model, "--json").out)
    said = next(each for each in results if each["what"] == "papers")
    assert (said["state"], said["found"]) == (state, found)


def test_keys_of_services_are_shown_masked_among_the_others(here, monkeypatch):
    monkeypatch.setenv("OPENALEX_API_KEY", KEY)
    printed = here("config", "show").out
    assert "OPENALEX_API_KEY  a-k…ness" in printed
    assert KEY not in printed
    assert json.loads(here("config", "show", "--json").out)["keys"] == {"OPENALEX_API_KEY": "a-k…ness"}


# How far it is


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_away_from_a_terminal_there_is_a_line_about_each_thing_every_ten_seconds(capsys):
    clock = Clock()
    rate = Rate("papers", Lines(clock), clock)
    for clock.now, source, done in ((0, "OpenAlex", 5), (9, "OpenAlex", 90), (11, "arXiv", 3), (12, "OpenAlex", 240)):
        rate(source, done, 500)
    assert capsys.readouterr().err == "OpenAlex: 240 of 500 papers, 20 a second\n"


def test_on_a_terminal_there_is_a_bar_for_each_source(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with library_progress() as progress:
        rate = Rate("papers", progress)
        rate("OpenAlex", 5, 10)
        rate("arXiv [not markup]", 5, None)
    printed = capsys.readouterr().err
    assert "OpenAlex" in printed
    assert "arXiv [not markup]" in printed
    assert "5 of 10 papers" in printed
