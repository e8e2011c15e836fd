"""Damaged files of every format, and bombs, each in a process of its own: no crash, at most 10 seconds and 1 GiB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "attack_files.py"


@pytest.mark.slow
@pytest.mark.parametrize("given", [("--mutated", "2000", "--bombs", "0"), ("--mutated", "0", "--bombs", "50")])
def test_no_file_costs_more_than_itself(given):
    ended = subprocess.run([sys.executable, BENCH, *given], check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "NOT OK" not in ended.stdout


def test_files_with_a_little_damage_are_read_or_refused():
    given = ("--mutated", "22", "--bombs", "0", "--seed", "7")
    ended = subprocess.run([sys.executable, BENCH, *given], check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "22 mutated" in ended.stdout
    assert "NOT OK" not in ended.stdout
