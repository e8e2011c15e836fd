"""What is no file is refused with one line before it is read, wherever a user names a file."""

from __future__ import annotations

import os
import socket
import sys

import pytest

from novum.cli.app import run
from novum.errors import BadInput
from novum.files.atomic import make_subfolder
from novum.files.inputs import check_input, open_input
from novum.literature import Library, import_file
from novum.reports.folder import write_files
from novum.training.next_idea.data.files import NextIdeaSet, open_next_ideas


def pipe(place):
    os.mkfifo(place)


def device(place):
    place.symlink_to("/dev/zero")


def bound_socket(place):
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(place))


def of_the_kernel(place):
    place.symlink_to("/proc/self/environ")


ODD = (
    (pipe, "a pipe"), (device, "a device"), (bound_socket, "a socket"), (os.mkdir, "a folder"),
    pytest.param(
        of_the_kernel, "made by the kernel", marks=pytest.mark.skipif(sys.platform != "linux", reason="it has no /proc")
    ),
)  # fmt: skip


@pytest.mark.parametrize(("make", "kind"), ODD)
def test_what_is_no_file_is_refused_and_named_as_what_it_is(tmp_path, make, kind):
    make(tmp_path / "x.jsonl")
    for refuse in (open_input, check_input):
        with pytest.raises(BadInput, match=kind):
            refuse(tmp_path / "x.jsonl")


def test_a_file_is_opened_through_a_link_too(tmp_path):
    (tmp_path / "real").write_bytes(b"abc")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with open_input(tmp_path / "link") as opened:
        assert opened.read() == b"abc"
    with pytest.raises(FileNotFoundError):
        open_input(tmp_path / "missing")
    check_input(tmp_path / "missing")


COMMANDS = (
    "ideate --topics", "review", "filter", "score", "select", "judge rubric", "arena run --topic x --ideas",
    "arena score", "arena report", "arena export", "arena import", "liveidea plan --panel", "liveidea score",
    "liveidea report", "liveidea agree", "liveidea import", "metrics tune --ratings", "metrics validate",
    "data build judge --out o", "library add", "library add --pdf", "library import", "opportunities build --library",
    "models install --name n", "liveidea protocol install", "arena protocol install", "train export",
    "judge evaluate", "prompts list --prompts",
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_no_command_waits_for_a_pipe_or_reads_a_device(tmp_path, monkeypatch, capsys, command, suffix):
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NOVUM_WRITER", "server:m@http://127.0.0.1:9/v1")
    monkeypatch.chdir(tmp_path)
    for make in (pipe, device):
        make(tmp_path / f"{make.__name__}{suffix}")
        assert run([*command.split(), f"{make.__name__}{suffix}"]) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) <= 1 + command.startswith("ideate")


PLACES = (
    ("settings of the folder", "novum.toml", "runs list", {}),
    ("settings of the home", "home/novum.toml", "library stats", {}),
    ("a prompt", "prompts/propose_idea.md", "prompts list --prompts prompts", {}),
    ("a part of prompts", "prompts/_author.md", "prompts show propose_idea --prompts prompts", {}),
    ("the ledger that is read", "odd.sqlite", "runs list", {"NOVUM_LEDGER": "odd.sqlite"}),
    ("the ledger that is checked", "odd.sqlite", "runs check", {"NOVUM_LEDGER": "odd.sqlite"}),
    ("a published protocol", "odd.txt", "liveidea protocol install odd.txt", {}),
    ("another published protocol", "odd.txt", "arena protocol install odd.txt", {}),
    ("a protocol in a folder", "folder/odd.txt", "arena protocol install folder", {}),
    ("a model", "odd.gguf", "models install odd.gguf --name n", {}),
)  # fmt: skip


@pytest.mark.parametrize(("place", "command", "variables"), [each[1:] for each in PLACES], ids=[e[0] for e in PLACES])
@pytest.mark.parametrize(("make", "kind"), [ODD[0], ODD[1], ODD[4]])
def test_settings_prompts_ledgers_protocols_and_models_are_files(
    tmp_path, monkeypatch, capsys, place, command, variables, make, kind
):
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path / "home"))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    (tmp_path / place).parent.mkdir(exist_ok=True)
    make(tmp_path / place)
    assert run(command.split()) == 2
    [line] = capsys.readouterr().err.strip().splitlines()
    if not place.startswith("folder/") or kind == "made by the kernel":  # others in a folder are passed over
        assert kind in line
        assert "odd" in line or place.rpartition("/")[2] in line


def test_odd_things_in_a_folder_of_papers_do_not_stop_the_others(tmp_path):
    folder = tmp_path / "papers"
    folder.mkdir()
    pipe(folder / "a.jsonl")
    device(folder / "b.jsonl")
    (folder / "c.jsonl").write_text('{"title": "A fine paper", "year": 2020}\n')
    with Library.open(tmp_path / "library") as library:
        assert import_file(library, folder).added == 1


def test_a_report_is_not_written_through_a_link_that_leads_out_of_its_folder(tmp_path):
    elsewhere, report = tmp_path / "elsewhere", tmp_path / "report"
    elsewhere.mkdir()
    report.mkdir()
    (report / "charts").symlink_to(elsewhere)
    with pytest.raises(BadInput, match="is a link to another place"):
        write_files({"a.html": "a", "a.json": "{}", "charts/c.svg": "<svg/>"}, report)
    assert not any(elsewhere.iterdir())


def test_the_folder_of_a_report_may_be_a_link_itself(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    make_subfolder(tmp_path / "link", tmp_path / "link" / "charts" / "one")
    assert (tmp_path / "real" / "charts" / "one").is_dir()


def test_a_link_that_leads_back_to_itself_is_named(tmp_path):
    link = tmp_path / "ledger.sqlite"
    link.symlink_to(link)
    with pytest.raises(BadInput, match="leads back to itself"):
        check_input(link)


FOLDERS = (
    ("set/card.json", "data show next-idea x --data set"),
    ("set/card.json", "next-idea evaluate set --model offline --judge offline"),
    ("set/card.json", "judge evaluate set"),
    ("set/card.json", "train judge set --out o --dry-run"),
    ("set/card.json", "train sft set --out o --dry-run"),
    ("set/card.json", "train dpo set --out o --dry-run"),
    ("set/run.json", "arena export set"),
    ("set/report.json", "review set"),
    ("forms/form.csv", "next-idea evaluate --model offline --judge offline --ratings forms/form.csv"),
)


@pytest.mark.parametrize(("place", "command"), FOLDERS)
@pytest.mark.parametrize("make", [pipe, device])
def test_no_command_waits_for_a_pipe_within_a_folder(tmp_path, monkeypatch, capsys, place, command, make):
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / place).parent.mkdir()
    make(tmp_path / place)
    assert run(command.split()) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) <= 2


@pytest.mark.parametrize("name", ["card.json", "data/train.jsonl"])
def test_a_pipe_in_a_set_of_tasks_is_refused(tmp_path, name):
    place = tmp_path / name
    place.parent.mkdir(exist_ok=True)
    pipe(place)
    with pytest.raises(BadInput):
        NextIdeaSet(tmp_path, None, "").records("train") if name.startswith("data") else open_next_ideas(tmp_path)
