"""The table of run kinds: every row resolves, and every stored run finds its row."""

from __future__ import annotations

import inspect

import pytest

from novum.errors import BadInput
from novum.ledger import RunRecord
from novum.runs.judge import RUBRIC_MARKS, WIN_RATE
from novum.runs.kinds import RUN_KINDS, entry_of


def record(kind, **params):
    return RunRecord(
        id="r", kind=kind, title="t", params=params, status="finished", started=0, updated=0, host="h", pid=1
    )


@pytest.mark.parametrize("entry", RUN_KINDS, ids=lambda entry: f"{entry.name} {entry.method}".strip())
def test_every_row_names_a_kind_and_a_function_that_shows_it(entry):
    assert entry.load().name == entry.name
    _, output, *others = inspect.signature(entry.load_show()).parameters.values()
    assert output.name == "output"
    assert all(each.default is not inspect.Parameter.empty for each in others)


def test_runs_of_one_kind_are_distinguished_by_their_method():
    assert entry_of(record("judge", method="rubric")).load() is RUBRIC_MARKS
    assert entry_of(record("judge", method="win-rate")).load() is WIN_RATE


def test_an_unknown_kind_says_that_a_package_is_missing():
    with pytest.raises(BadInput, match="Install the package that adds it"):
        entry_of(record("of-tomorrow"))
