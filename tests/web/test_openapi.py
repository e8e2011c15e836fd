"""Whatever a client sends that fits the description of the interface, or nearly fits it, no route breaks."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient

from novum.settings import load_settings
from novum.web.app import create_app
from novum.web.options import WebOptions
from novum.web.security.forms import HEADER
from novum.web.security.keys import SESSION

pytestmark = pytest.mark.slow
_LIVE = "/runs/{run_id}/events"
"""An endless stream, which tests of the feed read."""


@pytest.fixture(scope="module")
def interface(tmp_path_factory):
    """The application with its description, and the credentials of a form."""
    home = tmp_path_factory.mktemp("interface")
    options = WebOptions(starts_a_minute=1, names=("testserver",))
    app = create_app(options, load_settings({"home": str(home), "sources": ["none"]}))
    keys = app.state.workbench.keys
    app.state.headers = {"Cookie": f"{SESSION}=session", HEADER: keys.form_token("session")}
    return app


def operations(app):
    """Every operation of the description, but for the endless stream."""
    schema = schemathesis.openapi.from_asgi("/openapi.json", app, headers={"Host": "localhost"})
    found = [each.ok() for each in schema.get_all_operations()]
    return [each for each in found if each.path != _LIVE]


def test_no_request_breaks_the_server(interface):
    wrong = []

    def check(operation):
        @settings(max_examples=12, deadline=None, derandomize=True, database=None,
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        @given(case=operation.as_strategy())
        def send(case):
            response = case.call(headers={**interface.state.headers, "Host": "localhost"})
            if response.status_code >= 500:
                wrong.append(f"{operation.method} {operation.path}: {response.status_code} {response.text[:200]}")

        send()

    with TestClient(interface):  # opens ledger and library
        for operation in operations(interface):
            check(operation)
    assert wrong == []
