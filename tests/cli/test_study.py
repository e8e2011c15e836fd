"""`novum study`: the same studies as on the pages, from the command line."""

from __future__ import annotations

import json

import pytest

from novum.api.studies import store_of
from novum.cli.app import run
from novum.settings import load_settings

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


def test_an_export_replaces_its_own_files_and_no_others(table, tmp_path, capsys):
    run(["study", "create", "Bridges", "--ask", "pairs", "--ideas", table])
    out = tmp_path / "out"
    export = ["study", "export", "last", "--out", str(out)]
    assert run(export) == 0
    assert run(export) == 0
    (out / "answers.csv").write_text("mine,too\n1,2\n")
    assert run(export) == 2
    assert "answers.csv has other columns" in " ".join(capsys.readouterr().err.split())
    assert (out / "answers.csv").read_text() == "mine,too\n1,2\n"


def test_people_who_contradict_each_other_have_an_undefined_coefficient_with_the_reason(table, capsys):
    run(["study", "create", "Bridges", "--ask", "ratings", "--ideas", table, "--checks", "0"])
    store = store_of(load_settings())
    study = store.studies()[0]
    for person in (store.invite(study), store.invite(study)):
        for at, task in enumerate(person.plan):
            first_idea = task.item == study.items[0].id
            for question in study.form.questions:
                store.save(study, person, at, question.name, "9" if first_idea == (person.number == 1) else "2")
    capsys.readouterr()
    assert run(["study", "results", "last", "--json"]) == 0
    icc = json.loads(capsys.readouterr().out)["criteria"][0]["icc"]["agreement_average"]
    assert icc["value"] is None
    assert icc["reason"]
    assert run(["study", "results", "last"]) == 0
    assert "originality, ICC(A,k): undefined." in capsys.readouterr().out


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "ftp://lab.example.org", "lab.example.org", "http://bob:secret@lab.example.org",
     "https://lab.example.org?api_key=secret", "https://[broken"],
)  # fmt: skip
def test_an_address_that_no_participant_can_open_makes_no_link(table, capsys, address):
    run(["study", "create", "Bridges", "--ask", "ratings", "--ideas", table])
    capsys.readouterr()
    assert run(["study", "invite", "last", "--address", address]) == 2
    shown = capsys.readouterr()
    assert "no web address" in shown.err
    assert "secret" not in shown.out + shown.err
    store = store_of(load_settings())
    assert store.participants(store.studies()[0].id) == []


def test_an_unknown_form_is_named_with_those_that_there_are(table, capsys):
    assert run(["study", "create", "Bridges", "--ask", "stars", "--ideas", table]) == 2
    assert "ratings" in capsys.readouterr().err


def test_the_forms_are_listed_with_the_papers_they_follow(capsys):
    assert run(["study", "forms"]) == 0
    assert "LiveIdeaBench" in capsys.readouterr().out
