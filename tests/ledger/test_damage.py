"""Damaged ledgers: each access gives one line with what to do, and every row that can be read is saved."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
from contextlib import closing, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.test_ledger import call

from novum.errors import BadInput, LedgerError
from novum.ledger import Event, Ledger, schema
from novum.ledger.damaged import check_file
from novum.ledger.pages import Pages
from novum.ledger.salvage import salvage

RUNS, CALLS = 3, 40


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A ledger of some runs with calls and events."""
    file = tmp_path_factory.mktemp("sound") / "ledger.sqlite"
    with Ledger.open(file) as ledger:
        for number in range(RUNS):
            run = ledger.start_run("ideate", f"topic {number}", {"topic": "x" * 500})

            async def answers(run=run):
                for each in range(CALLS):
                    await ledger.record(call(run_id=run.id, key=f"call-{each}", answer=f"{each} " + "word " * 300))
                    ledger.emit(Event(run_id=run.id, at=1.0, kind="note", step="s", data={"text": "t" * 100}))

            asyncio.run(answers())
            ledger.end_run(run.id, "finished", result="{}")
    return file


@pytest.fixture
def file(sound, tmp_path):
    return shutil.copy(sound, tmp_path / "ledger.sqlite")


def damaged(file, seed):
    """Flips bytes of the file, or cuts it off."""
    draw = random.Random(seed)
    data = bytearray(file.read_bytes())
    if seed % 5 == 0:
        del data[draw.randrange(len(data)) :]
    else:
        start = draw.randrange(len(data)) if seed % 5 > 1 else draw.randrange(4096)
        for place in range(start, min(start + draw.choice([1, 40, 3000]), len(data))):
            data[place] ^= draw.randrange(1, 256)
    file.write_bytes(bytes(data))


def read_everything(file):
    with Ledger.open(file) as ledger:
        for run in ledger.runs():
            ledger.spend(run.id)
            ledger.unsettled(run.id)
            ledger.events(run.id)
            ledger.used_calls(run.id)
            for each in ledger.calls(run.id):
                ledger.answered(each.key, run.id)
            asyncio.run(ledger.shares(run.id))
        run = ledger.start_run("ideate", "new", {})
        asyncio.run(ledger.record(call(run_id=run.id, key="new")))
        ledger.emit(Event(run_id=run.id, at=1.0, kind="note", step="s"))
        ledger.end_run(run.id, "finished")


UNREADABLE = [
    "update runs set params = '[]' where title = 'topic 1'",
    "update runs set params = '" + "[" * 20_000 + "' where title = 'topic 1'",
    "update runs set started = 1e300, updated = 1e300 where title = 'topic 1'",
    "update runs set started = 9e999 where title = 'topic 1'",
    "update runs set started = 'soon' where title = 'topic 1'",
    "update calls set prompt_tokens = 9223372036854775807",
    "update calls set prompt_tokens = 'many' where number = 3",
    "update calls set messages = 'nope' where number = 3",
    "update calls set messages = '{}' where number = 3",
    "update events set data = '[]' where number = 5",
    "update events set at = 1e300 where number = 5",
    "update novum_about set value = 'q'",
]


@pytest.mark.parametrize("change", UNREADABLE)
def test_a_value_that_was_never_written_is_found_and_the_rest_is_saved(file, change):
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(change)
        connection.commit()
    assert not check_file(file).is_fine
    with suppress(LedgerError):
        read_everything(file)
    saved = salvage(file).saved
    assert saved["runs"] >= RUNS - 1
    assert check_file(file).is_fine
    read_everything(file)


@pytest.mark.parametrize("change", [each for each in UNREADABLE if "messages" not in each])
def test_such_a_value_is_told_in_a_line_where_it_is_read(file, change):
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(change)
        connection.commit()
    with pytest.raises(LedgerError, match=r"The ledger is damaged \(.*novum runs check.*novum runs salvage"):
        read_everything(file)


def test_the_database_of_another_program_is_not_salvaged(tmp_path):
    songs = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(songs)) as connection:
        connection.execute("create table songs (title, year)")
        connection.execute("insert into songs values ('Waves', 1999)")
        connection.commit()
    before = songs.read_bytes()
    assert check_file(songs).is_foreign
    with pytest.raises(BadInput, match="holds nothing of a ledger, so nothing was changed"):
        salvage(songs)
    assert songs.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["ledger.sqlite"]


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_what_is_no_file_beside_a_ledger_is_named(file, ending):
    os.mkfifo(file.with_name(file.name + ending))
    for read in (check_file, Ledger.open):
        with pytest.raises(BadInput, match=f"ledger.sqlite{ending} is a pipe"):
            read(file)


