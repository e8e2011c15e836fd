"""`novum judge validate`: a judge on texts that people rated, and what reports then say of it."""

from __future__ import annotations

import json
import re

import pytest

from novum.judges.agreement import agreement_sentence, known_agreement
from novum.judges.pair import CRITERIA
from novum.judges.rubric import RUBRIC

WORTH = re.compile(r"worth (\d+)")


def knowing(asked):
    """Prefers what is worth more; `blind` always prefers the first position."""
    worth = [int(each) for each in WORTH.findall(asked.text)]
    if asked.form == "Comparison":
        better = "A" if asked.model == "blind" or worth[0] > worth[1] else "B"
        return json.dumps({name: {"reason": "it is worth more", "better": better} for name in CRITERIA})
    if asked.form == "Marks":
        return json.dumps({name: {"fault": "none", "satisfied": worth[0] > place} for place, name in enumerate(RUBRIC)})
    return None


@pytest.fixture
def server(serve):
    return serve(knowing)


@pytest.fixture
def reviews(tmp_path):
    """Papers that people rate by what they are worth."""
    rows = [
        {
            "title": f"Paper {number}", "abstract": f"This paper is worth {number % 7}.", "venue": "V", "year": 2020,
            "reviews": [{"rating": number % 7}, {"rating": number % 7 + number % 2}],
            "decision": "accept" if number % 7 > 3 else "reject",
        }
        for number in range(42)
    ]  # fmt: skip
    file = tmp_path / "reviews.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.fixture
def validate(here, server, reviews):
    def start(*arguments):
        return here("judge", "validate", str(reviews), "--base-url", server.base_url, *arguments)

    return start


def test_a_judge_that_agrees_is_told_from_one_that_goes_by_position(validate, server, home):
    done = validate("--judge", "server:knows,server:blind", "--limit", "30", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    rows = {row["name"]: row for row in told["rows"]}
    assert rows["server:knows"]["right"]["value"] == 1
    assert rows["server:blind"]["right"]["value"] == 0.5
    assert rows["server:knows"]["auc"]["value"] > 0.9
    assert "one reviewer, against the others" in rows
    assert server.answered == 2 * 2 * told["pairs"]


def test_what_was_measured_is_kept_and_reports_say_it(validate, here, home):
    assert "is not known. The command novum judge validate" in agreement_sentence(home, ["server:knows"])
    assert validate("--judge", "server:knows", "--limit", "30").code == 0
    kept = known_agreement(home, "pair", ["server:knows"])
    assert (kept.right.value, kept.groups) == (1, ("v 2020",))
    assert f"Of {kept.pairs} pairs" in agreement_sentence(home, ["server:knows"])
    assert "100% as people did" in agreement_sentence(home, ["server:knows"])
    assert known_agreement(home, "pair", ["server:knows", "server:blind"]) is None
    next((home / "judge-agreement").iterdir()).write_text("{")
    assert "not known" in agreement_sentence(home, ["server:knows"])


def test_a_rubric_gives_scores_with_what_they_stand_for(validate, here, server):
    done = validate("--judge", "server:knows", "--by", "rubric", "--limit", "42")
    assert done.code == 0, done.err
    assert "people's rating" in done.out
    assert "chance" in done.out
    asked = server.answered
    assert here("runs", "resume", "last").code == 0
    assert server.answered == asked


def test_a_reviewer_is_judged_by_the_marks_of_its_three_reports(validate, server):
    done = validate("--judge", "server:knows", "--by", "review", "--limit", "20", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert server.answered == 3 * 20
    assert told["rows"][0]["texts"] == 20
    assert all(0 <= score <= 1 for score in told["opinions"][0]["scores"])


def test_a_dry_run_counts_requests_and_sends_none(validate, server):
    done = validate("--judge", "server:knows", "--limit", "20", "--dry-run", "--json")
    told = json.loads(done.out)
    assert told["calls"] == 2 * told["pairs"] > 0
    assert server.answered == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--by", "taste"), "--by 'taste': choose one of pair, "),
        (("--outcome", "fun"), "These ratings are in the files: rating"),
        (("--train", "nowhere.jsonl"), "nowhere.jsonl does not exist"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_line(validate, server, arguments, says):
    done = validate("--judge", "server:knows", *arguments)
    assert done.code == 2
    assert says in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert server.answered == 0
