"""The live feed: one reader of the ledger, any number of viewers, no event lost."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import orjson
import pytest

from novum.ledger import Ledger, Run
from novum.web.live.feed import Feeds, Frame


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(tmp_path / "ledger.sqlite") as opened:
        yield opened


@pytest.fixture
def run(ledger):
    record = ledger.start_run("ideate", "bridges", {"method": "rag"})
    return Run(ledger, record)


def feeds(ledger):
    return Feeds(ledger, lambda view: f"{view.status}: {', '.join(view.progress.root.inner)}", lambda: None)


async def numbers_until_end(feed, after=0):
    """The numbers of the events that a viewer receives until the run has ended, and the last text shown."""
    numbers, shown = [], ""
    async with aclosing(feed.follow(after)) as frames:
        async for frame in frames:
            if frame.name == "event":
                numbers.append(orjson.loads(frame.data)["number"])
            shown = frame.data if frame.name == "progress" else shown
            if frame.name == "ended":
                return numbers, shown
    return numbers, shown


def test_every_viewer_receives_every_event_once(ledger, run):
    async def watch():
        feed = feeds(ledger).of(run.id)
        viewers = [asyncio.create_task(numbers_until_end(feed)) for _ in range(20)]
        for number in range(30):
            with run.step(f"step {number}"):
                await asyncio.sleep(0)
        await ledger.written()
        ledger.end_run(run.id, "finished")
        return await asyncio.gather(*viewers)

    results = asyncio.run(watch())
    for numbers, shown in results:
        assert numbers == list(range(1, 61))
        assert shown.startswith("finished: step 0, step 1")


def test_a_viewer_that_was_cut_off_receives_what_it_missed(ledger, run):
    async def watch():
        for number in range(5):
            run.emit("note", text=str(number))
        await ledger.written()
        ledger.end_run(run.id, "stopped")
        return await numbers_until_end(feeds(ledger).of(run.id), after=3)

    assert asyncio.run(watch())[0] == [4, 5]


def test_a_feed_made_anew_shows_the_same_as_the_one_before(ledger, run):
    async def watch():
        with run.step("papers"):
            await ledger.written()
        ledger.end_run(run.id, "finished")
        first = await numbers_until_end(feeds(ledger).of(run.id))
        return first, await numbers_until_end(feeds(ledger).of(run.id))

    first, second = asyncio.run(watch())
    assert first == second


def test_a_feed_that_nobody_watches_reads_nothing(ledger, run):
    async def watch():
        feed = feeds(ledger).of(run.id)
        async with aclosing(feed.follow()) as frames:
            await anext(frames)
        return feed._reader

    assert asyncio.run(watch()) is None


def test_a_change_by_one_browser_is_announced_to_the_others(ledger, run):
    async def watch():
        every = feeds(ledger)
        async with aclosing(every.of(run.id).follow()) as frames:
            await anext(frames)
            await every.announce(run.id, "steering")
            return [(await anext(frames)).name]

    assert asyncio.run(watch()) == ["steering"]


def test_chains_are_shown_while_they_grow(ledger, run):
    seen = []

    async def watch():
        every = Feeds(ledger, lambda view: str(seen.append(dict(view.chains))), lambda: None)
        paper = {"title": "Bridges", "year": 1999, "authors": ["Ada Smith"], "direction": "anchor", "reason": "near"}
        run.emit("chain", branch="branch 1", query="bridges", papers=[paper])
        run.emit("chain", branch="branch 2", papers=["broken"])
        await ledger.written()
        ledger.end_run(run.id, "finished")
        await numbers_until_end(every.of(run.id))

    asyncio.run(watch())
    assert [link.paper.title for link in seen[-1]["branch 1"].links] == ["Bridges"]


def test_a_message_is_encoded_so_that_a_browser_reads_the_same_text():
    text = "<p>one</p>\n<p>two\u2028three</p>"
    lines = Frame(7, "progress", text).encoded.decode().split("\r\n")
    assert lines[:2] == ["id: 7", "event: progress"]
    assert "\n".join(line.removeprefix("data: ") for line in lines[2:-2]) == text
    assert lines[-2:] == ["", ""]
