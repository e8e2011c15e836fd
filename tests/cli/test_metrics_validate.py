"""`novum metrics validate`: reviews in, and a plain word for each metric out, beside what length alone would say."""

from __future__ import annotations

import gzip
import json
import shutil

import numpy as np
import pytest

from novum.benchmarks.metric_validation.report.records import Validation
from novum.literature import Entry, Library
from tests.idea_metrics.made_up import made_up_papers

from .learnt import PAPERS, learn

FEW = ("--bootstrap-samples", "100")
HOSTILE = "<b onclick=x>\x1b[31mred"


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("learnt"))


@pytest.fixture
def home(learnt, tmp_path):
    return shutil.copytree(learnt, tmp_path / "home")


def reviewed(paper, number):
    rng = np.random.default_rng(number)
    rating = int(rng.integers(1, 7))
    return {
        "paper_id": f"r{number}",
        "title": paper.title,
        "abstract": paper.abstract,
        "venue": "V",
        "year": paper.year,
        "decision": "Accept (poster)" if rating > 3 else "Reject",
        "reviews": [{"rating": rating, "soundness": 2, "text": "Never shown."}],
    }


@pytest.fixture
def outcomes(tmp_path):
    """Forty reviewed papers of a later year, three of those that the model was fitted to, a line that is broken."""
    later = made_up_papers(40, seed=7, first_year=2024, years=1)
    known = made_up_papers(PAPERS)[:3]
    lines = [json.dumps(reviewed(paper, number)) for number, paper in enumerate((*later, *known))]
    file = tmp_path / "reviews.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join([*lines, '{"title": 3']).encode()))
    return file


@pytest.mark.slow
def test_a_model_is_held_against_reviews_in_a_process_of_its_own(novum, outcomes):
    done = novum("metrics", "validate", outcomes.name, *FEW, "--out", "validity")
    assert done.code == 0, done.err
    assert "Accepted from rejected: 40 papers" in done.out
    head = next(line for line in done.out.splitlines() if line.startswith("metric"))
    assert head.split()[:6] == ["metric", "Spearman", "both", "decisions", "given", "length"]
    for name in ("originality corrected", "feasibility", "creativity corrected", "(length)", "(readability)"):
        assert f"\n{name} " in done.out
    assert "3 papers are among those that the model was fitted to: left out." in done.out
    assert "reviews.jsonl.gz, line 44: no JSON" in done.out
    folder = outcomes.parent / "validity"
    assert {each.name for each in folder.iterdir()} == {
        "report.html", "report.json", "report.md", "figures.csv", "charts"
    }  # fmt: skip
    assert (folder / "charts" / "forest-later.svg").is_file()
    study = Validation.model_validate_json((folder / "report.json").read_text())
    assert "Never shown" not in (folder / "report.html").read_text()
    assert {table.outcome for table in study.tables} == {"accepted", "rating", "soundness"}


def test_the_whole_study_is_json(here, outcomes):
    study = Validation.model_validate(json.loads(here("metrics", "validate", str(outcomes), *FEW, "--json").out))
    assert (study.papers, study.last_year, study.account.later) == (PAPERS, 2019, 40)
    assert study.account.refused == 1
    assert all(each.missing == 1 for table in study.tables for each in table.findings if each.metric == "confidence")


def test_known_papers_can_be_included_and_count_as_older_ones(here, outcomes):
    study = json.loads(here("metrics", "validate", str(outcomes), *FEW, "--with-known", "--json").out)
    assert (study["account"]["learnt_from"], study["account"]["left_out"], study["account"]["older"]) == (3, False, 3)


def test_citations_of_papers_that_came_later_are_an_outcome(here, home):
    with Library.open(home / "library") as library:
        later = made_up_papers(40, seed=7, first_year=2024, years=1)
        library.add([Entry(paper=paper) for paper in later], "later")
    model = home / "metrics" / "default" / "card.json"
    card = json.loads(model.read_text())
    card["learnt_from"]["before"] = "2024-01-01"
    model.write_text(json.dumps(card))
    done = here("metrics", "validate", "--citations", *FEW)
    assert done.code == 0, done.err
    assert "Later citations: 40 papers, newer than all papers the model was fitted to" in done.out


def test_another_library_can_hold_the_training_papers(here, home, outcomes, tmp_path):
    shutil.move(home / "library", tmp_path / "elsewhere")
    study = json.loads(here("metrics", "validate", str(outcomes), *FEW, "--library", "elsewhere", "--json").out)
    assert study["account"]["learnt_from"] == 3


def test_names_of_scores_cannot_control_the_terminal(here, tmp_path):
    ideas = [{"title": f"Idea {n}", "text": "Graphs of nodes.", "set": "s", "scores": {HOSTILE: n}} for n in range(40)]
    (tmp_path / "ideas.jsonl").write_text("".join(json.dumps(each) + "\n" for each in ideas))
    done = here("metrics", "validate", "ideas.jsonl", "--subset", "s", *FEW)
    assert done.code == 0, done.err
    assert "\x1b[31m" not in done.out
    assert "40 papers, not newer than the papers the model was fitted to, or without a year" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Name files of outcomes"),
        (("nowhere.jsonl",), "nowhere.jsonl does not exist"),
        (("reviews.jsonl.gz", "--metrics", "other"), "no fitted model 'other'"),
        (("reviews.jsonl.gz", "--library", "reviews.jsonl.gz"), "holds no library"),
        (("bare.jsonl",), "bare.jsonl holds no outcome"),
        (("reviews.jsonl.gz", "--subset", "none"), "40 papers"),  # subsets are of scored ideas; reviews have none
    ],
)
def test_mistakes_are_reported_in_a_line(here, outcomes, arguments, message):
    (outcomes.parent / "bare.jsonl").write_text('{"title": "A paper without an outcome"}\n')
    done = here("metrics", "validate", *arguments, *FEW)
    assert message in done.err + done.out
    assert "Traceback" not in done.err
