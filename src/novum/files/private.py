"""Folders and files for their owner alone: papers under review, requests, responses, addresses with passwords."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

_OWNER_ONLY = 0o700


def make_private_folder(folder: Path) -> None:
    """Makes a folder and those above it that are missing, for their owner alone whatever the umask says. A folder that
    exists stays as it is. Raises OSError."""
    for each in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        with suppress(FileExistsError):  # another process was faster
            each.mkdir(mode=_OWNER_ONLY)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))


def make_private_file(file: Path) -> None:
    """Makes an empty file that only its owner may read and write, where there is none; behind a link, the file that the
    link names. Where it cannot be made, nothing happens: whoever opens it then says why."""
    with suppress(OSError, RuntimeError):  # RuntimeError: links in a circle
        os.close(os.open(file.resolve(), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def readable_by_others(file: Path) -> bool:
    """Whether other users of this machine may read a file. False where that cannot be found out."""
    try:
        return bool(file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
    except OSError:
        return False
