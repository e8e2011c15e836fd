"""A small internet for its own tests, shared by all of a process: each test begins a new day."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest

from novum.literature.services.client import SourceClient
from novum.literature.sources import Page, Request, Source
from tests.literature.sources.conftest import Time
from tests.scripted_internet import Rules, ScriptedInternet

SMALL = 2000


@pytest.fixture(scope="session")
def _running() -> Iterator[ScriptedInternet]:
    with ScriptedInternet(papers=SMALL, rules=Rules(paced=False, openalex_daily_usd=1.0)) as internet:
        yield internet


@pytest.fixture
def internet(_running: ScriptedInternet) -> ScriptedInternet:
    """Services that answer at once and watch no pace, on a new day."""
    _running.put_in_order()
    _running.forget()
    return _running


@pytest.fixture
def all_pages() -> Callable[..., object]:
    """Fetches all pages of a request, as the client of the sources does."""

    async def fetch(source: Source, request: Request, most: int, keys: dict[str, str]) -> list[Page]:
        time, found = Time(), list[Page]()
        async with SourceClient(environment=keys, clock=time.clock, sleep=time.sleep) as client:
            async for page in client.pages(source, request):
                found.append(page)
                if len(found) == most:
                    break
        return found

    def pages(source: Source, request: Request, *, most: int = 100, **keys: str) -> list[Page]:
        return asyncio.run(fetch(source, request, most, keys))

    return pages
