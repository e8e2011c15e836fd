"""`novum filter`: many ideas ranked by what reviewers make of them, and the best of them kept."""

from __future__ import annotations

import json
import os

import pytest

from tests.cli.reviewing_lab import idea_of, panel, table
from tests.observed import Silence, kill


@pytest.fixture
def server(serve):
    return serve(panel)


@pytest.fixture
def sift(here, server):
    def start(*arguments, judges="server:strict"):
        return here("filter", *arguments, "--judge", judges, "--model", "server:writer", "--base-url", server.base_url)

    return start


def rows(place):
    return [json.loads(line) for line in place.read_text().splitlines()]


def test_what_is_accepted_is_kept_and_the_rest_is_written_down_with_the_reason(sift, server, tmp_path):
    table(tmp_path / "ideas.jsonl", 3, 8, 6, 1)
    done = sift("ideas.jsonl", "--out", "kept.jsonl")
    assert done.code == 0, done.err
    assert "Kept 2 of 4 ideas. Accepted: 2 of 4 (50%)." in done.out
    assert server.answered == 4 * 4
    kept, dropped = rows(tmp_path / "kept.jsonl"), rows(tmp_path / "kept.dropped.jsonl")
    assert [(each["title"], each["rank"], each["utility"]) for each in kept] == [
        ("Level 8", 1, 0.8),
        ("Level 6", 2, 0.6),
    ]
    assert [(each["title"], each["why"]) for each in dropped] == [("Level 3", "rejected"), ("Level 1", "rejected")]
    assert len(rows(tmp_path / "kept.reviews.jsonl")[0]["rounds"][0]["reports"]) == 3


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (("--keep", "50%"), ["Level 8", "Level 5"]),
        (("--keep", "1"), ["Level 8"]),
        (("--keep", "3", "--accept-only"), ["Level 8"]),
    ],
)
def test_so_many_or_a_share_of_the_best_is_kept(sift, tmp_path, options, kept):
    table(tmp_path / "ideas.jsonl", 3, 8, 5, 1)
    sift("ideas.jsonl", "--out", "kept.jsonl", *options)
    assert [each["title"] for each in rows(tmp_path / "kept.jsonl")] == kept


def test_what_is_kept_can_be_filtered_and_judged_again(sift, here, server, tmp_path):
    table(tmp_path / "ideas.jsonl", 7, 8, 6)
    sift("ideas.jsonl", "--out", "kept.jsonl")
    assert [each["entrant"] for each in rows(tmp_path / "kept.jsonl")] == ["ours", "ours 2", "ours 3"]
    again = sift("kept.jsonl", "--keep", "2", "--out", "best.jsonl")
    assert again.code == 0, again.err
    assert [each["title"] for each in rows(tmp_path / "best.jsonl")] == ["Level 8", "Level 7"]
    selected = here("select", "best.jsonl", "--count", "1", "--by", "utility", "--balance", "0", "--json")
    assert json.loads(selected.out)["choices"][0]["idea"]["title"] == "Level 8"


def test_a_revised_idea_is_kept_in_its_new_words(sift, tmp_path):
    table(tmp_path / "ideas.jsonl", 5)
    sift("ideas.jsonl", "--rounds", "1", "--out", "kept.jsonl")
    (row,) = rows(tmp_path / "kept.jsonl")
    assert (row["title"], row["round"], row["utility"]) == ("Level 7", 2, 0.7)
    assert "number 7" in row["summary"]
    assert row["revised_from"].startswith("idea-")


def test_ideas_of_which_nothing_could_be_decided_are_in_no_rate_and_never_kept(sift, tmp_path):
    table(tmp_path / "ideas.jsonl", 5, 7)
    done = sift("ideas.jsonl", "--keep", "100%", "--json", "--out", "kept.jsonl", judges="server:mute")
    outcome = json.loads(done.out)
    assert (outcome["acceptance"], outcome["tally"]["undecided"], outcome["tally"]["kept"]) == (None, 2, 0)
    assert outcome["tally"]["failures"] == 2 * 4
    printed = sift("ideas.jsonl", judges="server:mute").out
    assert "Missing, and in no number: 8 reports, decisions or revisions." in printed
    assert rows(tmp_path / "kept.jsonl") == []
    assert "nothing could be decided" in rows(tmp_path / "kept.dropped.jsonl")[0]["why"]


def test_an_idea_that_stands_there_twice_is_reviewed_once(sift, server, tmp_path):
    table(tmp_path / "ideas.jsonl", 7, 7, 8)
    done = sift("ideas.jsonl")
    assert "1 idea identical to an earlier one" in done.err
    assert server.answered == 2 * 4


def test_a_filter_that_its_budget_stopped_continues_without_a_repeated_request(sift, here, server, tmp_path):
    table(tmp_path / "ideas.jsonl", *range(1, 9))
    stopped = sift("ideas.jsonl", "--budget-calls", "10")
    assert stopped.code != 0
    assert "novum runs resume" in stopped.err
    (tmp_path / "ideas.jsonl").unlink()
    done = here("runs", "resume", "last", "--budget-calls", "1000", "--out", "kept.jsonl", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["tally"]["ideas"] == 8
    assert server.answered == 8 * 4
    assert len(rows(tmp_path / "kept.jsonl")) == 3
    again = here("runs", "resume", "last", "--out", "again.jsonl")
    assert again.code == 0, again.err
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "kept.jsonl").read_bytes()
    assert server.answered == 8 * 4


