"""The training process as its parent sees it: what it tells line by line, its log, and why it ended."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from novum.core import shorten
from novum.errors import NovumError
from novum.training.finetuning.events import parse_event
from novum.training.launching.command import CommandLine

_LONGEST_LINE = 1_000_000
_LAST_LINES = 40
_KILLED = (
    "The training process was killed, most likely since memory ran out: --option batch.rows=2, --option "
    "batch.checkpointing=true or a shorter lengths.sequence need less. The same command goes on where it was saved."
)
_NOISE = ("warning", "warnings.warn", "it/s]")


class TrainingFailed(NovumError):
    """The process that trains ended without what it was started for."""


class Child:
    """Runs a command line in a session of its own, so that signals come from here alone."""

    def __init__(self, command: CommandLine, log: Path, environment: Mapping[str, str] | None = None) -> None:
        variables = dict(os.environ if environment is None else environment) | dict(command.variables)
        self._log = log
        self._last: deque[str] = deque(maxlen=_LAST_LINES)
        self._why = ""
        self._stops = 0
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command.words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=variables, start_new_session=True,
        )  # fmt: skip

    @property
    def asked_to_stop(self) -> bool:
        return self._stops > 0

    def stop(self) -> None:
        """Asks politely; the second time it ends at once."""
        self._stops += 1
        if self._process.poll() is not None:
            return
        if self._stops == 1:
            self._process.send_signal(signal.SIGTERM)
        else:
            self.kill()

    def kill(self) -> None:
        """With all that it started."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    def events(self) -> Iterator[dict[str, Any]]:
        """What it tells, until it ends; everything else goes to the log."""
        out = self._process.stdout
        assert out is not None  # a pipe was asked for
        with _opened(self._log) as log:
            while line := out.readline(_LONGEST_LINE):
                told = parse_event(line)
                if told is None:
                    self._note(line, log)
                elif told["kind"] == "failed":
                    self._why = str(told.get("why", ""))
                else:
                    yield told
        self._process.wait()

    def check(self) -> None:
        """Raises TrainingFailed, with the reason in one line, unless it ended well or as it was asked to."""
        code = self._process.wait()
        if self._why:
            raise TrainingFailed(self._why)
        if code == 0 or self.asked_to_stop:
            return
        if code in {-signal.SIGKILL, 128 + signal.SIGKILL}:
            raise TrainingFailed(_KILLED)
        said = next((line for line in reversed(self._last) if not any(word in line.lower() for word in _NOISE)), "")
        why = shorten(said, 300) if said else f"exit code {code}"
        raise TrainingFailed(f"The training process ended early: {why}. All it said is in {self._log}.")

    def close(self) -> None:
        """Nothing of it stays behind."""
        self.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def _note(self, line: bytes, log: BinaryIO) -> None:
        text = line.decode("utf-8", "replace").strip()
        if not text:
            return
        self._last.append(text)
        try:
            log.write(line)
            log.flush()
        except OSError:  # a full disk: the last lines are remembered in any case
            return


def _opened(log: Path) -> BinaryIO:
    try:
        return log.open("ab")
    except OSError:
        return Path(os.devnull).open("ab")
