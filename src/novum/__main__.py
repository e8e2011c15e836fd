"""The entry point of `novum` and `python -m novum`. Ctrl-C ends it with one line, also while it loads and leaves."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


def main() -> None:
    """Runs the command line of this process."""
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


def _leave(number: int = signal.SIGINT, _: FrameType | None = None) -> None:
    """Nothing was done yet, or all of it: an exception would only show where."""
    os.write(2, b"novum: Stopped.\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()
