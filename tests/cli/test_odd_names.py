"""Names of files that cannot be written: one line, and no crash log."""

from __future__ import annotations

import os

import pytest


@pytest.mark.parametrize("out", ["x" * 300, "a-file/below.bib", ".", ""])
def test_a_name_that_cannot_be_written_is_told_in_a_line(here, tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a-file").write_text("in the way")
    done = here("library", "export", "--out", out)
    assert done.code == 2
    assert "Unexpected" not in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_a_device_or_pipe_is_not_replaced_by_an_export(here, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    done = here("library", "export", "--out", str(tmp_path / "pipe"))
    assert done.code == 2
    assert "a pipe or a socket, and a file is wanted" in done.err
    assert (tmp_path / "pipe").is_fifo()


def test_a_certificate_that_is_none_is_told_in_a_line(here, tmp_path):
    for name in ("cert.pem", "key.pem"):
        (tmp_path / name).write_text("no PEM")
    done = here("serve", "--certificate", str(tmp_path / "cert.pem"), "--key", str(tmp_path / "key.pem"))
    assert done.code == 2
    assert "no certificate and key in PEM" in done.err
