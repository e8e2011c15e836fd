"""The safety that the documentation promises, over all routes: what a route that is added later must keep too."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import socket

import pytest
from fastapi.routing import APIRoute

from novum.settings import load_settings
from novum.web.app import ROUTERS, create_app
from novum.web.options import WebOptions
from novum.web.security import guard
from novum.web.server import serve
from tests.web.test_steering import two

__all__ = ["two"]
KEY = "sk-nobody-may-see-this-key-0123456789"
PAGES = ["/", "/runs", "/library", "/library?q=x", "/library/keywords", "/leaderboards", "/compare", "/studies",
         "/nothing", "/runs/none", "/jobs/none", "/take/none", "/static/none"]  # fmt: skip
SAMPLE = {"run_id": "none", "idea_id": "none", "study_id": "none", "link": "none", "number": "1", "name": "none",
          "paper_id": "none", "form": "md", "file": "none"}  # fmt: skip


def routes(method):
    """The addresses of all routes of a method, with sample parameters."""
    found = [each for router in ROUTERS for each in router.routes if isinstance(each, APIRoute)]
    return sorted({re.sub(r"{(\w+)(:path)?}", lambda part: SAMPLE[part[1]], each.path)
                   for each in found if method in each.methods})  # fmt: skip


@pytest.mark.parametrize("address", routes("POST"))
def test_no_change_is_made_without_the_token_of_a_form(bench, address):
    browser = bench()
    browser.get("/")
    assert browser.client.post(address, data={"form_token": "guess"}).status_code == 403


@pytest.mark.parametrize("address", routes("POST"))
def test_no_change_is_made_for_a_page_of_another_site(bench, address):
    assert bench().post(address, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


@pytest.mark.parametrize("address", [*routes("GET"), *routes("POST")])
def test_no_route_answers_under_a_foreign_name(bench, address):
    client = bench().client
    for method in ("GET", "POST"):
        assert client.request(method, address, headers={"Host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(
    "address", [each for each in [*routes("GET"), *routes("POST")] if not each.startswith("/take/")]
)
def test_every_route_but_personal_links_needs_the_access_token(bench, address):
    client = bench(token="a-token-of-24-characters").client
    for method in ("GET", "POST"):
        assert client.request(method, address).status_code == 401


@pytest.mark.parametrize("address", routes("POST"))
def test_every_change_leaves_a_line_also_one_that_was_refused(bench, home, address):
    bench().post(address, headers={"Origin": "https://evil.example"})
    line = json.loads((home / "workbench" / "audit.jsonl").read_text().splitlines()[-1])
    assert (line["method"], line["path"], line["status"]) == ("POST", address, 403)


@pytest.mark.parametrize("address", PAGES)
def test_every_answer_carries_the_strict_policy_and_no_script_of_its_own(bench, address):
    answer = bench().get(address)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"]
    scripts = re.findall(r"<script([^>]*)>", answer.text)
    assert all('src="/static/' in each or 'type="application/json"' in each for each in scripts)
    assert not re.search(r"<[^>]+\son\w+=", answer.text)
    assert "http://" not in re.sub(r"http://(127\.0\.0\.1|localhost|www\.w3\.org)[^\"' ]*", "", answer.text)


def test_a_report_in_a_frame_may_reach_nothing(bench, two):
    policy = bench().get(f"/runs/{two[0]}/report/report.html").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "allow-same-origin" not in policy


STARTS = ["/runs", "/compare", "/library/upload", "/library/fetch", "/library/opportunities",
          "/runs/none/ideas/none/steer", "/runs/none/ideas/none/review", "/runs/none/resume"]  # fmt: skip


@pytest.mark.parametrize("address", STARTS)
def test_whatever_starts_work_is_limited_in_number(bench, address):
    browser = bench(starts_a_minute=1)
    browser.post("/runs", {"topic": ""})
    fields = {"topic": "x", "one": "a/b", "other": "c/d", "wish": "similar"}
    files = {"files": ("a.bib", b"")} if address.endswith("upload") else None
    assert browser.post(address, fields, files=files).status_code == 429


def test_an_upload_that_is_too_large_is_refused_also_where_its_length_is_not_announced(bench):
    browser = bench(upload_bytes=10_000)
    browser.get("/")
    assert browser.post("/library/upload", files={"files": ("a.bib", b"x" * 20_000)}).status_code == 413

    def endless():
        for _ in range(100):
            yield b"x" * 1_000

    headers = {"X-Form-Token": browser.token, "Content-Type": "application/x-www-form-urlencoded"}
    assert browser.client.post("/library/upload", content=endless(), headers=headers).status_code == 413


def test_an_upload_that_takes_too_long_is_given_up(monkeypatch, tmp_path):
    monkeypatch.setattr(guard, "_LONGEST_CHANGE", 0.01)
    sent = []

    async def slow(scope, receive, send):
        await receive()

    async def never():
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    app = create_app(WebOptions(), load_settings({"home": str(tmp_path)}))
    bench = app.state.workbench
    scope = {"type": "http", "method": "POST", "path": "/library/upload", "query_string": b"", "client": ("me", 1),
             "headers": [(b"host", b"localhost"), (b"cookie", b"novum_session=s")]}  # fmt: skip
    asyncio.run(guard.Guard(slow, WebOptions(), bench.keys, bench.audit)(scope, never, send))
    assert sent[0]["status"] == 408


def test_keys_never_leave_the_server(bench, two, monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENALEX_API_KEY", "S2_API_KEY"):
        monkeypatch.setenv(name, KEY)
    browser = bench(writer="openai:gpt-5.5")
    for address in (*PAGES, f"/runs/{two[0]}", f"/runs/{two[0]}/export/zip", "/openapi.json", "/estimate?method=rag"):
        answer = browser.get(address)
        assert KEY.encode() not in answer.content, address
        assert KEY not in str(answer.headers)


def test_the_server_listens_on_this_machine_unless_told_otherwise():
    assert WebOptions().host == "127.0.0.1"
    assert inspect.signature(serve).parameters["options"].annotation == "WebOptions"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::"])
def test_any_other_address_gets_a_token_that_is_drawn_anew(host, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr("novum.web.server._bound", lambda options: opened.append(options) or socket.socket())
    monkeypatch.setattr("novum.web.server._Announced.run", lambda *_, **__: None)
    for _ in range(2):
        serve(WebOptions(host=host), load_settings({"home": str(tmp_path)}), print)
    first, second = (each.token for each in opened)
    assert len(first) >= 32
    assert first != second


def test_tokens_are_compared_in_constant_time(bench, monkeypatch):
    compared = []
    real = guard.hmac.compare_digest
    monkeypatch.setattr(guard.hmac, "compare_digest", lambda a, b: compared.append(b) or real(a, b))
    bench(token="a-token-of-24-characters").get("/?token=guess")
    assert b"a-token-of-24-characters" in compared


NAMED = ["/runs/{}", "/runs/{}/export/zip", "/runs/{}/report/report.html", "/runs/{}/outcome", "/library/papers/{}",
         "/library/jobs/{}", "/library/jobs/{}/report/private", "/library/jobs/{}/pdf", "/static/{}", "/take/{}",
         "/studies/{}/files/answers.csv", "/leaderboards/{}", "/jobs/{}"]  # fmt: skip


@pytest.mark.parametrize(
    "name", ["..", "../private", "..%2f..%2fprivate", "%2e%2e%2fprivate", "/etc/passwd", "a\x00b", "."]
)
def test_no_name_in_an_address_becomes_a_path(bench, two, home, name):
    browser = bench()
    (home / "workbench" / "private").write_text("the secret of the workbench")
    for address in (*NAMED, f"/runs/{two[0]}/report/{{}}"):
        answer = browser.get(address.format(name.replace("\x00", "%00")))
        assert answer.status_code in (200, 303, 400, 404, 422)
        assert "the secret of the workbench" not in answer.text
        assert "root:" not in answer.text
