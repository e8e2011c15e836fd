"""A report on disk: all of its files or none, and one clear line when that cannot be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from novum.core import IdeationReport
from novum.errors import BadInput
from novum.reports.files import write_report
from novum.reports.ideation.page import render_html

from .reading import poisoned
from .sample import REPORT


def test_a_report_is_five_files_in_a_folder_made_for_it(tmp_path):
    files = write_report(REPORT, tmp_path / "new" / "report")
    assert sorted(path.name for path in (tmp_path / "new" / "report").iterdir()) == [
        "papers.bib",
        "prompt.txt",
        "report.html",
        "report.json",
        "report.md",
    ]
    assert files.html.read_text("utf-8") == render_html(REPORT)


def test_the_json_file_is_the_whole_report(tmp_path):
    files = write_report(REPORT, tmp_path)
    assert IdeationReport.model_validate_json(files.json.read_bytes()) == REPORT


def test_half_a_character_does_not_stop_the_writing(tmp_path):
    files = write_report(poisoned("\ud800"), tmp_path)
    assert IdeationReport.model_validate_json(files.json.read_bytes()).ideation.topic.endswith("?")


def test_writing_again_replaces_the_older_report(tmp_path):
    write_report(poisoned("old"), tmp_path)
    files = write_report(REPORT, tmp_path)
    assert files.html.read_text("utf-8") == render_html(REPORT)
    assert len(list(tmp_path.iterdir())) == 5


def test_a_file_where_the_folder_should_be_is_one_clear_line(tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(BadInput, match=r"cannot be written to .*taken.*name another folder") as caught:
        write_report(REPORT, tmp_path / "taken")
    assert "\n" not in str(caught.value)
    assert (tmp_path / "taken").read_text() == "mine"


FILL_UP = """
import resource, sys
from pathlib import Path
from novum.core import IdeationReport
from novum.errors import BadInput
from novum.reports.files import write_report

report = IdeationReport.model_validate_json(sys.stdin.buffer.read())
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
try:
    write_report(report, Path(sys.argv[1]))
except BadInput as error:
    print(error)
"""


def test_a_disk_that_fills_up_leaves_the_older_report_whole_and_nothing_half_written(tmp_path):
    pytest.importorskip("resource", reason="the limit that stands in for a full disk is one of Unix")
    write_report(REPORT, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    ran = subprocess.run(
        [sys.executable, "-c", FILL_UP, str(tmp_path)],
        input=poisoned("new").model_dump_json().encode(),
        capture_output=True,
        check=True,
    )
    assert ran.stdout.decode().startswith(
        f"The report cannot be written to {tmp_path}: File too large. Free some space"
    )
    assert {path.name: path.read_bytes() for path in Path(tmp_path).iterdir()} == before
