"""What other packages announce: a broken one affects nothing but itself, and is named."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

MODULE = """
import sys
from novum.methods import MethodOptions as Options
from novum.methods import Method

text = "no method"

async def generate(lab, topic, options):
    '''Nothing at all.'''

entry = Method("good", Options, generate)
"""
GROUPS = ("methods", "judges", "literature.sources", "idea_metrics", "run_kinds", "prompts")


@pytest.fixture
def novum(tmp_path):
    """Runs the command in a process of its own with a package whose entry points are mostly broken."""
    package, told = tmp_path / "odd", tmp_path / "odd-1.0.dist-info"
    package.mkdir()
    told.mkdir()
    (package / "__init__.py").write_text("")
    (package / "parts.py").write_text(MODULE)
    (package / "leaves.py").write_text("import sys\nsys.exit(7)\n")
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    entries = [f"[novum.{group}]\nmissing = odd.nosuch:entry\nleaves = odd.leaves:entry\n" for group in GROUPS]
    entries[0] += "text = odd.parts:text\ngood = odd.parts:entry\n"
    (told / "entry_points.txt").write_text("\n".join(entries))
    path = os.pathsep.join([str(tmp_path), *sys.path])
    environment = os.environ | {"PYTHONPATH": path, "NOVUM_HOME": str(tmp_path / "home"), "NOVUM_SOURCES": "none"}

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "novum", *arguments], env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_what_cannot_be_used_is_left_out_of_the_list_and_the_rest_is_there(novum):
    listed = novum("methods", "list")
    assert listed.returncode == 0, listed.stderr
    assert "good" in listed.stdout
    assert "portfolio" in listed.stdout
    assert "missing" not in listed.stdout


@pytest.mark.parametrize("name, why", [("missing", "nosuch"), ("leaves", "SystemExit"), ("text", "is a str")])
def test_what_cannot_be_used_is_refused_by_name_with_its_package(novum, name, why):
    refused = novum("methods", "show", name)
    assert refused.returncode == 2
    assert f"'{name}' of the package odd cannot be used" in refused.stderr
    assert why in refused.stderr


@pytest.mark.parametrize("command", [["prompts", "list"], ["score", "--help"], ["runs", "list"], ["config"]])
def test_commands_that_need_none_of_it_work(novum, command):
    assert novum(*command).returncode == 0


def test_doctor_names_each(novum):
    found = novum("doctor").stdout
    for group in GROUPS:
        assert f"novum.{group}: 'missing' of the package odd" in found
