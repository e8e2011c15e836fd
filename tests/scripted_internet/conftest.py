"""A small internet for its own tests, shared by all of a process: each test begins a new day."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from novum.literature.sources import Page, Request, Source
from novum.literature.sources.client import SourceClient
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
def all_pages(tmp_path: Path) -> Callable[..., object]:
    """Fetches all pages of a request, as the client of the sources does."""

    async def pages(source: Source, request: Request, *, most: int = 100, **keys: str) -> list[Page]:
        time, found = Time(), []
        options = {"environment": keys, "clock": time.clock, "sleep": time.sleep}
        async with SourceClient(tmp_path / "answers", **options) as client:  # type: ignore[arg-type]
            async for page in client.pages(source, request):
                found.append(page)
                if len(found) == most:
                    break
        return found

    return pages
