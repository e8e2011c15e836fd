"""`novum study`: the same studies as on the pages, from the command line."""

from __future__ import annotations

import json

import pytest

from novum.cli.app import run

IDEAS = "topic,title,summary\nbridges,Grass,Bridges of grass.\nbridges,Ice,Bridges of ice.\n"


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path / "home"))
    file = tmp_path / "ideas.csv"
    file.write_text(IDEAS)
    return str(file)


def test_a_study_is_set_up_invited_to_shown_and_exported(table, tmp_path, capsys):
    assert run(["study", "create", "Bridges", "--ask", "pairs", "--ideas", table]) == 0
    assert "1 pair" in capsys.readouterr().out
    assert run(["study", "invite", "last", "--count", "2", "--address", "https://lab.example.org/"]) == 0
    links = capsys.readouterr().out.split()
    assert len(links) == 2
    assert all(link.startswith("https://lab.example.org/take/") for link in links)
    assert run(["study", "results", "last", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["participants"]) == 2
    assert run(["study", "results", "last"]) == 0
    assert run(["study", "export", "last", "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "matches.csv").exists()
    assert run(["study", "close", "last"]) == 0
    assert run(["study", "list"]) == 0
    assert "closed" in capsys.readouterr().out


def test_an_unknown_form_is_named_with_those_that_there_are(table, capsys):
    assert run(["study", "create", "Bridges", "--ask", "stars", "--ideas", table]) == 2
    assert "ratings" in capsys.readouterr().err


def test_the_forms_are_listed_with_the_papers_they_follow(capsys):
    assert run(["study", "forms"]) == 0
    assert "LiveIdeaBench" in capsys.readouterr().out
