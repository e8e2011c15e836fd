"""Services on this machine, recordings of real ones, and a clock that does not wait."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from novum.literature.services.client import SourceClient
from novum.literature.sources import Source
from tests.local_service import Asked, Said, Service, said

__all__ = ["Asked", "Said", "Service", "said"]

RECORDED = Path(__file__).parents[4] / "shared" / "data" / "http"
"""Recorded answers of real services, where they are at hand."""


def recorded(service: str) -> list[dict[str, object]]:
    """Every recorded call of a service: method, uri, request_body, status, body; none where there are no recordings."""
    file = RECORDED / service / "interactions.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def recorded_body(service: str, part_of_address: str) -> bytes | None:
    """The first good answer of a service to an address that holds this."""
    calls = (one for one in recorded(service) if part_of_address in str(one["uri"]) and one["status"] == 200)
    found = next(calls, None)
    return str(found["body"]).encode() if found else None


@pytest.fixture
def service() -> Iterator[Service]:
    """A service that knows nothing yet."""
    running = Service()
    yield running
    running.close()


@pytest.fixture
def other_service() -> Iterator[Service]:
    """A second one."""
    running = Service()
    yield running
    running.close()


class Time:
    """A clock that only sleeping moves, at once."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def time() -> Time:
    """Nobody waits."""
    return Time()


@pytest.fixture
def client(tmp_path: Path, time: Time) -> Callable[..., SourceClient]:
    """Makes clients that share a cache and a clock, without any keys but those given."""

    def make(**options: object) -> SourceClient:
        given = {"environment": {}, "clock": time.clock, "sleep": time.sleep, **options}
        return SourceClient(tmp_path / "answers", **given)  # type: ignore[arg-type]

    return make


def at(service: Service, kind: type[Source]) -> Source:
    """A source whose service is the local one."""
    return kind(service.address)
