"""`novum judge`: ideas against a baseline, drafts against the first one, and ideas by a rubric."""

from __future__ import annotations

import json

import pytest

from novum.core import Account, Candidate, Ideation, IdeationReport
from novum.judges.rubric import RUBRIC
from novum.judges.win_rate import WIN_RATE_CRITERIA
from novum.ledger import Ledger
from novum.settings import load_settings
from tests.benchmarks.arena_lab import LEVEL, idea_of

JUDGES = ("--judge", "server:strict,server:mild,server:odd")


def panel(asked):
    """The higher level wins; `odd` prefers the first position. Marks: flawless for none, the rest from level 5."""
    levels = [int(level) for level in LEVEL.findall(asked.text)]
    if asked.form == "Winners":
        winner = "A" if asked.model == "odd" or levels[0] > levels[1] else "B"
        return json.dumps({name: {"reason": "it says how", "better": winner} for name in WIN_RATE_CRITERIA})
    if asked.form == "Marks":
        fine = {name: levels[0] >= 5 and name != "flawless" for name in RUBRIC}
        return json.dumps({name: {"fault": "thin", "satisfied": fine[name]} for name in RUBRIC})
    return None


@pytest.fixture
def server(serve):
    return serve(panel)


@pytest.fixture
def judge(here, server):
    def start(command, *arguments):
        return here("judge", command, *arguments, *JUDGES, "--base-url", server.base_url)

    return start


def table(place, level, topics=("t1", "t2", "t3")):
    rows = [
        {"topic": topic, "entrant": place.stem, **idea_of(topic, level).model_dump(mode="json")} for topic in topics
    ]
    place.write_text("".join(json.dumps(row) + "\n" for row in rows))


def bulk_table(place, levels, topics=("t1", "t2", "t3")):
    """A table as bulk runs write it: several ideas on each topic, and no column for who made them."""
    rows = [idea_of(topic, level).model_dump(mode="json") for topic in topics for level in levels]
    place.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_the_majority_of_the_panel_decides_each_pair(judge, server, tmp_path):
    table(tmp_path / "ours.jsonl", 9)
    table(tmp_path / "theirs.jsonl", 2, topics=("t1", "t2", "t9"))
    done = judge("winrate", "ours.jsonl", "theirs.jsonl")
    assert done.code == 0, done.err
    assert "ours against theirs" in done.out
    assert "100 % (2 of 2" in done.out
    assert "2 ideas left out: without a counterpart on the same topic" in done.err
    assert server.answered == 2 * 2 * 3


def test_a_finished_judging_is_handed_back_without_a_call(judge, here, server, tmp_path):
    table(tmp_path / "ours.jsonl", 9)
    table(tmp_path / "theirs.jsonl", 2)
    first = json.loads(judge("winrate", "ours.jsonl", "theirs.jsonl", "--json").out)
    asked = server.answered
    again = here("runs", "resume", "last", "--json")
    assert json.loads(again.out)["contests"] == first["contests"]
    assert server.answered == asked


def test_last_is_the_newest_run_that_had_ideas_and_no_judging_of_them(judge):
    account = Account(run_id="r", novum_version="0", started="", seconds=0, models={})
    ideation = Ideation(topic="t", method="m", candidates=(Candidate(idea=idea_of("t", 8)),))
    with Ledger.open(load_settings().ledger_place) as ledger:
        record = ledger.start_run("ideate", "t", {})
        report = IdeationReport(ideation=ideation, account=account)
        ledger.end_run(record.id, "finished", result=report.model_dump_json())
    first, again = (judge("rubric", "last", "--json") for _ in range(2))
    assert (first.code, again.code) == (0, 0), again.err
    assert json.loads(again.out)["shares"] == json.loads(first.out)["shares"]


def test_drafts_are_compared_with_the_first_one(judge, tmp_path):
    drafts = tuple(idea_of("t", level) for level in (3, 2))
    candidate = Candidate(idea=idea_of("t", 8), earlier_drafts=drafts)
    account = Account(run_id="r", novum_version="0", started="", seconds=0, models={})
    report = IdeationReport(ideation=Ideation(topic="t", method="m", candidates=(candidate,)), account=account)
    (tmp_path / "report.json").write_text(report.model_dump_json())
    done = judge("winrate", "report.json", "--steps", "--json")
    contests = json.loads(done.out)["contests"]
    rates = {each["subject"]: each["shares"]["overall"]["rate"]["value"] for each in contests}
    assert rates == {"step 2": 0.0, "step 3": 1.0}


