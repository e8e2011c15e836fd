"""Locks that are files: one holder at a time, also where a process hands its lock to another."""

from __future__ import annotations

import os
import subprocess
import sys

from novum.files.locks import lock_for_a_child, lock_if_free

ADOPTS = """
import sys
from pathlib import Path
from novum.files.locks import lock_of_the_parent
with lock_of_the_parent(int(sys.argv[1]), Path(sys.argv[2])):
    sys.stdin.read()
"""


def is_free(path):
    with lock_if_free(path) as free:
        return free


def child_with(lock, path, *, code=ADOPTS):
    return subprocess.Popen([sys.executable, "-c", code, str(lock), str(path)], stdin=subprocess.PIPE, pass_fds=[lock])


def test_a_lock_is_held_once(tmp_path):
    path = tmp_path / "held"
    with lock_if_free(path) as ours:
        assert ours
        assert not is_free(path)
        with lock_for_a_child(path) as lock:
            assert lock is None
    assert is_free(path)


def test_a_lock_that_was_handed_to_a_child_is_held_until_the_child_ends(tmp_path):
    path = tmp_path / "held"
    with lock_for_a_child(path) as lock:
        child = child_with(lock, path)
    assert not is_free(path)
    child.communicate(b"")
    assert child.returncode == 0
    assert not path.exists()
    assert is_free(path)


def test_a_child_that_is_killed_lets_go_of_its_lock(tmp_path):
    path = tmp_path / "held"
    with lock_for_a_child(path) as lock:
        child = child_with(lock, path, code="import sys; sys.stdin.read()")
    child.kill()
    child.communicate()
    assert is_free(path)


def test_a_lock_that_nobody_was_given_is_free(tmp_path):
    with lock_for_a_child(tmp_path / "held") as lock:
        assert lock is not None
    assert is_free(tmp_path / "held")


def test_a_pipe_in_place_of_a_lock_keeps_nobody_waiting(tmp_path):
    os.mkfifo(tmp_path / "held")
    assert is_free(tmp_path / "held")
