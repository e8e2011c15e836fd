"""Damaged files of every format, and bombs, each in a process of its own: no crash, no hang, at most 1 GiB.

The time that a file takes depends on the machine; the benchmark judges it.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "attack_files.py"

LARGEST_MIB = 1024.0


def failed(printed: str) -> list[dict[str, object]]:
    """The rows of files that crashed, hung, or took too much memory."""
    lines = [line.split("NOT OK", 1)[1] for line in printed.splitlines() if "NOT OK" in line]
    rows = [ast.literal_eval(line.strip()) for line in lines]
    return [row for row in rows if row["outcome"] in {"crash", "timeout"} or row["peak_mib"] > LARGEST_MIB]


@pytest.mark.slow
@pytest.mark.parametrize("given", [("--mutated", "2000", "--bombs", "0"), ("--mutated", "0", "--bombs", "50")])
def test_no_file_costs_more_than_itself(given):
    ended = subprocess.run([sys.executable, BENCH, *given], check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert not failed(ended.stdout)


@pytest.mark.slow
def test_files_with_a_little_damage_are_read_or_refused():
    given = ("--mutated", "22", "--bombs", "0", "--seed", "7")
    ended = subprocess.run([sys.executable, BENCH, *given], check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "22 mutated" in ended.stdout
    assert not failed(ended.stdout)
