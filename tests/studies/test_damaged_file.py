"""A damaged file of studies, or another program's: one line, and nothing is changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from novum.studies.storage import FILE, StudyError, StudyStore
from tests.studies.test_studies import study


@pytest.fixture
def home(tmp_path):
    """A folder with a study that one participant has answered."""
    store = StudyStore(tmp_path)
    of = store.add(study())
    participant = store.invite(of)
    store.save(of, participant, 0, "clarity", "3")
    store.comment(of, participant, 0, "Nice.")
    return tmp_path


def read_everything(home):
    store = StudyStore(home)
    for each in store.studies():
        store.answers(each.id)
        store.comments(each.id)
        for one in store.participants(each.id):
            store.by_link(one.link)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE studies SET content = CAST(x'ff7b' AS TEXT)",
        "UPDATE studies SET content = '{}'",
        "UPDATE participants SET content = 'nothing'",
        "UPDATE answers SET value = CAST(x'ff' AS TEXT)",
        "UPDATE answers SET task = 'first'",
        "UPDATE comments SET text = CAST(x'fe' AS TEXT)",
        "ALTER TABLE answers DROP COLUMN at",
    ],
)
def test_what_cannot_be_read_is_told_in_a_line_with_a_way_out(home, change):
    read_everything(home)
    with closing(sqlite3.connect(home / FILE)) as connection:
        connection.execute(change)
        connection.commit()
    with pytest.raises(StudyError, match=r"is damaged. Restore it from a copy, or read what is left"):
        read_everything(home)


def test_a_file_with_damaged_pages_is_told_in_the_same_line(home):
    file = home / FILE
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(file.read_bytes())
    data[4096:] = b"\x07" * (len(data) - 4096)
    file.write_bytes(bytes(data))
    with pytest.raises(StudyError, match="is damaged"):
        read_everything(home)


def test_a_file_that_is_no_database_is_told_too(tmp_path):
    (tmp_path / FILE).write_text("Dear diary, " * 100)
    with pytest.raises(StudyError, match="is damaged"):
        StudyStore(tmp_path)


def test_the_database_of_another_program_is_not_taken_over(tmp_path):
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute("CREATE TABLE songs (title)")
        connection.commit()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(StudyError, match=r"is a database, but not one of studies\. Move it away"):
        StudyStore(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before