def test_a_sound_ledger_is_fine(file):
    found = check_file(file)
    assert found.is_fine
    assert not found.orphans
    assert {each.table.name: each.rows for each in found.tables}["calls"] == RUNS * CALLS
    with pytest.raises(BadInput, match="nothing was changed"):
        salvage(file)
    assert [each.name for each in file.parent.iterdir()] == ["ledger.sqlite"]


def test_a_ledger_of_an_earlier_version_is_fine(file):
    with Ledger.open(file) as ledger, ledger._engine.begin() as connection:
        for statement in ("DROP TABLE claims", "DROP TABLE accounts", "ALTER TABLE runs DROP COLUMN number"):
            connection.exec_driver_sql(statement)
    assert check_file(file).is_fine


@pytest.mark.parametrize("seed", [*range(10), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 60))])
def test_a_damaged_ledger_gives_one_line_and_what_is_readable_is_saved(file, sound, seed):
    damaged(file, seed)
    content = file.read_bytes()
    try:
        read_everything(file)
    except LedgerError as error:
        assert "\n" not in str(error)
        assert "novum runs" in str(error) or "NOVUM_LEDGER" in str(error)
    file.write_bytes(content)
    for side in ("-wal", "-shm"):
        file.with_name(file.name + side).unlink(missing_ok=True)
    found = check_file(file)
    if found.is_fine:
        return
    result = salvage(file)
    assert result.damaged.read_bytes() == content
    assert check_file(file).is_fine
    readable = {each.table.name: each.rows for each in found.tables}
    assert all(result.saved[name] >= min(readable[name], 1) for name in ("runs", "calls", "events"))
    read_everything(file)


def test_one_damaged_page_costs_only_its_own_rows(file):
    data = bytearray(file.read_bytes())
    place = data.index(b"7 word word")
    data[place : place + 3000] = b"\xff" * 3000
    file.write_bytes(bytes(data))
    calls = next(each for each in check_file(file).tables if each.table.name == "calls")
    assert RUNS * CALLS - 6 <= calls.rows < RUNS * CALLS
    assert salvage(file).saved["calls"] == calls.rows


@pytest.mark.parametrize("place", [0, 16, 100, 105, 2000])
def test_rows_are_saved_where_the_way_to_the_tables_is_damaged(file, place):
    data = bytearray(file.read_bytes())
    data[place : place + 30] = b"\x5a" * 30
    file.write_bytes(bytes(data))
    saved = salvage(file).saved
    assert (saved["runs"], saved["calls"], saved["events"]) == (RUNS, RUNS * CALLS, RUNS * CALLS)
    with Ledger.open(file) as ledger:
        assert [len(ledger.calls(run.id)) for run in ledger.runs()] == [CALLS] * RUNS
        assert ledger.calls(ledger.run("last").id)[3].answer.startswith("3 word")


def test_pages_hold_the_same_rows_as_the_database_also_those_in_the_log(tmp_path):
    file = tmp_path / "ledger.sqlite"
    long = "long " * 5000
    with Ledger.open(file) as ledger:
        run = ledger.start_run("ideate", "t", {})
        asyncio.run(ledger.record(call(run_id=run.id, answer=long, usd=0.1, prompt_tokens=70_000)))
        stored = [record.values for record in Pages.of(file).records()]
        rows = [values for values in stored if len(values) == len(schema.calls.columns)]
        with sqlite3.connect(file) as database:
            database.text_factory = bytes
            [expected] = database.execute("SELECT * FROM calls").fetchall()
    assert [(None, *expected[1:])] == rows


def test_a_letter_that_changed_within_an_answer_is_noticed(file):
    with sqlite3.connect(file) as database:
        key, run_id = database.execute("SELECT key, run_id FROM calls WHERE number = 1").fetchone()
        database.execute("UPDATE calls SET answer = replace(answer, 'word', 'ward') WHERE number = 1")
    with Ledger.open(file) as ledger, pytest.raises(LedgerError, match=r"is damaged.*novum runs check"):
        ledger.answered(key, run_id)
    found = check_file(file)
    assert not found.is_fine
    assert [each.unreadable for each in found.tables if each.table.name == "calls"] == [1]
    assert salvage(file).saved["calls"] == RUNS * CALLS - 1
    with Ledger.open(file) as ledger:
        assert ledger.answered(key, run_id, only=True) is None


@pytest.mark.parametrize("share", [0.999, 0.9, 0.5])
def test_a_ledger_that_is_cut_off_is_not_opened(file, share):
    with file.open("r+b") as opened:
        opened.truncate(int(file.stat().st_size * share))
    with pytest.raises(LedgerError, match=r"is damaged.*novum runs check"):
        Ledger.open(file)


