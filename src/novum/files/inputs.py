"""Files that a user names: they are opened only when they are files. Reading a pipe may wait for ever, and a device or
a file of the kernel may have no end."""

from __future__ import annotations

import errno
import io
import os
import stat
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, TextIO

from novum.errors import BadInput

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_OF_THE_KERNEL = (Path("/proc"), Path("/sys"))
"""Where the files of Linux are that are computed when they are read."""


def open_input(file: Path) -> BinaryIO:
    """Opens a file for reading bytes. Raises BadInput when it is none, OSError when it cannot be opened."""
    _check(file, file.stat())
    opened = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with ExitStack() as undo:
        undo.callback(os.close, opened)
        _check(file, os.fstat(opened))  # it may have been exchanged since
        undo.pop_all()
    return os.fdopen(opened, "rb")


def open_plain(file: Path) -> BinaryIO:
    """As `open_input`, for a file of a folder. Raises OSError, also where a pipe or a device is in its place."""
    try:
        return open_input(file)
    except BadInput as error:
        raise OSError(errno.EINVAL, str(error)) from error


def read_plain(file: Path) -> bytes:
    """The content of a file of a folder. Raises OSError, also where a pipe or a device is in its place."""
    with open_plain(file) as opened:
        return opened.read()


def open_text_input(file: Path, newline: str | None = None) -> TextIO:
    """The same for reading UTF-8, with or without a byte order mark; what is no UTF-8 becomes question marks."""
    return io.TextIOWrapper(open_input(file), encoding="utf-8-sig", errors="replace", newline=newline)


def open_to_append(file: Path) -> BinaryIO:
    """Opens a file for writing at its end, and makes it where there is none: what is written is passed on at once.
    Raises BadInput when it is no file, OSError when it cannot be opened."""
    check_input(file)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    opened = os.open(file, flags, 0o666)
    with ExitStack() as undo:
        undo.callback(os.close, opened)
        _check(file, os.fstat(opened))  # it may have been exchanged since
        undo.pop_all()
    return os.fdopen(opened, "ab", buffering=0)


def check_input(file: Path) -> None:
    """The same check for a file that a library opens. One that does not exist is left to it. Raises BadInput."""
    try:
        _check(file, file.stat())
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise BadInput(f"{file} is a link that leads back to itself: remove it, or name the file.") from None


def _check(file: Path, found: os.stat_result) -> None:
    if kind := next((name for is_kind, name in _KINDS if is_kind(found.st_mode)), ""):
        raise BadInput(f"{file} is {kind}, and a file is wanted: name a file, or save what it gives as one.")
    if found.st_dev in _kernel_devices():
        raise BadInput(f"{file} is made by the kernel while it is read: copy what you need of it to a file.")


def _kernel_devices() -> set[int]:
    return {place.stat().st_dev for place in _OF_THE_KERNEL if place.is_dir()}
