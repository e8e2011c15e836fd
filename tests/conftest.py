"""What tests of every room share."""

from __future__ import annotations

import pytest

from novum.testing import ScriptedServer


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
