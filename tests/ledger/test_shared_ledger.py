"""A ledger on a PostgreSQL server: the same as in a file, for several machines."""

from __future__ import annotations

import asyncio
import inspect
import multiprocessing
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from tests.ledger import test_ledger
from tests.ledger.test_ledger import call
from tests.postgres import Server

from novum.errors import LedgerError
from novum.ledger import Event, Ledger

RUNS, CALLS = 4, 25


@pytest.fixture
def ledger(postgres: Server) -> Iterator[Ledger]:
    """Takes the place of the one in a file."""
    with Ledger.open(postgres.new_schema()) as opened:
        yield opened


globals().update(
    {
        name: test
        for name, test in vars(test_ledger).items()
        if name.startswith("test_") and set(inspect.signature(test).parameters) <= {"ledger", "monkeypatch"}
    }
)  # every behaviour that needs no file, on the server


def work(url: str, name: str) -> None:
    """Some runs, one after the other; one answer in five is to a question that the other process asks as well."""

    async def run(ledger: Ledger, number: int) -> None:
        record = ledger.start_run("ideate", f"{name} {number}", {})
        keys = [f"{'both' if n % 5 == 0 else name}-{number}-{n}" for n in range(CALLS)]
        await asyncio.gather(*(ledger.record(call(run_id=record.id, key=key, usd=0.5)) for key in keys))
        ledger.emit(Event(run_id=record.id, at=1.0, kind="note", step="end"))
        ledger.end_run(record.id, "finished", result=name)

    with Ledger.open(url) as ledger:
        for number in range(RUNS):
            asyncio.run(run(ledger, number))


@pytest.mark.slow
def test_two_processes_write_runs_at_once_and_every_answer_is_there(postgres: Server) -> None:
    url = postgres.new_schema()
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=work, args=(url, name)) for name in ("left", "right")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
    assert [worker.exitcode for worker in workers] == [0, 0]
    with Ledger.open(url) as ledger:
        runs = ledger.runs()
        assert sorted((run.title, run.status, run.result) for run in runs) == sorted(
            (f"{name} {number}", "finished", name) for name in ("left", "right") for number in range(RUNS)
        )
        for run in runs:
            assert len(ledger.calls(run.id)) == len(ledger.used_calls(run.id)) == CALLS
            assert ledger.spend(run.id).usd == CALLS * 0.5
            assert [event.kind for _, event in ledger.events(run.id)] == ["note"]


def test_a_server_that_does_not_let_us_in_is_told_in_a_line_without_the_password(postgres: Server) -> None:
    with pytest.raises(LedgerError, match="password authentication failed") as told:
        Ledger.open(postgres.url(user="guarded:wrong"))
    assert "\n" not in str(told.value)
    assert "wrong" not in str(told.value)


def test_processes_that_open_a_new_ledger_at_the_same_moment_all_succeed(tmp_path):
    program = "import sys; from novum.ledger import Ledger; Ledger.open(sys.argv[1]).close()"
    place = str(tmp_path / "ledger.sqlite")
    processes = [subprocess.Popen([sys.executable, "-c", program, place], stderr=subprocess.PIPE) for _ in range(6)]
    assert [each.communicate()[1] for each in processes] == [b""] * 6


def test_a_restart_of_the_server_is_waited_out_and_everything_is_written_once() -> None:
    with Server() as server, Ledger.open(server.new_schema()) as ledger:
        notes: list[str] = []
        ledger.on_note(notes.append)
        run = ledger.start_run("ideate", "t", {})

        async def answers() -> None:
            await ledger.record(call(run_id=run.id, key="before"))
            server.stop()
            restart = asyncio.create_task(asyncio.to_thread(server.start))
            writing = [ledger.record(call(run_id=run.id, key=f"k{number}")) for number in range(5)]
            ledger.emit(Event(run_id=run.id, at=1.0, kind="note", step="s"))
            await asyncio.gather(restart, *writing)

        asyncio.run(answers())
        ledger.end_run(run.id, "finished")
        assert [each.key for each in ledger.calls(run.id)] == ["before", *(f"k{number}" for number in range(5))]
        assert len(ledger.events(run.id)) == 1
        assert ledger.answered("before") is not None
        assert len(notes) == 1


def test_reading_waits_out_a_restart_of_the_server() -> None:
    with Server() as server, Ledger.open(server.new_schema()) as ledger:
        run = ledger.start_run("ideate", "t", {})
        asyncio.run(ledger.record(call(run_id=run.id)))
        assert ledger.answered("k") is not None
        server.stop()
        starting = threading.Thread(target=server.start)
        starting.start()
        assert ledger.answered("k") is not None
        assert ledger.run(run.id) == run
        starting.join()


def test_other_tasks_go_on_while_an_answer_is_looked_up_on_a_server_that_restarts() -> None:
    with Server() as server, Ledger.open(server.new_schema()) as ledger:
        run = ledger.start_run("ideate", "t", {})

        async def looked_up() -> str:
            await ledger.record(call(run_id=run.id))
            gone = asyncio.Event()
            ledger.on_note(lambda _: gone.set())
            server.stop()

            async def restart() -> None:
                await gone.wait()
                await asyncio.to_thread(server.start)

            found, _ = await asyncio.gather(ledger.answer_to("k", run.id), restart())
            return found.key if found else ""

        assert asyncio.run(looked_up()) == "k"
