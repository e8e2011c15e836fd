"""A workbench without a network: the application in this process, on a home folder of its own."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from novum.settings import load_settings
from novum.web.app import create_app
from novum.web.options import WebOptions

pytest.importorskip("fastapi")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The home folder, which processes of jobs use too."""
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def bench(home):
    """Opens workbenches: `bench()`, or with options, as a browser that keeps its cookies."""
    clients = []

    def opened(**options):
        writer = options.pop("writer", "")
        settings = load_settings({"writer": writer, "sources": ["none"]})
        client = TestClient(create_app(WebOptions(**options), settings), base_url="http://127.0.0.1:8765")
        clients.append(client.__enter__())
        return Browser(client)

    yield opened
    for client in clients:
        client.__exit__(None, None, None)


class Browser:
    """A browser without scripts: it follows links and sends the forms of the page that it shows."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.token = ""

    def get(self, address: str, **options):
        answer = self.client.get(address, **options)
        if found := re.search(r'name="form-token" content="([0-9a-f]+)"', answer.text):
            self.token = found[1]
        return answer

    def post(self, address: str, fields=None, **options):
        """Sends a form of the last page."""
        if not self.token:
            self.get("/")
        return self.client.post(address, data={"form_token": self.token, **(fields or {})}, **options)
