"""What the guard lets through: hosts, tokens, origins, sizes; and what every answer carries."""

from __future__ import annotations

import json

import pytest

from novum.errors import BadInput
from novum.web.options import WebOptions
from novum.web.security.keys import Keys
from novum.web.security.rates import RateLimit

TOKEN = "a-token-of-24-characters"


@pytest.mark.parametrize(
    ("host", "served"),
    [
        ("localhost:8765", True), ("127.0.0.1", True), ("[::1]:9", True), ("evil.example:8765", False),
        ("127.0.0.1:8765@evil.example", False), ("127.0.0.1:evil.example", False),
        ("127.0.0.1.evil.example", False), ("", False), ("192.168.0.7", False),
    ],
)  # fmt: skip
def test_a_workbench_of_this_machine_answers_under_its_own_names_only(host, served):
    assert WebOptions().serves(host) is served


def test_a_workbench_answers_under_the_address_that_it_prints():
    assert WebOptions(host="127.0.0.2").serves("127.0.0.2:8765")
    assert WebOptions(host="::1").serves("[::1]:8765")
    assert not WebOptions(host="127.0.0.2").serves("127.0.0.3")


def test_an_open_workbench_answers_under_addresses_and_the_names_it_was_given():
    options = WebOptions(host="0.0.0.0", names=("lab.example.org",))
    assert options.serves("192.168.0.7:8765")
    assert options.serves("LAB.example.org")
    assert not options.serves("evil.example")


def test_a_foreign_host_name_is_refused(bench):
    answer = bench().get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert "--name" in answer.text


def test_every_page_forbids_inline_scripts_frames_and_other_hosts(bench):
    answer = bench().get("/")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe-inline'" not in policy.replace("style-src-attr 'unsafe-inline'", "")
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "<script>" not in answer.text


def test_the_session_cookie_is_hidden_from_scripts_and_other_sites(bench):
    cookie = bench().get("/").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_without_the_access_token_nothing_is_shown(bench):
    browser = bench(token=TOKEN)
    assert browser.get("/").status_code == 401
    assert browser.get("/?token=wrong").status_code == 401
    assert browser.get("/static/icon.svg").status_code == 200


def test_the_access_token_moves_from_the_address_into_a_cookie(bench):
    browser = bench(token=TOKEN)
    answer = browser.get(f"/?token={TOKEN}", follow_redirects=False)
    assert answer.status_code == 303
    assert TOKEN not in answer.headers["location"]
    assert TOKEN not in answer.headers["set-cookie"]
    assert browser.get("/").status_code == 200


def test_a_program_may_send_the_token_as_a_header(bench):
    assert bench(token=TOKEN).get("/", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_form_without_its_token_changes_nothing(bench):
    browser = bench()
    browser.get("/")
    answer = browser.client.post("/runs", data={"topic": "bridges"})
    assert answer.status_code == 403
    assert "Reload" in answer.text


def test_a_token_of_another_session_is_refused(bench):
    browser, other = bench(), bench()
    other.get("/")
    browser.get("/")
    assert browser.client.post("/runs", data={"topic": "x", "form_token": other.token}).status_code == 403


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}]
)
def test_a_change_requested_by_another_site_is_refused(bench, headers):
    answer = bench().post("/runs", {"topic": "bridges"}, headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.text


def test_a_body_that_is_too_long_is_refused(bench):
    assert bench(body_bytes=1_000).post("/runs", {"topic": "x" * 2_000}).status_code == 413


def test_each_change_leaves_a_line_without_the_content_of_the_form(bench, home):
    bench().post("/runs", {"topic": ""})
    line = json.loads((home / "workbench" / "audit.jsonl").read_text().splitlines()[-1])
    assert line["path"] == "/runs"
    assert line["status"] == 400
    assert set(line) == {"at", "method", "path", "status", "client", "session"}


def test_pages_that_were_open_work_after_a_restart(tmp_path):
    token = Keys.stored_in(tmp_path).form_token("session")
    assert Keys.stored_in(tmp_path).is_form_token("session", token)
    assert not Keys.stored_in(tmp_path / "other").is_form_token("session", token)


def test_the_secret_can_be_read_by_its_owner_alone(tmp_path):
    Keys.stored_in(tmp_path)
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0


def test_a_client_that_is_too_fast_waits_and_others_do_not():
    now = [0.0]
    limit = RateLimit(2, 60.0, clock=lambda: now[0])
    assert [limit.wait("one"), limit.wait("one"), limit.wait("one")] == [0.0, 0.0, 60.0]
    assert limit.wait("other") == 0.0
    now[0] = 61.0
    assert limit.wait("one") == 0.0


@pytest.mark.parametrize("where", ["query", "header"])
def test_the_number_of_an_event_that_no_database_holds_is_refused(bench, where):
    far = str(10**20)
    given = {"params": {"after": far}} if where == "query" else {"headers": {"Last-Event-ID": far}}
    answer = bench().get("/runs/20260101-000000-x-0000/events", **given)
    assert answer.status_code == 422


@pytest.mark.parametrize("file", ["marks.sqlite", "audit.jsonl"])
def test_a_file_of_the_workbench_that_cannot_be_used_is_named_in_one_line(bench, home, tmp_path, file):
    place = home / "workbench" / file
    place.parent.mkdir(parents=True)
    place.write_bytes(b"\0" * 8192) if file == "marks.sqlite" else place.symlink_to(tmp_path / "victim")
    with pytest.raises(BadInput, match=rf"{file} cannot be (?:used|written).*move it away") as told:
        bench()
    assert "\n" not in str(told.value)
    assert not (tmp_path / "victim").exists()


def test_a_change_is_answered_also_where_it_cannot_be_noted(bench, home):
    browser = bench()
    browser.get("/")
    (home / "workbench" / "audit.jsonl").unlink()
    (home / "workbench" / "audit.jsonl").mkdir()
    assert browser.post("/estimate", {"topic": "bees"}).status_code == 200


def test_a_token_leads_to_no_other_host(bench):
    browser = bench(token=TOKEN)
    answer = browser.get(f"http://127.0.0.1:8765//evil.example/?token={TOKEN}", follow_redirects=False)
    assert answer.headers["location"] == "/evil.example/"