@pytest.mark.parametrize(("column", "runs"), [("result", RUNS), ("title", RUNS - 1), ("params", RUNS - 1)])
def test_a_letter_that_changed_within_a_run_is_noticed(file, column, runs):
    with sqlite3.connect(file) as database:
        database.execute("UPDATE runs SET result = '{\"ideas\": 3}', result_checksum = NULL")
    with Ledger.open(file) as ledger:
        for each in ledger.runs():
            ledger.end_run(each.id, "finished", result='{"ideas": 3}')
    with sqlite3.connect(file) as database:
        database.execute(f"UPDATE runs SET {column} = replace({column}, 'i', 'j') WHERE number = 1")
    with Ledger.open(file) as ledger, pytest.raises(LedgerError, match=r"not as it was written.*novum runs check"):
        ledger.runs()
    assert not check_file(file).is_fine
    assert salvage(file).saved["runs"] == runs
    with Ledger.open(file) as ledger:
        assert sorted(each.status for each in ledger.runs()) == sorted(
            ["finished"] * (RUNS - 1) + ["stopped"] * (runs - RUNS + 1)
        )


def test_a_run_whose_state_changed_is_noticed_and_keeps_its_result(file):
    with Ledger.open(file) as ledger:
        [first, *_] = ledger.runs()
        ledger.end_run(first.id, "finished", result='{"ideas": 3}')
    with sqlite3.connect(file) as database:
        database.execute("UPDATE runs SET status = 'finishe`' WHERE id = ?", (first.id,))
    assert not check_file(file).is_fine
    assert salvage(file).saved["runs"] == RUNS
    with Ledger.open(file) as ledger:
        assert (ledger.run(first.id).status, ledger.run(first.id).result) == ("stopped", '{"ideas": 3}')


@pytest.mark.parametrize("more", [1, 2048, 4095])
def test_a_file_with_a_part_of_a_page_that_was_never_finished_is_fine(file, more):
    with file.open("ab") as opened:
        opened.write(bytes(more))
    assert check_file(file).is_fine


@pytest.mark.parametrize("less", [1, 100, 1777, 3000])
def test_a_file_that_is_cut_off_within_its_last_page_is_damaged(file, less):
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size - less)
    found = check_file(file)
    assert not found.is_fine
    assert "cut off" in found.losses[0]
    assert salvage(file).saved["calls"] >= RUNS * CALLS - 6
    assert check_file(file).is_fine


def test_an_empty_file_is_a_ledger_without_runs(tmp_path):
    file = tmp_path / "ledger.sqlite"
    file.touch()
    found = check_file(file)
    assert found.is_fine
    assert {each.rows for each in found.tables} == {0}
    with pytest.raises(BadInput, match="nothing was changed"):
        salvage(file)
    read_everything(file)


@pytest.fixture
def killed(tmp_path):
    """A ledger with all its rows in the log, as a process leaves it that is ended."""
    file = tmp_path / "whole" / "ledger.sqlite"
    with Ledger.open(file) as ledger:
        run = ledger.start_run("ideate", "t", {})
        for each in range(CALLS):
            asyncio.run(ledger.record(call(run_id=run.id, key=f"call-{each}", answer=f"{each} " + "word " * 300)))
        left = tmp_path / "left" / "ledger.sqlite"
        left.parent.mkdir()
        for side in ("", "-wal"):
            shutil.copyfile(f"{file}{side}", f"{left}{side}")
    return left


def log_of(file):
    return file.with_name(file.name + "-wal")


def flip(file, place):
    data = bytearray(file.read_bytes())
    data[place] ^= 0x20
    file.write_bytes(bytes(data))


FRAME = 24 + 4096


def test_a_whole_log_is_fine(killed):
    before = {each: each.read_bytes() for each in killed.parent.iterdir()}
    assert len(log_of(killed).read_bytes()) > 50 * FRAME
    assert check_file(killed).is_fine
    assert {each: each.read_bytes() for each in killed.parent.iterdir()} == before


@pytest.mark.parametrize(
    "part", [0.3, *(pytest.param(part, marks=pytest.mark.slow) for part in (0.0, 0.05, 0.5, 0.95))]
)
@pytest.mark.parametrize("within", [0, 5, 9, 17, 1000], ids=["page", "commit", "salt", "checksum", "content"])
def test_a_damaged_log_is_found_and_its_rows_are_saved(killed, part, within):
    log = log_of(killed)
    frames = (log.stat().st_size - 32) // FRAME
    flip(log, 32 + int(part * frames) * FRAME + within)
    content = log.read_bytes()
    found = check_file(killed)
    assert not found.is_fine
    assert "-wal is damaged" in found.losses[0]
    assert log.read_bytes() == content
    result = salvage(killed)
    assert log_of(result.damaged).read_bytes() == content
    assert result.saved["calls"] >= CALLS - 6
    assert check_file(killed).is_fine
    with Ledger.open(killed) as ledger:
        for each in ledger.calls(ledger.run("last").id):
            assert each.answer == f"{each.key.removeprefix('call-')} " + "word " * 300


