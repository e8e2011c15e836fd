"""Ctrl-C ends a run within a second, and the run goes on when it is taken up again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import SMALL
from tests.observed import PATIENCE, Silence, kill


@pytest.fixture(autouse=True)
def hangups_end_processes():
    """Also where these tests were started by `nohup`, which lets each process that they start ignore SIGHUP."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture
def silence():
    """Two answers and then none: who waits for the third waits for ever."""
    return Silence(2)


@pytest.fixture
def server(serve, silence):
    return serve(silence)


@pytest.mark.parametrize(
    "number", [signal.SIGINT, *(pytest.param(each, marks=pytest.mark.slow) for each in (signal.SIGTERM, signal.SIGHUP))]
)
def test_a_run_whose_server_never_answers_ends_at_once_and_can_be_resumed(start, here, server, silence, ledger, number):
    process = start("ideate", "molecules", *SMALL, "--model", server.model)
    silence.reached(process, ledger)
    process.send_signal(number)
    _, printed = process.communicate(timeout=PATIENCE)
    run = ledger.run("last")
    assert process.returncode == 128 + number
    assert printed.splitlines()[-1] == (
        f"novum: Stopped. Every answer so far is recorded. Resume it: novum runs resume {run.id}."
    )
    assert (run.status, run.reason) == ("stopped", "stopped by you")
    silence.speak()
    answered = server.answered
    assert here("runs", "resume", run.id).code == 0
    assert ledger.run(run.id).status == "finished"
    assert server.answered == ledger.spend(run.id).calls
    assert server.answered > answered == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_temporary_files_of_any_command_go_when_it_is_ended(number):
    script = (
        "import os, tempfile\nfrom novum import __main__ as entry\nentry._clean_up_at_the_end()\n"
        "with tempfile.TemporaryDirectory() as folder:\n    print(folder, flush=True)\n"
        f"    os.kill(os.getpid(), {number:d})\n    while True: pass"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ended.returncode == 128 + number
    assert not Path(ended.stdout.strip()).exists()


@pytest.mark.slow
def test_a_second_signal_ends_the_process_at_once(start, server, silence, ledger):
    process = start("ideate", "molecules", *SMALL, "--model", server.model)
    silence.reached(process, ledger)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    _, printed = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert f"novum runs resume {ledger.run('last').id}" in printed


@pytest.mark.slow
def test_a_killed_run_shows_as_interrupted_and_continues(start, here, server, silence, ledger):
    process = start("ideate", "molecules", *SMALL, "--model", server.model)
    silence.reached(process, ledger)
    kill(process)
    assert "interrupted" in here("runs", "list").out
    printed = here("runs", "show", "last").out
    assert f"novum runs resume {ledger.run('last').id}" in printed
    silence.speak()
    assert here("runs", "resume", "last").code == 0
    assert "finished" in here("runs", "list").out


@pytest.mark.slow
def test_a_run_that_is_still_going_is_not_taken_up_by_another_process(start, here, server, silence, ledger):
    process = start("ideate", "molecules", *SMALL, "--model", server.model)
    silence.reached(process, ledger)
    ended = here("runs", "resume", "last")
    assert ended.code == 2
    assert f"still being worked on by process {process.pid}" in ended.err
    assert ledger.run("last").status == "running"


EARLY = "import atexit, os, signal\n"
EARLY_OR_LATE = {
    "while it loads": ("typer.py", f"{EARLY}os.kill(os.getpid(), signal.SIGINT)\n"),
    "while it leaves": ("sitecustomize.py", f"{EARLY}atexit.register(os.kill, os.getpid(), signal.SIGINT)\n"),
}


def heed_signals():
    """Whoever runs the tests in the background may have told their processes to pass over Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("moment", EARLY_OR_LATE)
def test_a_signal_before_and_after_the_work_shows_no_traceback(tmp_path, moment):
    name, code = EARLY_OR_LATE[moment]
    (tmp_path / name).write_text(code)
    ended = subprocess.run(
        [sys.executable, "-m", "novum", "--help"],
        env=os.environ | {"PYTHONPATH": str(tmp_path), "NOVUM_HOME": str(tmp_path / "home")},
        capture_output=True, text=True, timeout=PATIENCE, check=False, preexec_fn=heed_signals,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (130, "novum: Stopped.\n")


def test_the_installed_command_begins_like_the_module():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["scripts"]["novum"] == "novum.__main__:main"
