"""`novum data build judge`: from files of reviews to a folder to train on, with and without a model."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from novum.lab import Workplace
from novum.ledger import Ledger
from novum.runs.engine import resume, settings_of
from novum.settings import load_settings
from novum.testing.server import ScriptedAnswer
from novum.training.reviews.durable import JUDGE_DATA
from tests.local_service import Service, said
from tests.training.review_files import about, lines, openreview, paper

BETTER = (
    "Bees dance, and say where flowers are. Why they do so together is not known. We propose a game in which every bee "
    "guesses what the others saw, and ask how its rules give rise to a dance. This is part {0}."
)
REVIEW = "The question is old and the game is a new way to look at it. It is not clear why a bee should guess at all."
MODELS = ("--annotate", "--annotator", "server:writer", "--checker", "server:checker")


def annotator(request):
    """Leaks a result at the first try at every abstract, and always in part 2."""
    number = re.search(r"part (\d)", request.text)
    if request.form == "IdeaAbstract":
        again = "turned down" in request.text and number[1] != "2"
        return json.dumps({"text": BETTER.format(number[1]) + ("" if again else " It outperforms ants by 12%.")})
    if request.form == "IdeaReview":
        return json.dumps({"text": "" if "second claim" in request.text else REVIEW})
    if request.form == "LeakCheck":
        return json.dumps({"quotes": [], "leaks": False})
    return None


@pytest.fixture
def server(serve):
    return serve(annotator)


@pytest.fixture
def build(here, tmp_path):
    lines(tmp_path / "reviews.jsonl", [paper(1, 2022), paper(2, 2022), paper(3, 2024), paper(4, reviews=[])])

    def start(*arguments, source="reviews.jsonl"):
        return here("data", "build", "judge", source, "--out", "set", "--cutoff", "2024", *arguments)

    return start


def rows(tmp_path, split, what="data"):
    return [json.loads(line) for line in (tmp_path / "set" / what / f"{split}.jsonl").read_text().splitlines()]


def test_reviews_become_a_folder_and_what_was_left_out_is_reported(build, tmp_path):
    done = build("--validation", "0")
    assert done.code == 0, done.err
    assert "Test papers: 2024-01-01 or later" in done.out
    assert "Skipped: 1 papers: no review" in done.err
    assert (len(rows(tmp_path, "train")), len(rows(tmp_path, "test"))) == (8, 4)
    assert "## Venues" in (tmp_path / "set" / "README.md").read_text()


def test_where_there_is_nothing_to_train_on_it_is_reported(build):
    assert "There are no rows to train on: no paper is before the cut-off." in build("--cutoff", "2020", "--force").out


def test_the_card_is_the_json(build, tmp_path):
    card = json.loads(build("--json", "--strip", "--rating", "start").out)
    assert card == json.loads((tmp_path / "set" / "card.json").read_text())
    assert card["lengths"]["idea-review"]["rows"] == 6
    assert rows(tmp_path, "test")[0]["completion"][0]["content"].startswith("Rating: ")


def test_an_annotator_that_leaks_is_asked_again_and_what_still_leaks_is_left_out(build, server, tmp_path):
    done = build(*MODELS, "--base-url", server.base_url, "--validation", "0", "--json")
    assert done.code == 0, done.err
    card = json.loads(done.out)
    assert card["abstracts"] | {"turned_down": None} == {
        "asked": 3, "kept": 2, "at_once": 0, "silent": 0, "left_out": 1, "answers": 7, "turned_down": None,
    }  # fmt: skip
    assert card["abstracts"]["turned_down"] == {"rules": 5}
    assert (card["idea_reviews"]["kept"], card["idea_reviews"]["silent"]) == (2, 2)
    about = [
        each for split in ("train", "test") for each in rows(tmp_path, split, "about") if each["task"] == "idea-review"
    ]
    assert len(about) == 2
    assert "outperforms" not in str(
        [row for row in rows(tmp_path, "test") if "Write your report on this idea" in str(row)]
    )


@pytest.mark.slow
def test_the_same_again_makes_no_new_request(build, server):
    build(*MODELS, "--base-url", server.base_url)
    answered = server.answered
    assert answered
    assert build(*MODELS, "--base-url", server.base_url, "--force").code == 0
    assert server.answered == answered


def test_a_run_that_was_stopped_by_its_budget_leaves_no_folder_and_continues_where_it_was(build, server, tmp_path):
    stopped = build(*MODELS, "--base-url", server.base_url, "--budget-calls", "4")
    assert stopped.code == 3
    assert not (tmp_path / "set").exists()
    answered = server.answered
    assert build(*MODELS, "--base-url", server.base_url).code == 0
    whole = server.answered
    with Ledger.open(load_settings().ledger_place) as ledger:
        newest = next(iter(ledger.runs()))
        assert (newest.kind, newest.status) == ("judge-data", "finished")
        assert ledger.spend(newest.id).reused == answered
    assert whole > answered


def test_a_stopped_run_is_taken_up_again_by_its_name_and_a_finished_one_handed_back(build, server, tmp_path):
    build(*MODELS, "--base-url", server.base_url, "--budget-calls", "4")
    with Ledger.open(load_settings().ledger_place) as ledger:
        record = next(iter(ledger.runs()))

    async def again():
        async with Workplace(load_settings(settings_of(record) | {"budget_calls": 100})) as place:
            return await resume(JUDGE_DATA, place, record.id)

    card = asyncio.run(again())
    answered = server.answered
    assert card.abstracts.kept == 2
    assert (tmp_path / "set" / "card.json").exists()
    assert asyncio.run(again()) == card
    assert server.answered == answered


@pytest.mark.slow
def test_a_server_that_fails_for_good_costs_the_run_and_no_folder(build, serve, tmp_path):
    server = serve(lambda asked: ScriptedAnswer(status=401))
    done = build(*MODELS, "--base-url", server.base_url)
    assert done.code == 2
    assert sorted(each.name for each in tmp_path.iterdir() if "set" in each.name) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--annotate", "--strip"), "choose one"),
        (("--tasks", "guess"), "--tasks"),
        (("--undated", "maybe"), "--undated"),
        (("--rating", "middle"), "--rating"),
        (("--cutoff", "soon"), "not a day"),
        (("--tasks", "idea-review"), "--annotate"),
        (("--tokenizer", "nowhere.json"), "not a tokenizer"),
    ],
)
def test_what_cannot_be_is_reported_before_anything_is_written(build, tmp_path, arguments, message):
    done = build(*arguments)
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "set").exists()


def test_a_source_that_is_not_there_is_named(build):
    done = build(source="nowhere.jsonl")
    assert (done.code, "nowhere.jsonl does not exist" in done.err) == (2, True)


def test_a_venue_of_which_openreview_lists_nothing_is_reported_with_where_else_to_look(here, home):
    service = Service()
    service.on("/notes", said({"notes": [], "count": 0}))
    (home / "novum.toml").write_text(f'[source_addresses]\nopenreview = "{service.address}"\n')
    done = here("data", "build", "judge", "openreview:ICLR 2019", "--out", "set")
    service.close()
    assert done.code == 2
    assert "api.openreview.net" in done.err


def test_a_venue_is_fetched_from_openreview_with_its_reviews(here, home, tmp_path):
    service = Service()
    withdrawn = openreview(
        "beeForum02", title="Why ants dance", abstract=about(2), venueid="ICLR.cc/2024/Conference/Withdrawn_Submission"
    )
    for reply in withdrawn["details"]["replies"]:
        reply["content"] = {name: {"value": f"{field['value']} Ants."} for name, field in reply["content"].items()}
    service.on("/notes", said({"notes": [openreview(), withdrawn], "count": 2}))
    (home / "novum.toml").write_text(f'[source_addresses]\nopenreview = "{service.address}"\n')
    done = here("data", "build", "judge", "openreview:ICLR 2024", "--out", "set", "--cutoff", "2023-01-01", "--json")
    service.close()
    assert done.code == 0, done.err
    card = json.loads(done.out)
    assert (card["papers"], card["sources"]) == (2, {"openreview:ICLR 2024": 2})
    assert (card["papers_left_out"], card["rejects"]) == ({}, [])
    assert {each["decision"] for each in rows(tmp_path, "test", "about")} == {"accepted", "withdrawn"}
    assert service.asked[0].query["invitation"] == "ICLR.cc/2024/Conference/-/Submission"
    assert [each["rating"] for each in rows(tmp_path, "test", "about")][:1] == [pytest.approx(5 / 9)]
