"""`novum serve`: what it prints, and what it refuses before anything listens."""

from __future__ import annotations

import socket

import pytest

from novum.cli.app import run
from novum.errors import BadInput
from novum.settings import load_settings
from novum.web.options import WebOptions
from novum.web.server import announcement, serve


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--token", "short"], "at least 16 characters"),
        (["--certificate", "cert.pem"], "go together"),
        (["--certificate", "cert.pem", "--key", "key.pem"], "There is no file"),
    ],
)
def test_options_that_cannot_be_used_are_refused_in_one_line(tmp_path, monkeypatch, capsys, arguments, says):
    monkeypatch.chdir(tmp_path)
    assert run(["serve", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_a_port_that_is_taken_is_named_with_another_one(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match=f"--port {port + 1}"):
            serve(WebOptions(port=port), load_settings({"home": str(tmp_path)}), print)


def test_the_address_of_this_machine_needs_no_token_and_no_warning():
    assert announcement(WebOptions()) == ["Novum is at http://127.0.0.1:8765/"]


def test_an_open_address_has_its_token_and_a_warning_without_tls():
    address, warning = announcement(WebOptions(host="0.0.0.0", token="secret"))
    assert address.endswith("/?token=secret")
    assert "without TLS" in warning
    assert len(announcement(WebOptions(host="0.0.0.0", token="secret", tls=True))) == 1
