"""A known key inside a paper, or a character that steers a terminal: neither leaves by any way."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import SMALL

KEY = "OAkey-9988776655zz"
STEERING = "\x9b\u202e"


@pytest.fixture
def added(here, monkeypatch, tmp_path):
    """A paper whose texts hold the key and such characters, in the library."""
    monkeypatch.setenv("OPENALEX_API_KEY", KEY)
    title = f"Graph networks for molecules and {KEY} in{STEERING} crystals"
    paper = {"title": title, "year": 2020, "abstract": f"Learning graph networks, {KEY}. {STEERING}" * 3}
    (tmp_path / "papers.jsonl").write_text(json.dumps(paper) + "\n")
    assert here("library", "add", "papers.jsonl").code == 0


@pytest.mark.usefixtures("added")
def test_no_command_shows_stores_or_sends_it(here, serve, home, tmp_path):
    server = serve()
    commands = [
        ("library", "search", "graph networks for molecules and crystals", "--json"),
        ("library", "search", "graph networks for molecules and crystals"),
        *(("library", "export", "--format", form) for form in ("jsonl", "bibtex", "ris", "csl")),
        ("ideate", f"graph networks for molecules, {KEY}", *SMALL, "--model", server.model, "--out", "report"),
    ]
    for command in commands:
        ended = here(*command)
        assert ended.code == 0, ended.err
        assert not [each for each in (KEY, *STEERING) if each in ended.out + ended.err], command
    files = [file for file in (*home.rglob("*"), *(tmp_path / "report").rglob("*")) if file.is_file()]
    assert not [file for file in files if KEY.encode() in file.read_bytes()]
    assert server.asked
    assert not [each for each in server.asked if KEY in str(each)]


def test_neither_a_rejected_record_nor_the_name_of_its_file_is_stored_with_it(here, home, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENALEX_API_KEY", KEY)
    good = {"title": "Graph networks for molecules", "year": 2020}
    bad = {"title": "", "abstract": f"{'x' * 190} {KEY} and more"}
    (tmp_path / f"papers-{KEY}.jsonl").write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n{{'{KEY}': broken\n")
    ended = here("library", "add", f"papers-{KEY}.jsonl")
    assert ended.code == 0, ended.err
    files = [file for file in home.rglob("*") if file.is_file()]
    assert any("rejects" in file.parts for file in files)
    assert not [file for file in files if KEY.encode() in file.read_bytes() or KEY in file.name]
    assert not [file for file in files if KEY[:8].encode() in file.read_bytes()]


def test_ideas_that_wait_to_be_filtered_are_stored_without_it(here, serve, home, monkeypatch, tmp_path):
    server = serve()
    monkeypatch.setenv("OPENALEX_API_KEY", KEY)
    idea = {"topic": "molecules", "title": f"Graphs of {KEY}", "method": "Learn.", "summary": f"Learn {KEY}."}
    (tmp_path / "ideas.jsonl").write_text(json.dumps(idea) + "\n")
    ended = here("filter", "ideas.jsonl", "--judge", server.model, "--out", "kept.jsonl")
    assert ended.code == 0, ended.err
    files = [file for file in (*home.rglob("*"), *tmp_path.glob("kept*")) if file.is_file()]
    assert any("filters" in file.parts for file in files)
    assert (home / "filters").stat().st_mode & 0o077 == 0
    assert not [file for file in files if KEY.encode() in file.read_bytes()]
