"""`novum.ideate` in scripts and notebooks: the same as the command."""

from __future__ import annotations

import asyncio

import pytest

import novum
from novum.errors import BadInput
from novum.ledger import Ledger

SMALL = {"branches": 1, "length": 2, "refinements": 0}


@pytest.fixture
def place(home, serve):
    """Settings that every call of these tests shares."""
    return {"home": home, "model": serve().model}


def test_a_script_gets_ideas_best_first(place, tmp_path):
    result = novum.ideate("graph networks", out=tmp_path / "report", **SMALL, **place)
    assert result.best == result.ideas[0]
    assert result.best.topic == "graph networks"
    assert result.report.ideation.method == "chain-of-ideas"
    assert (tmp_path / "report" / "report.html").is_file()


def test_a_result_can_be_saved_and_shows_itself_in_a_notebook(place, tmp_path):
    result = novum.ideate("graph networks", **SMALL, **place)
    assert result.save(tmp_path / "later").html.is_file()
    assert result.best.title.split()[0] in result._repr_html_()
    assert result.run_id in repr(result)


def test_it_works_inside_a_running_event_loop_as_in_a_notebook(place):
    async def cell():
        return novum.ideate("graph networks", **SMALL, **place)

    assert asyncio.run(cell()).best is not None


def test_the_async_form_shares_the_loop_of_its_caller_and_emits_events(place):
    events = []
    result = asyncio.run(novum.ideate_async("graph networks", listeners=[events.append], **SMALL, **place))
    assert result.best is not None
    assert [events[0].kind, events[-1].kind] == ["run-began", "run-done"]


def test_the_run_can_be_found_by_the_command_afterwards(place, home):
    result = novum.ideate("graph networks", **SMALL, **place)
    with Ledger.open(home / "ledger.sqlite") as ledger:
        assert ledger.run("last").id == result.run_id


@pytest.mark.parametrize("mistake, message", [
    ({"branchez": 2}, "Did you mean branches"),
    ({"branches": 0}, "option branches"),
    ({"method": "chain"}, "chain-of-ideas"),
    ({"judges": ["opnai:x"]}, "Did you mean openai?"),
    ({"temperature": "hot"}, "temperature"),
])  # fmt: skip
def test_a_mistake_raises_an_exception_that_says_what_to_do(place, mistake, message):
    with pytest.raises(BadInput, match=message.replace("?", r"\?")):
        novum.ideate("graph networks", **place | mistake)


def test_a_cancelled_run_is_recorded_as_stopped(place, home):
    async def impatient():
        running = asyncio.ensure_future(novum.ideate_async("graph networks", listeners=[stop], **SMALL, **place))
        began.append(running)
        with pytest.raises(asyncio.CancelledError):
            await running

    def stop(event):
        if event.kind == "step-began":
            began[0].cancel()

    began = []
    asyncio.run(impatient())
    with Ledger.open(home / "ledger.sqlite") as ledger:
        assert ledger.run("last").status == "stopped"
