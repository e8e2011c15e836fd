"""From a file in the layout of DBLP-Citation-network V14 to scores, portfolios, foresight and preference pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.idea_metrics.made_up import made_up_papers

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    """Fields as in the genuine dumps."""
    papers = made_up_papers(600)
    file = tmp_path_factory.mktemp("dump") / "dblp_v14.jsonl"
    lines = [
        {
            "id": paper.id, "title": paper.title, "abstract": paper.abstract, "year": paper.year,
            "venue": {"raw": paper.venue}, "n_citation": paper.citation_count, "references": list(paper.references),
            "authors": [{"id": name, "name": name, "org": ""} for name in paper.authors],
            "fos": [{"name": paper.fields[0], "w": 0.5}], "keywords": list(paper.fields), "doc_type": "Journal",
        }
        for paper in papers
    ]  # fmt: skip
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return file


@pytest.fixture
def ideas(tmp_path):
    file = tmp_path / "ideas.jsonl"
    rows = [
        {"topic": paper.fields[0], "title": f"Idea {number}", "summary": paper.abstract}
        for number, paper in enumerate(made_up_papers(24, seed=9))
    ]
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return file


@pytest.fixture
def outcomes(tmp_path):
    file = tmp_path / "reviews.jsonl"
    rows = [
        {
            "paper_id": str(number), "title": paper.title, "abstract": paper.abstract, "venue": "Venue", "year": 2024,
            "decision": "Accept" if number % 3 else "Reject", "reviews": [{"rating": 3 + number % 6}],
        }
        for number, paper in enumerate(made_up_papers(60, seed=11))
    ]  # fmt: skip
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return file


def test_everything_runs_from_the_command_line(here, dump, ideas, outcomes, tmp_path, monkeypatch):
    def done(*arguments):
        finished = here(*map(str, arguments))
        assert finished.code == 0, finished.err
        return finished.out

    card = json.loads(done("metrics", "fit", "--library", dump, "--json"))
    assert card["learnt_from"]["papers"] == card["learnt_from"]["with_citations"] == 600
    assert card["quality"]["impact"]["tested_on"] > 100
    (library,) = Path(card["folder"]).parents[1].joinpath("libraries").iterdir()
    monkeypatch.setenv("NOVUM_LIBRARY", str(library))

    scores = [json.loads(line) for line in done("score", ideas, "--json").splitlines()]
    assert len(scores) == 24
    assert all(0 <= score["creativity"]["value"] <= 1 and 0 <= score["satisfaction"]["value"] <= 1 for score in scores)
    assert "impact" in done("score", "--text", "Message passing over graphs. We learn nodes.", "--topic", "graphs")

    selected = tmp_path / "selected.jsonl"
    done("select", ideas, "--count", 5, "--out", selected)
    assert len(selected.read_text("utf-8").splitlines()) == 5

    study = json.loads(done("metrics", "validate", outcomes, "--json"))
    assert "creativity" in json.dumps(study)

    ahead = done(
        "foresight", "--ideas", selected, "--before", "2016-01-01", "--no-plain", "--json", "--out", tmp_path / "f"
    )
    assert json.loads(ahead)
    pairs = tmp_path / "pairs"
    made = json.loads(done(
        "data", "build", "preferences", "--out", pairs, "--margin", 0.02, "--min-similarity", 0.2, "--overlap", 0,
        "--apart", "topic", "--json",
    ))  # fmt: skip
    assert made
    assert (pairs / "README.md").is_file()
    rows = [json.loads(line) for line in (pairs / "data" / "train.jsonl").read_text("utf-8").splitlines()]
    assert rows
    assert all(row.keys() == {"prompt", "chosen", "rejected"} for row in rows)
