"""What tests of every room share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from novum.testing import ScriptedServer

if TYPE_CHECKING:
    from tests.postgres import Server


@pytest.fixture
def serve():
    """Starts scripted servers and ends them with the test."""
    running = []

    def start(script=None, **options):
        server = ScriptedServer(script, **options)
        running.append(server.__enter__())
        return server

    yield start
    for server in running:
        server.__exit__()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A PostgreSQL server; started when the first test asks for it."""
    from tests.postgres import Server

    with Server(tmp_path_factory.mktemp("postgres") / "data") as server:
        yield server
