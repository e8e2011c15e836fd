"""Arenas as files: what is written is read back the same, and files of others count as far as they can be read."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.benchmarks.arena.exporting import match_rows, read_arena, write_arena
from novum.benchmarks.arena.importing import read_entries, read_matches
from novum.benchmarks.arena.leaderboard import leaderboard
from novum.benchmarks.arena.records import ArenaRun
from novum.core import Citation, Cost, Experiment, Verdict
from novum.core.comparison import IDEA_CRITERIA, ArenaEntry, Entrant, JudgedPair
from novum.errors import BadInput
from novum.files.tables import ImportLog, write_rows
from tests.benchmarks.arena_lab import idea_of

GOOD = {"topic": "t", "first": "a", "second": "b", "judge": "j", "criterion": "novelty", "outcome": "first"}
OURS = ("topic", "kind", "first", "second", "judge", "order", "criterion", "outcome", "reason", "failure")


def judged(topic, first, second, outcome="first", judge="j", kind="idea", failure=""):
    names = ("feasibility", "quality", "clarity") if kind == "experiment" else IDEA_CRITERIA
    verdicts = (
        () if failure else tuple(Verdict(criterion=name, outcome=outcome, reason="so,\n«it» is") for name in names)
    )
    return JudgedPair(
        topic=topic, kind=kind, first=first, second=second, judge=judge, verdicts=verdicts, failure=failure
    )


def sample():
    idea = idea_of("t", 3).but(citations=(Citation(name="A paper", paper_id="paper-1"), Citation(name="Another")))
    plan = Experiment(idea_id=idea.id, hypothesis="h", steps=("one", "two"), analysis="told")
    return ArenaRun(
        name="run",
        topics=("t", "u"),
        papers={"u": "paper-9"},
        entrants=(Entrant(name="a", method="rag", options={"papers": 3}), Entrant(name="b")),
        judges=("j",),
        kinds=("idea", "experiment"),
        schedule="swiss",
        entries=(
            ArenaEntry(topic="t", entrant="a", idea=idea, experiment=plan, cost=Cost(calls=3, usd=0.5), seconds=2.5),
            ArenaEntry(topic="t", entrant="b", idea=idea_of("t", 4)),
            ArenaEntry(topic="u", entrant="a", forfeit="no paper"),
        ),
        judged_pairs=(
            judged("t", "a", "b"), judged("t", "b", "a", "tie"), judged("t", "a", "b", kind="experiment"),
            judged("t", "b", "a", kind="experiment", failure="declined"),
        ),
        notes=("told",),
    )  # fmt: skip


def jsonl(place, rows):
    place.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return place


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_what_is_written_is_read_back_the_same(tmp_path, form):
    run = sample()
    written = write_arena(run, tmp_path / "out", [form])
    assert {file.name for file in written} == {f"matches.{form}", f"entries.{form}", "arena.json"}
    for place in (tmp_path / "out", tmp_path / "out" / f"matches.{form}"):
        back = read_arena(place)
        assert (back.run, back.refused) == (run, 0)


names = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=9)
texts = st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t"), max_size=30)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_any_bouts_survive_the_way_through_a_file(tmp_path_factory, data):
    players = data.draw(st.lists(names, min_size=2, max_size=4, unique=True))
    judged_pairs = []
    for topic in data.draw(st.lists(names, min_size=1, max_size=3, unique=True)):
        for first, second in {tuple(data.draw(st.permutations(players))[:2]) for _ in range(3)}:
            said = st.builds(Verdict, criterion=st.just("clarity"), outcome=st.sampled_from(["first", "second", "tie"]),
                             reason=texts)  # fmt: skip
            judged_pairs.append(
                JudgedPair(topic=topic, first=first, second=second, judge="j", verdicts=(data.draw(said),))
            )
    for form in ("jsonl", "csv"):
        file = tmp_path_factory.mktemp("way") / f"matches.{form}"
        write_rows(match_rows(judged_pairs), OURS, file)
        assert read_matches(file, ImportLog()) == judged_pairs


@pytest.mark.parametrize(
    ("told", "outcome"),
    [("first", "first"), ("0", "first"), (0, "first"), ("A", "first"), ("a", "first"), ("second", "second"),
     (1, "second"), ("1.0", "second"), ("b", "second"), (2, "tie"), ("Tie", "tie"), ("draw", "tie")],
)  # fmt: skip
def test_an_outcome_is_given_in_words_by_number_or_by_the_winner(tmp_path, told, outcome):
    file = jsonl(tmp_path / "m.jsonl", [GOOD | {"outcome": told}])
    [found] = read_arena(file).run.judged_pairs
    assert found.verdicts[0].outcome == outcome


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("nonsense", "no JSON"),
        ("[1]", "no JSON object"),
        ("[" * 100_000, "no JSON"),
        (GOOD | {"topic": " "}, "the topic has 0 characters"),
        (GOOD | {"topic": "t" * 3000}, "the topic has 3,000 characters"),
        (GOOD | {"first": "x" * 500}, "first has 500 characters"),
        (GOOD | {"second": "a"}, "'a' cannot be compared with itself"),
        (GOOD | {"judge": None}, "judge has 0 characters"),
        (GOOD | {"kind": "poem"}, "neither idea nor experiment"),
        (GOOD | {"criterion": "beauty"}, "'beauty' is none of"),
        (GOOD | {"kind": "experiment", "criterion": "novelty"}, "'novelty' is none of feasibility"),
        (GOOD | {"outcome": "3"}, "neither first, second nor tie"),
        (GOOD | {"outcome": {"a": 1}}, "neither first, second nor tie"),
        (GOOD | {"outcome": ""}, "neither an outcome nor a failure"),
        (GOOD, "decided on novelty of this pair already"),
    ],
)
def test_a_row_that_cannot_be_read_is_reported_and_the_others_count(tmp_path, row, why):
    back = read_arena(jsonl(tmp_path / "m.jsonl", [GOOD, row, GOOD | {"topic": "u"}]))
    assert (back.rows, back.refused) == (3, 1)
    assert why in back.why[0]
    assert back.why[0].startswith("m.jsonl, row 2: ")
    assert [each.topic for each in back.run.judged_pairs] == ["t", "u"]


def test_our_words_count_also_where_an_entrant_is_called_so(tmp_path):
    """An entrant named `second` in the first seat does not win by losing."""
    names = {"first": "second", "second": "tie"}
    rows = [GOOD | names | {"criterion": name, "outcome": told} for name, told in (
        ("novelty", "first"), ("clarity", "second"), ("feasibility", "tie"),
    )]  # fmt: skip
    [judged] = read_arena(jsonl(tmp_path / "m.jsonl", rows)).run.judged_pairs
    assert [each.outcome for each in judged.verdicts] == ["first", "second", "tie"]


@pytest.mark.parametrize("amounts", [{"seconds": float("nan")}, {"usd": float("inf")}, {"calls": -3}])
def test_an_amount_that_no_sum_could_hold_is_refused(tmp_path, amounts):
    rows = [{"topic": "t", "entrant": name, "summary": "an idea"} for name in ("a", "b")]
    reading = ImportLog()
    found = read_entries(jsonl(tmp_path / "e.jsonl", [rows[0] | amounts, rows[1]]), reading)
    assert [each.entrant for each in found] == ["b"]
    assert "which is no amount" in reading.why[0]


def test_a_header_that_names_somebody_twice_has_them_once(tmp_path):
    folder = write_arena(sample(), tmp_path)[0].parent
    header = json.loads((folder / "arena.json").read_text())
    (folder / "arena.json").write_text(json.dumps(header | {"entrants": header["entrants"] * 2}))
    assert [each.name for each in read_arena(folder).run.entrants] == [each["name"] for each in header["entrants"]]
    (folder / "arena.json").write_text(json.dumps(header | {"seed": -1}))
    with pytest.raises(BadInput, match="seeds are 0 or more"):
        read_arena(folder)


def test_a_row_of_many_megabytes_is_read_over(tmp_path):
    file = tmp_path / "m.jsonl"
    file.write_text(json.dumps(GOOD) + "\n" + "x" * (9 * 2**20) + "\n" + json.dumps(GOOD | {"topic": "u"}) + "\n")
    back = read_arena(file)
    assert "longer than" in back.why[0]
    assert len(back.run.judged_pairs) == 2


def test_hostile_names_are_put_on_one_printable_line(tmp_path):
    file = jsonl(tmp_path / "m.jsonl", [GOOD | {"first": "\x1b[31mred\nteam\u202e", "judge": "j\x00"}])
    [found] = read_arena(file).run.judged_pairs
    assert (found.first, found.judge) == ("[31mred team", "j")


def test_a_failure_is_kept_as_one_and_makes_nobody_win(tmp_path):
    file = jsonl(tmp_path / "m.jsonl", [GOOD | {"outcome": "", "criterion": "", "failure": "refused"}])
    run = read_arena(file).run
    assert (run.judged_pairs[0].verdicts, run.judged_pairs[0].failure) == ((), "refused")
    assert leaderboard(run, draws=10).boards[0].tally.failed == 1


def test_several_requests_for_a_pair_are_distinguished_by_their_order(tmp_path):
    back = read_arena(jsonl(tmp_path / "m.jsonl", [GOOD | {"order": n} for n in (1, 2)]))
    assert (len(back.run.judged_pairs), back.refused) == (2, 0)


def test_a_csv_with_columns_of_its_own_counts_as_far_as_ours_go(tmp_path):
    with (tmp_path / "m.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["topic", "first", "second", "judge", "criterion", "outcome", "mood"])
        writer.writerow(["t", "a", "b", "j", "Clarity", "2", "good"])
        writer.writerow(["t", "a", "b", "j", "novelty", "0", "bad", "too", "many"])
    back = read_arena(tmp_path / "m.csv")
    assert back.refused == 1
    assert back.run.judged_pairs[0].verdicts[0].criterion == "clarity"


@pytest.mark.parametrize("name", ["m.txt", "m.jsonl", "none.csv"])
def test_a_file_without_matches_is_refused_in_a_line(tmp_path, name):
    if name != "none.csv":
        (tmp_path / name).write_text("nonsense\n")
    with pytest.raises(BadInput):
        read_arena(tmp_path / name)


def test_a_header_that_is_none_of_ours_is_refused(tmp_path):
    folder = write_arena(sample(), tmp_path)[0].parent
    (folder / "arena.json").write_text('{"name": 1}')
    with pytest.raises(BadInput, match="does not describe an arena"):
        read_arena(folder)


def test_ideas_of_others_are_read_from_texts_and_lists(tmp_path):
    rows = [
        {"topic": "t", "entrant": "p", "idea": "Grow lenses.", "citations": ["A paper"], "experiment": "Sow.\nReap."},
        {"topic": "u", "idea": "Without a name.", "experiment": {"hypothesis": "h", "steps": ["s"], "unknown": 1}},
        {"topic": "t", "entrant": "p", "idea": "A second one."},
        {"topic": "v", "entrant": "p"},
        {"topic": "w", "entrant": "p", "idea": "x", "citations": "{"},
        {"topic": "x", "entrant": "p", "idea": "x", "usd": "dear"},
        {"topic": "y", "entrant": "p", "idea": "x" * 200_000},
    ]
    reading = ImportLog()
    first, second = read_entries(jsonl(tmp_path / "i.jsonl", rows), reading, "the file")
    assert (first.idea.text, first.experiment.steps) == (
        "Final idea: Grow lenses.\n\nRefers to: A paper", ("Sow.", "Reap."),
    )  # fmt: skip
    assert (second.entrant, second.experiment.hypothesis) == ("the file", "h")
    assert [why.split(": ", 1)[1].split(":")[0] for why in reading.why] == [
        "'p' has an idea on this topic already", "neither an idea nor a forfeit", "citations is no JSON", "cost.usd",
        "200,012 characters, at most 100,000 are an idea with its experiment",
    ]  # fmt: skip


def test_a_folder_that_cannot_be_written_is_reported_in_a_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        write_arena(sample(), Path(tmp_path / "file" / "below"))
