"""Every error ends here: one line on stderr, the right exit code, no traceback.

`NOVUM_DEBUG=1` shows the traceback as well. Unexpected errors are written to a crash log.
"""

from __future__ import annotations

import errno
import logging
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import typer

import novum
from novum.cli.shell.terminal import one_line
from novum.credentials.environment import register_environment
from novum.credentials.redaction import redact_message
from novum.errors import NovumError
from novum.files.private import make_private_folder

BROKEN_PIPE = 1
INTERRUPTED = 128 + signal.SIGINT
DISK_FULL = (
    "The disk is full. Free some space and run the same command again: recorded answers are not requested again."
)

TOO_MANY_FILES = "Too many files are open at once. Raise the limit (`ulimit -n 1024`) and run the same command again."
NO_MEMORY = (
    "There is not enough memory. Run the same command with less at once, or where there is more: recorded answers are "
    "not requested again."
)

_ABOUT_A_NAME = {
    errno.EACCES, errno.EEXIST, errno.EINVAL, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT,
    errno.ENOTDIR, errno.EPERM, errno.EROFS,
}  # fmt: skip
"""What is wrong with the name or the place of a file."""


@dataclass(frozen=True)
class LastLine:
    """The last line on stderr (empty: none) and the exit code."""

    line: str
    code: int


def exit_code_of(work: Callable[[], int | None]) -> int:
    """The exit code of `work`, after any error has been printed in one line."""
    try:
        code = work() or 0
        sys.stdout.flush()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    except BaseException as error:
        if os.environ.get("NOVUM_DEBUG"):
            sys.stderr.write(redact_message(traceback.format_exc()))
        return _print(last_line_of(error))
    return _print(LastLine("Stopped.", code)) if code == INTERRUPTED else code


def last_line_of(error: BaseException) -> LastLine:
    """The last line and exit code for an error. Writes a crash log for an unexpected one."""
    if isinstance(error, NovumError):
        return LastLine(" ".join([str(error), *getattr(error, "__notes__", ())]), error.exit_code)
    if isinstance(error, typer.TyperException):
        return LastLine(_usage(error), error.exit_code)
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return LastLine("Stopped.", INTERRUPTED)
    if _number(error) == errno.EPIPE:
        return LastLine("", BROKEN_PIPE)
    if any(_number(each) in {errno.ENOSPC, errno.EDQUOT} for each in _chain(error)):
        return LastLine(DISK_FULL, NovumError.exit_code)
    if any(_number(each) in {errno.EMFILE, errno.ENFILE} for each in _chain(error)):
        return LastLine(TOO_MANY_FILES, NovumError.exit_code)
    if any(isinstance(each, MemoryError) or _number(each) == errno.ENOMEM for each in _chain(error)):
        return LastLine(NO_MEMORY, NovumError.exit_code)
    if isinstance(error, OSError) and _is_about_users_file(error):
        return LastLine(f"{error.filename}: {error.strerror}. Give another name or folder.", NovumError.exit_code)
    return LastLine(_unexpected(error), 1)


def _is_about_users_file(error: OSError) -> bool:
    """Whether a name is to blame that Novum did not choose itself."""
    name = str(error.filename or "")
    ours = (str(Path(novum.__file__).parent), sys.prefix)
    return bool(name) and _number(error) in _ABOUT_A_NAME and not name.startswith(ours)


class RedactingFormatter(logging.Formatter):
    """Log lines of `NOVUM_DEBUG=1`, without keys and passwords."""

    def format(self, record: logging.LogRecord) -> str:
        return redact_message(super().format(record))


def _print(last: LastLine) -> int:
    """Prints the line, and replaces a stdout that cannot be written, as Python would complain about it at exit."""
    if last.line:
        _register_keys()
        print(f"novum: {one_line(redact_message(last.line))}", file=sys.stderr, flush=True)
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return last.code


def _register_keys() -> None:
    """A command may have failed before it has read the settings, and with them the keys."""
    with suppress(Exception):  # whatever is broken must not hide the error
        from novum.llm.providers import PROVIDERS  # noqa: PLC0415  only errors need it

        register_environment(os.environ, [name for each in PROVIDERS.values() for name in each.key_names])


def _usage(error: typer.TyperException) -> str:
    """A mistyped command: what is wrong, and whose help to read."""
    context = getattr(error, "ctx", None)
    message = error.format_message().strip() or "The command is not complete"
    command = getattr(context, "command_path", "") or "novum"
    return f"{message.rstrip('.?')}{'?' if message.endswith('?') else '.'} See `{command} --help`."


def _unexpected(error: BaseException) -> str:
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    try:
        where = f"The details are in {_write_crash_log(error)}; please report them."
    except OSError:
        where = "Run it again with NOVUM_DEBUG=1 for the details, and please report them."
    resume = "`novum runs list` shows what can be resumed."
    return f"Unexpected error ({one_line(message, 300)}). {where} {resume}"


def _write_crash_log(error: BaseException) -> Path:
    folder = _home() / "logs"
    make_private_folder(folder)
    file = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    details = "".join(traceback.format_exception(error))
    content = f"novum {novum.__version__}, Python {sys.version}\n{sys.argv}\n\n{details}"
    with file.open("xb") as log:  # never through a link that somebody put there
        log.write(redact_message(content).encode("utf-8", "replace"))
    return file


def _home() -> Path:
    """NOVUM_HOME, or a substitute if even that cannot be found."""
    if given := os.environ.get("NOVUM_HOME"):
        return Path(given)
    try:
        import platformdirs  # noqa: PLC0415  it may be what is broken

        return Path(platformdirs.user_data_dir("novum"))
    except (ImportError, OSError, RuntimeError):  # no home folder, or a broken environment: that may be why we crashed
        return Path(tempfile.gettempdir())


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what led to it."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _number(error: BaseException) -> int | None:
    return error.errno if isinstance(error, OSError) else None
