"""The ways that a user's environment lays for our requests."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import urlsplit

import pytest

from novum.http.client import proxy_for
from novum.llm import Question


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def ask(bench, model, **changes):
    question = Question("repair", {"problem": "p"}, str)
    return bench.run(bench.settings(model, **changes), lambda models: models.ask(question))


def test_a_model_behind_a_proxy_is_asked_through_it(bench, serve, monkeypatch):
    proxy = serve(lambda asked: "through the proxy")
    monkeypatch.setenv("http_proxy", f"http://ada:secret@{urlsplit(proxy.base_url).netloc}")
    assert ask(bench, "server:far@http://models.invalid/v1") == "through the proxy"
    assert proxy.asked[0].headers["Host"] == "models.invalid"
    assert proxy.asked[0].headers["Proxy-Authorization"] == f"Basic {b64encode(b'ada:secret').decode()}"


def test_an_address_that_needs_no_proxy_is_asked_directly(bench, serve, monkeypatch):
    server = serve(lambda asked: "directly")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert ask(bench, server.model) == "directly"


def test_the_users_password_file_does_not_stand_against_our_key(bench, serve, monkeypatch, tmp_path):
    passwords = tmp_path / "netrc"
    passwords.write_text("default login anonymous password ada@example.org\n")
    monkeypatch.setenv("NETRC", str(passwords))
    server = serve(lambda asked: "by the key")
    assert ask(bench, server.model, keys={"NOVUM_SERVER_KEY": "sesame"}) == "by the key"
    assert server.asked[0].headers["Authorization"] == "Bearer sesame"


@pytest.mark.parametrize(
    ("environment", "address", "expected"),
    [
        ({}, "https://api.example.org/v1", None),
        ({"https_proxy": "http://gate:3128"}, "https://api.example.org/v1", "http://gate:3128"),
        ({"https_proxy": "gate:3128"}, "https://api.example.org/v1", "http://gate:3128"),
        ({"https_proxy": "http://gate:3128"}, "http://127.0.0.1:8000/v1", None),
        ({"https_proxy": "http://gate:3128", "no_proxy": ".example.org"}, "https://api.example.org/v1", None),
        ({"https_proxy": "http://gate:3128"}, "", None),
    ],
)
def test_the_environment_decides(environment, address, expected, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_for(address) == expected
