"""What is shown of refusals and of answers that are none: one line in the service's own words that says what to do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.errors import SourceError
from novum.literature.services.client import SourceClient
from novum.literature.services.refusals import explanation, is_web_page
from novum.literature.sources import Search, Source
from novum.literature.sources.arxiv import Arxiv
from novum.literature.sources.crossref import Crossref
from novum.literature.sources.openalex import OpenAlex
from novum.literature.sources.semantic_scholar import SemanticScholar
from tests.literature.sources.conftest import RECORDED, Said, Service, recorded

Make = Callable[..., SourceClient]
SERVICES = [OpenAlex, Crossref, Arxiv, SemanticScholar]


def line_about(client: SourceClient, service: Service, source: Source, answer: Said) -> str:
    """The message of a search that gets this answer, however often it is sent."""
    request = source.search(Search(text="trade guilds"))
    service.on(urlsplit(request.url).path, answer)

    async def inside() -> str:
        async with client:
            with pytest.raises(SourceError) as caught:
                await client.page(source, request)
        return str(caught.value)

    line = asyncio.run(inside())
    assert "\n" not in line
    assert line.startswith(source.title)
    return line


def recorded_error(name: str) -> Said:
    """An error as a service sent it."""
    file = RECORDED.parent / "http2" / "errors.json"
    if not file.exists():
        pytest.skip("recorded errors are not at hand")
    error = json.loads(file.read_text("utf-8"))[name]
    return Said(error["body"].encode(), error["status"], error["headers"])


@pytest.mark.parametrize(
    ("name", "kind", "with_key", "parts"),
    [
        ("openalex_429_budget", OpenAlex, False, ("Resets at midnight UTC", "OPENALEX_API_KEY (free", "settings/api")),
        ("openalex_429_budget", OpenAlex, True, ("This request costs $0.001", "Wait until then")),
        ("openalex_401", OpenAlex, False, ("wants a key", "API key not found", "set OPENALEX_API_KEY")),
        ("openalex_401", OpenAlex, True, ("refused the key in OPENALEX_API_KEY", "API key not found")),
        ("s2_429", SemanticScholar, False, ("Please wait and try again", "set SEMANTIC_SCHOLAR_API_KEY (free")),
        ("s2_429", SemanticScholar, True, ("Too Many Requests", "try again later")),
        ("s2_403", SemanticScholar, True, ("refused the key in SEMANTIC_SCHOLAR_API_KEY", "Forbidden")),
        ("crossref_429", Crossref, False, ("Too Many Requests. You have sent too many", "setting `contact`")),
        ("arxiv_200_rate_exceeded", Arxiv, False, ("refused us", "429: Rate exceeded", "try again later")),
        ("arxiv_429", Arxiv, False, ("refused us", "429: Rate exceeded", "try again later")),
    ],
)  # fmt: skip
def test_recorded_refusals_are_explained_in_the_words_of_the_service(
    client: Make, service: Service, name: str, kind: type[Source], with_key: bool, parts: tuple[str, ...]
) -> None:
    environment = dict.fromkeys(kind.key_names[:1], "s3cret") if with_key else {}
    line = line_about(
        client(environment=environment, patience=12.0), service, kind(service.address), recorded_error(name)
    )
    for part in parts:
        assert part in line


def test_a_contact_address_is_not_asked_for_where_it_was_given(client: Make, service: Service) -> None:
    answer = Said(b"<html><body><h1>429 Too Many Requests</h1>\nSlow down.\n</body></html>", 429)
    line = line_about(client(contact="me@example.org"), service, Crossref(service.address), answer)
    assert "Too Many Requests. Slow down" in line
    assert "contact" not in line


@pytest.mark.parametrize("kind", SERVICES)
@pytest.mark.parametrize(
    ("answer", "part"),
    [
        (
            Said(b"<!DOCTYPE html><title>Sign in\nto campus</title>"),
            "a web page titled 'Sign in to campus' came instead",
        ),
        (Said(b"<html><title>Blocked</title></html>", 403), "did not answer itself (403, a web page titled 'Blocked'"),
        (Said(b"<html><h1>503 Down</h1><p>Back at noon.</p></html>", 503), "503: Down. Back at noon"),
        (Said(b" \n"), "an empty answer"),
        (Said(b'{"works": {"items": 1}}'), "unreadable"),
    ],
    ids=["proxy", "block", "gateway", "empty", "older form"],
)
def test_what_does_not_come_from_the_service_is_said_to_be_so(
    client: Make, service: Service, kind: type[Source], answer: Said, part: str
) -> None:
    guest = client(patience=12.0)
    line = line_about(guest, service, kind(service.address), answer)
    assert part in line
    assert "key" not in line


def test_a_block_by_a_proxy_is_no_refusal_of_the_key(client: Make, service: Service) -> None:
    source = OpenAlex(service.address)
    service.on("/works", Said(b"<html>Blocked</html>", 403))

    async def inside() -> None:
        async with client(patience=12.0, environment={"OPENALEX_API_KEY": "k"}) as guest:
            with pytest.raises(SourceError):
                await guest.page(source, source.search(Search(text="guilds")))
            assert guest.delay(source) < 1000.0

    asyncio.run(inside())


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ('{"error": "Kind", "message": "The reason."}', "The reason."),
        ('{"error": {"message": "Nested", "code": 3}}', "Nested"),
        ('{"errors": [{"detail": "Listed"}]}', "Listed"),
        ('{"message": [{"type": "x", "message": "In a list"}]}', "In a list"),
        ('{"message": "cut off", "more": "', "cut off"),
        ('{"code": 3}', '{"code": 3}'),
        ("<?xml version='1.0'?><feed><entry><summary>bad id</summary></entry></feed>", "bad id"),
        ("<html><head><title>T</title></head><body><h1>502 Bad</h1><p>Why &amp; how</p></body>", "Bad. Why & how"),
        ("<html><head><title>Only a title</title></head></html>", "Only a title"),
        ("502 Bad Gateway\n", "Bad Gateway"),
        ("plain <b>text</b>", "plain text"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_explanation_is_found_wherever_services_write_it(body: str, shown: str) -> None:
    assert explanation(body, 502) == shown


def test_recorded_refusals_have_short_explanations() -> None:
    for name in ("crossref", "openalex", "arxiv", "semanticscholar"):
        for call in recorded(name):
            if call["status"] != 200:
                shown = explanation(str(call["body"]), int(str(call["status"])))
                assert shown
                assert not shown.startswith(("{", "<"))


@given(
    st.text(max_size=300), st.sampled_from(["", "<html>", "{", '{"message": "', "<?xml?>", "<!doctype html><title>"])
)
def test_any_refusal_is_one_short_line(body: str, beginning: str) -> None:
    shown = explanation(beginning + body, 500)
    assert len(shown) <= 200
    assert len(shown.splitlines()) <= 1
    assert is_web_page((beginning + body).encode()) in (True, False)