def cut_off(file):
    file.write_bytes(file.read_bytes()[: -file.stat().st_size // 3])


def changed(file):
    file.write_text(file.read_text().replace("number 3", "number 4", 1))


def a_pipe(file):
    file.unlink()
    os.mkfifo(file)


def deep(file):
    file.write_bytes(b"[" * 200_000 + b"\n")


@pytest.mark.parametrize("damage", [cut_off, changed, a_pipe, deep])
def test_a_filter_whose_queue_was_damaged_says_so_and_pays_nothing(sift, here, server, home, tmp_path, damage):
    table(tmp_path / "ideas.jsonl", *range(1, 9))
    sift("ideas.jsonl", "--budget-calls", "10")
    [queue] = (home / "filters").glob("queue-*.jsonl")
    asked = server.answered
    damage(queue)
    resumed = here("runs", "resume", "last", "--budget-calls", "1000")
    assert resumed.code == 2
    assert "Filter them again" in resumed.err
    assert server.answered == asked
    queue.unlink()
    again = sift("ideas.jsonl", "--out", "kept.jsonl")
    assert again.code == 0, again.err
    assert server.answered == 8 * 4


def test_a_reviewer_model_reviews_beside_others_and_its_ratings_are_kept(sift, server, tmp_path):
    table(tmp_path / "ideas.jsonl", 3, 8, 6)
    done = sift("ideas.jsonl", "--out", "kept.jsonl", judges=f"judge:mini@{server.base_url},server:strict")
    assert done.code == 0, done.err
    assert [(each["title"], each["mean_score"], each["mean_rating"]) for each in rows(tmp_path / "kept.jsonl")] == [
        ("Level 8", pytest.approx(8, abs=0.2), 0.8),
        ("Level 6", pytest.approx(6, abs=0.4), 0.6),
    ]
    reports = rows(tmp_path / "kept.reviews.jsonl")[0]["rounds"][0]["reports"]
    assert {bool(each["text"]) for each in reports} == {True, False}


def test_of_equal_utility_the_higher_rating_comes_first(sift, serve, tmp_path):
    def script(request):
        if not request.form:
            return "It may hold.\n\nRating: 0.61" if "Level 4" in request.text else "It may hold.\n\nRating: 0.60"
        return panel(request).replace('"utility": 40', '"utility": 50')

    url = serve(script).base_url
    table(tmp_path / "ideas.jsonl", 5, 4)
    judge, decider = f"judge:mini@{url}", f"server:strict@{url}"
    assert sift("ideas.jsonl", "--keep", "2", "--decider", decider, "--out", "kept.jsonl", judges=judge).code == 0
    assert [each["title"] for each in rows(tmp_path / "kept.jsonl")] == ["Level 4", "Level 5"]


def test_an_idea_of_fifty_pages_is_reviewed_as_far_as_it_is_read_and_that_is_reported(sift, server, tmp_path):
    long = idea_of(7).but(motivation="Nobody looked. " * 10_000)
    (tmp_path / "ideas.jsonl").write_text(json.dumps(long.model_dump(mode="json")) + "\n")
    done = sift("ideas.jsonl", judges=f"judge:mini@{server.base_url}")
    assert "Longer than the 12,000 characters of an idea that are read: 1 idea." in done.out
    assert max(len(each.text) for each in server.asked) < 30_000


@pytest.mark.slow
def test_a_filter_that_was_killed_continues_without_a_repeated_request(start, novum, serve, ledger, tmp_path):
    silence = Silence(15, script=panel)
    server = serve(silence)
    table(tmp_path / "ideas.jsonl", *range(1, 9))
    models = ("--judge", f"judge:mini@{server.base_url}", "--model", f"server:writer@{server.base_url}")
    process = start("filter", "ideas.jsonl", *models, NOVUM_IN_FLIGHT="2")
    silence.reached(process, ledger)
    kill(process)
    silence.speak()
    done = novum("runs", "resume", "last", "--out", "kept.jsonl", "--force")
    assert done.code == 0, done.err
    assert len(rows(tmp_path / "kept.jsonl")) == 3
    assert server.answered <= 8 * 4 + 2 * 2, "what was on its way when the process died is all that is asked again"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ideas.jsonl", "--keep", "few"), "neither a number"),
        (("ideas.jsonl", "--keep", "0"), "neither a number"),
        (("ideas.jsonl", "--keep", "120%"), "neither a number"),
        (("ideas.jsonl", "--out", "kept.csv"), "is not a JSONL file"),
        (("ideas.jsonl", "--out", "."), "Name a file: --out kept.jsonl"),
        (("ideas.jsonl", "--out", "ideas.jsonl"), "would overwrite"),
        (("empty.jsonl",), "no idea to filter"),
    ],
)
def test_a_mistake_is_reported_before_any_request(sift, server, tmp_path, arguments, message):
    table(tmp_path / "ideas.jsonl", 5)
    (tmp_path / "empty.jsonl").write_text("")
    done = sift(*arguments)
    assert done.code == 2
    assert message in done.err
    assert server.answered == 0
