"""`novum serve`: what it prints, and what it refuses before anything listens."""

from __future__ import annotations

import http.client
import re
import socket
from contextlib import closing

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


@pytest.mark.parametrize("reached", [["--name", "lab.example.org"], ["--host", "127.0.0.1", "--name", "localhost.lab"]])
def test_behind_a_proxy_the_pages_need_the_token_that_was_printed(start, reached):
    process = start("serve", "--port", "0", *reached)
    line = next(each for each in process.stdout if "Novum is at" in each)
    address, token = re.search(r"http://([^/]+)/\?token=(\S{24,})", line).groups()

    def status(path):
        with closing(http.client.HTTPConnection(address)) as connection:
            connection.request("GET", path, headers={"Host": reached[-1]})
            return connection.getresponse().status

    assert [status(path) for path in ("/", "/studies", "/runs", "/library")] == [401] * 4
    assert status(f"/?token={token}") in (200, 302, 303, 307)
    assert status("/take/guess") == 404