def test_a_rubric_tells_what_ideas_lack(judge, tmp_path):
    table(tmp_path / "good.jsonl", 7)
    done = judge("rubric", "good.jsonl", "--json")
    told = json.loads(done.out)
    assert told["shares"]["flawless"]["rate"]["value"] == 0.0
    assert told["shares"]["specific"]["rate"]["value"] == 1.0
    assert len(told["sheets"]) == 3 * 3
    shown = judge("rubric", "good.jsonl").out
    assert "100 % (3 of 3" in shown
    assert "with --json" in shown


def test_all_ideas_of_a_topic_are_marked(judge, tmp_path):
    bulk_table(tmp_path / "bulk.jsonl", (3, 6, 7, 8))
    done = judge("rubric", "bulk.jsonl", "--json")
    assert done.code == 0, done.err
    assert "left out" not in done.err
    outcome = json.loads(done.out)
    assert len({sheet["idea_id"] for sheet in outcome["sheets"]}) == 12
    specific = outcome["shares"]["specific"]
    assert (specific["yes"], specific["no"]) == (9, 3)


def test_several_ideas_on_a_topic_are_compared_by_number(judge, here, server, tmp_path):
    bulk_table(tmp_path / "ours.jsonl", (9, 1, 8), topics=("t1", "t2"))
    bulk_table(tmp_path / "theirs.jsonl", (2, 5), topics=("t1", "t2"))
    done = judge("winrate", "ours.jsonl", "theirs.jsonl", "--json")
    assert done.code == 0, done.err
    assert "2 ideas left out: without a counterpart on the same topic" in done.err
    (contest,) = json.loads(done.out)["contests"]
    overall = contest["shares"]["overall"]
    assert (overall["yes"], overall["no"]) == (2, 2)
    assert {pair["topic"] for pair in contest["bouts"]} == {"1. t1", "2. t1", "3. t2", "4. t2"}
    again = here("runs", "resume", "last", "--json")
    assert json.loads(again.out)["contests"] == [contest]


def test_the_same_idea_twice_in_a_table_is_marked_once(judge, tmp_path):
    bulk_table(tmp_path / "bulk.jsonl", (3, 3, 7), topics=("t1",))
    done = judge("rubric", "bulk.jsonl", "--json")
    assert "1 idea identical to an earlier one" in done.err
    assert len({sheet["idea_id"] for sheet in json.loads(done.out)["sheets"]}) == 2


def test_of_one_idea_or_one_pair_the_judges_reasons_are_shown(judge, tmp_path):
    table(tmp_path / "one.jsonl", 7, topics=("t1",))
    table(tmp_path / "other.jsonl", 2, topics=("t1",))
    marked = judge("rubric", "one.jsonl").out
    assert marked.count("thin") == 6 * 3
    assert "--json" not in marked
    won = judge("winrate", "one.jsonl", "other.jsonl").out
    assert won.count("it says how") == 5 * 2 * 3


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("winrate", "ours.jsonl"), "Name what is to be compared"),
        (("winrate", "ours.jsonl", "none.jsonl"), "There is no file or run 'none.jsonl'"),
        (("winrate", "ours.jsonl", "others.jsonl"), "no topic in common"),
        (("rubric", "empty.jsonl"), "holds no idea"),
        (("rubric", "broken.json"), "is no report of ideas"),
    ],
    ids=["no baseline", "no file", "other topics", "no ideas", "no report"],
)
def test_a_mistake_is_reported_in_one_line_before_anything_is_sent(judge, server, tmp_path, arguments, told):
    table(tmp_path / "ours.jsonl", 5)
    table(tmp_path / "others.jsonl", 5, topics=("elsewhere",))
    (tmp_path / "empty.jsonl").write_text("{}\n")
    (tmp_path / "broken.json").write_text("[1, 2")
    done = judge(*arguments)
    assert done.code == 2
    assert told in done.err
    assert server.answered == 0
