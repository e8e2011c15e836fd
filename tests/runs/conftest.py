"""Runs as a user starts them: a process of its own, a home of its own, a scripted model over real HTTP."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from novum.literature import Library, install_starter
from novum.testing import ScriptedServer


@pytest.fixture
def server():
    with ScriptedServer(latency=0.005) as running:
        yield running


@pytest.fixture(scope="session")
def filled_library(tmp_path_factory):
    """The starter library, imported once for all tests that only read it."""
    folder = tmp_path_factory.mktemp("starter") / "library"
    with Library.open(folder) as library:
        install_starter(library)
    return folder


@pytest.fixture
def novum(tmp_path, filled_library, server):
    """Starts `novum …` in a subprocess with the scripted model as writer, reader and judge."""
    return lambda *arguments: started(tmp_path, filled_library, server, *arguments)


def started(folder, library, server, *arguments):
    """`novum …` in `folder`, with a home of its own there."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    environment |= {
        "NOVUM_HOME": str(folder / "home"),
        "NOVUM_LIBRARY": str(library),
        "NOVUM_WRITER": server.model,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "novum", *arguments],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
