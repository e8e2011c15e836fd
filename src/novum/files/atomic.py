"""Atomic writes: a file or folder appears under its name complete, or not at all, without any key or password.

A link under the name of a file is replaced and never followed. A device or a pipe is not replaced: nothing is written.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from novum.files.redacted import is_text, redact_file, redact_folder, redacted


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, renamed to `path` when the block ends; when it fails, the temporary file goes.
    Raises OSError where `path` is a device or a pipe, or a link to one.

    Nothing is flushed to the disk: after a power failure the file may be empty. Use `write_atomic` where that matters.
    """
    _check_replaceable(path)
    temporary = temporary_beside(path)
    try:
        yield temporary
        if is_text(path):
            redact_file(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_atomic(path: Path, content: str | bytes) -> None:
    """Writes one file that also survives a power failure. Text is encoded as in `write_whole`. Raises OSError."""
    write_all_atomic({path: content})


def write_all_atomic(contents: Mapping[Path, str | bytes]) -> None:
    """Writes several files, all under temporary names first, so that a full disk leaves every earlier file as it was.

    Text is written as UTF-8, with lone surrogates as question marks. The folders must exist. Raises OSError.
    """
    for path in contents:
        _check_replaceable(path)
    temporary = {temporary_beside(path): path for path in contents}
    try:
        for draft, path in temporary.items():
            _write_synced(draft, redacted(contents[path], path))
        for draft, path in temporary.items():
            draft.replace(path)
    finally:
        for draft in temporary:
            draft.unlink(missing_ok=True)


def replace_folder(new: Path, folder: Path) -> None:
    """Renames `new` to `folder` and removes what was there, which is put back if the renaming fails.

    A folder cannot replace another in one step, so the old one is first moved aside. If another process puts its own
    folder there in between, that one is moved aside too: the last writer wins. Raises OSError.
    """
    redact_folder(new)
    while not _moved_into(new, folder):
        pass


def make_subfolder(folder: Path, inside: Path) -> None:
    """Makes the folder `inside`, which is `folder` or lies below it. Raises OSError; also where a link on the way leads
    out of `folder`, which itself may be one."""
    folder.mkdir(parents=True, exist_ok=True)
    at = folder
    for part in inside.relative_to(folder).parts:
        at /= part
        if at.is_symlink():
            raise OSError(errno.ELOOP, f"{at.name} in it is a link to another place")
        at.mkdir(exist_ok=True)


def no_follow(path: str, flags: int) -> int:
    """An `opener` for `open` that does not follow a link. Raises OSError."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


def temporary_beside(path: Path, ending: str = "") -> Path:
    """A hidden name in the same folder that no other process uses. Raises OSError for what names no file."""
    if not path.name:
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}{ending}")


def _check_replaceable(path: Path) -> None:
    """Raises OSError where a device, a pipe or a socket has this name: a file in its place would break what uses it."""
    try:
        kind = path.stat().st_mode
    except OSError:  # there is none, or writing will say what is wrong
        return
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise OSError(errno.EINVAL, "it is a device, a pipe or a socket, and a file is wanted", str(path))


def _write_synced(path: Path, content: str | bytes) -> None:
    with path.open("xb") as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
        file.flush()
        os.fsync(file.fileno())


def _moved_into(new: Path, folder: Path) -> bool:
    """Whether `new` now has the name `folder`; False when another process took the name first."""
    old = temporary_beside(folder, ".old")
    with suppress(FileNotFoundError):
        folder.rename(old)
    try:
        new.rename(folder)
    except BaseException as problem:  # not even a second Ctrl-C may leave the name without a folder
        if isinstance(problem, OSError) and problem.errno in {errno.ENOTEMPTY, errno.EEXIST}:
            shutil.rmtree(old, ignore_errors=True)
            return False
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
    return True
