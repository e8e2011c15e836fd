"""When Python looks for unreachable objects. With its defaults it goes through all of them again and again while
modules load, a fifth of the time of a short command, and later stops the event loop for a tenth of a second."""

from __future__ import annotations

import gc

_NEW_OBJECTS = 5_000
"""Objects after which the newest are looked through; all of them after a hundred times as many."""


def collect_from_now_on() -> None:
    """Starts looking for garbage among objects that are made from now on. It is a setting of the whole process, so that
    programs call it and the library does not."""
    gc.set_threshold(_NEW_OBJECTS, 10, 10)
    gc.freeze()
    gc.enable()


def keep_what_is_loaded() -> None:
    """Leaves all that is there now out of the search, where `collect_from_now_on` was called: for the moment when a
    program has loaded much that stays."""
    if gc.get_threshold()[0] == _NEW_OBJECTS:
        gc.freeze()
