"""A missing extra is named before anything is downloaded, with the command that fits how Novum was installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from novum.errors import BadInput
from novum.extras import install_command, need

CHECKOUT = {"url": "file:///home/ada/my%20novum", "dir_info": {"editable": True}}
FOLDER = {"url": "file:///home/ada/novum", "dir_info": {}}
REPOSITORY = {"url": "https://example.org/novum.git", "vcs_info": {"vcs": "git", "commit_id": "1a2b"}}
NOWHERE = Path("/nowhere")


@pytest.mark.parametrize("origin, arguments", [
    ({}, "'novum[offline]'"),
    (CHECKOUT, "-e '/home/ada/my novum[offline]'"),
    (FOLDER, "'/home/ada/novum[offline]'"),
    (REPOSITORY, "'novum[offline] @ git+https://example.org/novum.git'"),
])  # fmt: skip
def test_the_command_names_what_novum_was_installed_from(origin, arguments):
    assert install_command("offline", NOWHERE, origin) == f"pip install {arguments}"


@pytest.mark.parametrize("file, text, command", [
    ("pipx_metadata.json", "{}", "pipx install --force"),
    ("uv-receipt.toml", "", "uv tool install --force"),
    ("pyvenv.cfg", "home = /usr/bin\nuv = 0.9.1\n", "uv pip install --python {prefix}"),
])  # fmt: skip
def test_the_command_is_that_of_the_tool_that_installed_novum(tmp_path, file, text, command):
    (tmp_path / file).write_text(text)
    assert install_command("train", tmp_path, {}) == f"{command.format(prefix=tmp_path)} 'novum[train]'"


def test_what_is_missing_is_named_with_the_command():
    with pytest.raises(BadInput, match=r"Charts needs the package no_such_module: `.*\[web\]'?`\."):
        need("web", "json", "no_such_module", what="Charts")
    need("web", "json", what="Charts")


def test_without_key_and_offline_extra_a_run_ends_with_one_line(monkeypatch, tmp_path, capfd):
    from novum.cli.app import run
    from novum.llm import connections

    monkeypatch.setattr(connections, "find_spec", lambda name: None)
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOVUM_WRITER", "offline:smollm2-135m")
    assert run(["ideate", "molecules", "--quiet"]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert "needs the package xllamacpp" in line
    assert "then `novum models install smollm2-135m`" in line
    assert "set its key" in line
    assert not (tmp_path / "models").exists()
