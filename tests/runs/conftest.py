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
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    environment |= {
        "NOVUM_HOME": str(tmp_path / "home"),
        "NOVUM_LIBRARY": str(filled_library),
        "NOVUM_WRITER": server.model,
    }

    def start(*arguments):
        return subprocess.Popen(
            [sys.executable, "-m", "novum", *arguments],
            env=environment,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start
