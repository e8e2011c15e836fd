"""What the workbench removes, and what it never does."""

from __future__ import annotations

import os

import pytest

from novum.web.live.cleaning import KEPT_SECONDS, clean
from novum.web.live.job_files import JobRequest
from novum.web.live.jobs import Jobs

NOW = 2_000_000_000.0


@pytest.fixture
def bench_folder(tmp_path):
    """A folder for jobs, uploads and reports."""
    for name in ("jobs", "uploads", "reports"):
        (tmp_path / name).mkdir()
    return tmp_path


def aged(place, seconds):
    os.utime(place, (NOW - seconds, NOW - seconds))
    return place


def job(folder, name, *lines, files=(), seconds=2 * KEPT_SECONDS):
    place = folder / "jobs" / name
    place.mkdir(parents=True)
    (place / "request.json").write_text(JobRequest(work="import", files=files).model_dump_json())
    (place / "log.jsonl").write_text("".join(f"{each}\n" for each in ('{"started": 1}', *lines)))
    return aged(place, seconds)


def upload(folder, name, seconds=2 * KEPT_SECONDS):
    file = folder / "uploads" / name / "tables" / "01-mine.bib"
    file.parent.mkdir(parents=True)
    file.write_text("@article{a}")
    aged(folder / "uploads" / name, seconds)
    return str(file)


def cleaned(folder):
    clean(Jobs(folder / "jobs"), folder / "uploads", folder / "reports", NOW)
    return {each.name for part in ("jobs", "uploads", "reports") for each in (folder / part).iterdir()}


def test_an_upload_is_removed_when_its_import_has_ended(bench_folder):
    job(bench_folder, "ended", '{"done": "finished"}', files=(upload(bench_folder, "read"),), seconds=60)
    job(bench_folder, "works", files=(upload(bench_folder, "needed"),), seconds=60)
    job(bench_folder, "now", '{"problem": "no"}', files=(upload(bench_folder, "just-read", seconds=1),), seconds=1)
    assert cleaned(bench_folder) == {"ended", "works", "needed", "now"}


def test_a_job_whose_files_are_no_uploads_removes_nothing(bench_folder):
    files = ("mine.bib", "/", str(bench_folder / "uploads" / ".." / "tables" / "mine.bib"), str(bench_folder / "jobs"))
    job(bench_folder, "odd", '{"done": "finished"}', files=files, seconds=60)
    upload(bench_folder, "arriving", seconds=60)
    assert cleaned(bench_folder) == {"odd", "arriving"}


def test_an_upload_that_is_arriving_stays(bench_folder):
    upload(bench_folder, "arriving", seconds=60)
    assert cleaned(bench_folder) == {"arriving"}


def test_jobs_go_a_month_after_their_end_and_unfinished_ones_stay(bench_folder):
    job(bench_folder, "old", '{"done": "finished"}')
    job(bench_folder, "failed", '{"problem": "no"}')
    job(bench_folder, "recent", '{"done": "finished"}', seconds=60)
    job(bench_folder, "unfinished")
    assert cleaned(bench_folder) == {"recent", "unfinished"}


def test_a_report_that_is_old_is_removed_since_it_can_be_made_anew(bench_folder):
    for name in ("old-run", "new-run"):
        (bench_folder / "reports" / name).mkdir()
    aged(bench_folder / "reports" / "old-run", 2 * KEPT_SECONDS)
    aged(bench_folder / "reports" / "new-run", 60)
    assert cleaned(bench_folder) == {"new-run"}


def test_a_link_is_neither_followed_nor_removed(bench_folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "file").write_text("kept")
    (bench_folder / "uploads" / "link").symlink_to(elsewhere)
    assert "link" in cleaned(bench_folder)
    assert (elsewhere / "file").read_text() == "kept"
