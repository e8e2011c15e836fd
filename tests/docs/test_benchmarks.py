"""Every benchmark begins: what it measures with is still there under the names that it uses."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.docs.conftest import ROOT

DRIVERS = sorted(file.name for file in (ROOT / "bench").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("driver", DRIVERS)
def test_a_benchmark_tells_what_it_measures(driver):
    said = subprocess.run(
        [sys.executable, ROOT / "bench" / driver, "--help"], capture_output=True, text=True, timeout=300, check=False
    )
    assert said.returncode == 0, said.stderr
    assert f"python bench/{driver}" in said.stdout
