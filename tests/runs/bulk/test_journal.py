"""Finished turns are found again, whatever the moment at which a process was killed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.runs.bulk.journal import Journal
from novum.runs.bulk.rounds import Turn

FIRST, SECOND = Turn(0, 0, 2), Turn(7, 3, 0)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A journal of two turns."""
    file = tmp_path_factory.mktemp("journal") / "turns.jsonl"
    with Journal(file) as journal:
        journal.note(FIRST, [{"title": "Übung"}, {"title": "two\nlines"}], ("a note",))
        journal.note(SECOND, [], ())
    return file


def test_a_turn_is_read_by_another_process(written):
    with Journal(written) as journal:
        assert FIRST in journal
        assert Turn(0, 0, 3) not in journal
        assert [row["title"] for row in journal.rows(FIRST)] == ["Übung", "two\nlines"]
        assert (journal.notes(FIRST), journal.rows(SECOND)) == (["a note"], [])


@given(cut=st.integers(0, 250))
def test_an_incomplete_line_is_left_out_and_its_turn_carried_out_again(written, tmp_path_factory, cut):
    content = written.read_bytes()
    file = tmp_path_factory.mktemp("cut") / "turns.jsonl"
    file.write_bytes(content[: min(cut, len(content))])
    turns = {FIRST: [{"title": "Übung"}, {"title": "two\nlines"}], SECOND: []}
    with Journal(file) as journal:
        for turn, rows in turns.items():
            if turn not in journal:
                journal.note(turn, rows, ("a note",) if turn == FIRST else ())
            assert journal.rows(turn) == rows
    with Journal(file) as again:
        assert {turn: again.rows(turn) for turn in turns} == turns


@given(place=st.integers(0, 250), bit=st.integers(0, 7))
def test_a_damaged_line_is_left_out_and_its_turn_carried_out_again(written, tmp_path_factory, place, bit):
    content = bytearray(written.read_bytes())
    content[place % len(content)] ^= 1 << bit
    file = tmp_path_factory.mktemp("damaged") / "turns.jsonl"
    file.write_bytes(content)
    turns = {FIRST: [{"title": "Übung"}, {"title": "two\nlines"}], SECOND: []}
    with Journal(file) as journal:
        assert sum(turn in journal for turn in turns) <= 1 or bytes(content) == written.read_bytes()
        for turn, rows in turns.items():
            if turn not in journal:
                journal.note(turn, rows, ())
            assert journal.rows(turn) == rows


LINES = [
    b"[" * 200_000,
    b'{"a":' * 50_000,
    b'{"turn": [0, 0, 2], "rows": [{"title": "\\ud800"}], "notes": []}',
    b"\0" * 999,
]


@pytest.mark.parametrize("line", LINES, ids=["deep list", "deep object", "without a checksum", "zeros"])
def test_what_is_no_line_of_a_turn_is_left_out(written, tmp_path, line):
    file = tmp_path / "turns.jsonl"
    file.write_bytes(line + b"\n" + written.read_bytes() + line + b"\n")
    with Journal(file) as journal:
        assert [row["title"] for row in journal.rows(FIRST)] == ["Übung", "two\nlines"]
        assert journal.rows(SECOND) == []


def test_two_processes_may_write_one_journal_at_once(tmp_path):
    turns = [Turn(0, 0, number) for number in range(6)]
    with Journal(tmp_path / "turns.jsonl") as one, Journal(tmp_path / "turns.jsonl") as other:
        for number, turn in enumerate(turns):
            (one, other)[number % 2].note(turn, [{"title": "x" * 10_000 * number}], (f"note {number}",))
        assert [one.notes(turn) for turn in turns[::2]] == [["note 0"], ["note 2"], ["note 4"]]
        assert [other.rows(turn)[0]["title"] for turn in turns[1::2]] == ["x" * 10_000 * n for n in (1, 3, 5)]
        other.note(turns[0], [], ("again",))
        assert (one.notes(turns[0]), other.notes(turns[0])) == (["note 0"], ["again"])
    with Journal(tmp_path / "turns.jsonl") as later:
        assert all(turn in later for turn in turns)
