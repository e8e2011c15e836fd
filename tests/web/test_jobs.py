"""The folders of jobs: odd and damaged files, and several workbenches on one home."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys

import pytest

from novum.files.locks import lock_if_free
from novum.web.live.job_files import HELD, LOG, OUTPUT, PROCESS, REQUEST, JobRequest
from novum.web.live.jobs import Jobs
from tests.web.test_runs import until

GIVEN_UP = '{"started": 1}\n' * 3
NAME = "20260101-000000-abc"


def job(folder, name=NAME, log="", **request):
    """A job as if its process had ended; without files it reads nothing."""
    place = folder / name
    place.mkdir(parents=True)
    (place / REQUEST).write_text(JobRequest(**({"work": "import"} | request)).model_dump_json())
    (place / LOG).write_text(log)
    return place


def pipe(place):
    os.mkfifo(place)


def device(place):
    place.symlink_to("/dev/zero")


def socket_file(place):
    with socket.socket(socket.AF_UNIX) as opened, contextlib.chdir(place.parent):  # the path of a socket is short
        opened.bind(place.name)


def folder(place):
    place.mkdir()


ODD = [pipe, device, socket_file, folder]


def no_process(*_, **__):
    raise OSError("This test starts none.")


@pytest.mark.parametrize("name", [LOG, REQUEST, OUTPUT, PROCESS, HELD])
@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_file_in_a_job_is_refused_and_the_other_jobs_go_on(tmp_path, monkeypatch, odd, name):
    monkeypatch.setattr("novum.web.live.jobs.subprocess.Popen", no_process)
    place = job(tmp_path, "1")
    (place / name).unlink(missing_ok=True)
    odd(place / name)
    other = job(tmp_path, "2", GIVEN_UP)
    jobs = Jobs(tmp_path)
    assert not jobs.stop("1")
    assert jobs.of_run("none") is None
    assert jobs.restart_lost() == []
    assert "three times" in (other / LOG).read_text()


@pytest.mark.parametrize("odd", ODD)
def test_the_page_of_a_job_whose_log_is_no_file_says_so(bench, home, odd):
    place = job(home / "workbench" / "jobs")
    (place / LOG).unlink()
    odd(place / LOG)
    browser = bench()
    assert "is damaged" in browser.get(f"/library/jobs/{NAME}").text
    assert browser.get("/library").status_code == 200


@pytest.mark.parametrize("odd", ODD)
def test_a_job_whose_request_is_no_file_is_none(bench, home, odd):
    place = job(home / "workbench" / "jobs")
    (place / REQUEST).unlink()
    odd(place / REQUEST)
    assert bench().get(f"/library/jobs/{NAME}").status_code == 404


DAMAGED = [
    '{"result": 7}', '{"result": "x"}', '{"done": "finished"}\n{"result": {"reports": 5}}',
    '{"result": {"reports": [5]}}', '{"result": {"reports": [{"added": "many"}]}}',
    '{"result": {"reports": [{"rejects": [{"line": []}]}]}}',
    '{"result": {"refused": 5}}', '{"result": {"remarks": {"a": 1}}}', '{"result": {"aside": [[]]}}',
    '{"result": {"opportunities": []}}', '{"progress": 7}', '{"problem": {}}', '{"run": ["a"]}', '{"started": "soon"}',
    "[]", "7", "\x7fELF", "null",
]  # fmt: skip


@pytest.mark.parametrize(
    ("work", "log"),
    [*(("import", log) for log in DAMAGED), *((each, "[]") for each in ("fetch", "opportunities", "start", "resume"))],
)
def test_the_page_of_a_job_with_a_damaged_log_says_so_and_what_to_do(bench, home, work, log):
    job(home / "workbench" / "jobs", log=log + "\n", work=work)
    browser = bench()
    page = browser.get(f"/library/jobs/{NAME}")
    assert page.status_code == 200
    assert page.text.count("is damaged") == 1
    assert "can be started again" in page.text
    assert "data-reload" not in page.text
    waiting = browser.get(f"/jobs/{NAME}")
    assert waiting.status_code == 400
    assert "is damaged" in waiting.text


@pytest.mark.parametrize("log", DAMAGED)
def test_a_job_with_a_damaged_log_is_not_done_again(tmp_path, log):
    place = job(tmp_path, log=log + "\n")
    assert Jobs(tmp_path).restart_lost() == []
    assert (place / LOG).read_text() == log + "\n"


@pytest.mark.parametrize("log", ["", "\0" * 300, None])
def test_a_job_whose_log_is_lost_is_not_done_again(tmp_path, log):
    place = job(tmp_path)
    (place / OUTPUT).touch()
    (place / LOG).unlink(missing_ok=True)
    if log is not None:
        (place / LOG).write_text(log)
    jobs = Jobs(tmp_path)
    assert jobs.restart_lost() == []
    assert "is damaged" in jobs.state(place.name).problem


def test_a_line_that_was_cut_off_is_no_damage(tmp_path):
    job(tmp_path, log='{"spawned": 1}\n{"prog{"started": 1}\n\0\0{"run": "a"}\n{"done": "finished"}\n{"res')
    state = Jobs(tmp_path).state(NAME)
    assert state.ended
    assert state.problem == ""


def test_a_job_whose_request_is_damaged_says_so(bench, home):
    place = job(home / "workbench" / "jobs", log='{"done": "finished"}\n')
    (place / REQUEST).write_text('{"work": 7}')
    answer = bench().get(f"/library/jobs/{NAME}")
    assert answer.status_code == 400
    assert "cannot be read" in answer.text


def worker(place):
    """The process of a job, which takes the lock itself."""
    return subprocess.run([sys.executable, "-m", "novum.web.live.worker", str(place)], input=b"[]", check=False)


@pytest.mark.parametrize(
    "end", ['{"done": "finished"}', '{"problem": "no"}', '{"done": "finished"}\n{"spawned": 2}', '{"result": 7}']
)
def test_a_process_that_gets_the_lock_of_a_job_that_has_ended_does_nothing(tmp_path, end):
    log = f'{{"spawned": 1}}\n{{"started": 1}}\n{end}\n'
    place = job(tmp_path, log=log)
    assert worker(place).returncode == 0
    assert (place / LOG).read_text() == log


def test_a_job_that_another_process_works_on_is_not_started(tmp_path):
    place = job(tmp_path)
    with lock_if_free(place / HELD):
        assert Jobs(tmp_path).restart_lost() == []
    assert (place / LOG).read_text() == ""


@pytest.mark.slow
def test_two_workbenches_on_one_home_do_a_job_once(tmp_path):
    first, second = Jobs(tmp_path / "jobs"), Jobs(tmp_path / "jobs")
    request = JobRequest(work="resume", run_id="nothing", settings={"home": str(tmp_path)})
    name = first.launch(request)
    assert first.is_alive(name)
    assert not first.stop(name)  # it has not begun
    started = until(lambda: [*second.restart_lost(), *first.restart_lost()] or second.state(name).ended)
    assert started is True
    until(lambda: not second.is_alive(name))
    assert second.restart_lost() == []
    lines = [json.loads(line) for line in (first.folder / name / LOG).read_text().splitlines()]
    assert [next(iter(each)) for each in lines] == ["spawned", "started", "problem"]
    first.let_go()


@pytest.mark.slow
def test_a_job_whose_process_was_killed_before_it_began_is_started_by_another_workbench(tmp_path):
    first, second = Jobs(tmp_path / "jobs"), Jobs(tmp_path / "jobs")
    name = first.launch(JobRequest(work="resume", run_id="nothing", settings={"home": str(tmp_path)}))
    [child] = first._children
    child.kill()
    child.wait()
    assert second.restart_lost() == [name]
    assert second.restart_lost() == []
    assert until(lambda: second.state(name).problem)
    until(lambda: not second.is_alive(name))
    second.let_go()
    first.let_go()
