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
def test_an_incomplete_line_is_removed_and_its_turn_carried_out_again(written, tmp_path_factory, cut):
    content = written.read_bytes()
    file = tmp_path_factory.mktemp("cut") / "turns.jsonl"
    file.write_bytes(content[: min(cut, len(content))])
    with Journal(file) as journal:
        for turn, rows in ((FIRST, [{"title": "Übung"}, {"title": "two\nlines"}]), (SECOND, [])):
            if turn not in journal:
                journal.note(turn, rows, ("a note",) if turn == FIRST else ())
            assert journal.rows(turn) == rows
    assert file.read_bytes() == content
