"""Ideas that a user names are read the same way by every command and by the Python interface."""

from __future__ import annotations

import json

import pytest

import novum.api.judging
from novum.core import Account, Candidate, Citation, Idea, Ideation, IdeationReport
from novum.errors import BadInput
from novum.ledger import Ledger
from novum.runs.idea_sources import IdeaReader, idea_of_row, pool_of
from novum.settings import load_settings

ROW = {"topic": "rivers", "title": "Rivers as clocks", "summary": "Sediment is read as time.", "votes": 3}


@pytest.fixture
def reader(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return IdeaReader(load_settings({"home": str(tmp_path / "home")}), "water")


def write(file, *rows):
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(file)


def report(*ideas):
    candidates = tuple(Candidate(idea=idea, win_rate=0.5) for idea in ideas)
    account = Account(run_id="r", novum_version="0", started="", seconds=0, models={})
    return IdeationReport(ideation=Ideation(topic="rivers", method="m", candidates=candidates), account=account)


def test_a_row_keeps_all_that_its_source_has(reader, tmp_path):
    (idea,) = reader.read([write(tmp_path / "ideas.jsonl", ROW)])
    assert (idea.idea.title, idea.idea.topic, idea.subject.text) == ("Rivers as clocks", "rivers", ROW["summary"])
    assert (idea.row, idea.scores) == (ROW, {"votes": 3.0})


def test_the_papers_that_an_idea_cites_keep_their_names_as_reviewers_read_them():
    cited = [{"name": "Byron et al. 2020", "paper_id": "paper-1"}, {"name": "A talk", "paper_id": None}]
    for citations in (cited, json.dumps(cited)):
        idea = idea_of_row({**ROW, "citations": citations}, "")
        assert idea.idea.citations == (Citation(name="Byron et al. 2020", paper_id="paper-1"), Citation(name="A talk"))
        assert idea.idea.text.endswith("Byron et al. 2020; A talk")


def test_references_alone_become_citations_by_their_id():
    idea = idea_of_row({**ROW, "references": ["paper-1"], "citations": 12}, "")
    assert idea.idea.citations == (Citation(name="paper-1", paper_id="paper-1"),)


def test_a_text_and_a_row_without_a_topic_get_the_one_that_is_given(reader, tmp_path):
    (tmp_path / "idea.txt").write_text("Ice as memory\nBubbles are read as weather.")
    table = write(tmp_path / "ideas.jsonl", {"abstract": "Mud is read as rain."})
    ideas = list(reader.read(["idea.txt", table]))
    assert [(each.idea.title, each.idea.topic) for each in ideas] == [
        ("Ice as memory", "water"),
        ("Mud is read as rain.", "water"),
    ]
    assert [each.source for each in ideas] == ["idea.txt", table]


def test_last_is_the_newest_finished_run_with_ideas(reader):
    with Ledger.open(reader.settings.ledger_place) as ledger:
        record = ledger.start_run("ideate", "rivers", {})
        ideas = report(idea_of_row(ROW, "").idea)
        ledger.end_run(record.id, "finished", result=ideas.model_dump_json())
        ledger.start_run("rubric-marks", "rivers", {})
    (idea,) = reader.read(["last"])
    assert (idea.idea.title, idea.source, idea.scores) == ("Rivers as clocks", "last", {"win_rate": 0.5})


def test_an_unfinished_run_says_how_it_is_finished(reader):
    with Ledger.open(reader.settings.ledger_place) as ledger:
        run_id = ledger.start_run("ideate", "rivers", {}).id
    with pytest.raises(BadInput, match=f"novum runs resume {run_id}"):
        list(reader.read([run_id]))


def test_a_pool_has_every_idea_once_and_ranks_it_by_its_source(reader, tmp_path):
    other = {**ROW, "title": "Ice as memory"}
    names = [write(tmp_path / "a.jsonl", ROW, other), write(tmp_path / "b.jsonl", ROW)]
    pool = pool_of(names, reader)
    assert [(each.idea.title, each.scores["rank"]) for each in pool.ideas] == [
        ("Rivers as clocks", 1.0),
        ("Ice as memory", 0.5),
    ]
    assert pool.repeated == 1


def test_what_cannot_be_used_is_logged_and_python_raises(reader, tmp_path):
    file = tmp_path / "ideas.jsonl"
    write(file, ROW, {"title": ""}, {"title": "B", "keywords": 3})
    assert len(list(reader.read([str(file)]))) == 1
    assert [why.partition(":")[0] for why in reader.log.why] == ["ideas.jsonl, row 2", "ideas.jsonl, row 3"]
    with pytest.raises(BadInput, match=r"ideas\.jsonl, row 2: none of the columns title"):
        novum.api.judging.ideas_from(file)


def test_python_takes_files_records_and_texts(tmp_path):
    idea = Idea(topic="t", title="Ice", motivation="", novelty="", method="", summary="Bubbles.")
    (tmp_path / "report.json").write_text(report(idea).model_dump_json())
    assert novum.api.judging.ideas_from(tmp_path / "report.json") == [idea]
    assert novum.api.judging.ideas_from([idea, "Mud\nIt is read as rain."], "rain")[1].topic == "rain"
    for nothing in ([], "  ", tmp_path / "none.jsonl"):
        with pytest.raises(BadInput):
            novum.api.judging.ideas_from(nothing)
