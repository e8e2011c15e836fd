"""A disk without room for answers: nothing is sent whose answer would be lost."""

from __future__ import annotations

import resource
from typing import NamedTuple

import pytest
from tests.llm.conftest import GOOD, Grade

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