@pytest.mark.parametrize("place", [0, 9, 18, 27])
def test_a_damaged_beginning_of_the_log_is_found(killed, place):
    flip(log_of(killed), place)
    assert not check_file(killed).is_fine
    assert salvage(killed).saved["calls"] == CALLS


@pytest.mark.parametrize("within", [17, 4000])
def test_damage_in_the_last_page_of_the_log_is_found(killed, within):
    flip(log_of(killed), log_of(killed).stat().st_size - FRAME + within)
    assert not check_file(killed).is_fine


def test_a_process_that_is_ended_while_it_writes_over_an_earlier_log_does_no_damage(killed):
    log = log_of(killed)
    content = bytearray(log.read_bytes())
    half = (len(content) - 32) // FRAME // 2
    for frame in range(half, (len(content) - 32) // FRAME):
        start = 32 + frame * FRAME
        content[start + 8 : start + 16] = b"earlier."  # as after the log was begun anew
    ends = [frame for frame in range(half) if any(content[32 + frame * FRAME + 4 : 32 + frame * FRAME + 8])]
    content[32 + ends[-1] * FRAME + 100] ^= 1  # the page behind the header of the last end
    for frame in range(ends[-1] + 1, half):
        content[32 + frame * FRAME + 8 : 32 + frame * FRAME + 16] = b"earlier."
    log.write_bytes(bytes(content))
    assert check_file(killed).is_fine


def test_a_transaction_that_was_not_finished_is_no_damage(killed):
    log = log_of(killed)
    content = log.read_bytes()
    last = content[-FRAME:]
    unfinished = last[:4] + bytes(4) + last[8:]  # it ends no transaction, and its checksum is wrong
    for more in (unfinished, unfinished * 3, last[:24], last[:2000], bytes(FRAME), last[:8] + bytes(8) + last[16:]):
        log.write_bytes(content + more)
        assert check_file(killed).is_fine


@given(st.binary(max_size=200), st.lists(st.tuples(st.integers(0, 40_000), st.integers(0, 255)), max_size=60))
def test_damaged_pages_are_read_without_an_error(sound, log, changes):
    data = bytearray(sound.read_bytes()[:40_960])
    for place, byte in changes:
        data[place] = byte
    assert len(list(Pages(bytes(data), log).records())) <= 40_960 // 4


def changed(file, *statements):
    with sqlite3.connect(file) as connection:
        for each in statements:
            connection.execute(each)
    connection.close()


def test_a_run_is_saved_whose_result_alone_cannot_be_read(file):
    changed(file, "update runs set result = cast(x'7bff7d' as text) where rowid = 1")
    done = salvage(file)
    assert not done.found.is_fine
    with Ledger.open(file) as ledger:
        statuses = sorted(record.status for record in ledger.runs())
    assert statuses == ["finished"] * (RUNS - 1) + ["stopped"]


def test_another_database_in_place_of_a_ledger_is_reported_and_nothing_is_left_behind(tmp_path):
    file = tmp_path / "ledger.sqlite"
    changed(file, "create table runs(x)", "create table calls(id)", "create view uses as select 1")
    assert not check_file(file).is_fine
    with pytest.raises(BadInput, match="nothing was changed"):
        salvage(file)
    assert [each.name for each in tmp_path.iterdir()] == ["ledger.sqlite"]


def test_what_fails_while_rows_are_copied_leaves_no_half_file(file, monkeypatch):
    def fail(*_):
        raise OSError("no space left")

    changed(file, "update runs set result = cast(x'ff' as text)")
    monkeypatch.setattr("novum.ledger.salvage.check_file", fail)
    with pytest.raises(LedgerError, match="cannot be salvaged"):
        salvage(file)
    assert not list(file.parent.glob("ledger.new*"))


@pytest.mark.parametrize("name", ["../elsewhere", "/tmp/x", "a/b", ".hidden", "a\\b"])
def test_a_run_whose_id_is_a_path_is_refused_in_one_line(file, name):
    changed(file, f"update runs set id = '{name}' where rowid = 1")
    with Ledger.open(file) as ledger, pytest.raises(LedgerError, match="is no name of a run") as problem:
        ledger.runs()
    assert "novum runs salvage" in str(problem.value)
    assert any(each.unreadable for each in check_file(file).tables)


def test_a_damaged_header_is_reported_with_what_helps(file):
    with file.open("r+b") as opened:
        opened.write(bytes(100))
    with pytest.raises(LedgerError, match="novum runs check"), Ledger.open(file) as ledger:
        ledger.runs()


def test_the_line_about_damage_quotes_nothing_of_the_ledger(file):
    changed(file, "update runs set result = cast(x'7b22736563726574223a22ff22' as text)")
    with Ledger.open(file) as ledger, pytest.raises(LedgerError) as problem:
        ledger.runs()
    assert "secret" not in str(problem.value)
