"""The training process: `python -m novum.training.finetuning FOLDER [--max-minutes N]`.

It runs alone or as one of several. It reads the job in FOLDER and reports to its parent with lines on stdout. Exit
codes: 0 for success, 2 for an error that it explained.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

from safetensors import SafetensorError

from novum.errors import NovumError
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.stopping import StopSignals

_NO_MEMORY = (
    "There was not enough memory. Use --option batch.rows=1 (with more batch.accumulation), --option "
    "batch.checkpointing=true, shorter lengths.sequence, or another recipe."
)
_NO_ROOM = "The disk is full. Free some space and run the same command again: it resumes from the last checkpoint."


TrainIn = Callable[[Path, StopSignals, EventWriter], dict[str, object]]
"""Trains in a folder. Returns what the event `done` says."""


def main() -> int:
    """Run the training of the folder named on the command line. Returns the exit code."""
    return run_training("novum.training.finetuning", _train)


def run_training(module: str, train: TrainIn) -> int:
    """Run `train` on the folder named on the command line of `python -m MODULE`. Returns the exit code."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--max-minutes", type=float)
    arguments = parser.parse_args()
    stopping = StopSignals(arguments.max_minutes)
    stopping.listen()
    events = EventWriter(enabled=os.environ.get("RANK", "0") == "0")
    try:
        events("done", **_without_disk_error(train, arguments.folder, stopping, events))
        return 0
    except NovumError as error:
        return _report_failure(str(error))
    except MemoryError:
        return _report_failure(_NO_MEMORY)
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
            raise
        return _report_failure(_NO_ROOM)
    except RuntimeError as error:
        line = _machine_error(str(error))
        if not line:
            raise
        return _report_failure(line)


def _train(folder: Path, stopping: StopSignals, events: EventWriter) -> dict[str, object]:
    from novum.training.finetuning.training import train  # noqa: PLC0415

    done = train(folder, stopping, events)
    return {"finished": done.finished, "steps": done.steps, "seconds": done.seconds}


def _without_disk_error(train: TrainIn, folder: Path, stopping: StopSignals, events: EventWriter) -> dict[str, object]:
    try:
        return train(folder, stopping, events)
    except SafetensorError as error:
        raise RuntimeError(str(error)) from error  # how safetensors reports a full disk


def _report_failure(line: str) -> int:
    EventWriter()("failed", why=line)  # any process may fail, not only the first
    return 2


def _machine_error(message: str) -> str:
    """A short message for an error of torch that is due to the machine; empty for any other error."""
    low = message.lower()
    if "out of memory" in low or "can't allocate memory" in low:
        return _NO_MEMORY
    if "no space left" in low or "file write failed" in low:  # the file writer of torch
        return _NO_ROOM
    return ""


if __name__ == "__main__":
    sys.exit(main())
