"""The training process as seen by its parent: its events, its log, and the reason why it ended."""

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
    "The training process was killed, most likely because memory ran out: --option batch.rows=2, --option "
    "batch.checkpointing=true or a shorter lengths.sequence need less. The same command resumes the training."
)
_NOISE = ("warning", "warnings.warn", "it/s]")


class TrainingFailed(NovumError):
    """The training process ended with an error."""


class Child:
    """Runs a command in a session of its own, so that it only receives the signals of this object."""

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
    def stop_requested(self) -> bool:
        return self._stops > 0

    def stop(self) -> None:
        """Request a stop after the current step; the second call kills the process."""
        self._stops += 1
        if self._process.poll() is not None:
            return
        if self._stops == 1:
            self._process.send_signal(signal.SIGTERM)
        else:
            self.kill()

    def kill(self) -> None:
        """Kill the process and all processes that it started."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield the events of the process until it ends. All other output goes to the log."""
        out = self._process.stdout
        assert out is not None  # stdout is a pipe
        with _open_log(self._log) as log:
            while line := out.readline(_LONGEST_LINE):
                event = parse_event(line)
                if event is None:
                    self._write_log(line, log)
                elif event["kind"] == "failed":
                    self._why = str(event.get("why", ""))
                else:
                    yield event
        self._process.wait()

    def check(self) -> None:
        """Raise TrainingFailed with the reason in one line, unless the process succeeded or was asked to stop."""
        code = self._process.wait()
        if self._why:
            raise TrainingFailed(self._why)
        if code == 0 or self.stop_requested:
            return
        if code in {-signal.SIGKILL, 128 + signal.SIGKILL}:
            raise TrainingFailed(_KILLED)
        last = next((line for line in reversed(self._last) if not any(word in line.lower() for word in _NOISE)), "")
        why = shorten(last, 300) if last else f"exit code {code}"
        raise TrainingFailed(f"The training process ended early: {why}. Its whole output is in {self._log}.")

    def close(self) -> None:
        """Kill the process, wait for its end, and close its output."""
        self.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def _write_log(self, line: bytes, log: BinaryIO) -> None:
        text = line.decode("utf-8", "replace").strip()
        if not text:
            return
        self._last.append(text)
        try:
            log.write(line)
            log.flush()
        except OSError:  # a full disk: the last lines are also in memory
            return


def _open_log(log: Path) -> BinaryIO:
    try:
        return log.open("ab")
    except OSError:
        return Path(os.devnull).open("ab")
