"""A disk without room for answers: nothing is sent whose answer would be lost."""

from __future__ import annotations

import resource
from typing import NamedTuple

import pytest
from tests.llm.conftest import GOOD, Grade

from novum.core.concurrency import run_concurrently
from novum.errors import LedgerError
from novum.llm import Question


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def ask(bench, server):
    question = Question("grade", {"problem": "p"}, Grade)
    return bench.run(bench.settings(server.model), lambda models: models.ask(question))


def test_nothing_is_sent_while_the_disk_is_nearly_full(grading, serve, monkeypatch):
    server = serve(lambda asked: GOOD)
    with monkeypatch.context() as full:
        full.setattr("novum.ledger.disk_space.shutil.disk_usage", lambda folder: Usage(2**30, 2**30, 2**20))
        with pytest.raises(LedgerError, match=r"too little room .* 1\.0 MiB are free.*then resume"):
            ask(grading, server)
    assert not server.asked
    assert ask(grading, server).grade == 7


def test_answers_that_are_there_are_used_on_a_full_disk(grading, serve, monkeypatch):
    server = serve(lambda asked: GOOD)
    ask(grading, server)
    monkeypatch.setattr("novum.ledger.disk_space.shutil.disk_usage", lambda folder: Usage(2**30, 2**30, 0))
    assert ask(grading, server).grade == 7
    assert len(server.asked) == 1


@pytest.fixture
def quota():
    """The limit on the size of a file stands for a quota: the disk has free space, and cannot be written."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 * 2**20, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_nothing_is_sent_where_a_quota_leaves_no_room(grading, serve, quota):
    server = serve(lambda asked: GOOD)
    with pytest.raises(LedgerError, match="4 MiB could not be written"):
        ask(grading, server)
    assert not server.asked


LONG = GOOD + " " * 100_000
"""An answer for which the file must grow."""


class FullDisk:
    """A ledger whose file cannot grow, until the reserve is given back: SQLite then says that the disk is full."""

    def __init__(self, ledger):
        self._writer, self._give_back = ledger._writer, ledger._space.give_back
        self._writer.make_room = self.make_room
        self.given_back = 0

    def fill(self):
        with self._writer._writing:
            self._limit(1)

    def make_room(self):
        self.given_back += 1
        self._limit(2**30)
        return self._give_back()

    def _limit(self, pages):
        self._writer._connected(0).exec_driver_sql(f"PRAGMA max_page_count={pages}")


def test_answers_under_way_are_recorded_when_the_disk_becomes_full(grading, serve):
    server = serve(lambda asked: LONG, latency=0.3)
    disk, told = FullDisk(grading.ledger), []
    grading.ledger.on_note(told.append)
    settings = grading.settings(server.model)

    async def work(models):
        async def asker(number):
            for turn in range(4):
                await models.ask(Question("grade", {"problem": f"{number}, {turn}"}, Grade))
                if not disk.given_back:
                    disk.fill()

        await run_concurrently(asker(number) for number in range(8))

    with pytest.raises(LedgerError, match=r"the disk is full.*Nothing more was sent"):
        grading.run(settings, work)
    assert disk.given_back == 1
    assert len(grading.ledger.calls(grading.ledger.run("last").id)) == len(server.asked) < 32
    assert told == ["The disk is full. Nothing more is sent; waiting for the answers under way."]
    grading.run(settings, work, run_id="last")
    assert len({each.text for each in server.asked}) == len(server.asked) == 32
