"""Signing in to OpenReview: the password is sent once, to its own address, and is found nowhere afterwards."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from novum.credentials.redaction import redact
from novum.errors import SourceError
from novum.literature.services.client import SourceClient
from novum.literature.sources import Search
from novum.literature.sources.openreview import OpenReview
from tests.literature.sources.conftest import Said, Service, at, said

PASSWORD, TOKEN = "bees+dance/in-eights", "eyJhbGciOiJIUzI1NiJ9.bees.0123456789"
ACCOUNT = {"OPENREVIEW_USERNAME": "me@example.org", "OPENREVIEW_PASSWORD": PASSWORD}
NOTES = said({"notes": [], "count": 0})


def search(
    service: Service, client: Callable[..., SourceClient], *texts: str, environment: Mapping[str, str] = ACCOUNT
) -> list[str]:
    """Searches at the same time. Returns the errors."""

    async def one(asking: SourceClient, text: str) -> str:
        source = at(service, OpenReview)
        try:
            await asking.page(source, source.search(Search(text=text)))
        except SourceError as error:
            return str(error)
        return ""

    async def run() -> list[str]:
        async with client(environment=environment) as asking:
            errors = await asyncio.gather(*(one(asking, text) for text in texts))
            return [*errors, await one(asking, "once more")]

    return [error for error in asyncio.run(run()) if error]


def test_name_and_password_become_a_token_once(service: Service, client: Callable[..., SourceClient], tmp_path: Path):
    service.on("/login", said({"token": TOKEN, "user": {"id": "~Me1"}}))
    service.on("/notes/search", NOTES)
    assert search(service, client, "bees", "ants", "wasps") == []
    logins = [asked for asked in service.asked if asked.path == "/login"]
    assert [json.loads(asked.body) for asked in logins] == [
        {"id": "me@example.org", "password": PASSWORD, "expiresIn": 86400}
    ]
    others = [asked for asked in service.asked if asked.path == "/notes/search"]
    assert {asked.headers["Authorization"] for asked in others} == {f"Bearer {TOKEN}"}
    stored = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert PASSWORD.encode() not in stored
    assert TOKEN.encode() not in stored
    assert redact(f"{PASSWORD} and {TOKEN}") == "[redacted] and [redacted]"


@pytest.mark.parametrize(
    "environment",
    [
        {"OPENREVIEW_TOKEN": "a token of mine"},
        ACCOUNT | {"OPENREVIEW_TOKEN": "a token of mine"},
        {},
        {"OPENREVIEW_USERNAME": "me"},
    ],
)
def test_with_a_token_or_without_a_password_nobody_signs_in(
    service: Service, client: Callable[..., SourceClient], environment: Mapping[str, str]
):
    service.on("/notes/search", NOTES)
    assert search(service, client, "bees", environment=environment) == []
    assert {asked.path for asked in service.asked} == {"/notes/search"}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (said({"name": "Error", "message": f"Invalid password {PASSWORD}"}, status=400), "400: Invalid password"),
        (said({"mfaPending": True, "mfaPendingToken": "x", "mfaMethods": ["totp"]}), "second factor"),
        (said({"user": {}}), "no token"),
        (Said(b"<html><title>Sign in to the network</title></html>"), "did not sign us in"),
        (Said(b"", 302, {"Location": "/elsewhere"}), "did not sign us in (302"),
    ],
    ids=["password", "second factor", "no token", "web page", "redirect"],
)
def test_a_refused_password_is_one_line_and_is_not_sent_again(
    service: Service, client: Callable[..., SourceClient], answer: Said, reason: str
):
    service.on("/login", answer)
    errors = search(service, client, "bees", "ants")
    assert len(errors) == 3
    assert len(set(errors)) == 1
    assert reason in errors[0]
    assert "check OPENREVIEW_USERNAME and OPENREVIEW_PASSWORD" in errors[0]
    assert "\n" not in errors[0]
    assert PASSWORD not in redact(errors[0])
    assert [asked.path for asked in service.asked] == ["/login"]


def test_a_service_that_is_busy_may_be_asked_again(service: Service, client: Callable[..., SourceClient]):
    service.on("/login", Said(b"", 503), said({"token": f"Bearer {TOKEN}"}))
    service.on("/notes/search", NOTES)
    (error,) = search(service, client, "bees")
    assert error.startswith("OpenReview could not sign us in (503")
    assert service.asked[-1].headers["Authorization"] == f"Bearer {TOKEN}"


def test_a_search_that_is_switched_off_is_one_line_at_once(service: Service, client: Callable[..., SourceClient]):
    service.on("/notes/search", said({"notes": [], "count": 0, "searchUnavailable": True}))
    error, _ = search(service, client, "bees", environment={})
    assert error.startswith("OpenReview has switched its search off for now")
    assert len(service.asked) == 2


@pytest.mark.parametrize("before", range(140, 204, 3))
def test_an_error_that_is_cut_shows_no_part_of_the_password(
    service: Service, client: Callable[..., SourceClient], before: int
):
    password = "three-bees-112233445566"
    service.on("/login", Said(b"x" * before + password.encode(), 400))
    errors = search(service, client, "bees", environment=ACCOUNT | {"OPENREVIEW_PASSWORD": password})
    assert errors
    assert not [error for error in errors if "xthree" in error]
