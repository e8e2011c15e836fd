"""The entry point of `novum` and `python -m novum`. Ctrl-C ends it with one line, also while it loads and leaves."""

from __future__ import annotations

import gc
import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


def main() -> None:
    """Runs the command line of this process."""
    gc.disable()  # until a command begins: nothing that loads becomes garbage
    _open_missing_streams()
    _clean_up_at_the_end()
    own = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else whoever started it ignores Ctrl-C
    if own:
        signal.signal(signal.SIGINT, _leave)
    from novum.cli.app import main as run  # noqa: PLC0415  what takes the time

    try:
        if own:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except KeyboardInterrupt:
        _leave()
    finally:
        if own:
            signal.signal(signal.SIGINT, _leave)


def _open_missing_streams() -> None:
    """A stream that the shell closed (`>&-`) becomes one to nowhere: else the next file that is opened, such as the
    ledger, would get its number, and what is printed would be written to it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  pathlib takes time


def _clean_up_at_the_end() -> None:
    """SIGTERM, and a terminal that is closed, end the process as Ctrl-C does: temporary files are removed."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # `nohup` ignores SIGHUP
            signal.signal(number, _exit)


def _exit(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _leave(number: int = signal.SIGINT, _: FrameType | None = None) -> None:
    """Nothing was done yet, or all of it: an exception would only show where."""
    os.write(2, b"novum: Stopped.\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()
