"""The ledger: safe before it is used, shared by processes, plain about what went wrong."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading

import pytest
from sqlalchemy.exc import OperationalError

from novum.errors import BadInput, LedgerError
from novum.ledger import Call, Event, Ledger, Run
from novum.ledger.failures import ledger_failure


def call(run_id="r", key="k", **changes):
    known = {
        "prompt": "p",
        "prompt_version": 1,
        "prompt_digest": "d",
        "model": "m",
        "sample": 0,
        "settings": "{}",
        "answer": "a",
    }
    return Call(run_id=run_id, key=key, messages="[]", returns="str", **(known | changes))


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(tmp_path / "ledger.sqlite") as opened:
        yield opened


def test_a_recorded_call_can_be_read_by_another_process_at_once(ledger, tmp_path):
    asyncio.run(ledger.record(call(answer="forty-two", usd=0.5)))
    with Ledger.open(tmp_path / "ledger.sqlite") as other:
        found = other.answered("k")
    assert (found.answer, found.usd, found.energy_kwh) == ("forty-two", 0.5, None)


def test_a_fresh_run_sees_only_its_own_answers(ledger):
    asyncio.run(ledger.record(call(run_id="old")))
    assert ledger.answered("k", "new", only=True) is None
    assert ledger.answered("k", "old", only=True) is not None


def test_many_answers_at_once_are_all_safe(ledger):
    async def burst():
        await asyncio.gather(*(ledger.record(call(key=f"k{number}")) for number in range(500)))

    asyncio.run(burst())
    assert len({each.key for each in ledger.calls("r")}) == 500


@pytest.mark.parametrize("count", [1, 3, 4, 21, 64, 150])
def test_a_group_of_any_size_is_written_whole_and_in_order(ledger, count):
    async def burst():
        await asyncio.gather(*(ledger.record(call(key=f"k{number}")) for number in range(count)))

    asyncio.run(burst())
    assert [each.key for each in ledger.calls("r")] == [f"k{number}" for number in range(count)]


def test_an_answer_is_written_where_nobody_waits_for_it_any_more(ledger):
    async def cancelled():
        recording = asyncio.create_task(ledger.record(call()))
        await asyncio.sleep(0)
        recording.cancel()
        await asyncio.gather(recording, return_exceptions=True)
        await ledger.record(call(key="next"))

    asyncio.run(cancelled())
    assert ledger.answered("k") is not None


def test_unknown_prices_are_counted_and_never_added(ledger):
    async def both():
        await ledger.record(call(key="a", usd=0.25, prompt_tokens=10, completion_tokens=5))
        await ledger.record(call(key="b", usd=None))

    asyncio.run(both())
    spend = ledger.spend("r")
    assert (spend.calls, spend.usd, spend.usd_unknown, spend.prompt_tokens) == (2, 0.25, 1, 10)


def test_a_run_is_found_by_its_beginning_or_as_the_last(ledger):
    first = ledger.start_run("ideate", "Protein design with language models", {"topic": "x"})
    assert "protein-design" in first.id
    assert ledger.run(first.id[:18]) == ledger.run("last") == ledger.run(first.id)
    assert first.params == {"topic": "x"}


@pytest.mark.parametrize("asked", ["nothing-like-it", "last"])
def test_a_run_that_is_not_there_is_said_to_be_missing(ledger, asked):
    with pytest.raises(BadInput, match="novum runs list"):
        ledger.run(asked)


def test_runs_of_one_title_that_draw_the_same_id_in_one_second_are_told_apart(ledger, monkeypatch):
    drawn = iter(["1a2b", "1a2b", "1a2b", "3c4d"])
    monkeypatch.setattr("novum.ledger.ledger.time.time", lambda: 1_700_000_000.0)
    monkeypatch.setattr("novum.ledger.rows.secrets.token_hex", lambda size: next(drawn))
    ids = [ledger.start_run("ideate", "molecules", {}).id for _ in range(2)]
    assert [each[-4:] for each in ids] == ["1a2b", "3c4d"]


def test_the_last_run_is_the_one_that_was_started_last_whatever_the_clock_says(ledger, monkeypatch):
    clock = iter([1_700_000_000.0, 1_600_000_000.0])
    monkeypatch.setattr("novum.ledger.ledger.time.time", lambda: next(clock))
    runs = [ledger.start_run("ideate", title, {}) for title in ("first", "second")]
    assert ledger.run("last") == runs[1]
    assert ledger.runs() == runs[::-1]


def test_an_ambiguous_beginning_is_said_to_be_so(ledger):
    runs = [ledger.start_run("ideate", "the same topic", {}) for _ in range(2)]
    with pytest.raises(BadInput, match="2 runs begin with"):
        ledger.run(runs[0].id[:4])


def test_time_adds_up_over_sessions(ledger):
    run = ledger.start_run("ideate", "t", {})
    ledger.end_run(run.id, "stopped", "enough", seconds=2.0)
    ledger.reopen_run(run.id)
    ledger.end_run(run.id, "finished", result="{}", seconds=3.0)
    ended = ledger.run(run.id)
    assert (ended.status, ended.seconds, ended.result) == ("finished", 5.0, "{}")


def test_steps_nest_and_tell_who_listens(ledger):
    run = Run(ledger, ledger.start_run("ideate", "t", {}))
    heard = []
    run.listen(heard.append)
    with pytest.raises(ValueError, match="stop"), run.step("branch 1"), run.step("chain"):
        raise ValueError("stop")
    assert [(event.kind, event.step) for event in heard] == [
        ("step-began", "branch 1"),
        ("step-began", "branch 1 / chain"),
        ("step-broke", "branch 1 / chain"),
        ("step-broke", "branch 1"),
    ]
    ledger.close()
    assert [event for _, event in ledger.events(run.id)] == heard


def test_branches_at_once_each_know_their_own_place(ledger):
    run = Run(ledger, ledger.start_run("ideate", "t", {}))

    async def branch(name):
        with run.step(name):
            await asyncio.sleep(0)
            return run.here

    async def both():
        return await asyncio.gather(branch("a"), branch("b"))

    assert asyncio.run(both()) == ["a", "b"]


def test_events_are_followed_from_where_one_left_off(ledger):
    run = ledger.start_run("ideate", "t", {})
    for number in range(3):
        ledger.emit(Event(run_id=run.id, at=number, kind="note", step="", data={"number": number}))
    ledger.close()
    numbers = [number for number, _ in ledger.events(run.id)]
    assert [event.data for _, event in ledger.events(run.id, after=numbers[0])] == [{"number": 1}, {"number": 2}]


def test_an_event_is_there_for_whoever_asks_next_however_slow_the_disk(ledger, tmp_path):
    """A run that is taken up again in the same process starts from what it emitted before."""
    run = Run(ledger, ledger.start_run("ideate", "t", {}))
    other = sqlite3.connect(tmp_path / "ledger.sqlite", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")  # nothing can be written meanwhile
    run.emit("openings", count=3)
    threading.Timer(0.1, other.rollback).start()
    assert [event.data for event in Run(ledger, run.record).earlier("openings")] == [{"count": 3}]
    other.close()


def test_a_database_that_is_not_ours_is_left_alone(tmp_path):
    file = tmp_path / "other.sqlite"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(LedgerError, match="not Novum's"):
        Ledger.open(file)


def test_a_file_that_is_no_database_is_left_alone(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("Dear diary, " * 100)
    with pytest.raises(LedgerError, match="NOVUM_LEDGER"):
        Ledger.open(file)
    assert file.read_text().startswith("Dear diary")


def test_a_ledger_from_the_future_asks_for_an_upgrade(tmp_path):
    file = tmp_path / "ledger.sqlite"
    Ledger.open(file).close()
    with sqlite3.connect(file) as database:
        database.execute("UPDATE novum_about SET value = '99'")
    with pytest.raises(LedgerError, match="newer Novum"):
        Ledger.open(file)


def test_a_ledger_address_that_cannot_be_used_says_so():
    with pytest.raises(LedgerError, match="cannot be used"):
        Ledger.open("nonsense://somewhere/else")


def test_of_two_processes_that_resume_a_run_at_once_one_is_refused(tmp_path, monkeypatch):
    dead, first, second = 1_000_001, 1_000_002, 1_000_003
    process = [dead]
    monkeypatch.setattr("novum.ledger.ledger.os.getpid", lambda: process[0])
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger, Ledger.open(tmp_path / "ledger.sqlite") as other:
        run = ledger.start_run("ideate", "t", {})

        def overtaken(record):
            if record.pid == dead and process[0] == first:
                process[0] = second
                other.reopen_run(run.id)
                process[0] = first
            return record.pid != dead

        monkeypatch.setattr("novum.ledger.ledger.is_alive", overtaken)
        process[0] = first
        with pytest.raises(BadInput, match=f"worked on by process {second}"):
            ledger.reopen_run(run.id)
        assert ledger.run(run.id).pid == second


@pytest.mark.parametrize("told", ['too many connections for role "bob"', "sorry, too many clients already"])
def test_a_server_without_a_free_connection_is_not_said_to_be_gone(told):
    error = OperationalError("SELECT 1", {}, Exception(f"connection failed: {told}"))
    assert "accepts no more connections" in str(ledger_failure(error))


def test_opening_a_ledger_frees_no_lock_of_this_process(tmp_path):
    """Closing any other handle on the file would, and another process then removed the log that is in use."""
    file = tmp_path / "ledger.sqlite"
    with Ledger.open(file) as ledger:
        ledger.start_run("ideate", "t", {})
        ledger.runs()
        Ledger.open(file).close()
        other = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM runs').fetchall()"
        subprocess.run([sys.executable, "-c", other, str(file)], check=True)
        assert file.with_name("ledger.sqlite-wal").exists()
        assert len(ledger.runs()) == 1
