"""The training process: `python -m novum.training.finetuning FOLDER [--max-minutes N]`, alone or one of several.

It reads the job in FOLDER, and tells its parent how it goes by lines on stdout. Exit codes: 0 done, 2 said why not.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from pathlib import Path

from novum.errors import NovumError
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.stopping import StopSignals

_NO_MEMORY = (
    "There was not enough memory. Try --option batch.rows={fewer} (with more batch.accumulation), --option "
    "batch.checkpointing=true, shorter lengths.sequence, or another recipe."
)
_NO_ROOM = "The disk is full. Free some space and run the same command again: it goes on from its last checkpoint."


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m novum.training.finetuning")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--max-minutes", type=float)
    given = parser.parse_args()
    stopping = StopSignals(given.max_minutes)
    stopping.listen()
    told = EventWriter(speaks=os.environ.get("RANK", "0") == "0")
    try:
        return _trained(given.folder, stopping, told)
    except NovumError as error:
        return _failed(str(error))
    except MemoryError:
        return _failed(_NO_MEMORY)
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
            raise
        return _failed(_NO_ROOM)
    except RuntimeError as error:
        line = _known(str(error))
        if not line:
            raise
        return _failed(line)


def _trained(folder: Path, stopping: StopSignals, told: EventWriter) -> int:
    from safetensors import SafetensorError  # noqa: PLC0415 - signals are heard before torch is loaded

    from novum.training.finetuning.training import train  # noqa: PLC0415

    try:
        done = train(folder, stopping, told)
    except SafetensorError as error:
        raise RuntimeError(str(error)) from error  # a full disk, in the words of that library
    told("done", finished=done.finished, steps=done.steps, seconds=done.seconds)
    return 0


def _failed(line: str) -> int:
    EventWriter()("failed", why=line)  # any of several processes may be the one that knows
    return 2


def _known(said: str) -> str:
    """In a line what torch says at length, where it is about the machine; nothing for what nobody foresaw."""
    low = said.lower()
    if "out of memory" in low or "can't allocate memory" in low:
        return _NO_MEMORY
    if "no space left" in low or "file write failed" in low:  # torch's own writer of files
        return _NO_ROOM
    return ""


if __name__ == "__main__":
    sys.exit(main())
