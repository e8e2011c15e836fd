"""What every figure needs: a model server as a process of its own, a working place, the state of the machine."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from novum.lab import Workplace
from novum.literature import Library, install_starter
from novum.settings import load_settings


class ServerProcess:
    """`python -m novum.testing`: answers every question of ours after a fixed delay, and counts."""

    def __init__(self, latency: float, script: str = "plausible") -> None:
        self.latency = latency
        command = [sys.executable, "-m", "novum.testing", "--latency", str(latency), "--script", script]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.base_url = self._read().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()  # it ends with its input

    @property
    def model(self) -> str:
        """The model name to give to Novum."""
        return f"server:scripted@{self.base_url}"

    def counts(self) -> Mapping[str, int]:
        """`answered`, `most_in_flight` and `prompt_tokens` since this was last asked."""
        assert self._process.stdin is not None, "opened as a pipe"
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return dict(json.loads(self._read()))

    def _read(self) -> str:
        assert self._process.stdout is not None, "opened as a pipe"
        return self._process.stdout.readline()


def workplace(home: Path, ledger: str, model: str, in_flight: int | None = None) -> Workplace:
    """A working place with the library of `home` and a ledger of that name; settings of the user's play no part."""
    given = {"home": str(home), "ledger": str(home / f"{ledger}.sqlite"), "writer": model, "in_flight": in_flight}
    return Workplace(load_settings(given, environment={}, folder=home))


def open_library(home: Path) -> Library:
    """The library of such working places."""
    return Library.open(load_settings({"home": str(home)}, environment={}, folder=home).library_folder)


async def prepare_library(home: Path) -> str:
    """The starter library in `home`, indexed; says how large it is."""
    with open_library(home) as library:
        install_starter(library)
        await library.index()
        stats = library.stats()
        return f"{stats.papers} papers, {stats.links} citations"


def machine() -> str:
    """One line: what this runs on, and how busy that is (over 1, 5, 15 minutes; ourselves included)."""
    load = ", ".join(f"{each:.2f}" for each in os.getloadavg())
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{system}, Python {platform.python_version()}, load {load}"
