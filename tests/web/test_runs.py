"""Runs in the workbench, carried out by real processes against a scripted model."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from novum.core import IdeationReport
from novum.ledger import Ledger
from novum.reports.ideation.page import render_html
from novum.web.live.job_files import PROCESS, JobRequest
from novum.web.live.jobs import Jobs
from tests.web.test_steering import two

__all__ = ["two"]
pytestmark = pytest.mark.slow
TOPIC = "graph learning for drug discovery"


def until(condition, seconds=240):
    """Waits for what another process does."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)
    return found


def begun(browser, answer):
    """The address of the run that was started, also where it needs longer to begin than the browser is kept waiting."""
    assert answer.status_code == 303, answer.text
    address = answer.headers["location"]
    if address.startswith("/runs/"):
        return address
    return until(lambda: browser.get(address, follow_redirects=False).headers.get("location"))


@pytest.fixture
def started(bench, serve):
    """Starts a run on the start page; returns the browser and the address of its page."""

    def start(latency=0.0, **fields):
        server = serve(latency=latency)
        browser = bench(writer=server.model)
        chosen = {"topic": TOPIC, "method": "rag", "model": server.model, "sources": "none", **fields}
        answer = browser.post("/runs", chosen, follow_redirects=False)
        return server, browser, begun(browser, answer)

    return start


def record_of(home, address):
    with Ledger.open(home / "ledger.sqlite") as ledger:
        return ledger.run(address.rpartition("/")[2])


def test_a_run_goes_from_the_form_to_its_ideas_and_files(started, home):
    _, browser, address = started()
    until(lambda: record_of(home, address).status == "finished")
    page = browser.get(address).text
    report = IdeationReport.model_validate_json(record_of(home, address).result)
    assert report.ideation.best.idea.title in page
    assert "The whole report" in page
    assert browser.get(f"{address}/export/html").text == render_html(report)
    assert browser.get(f"{address}/export/md").text.startswith("# ")
    assert browser.get(f"{address}/export/json").json()["account"]["run_id"] in address
    assert "@" in browser.get(f"{address}/export/bib").text
    assert browser.get(f"{address}/export/zip").content[:2] == b"PK"
    assert report.ideation.best.idea.title in browser.get("/").text


def test_a_stopped_run_is_resumed_and_asks_nothing_twice(started, home):
    server, browser, address = started(latency=0.3)
    until(lambda: server.answered >= 2)
    browser.get(address)
    assert browser.post(f"{address}/stop", follow_redirects=False).status_code == 303
    until(lambda: record_of(home, address).status == "stopped")
    assert "Resume" in browser.get(address).text
    assert browser.post(f"{address}/resume", follow_redirects=False).headers["location"] == address
    until(lambda: record_of(home, address).status == "finished")
    assert len({each.text for each in server.asked}) >= server.answered - 2


def test_a_run_whose_budget_ended_goes_on_with_a_larger_one(started, home):
    server, browser, address = started(budget_calls="2")
    until(lambda: record_of(home, address).status == "stopped")
    shown = browser.get(address).text
    assert 'name="budget_calls" value="2"' in shown
    assert 'name="budget_usd"' not in shown
    assert browser.post(f"{address}/resume", {"budget_calls": "many"}).status_code == 400
    assert server.answered == 2
    browser.post(f"{address}/resume", {"budget_calls": "500"}, follow_redirects=False)
    until(lambda: record_of(home, address).status == "finished")


def test_a_run_that_is_resumed_while_it_stops_goes_on(started, home):
    server, browser, address = started(latency=0.5)
    until(lambda: server.answered >= 1)
    browser.get(address)
    browser.post(f"{address}/stop", follow_redirects=False)
    assert browser.post(f"{address}/resume", follow_redirects=False).headers["location"] == address
    until(lambda: record_of(home, address).status == "finished")


def test_a_run_whose_process_is_killed_goes_on_by_itself(started, home):
    server, _, address = started(latency=0.2)
    until(lambda: server.answered >= 2)
    [job] = (home / "workbench" / "jobs").iterdir()
    os.kill(int((job / PROCESS).read_text()), signal.SIGKILL)
    until(lambda: record_of(home, address).status == "finished")
    assert until(lambda: Jobs(home / "workbench" / "jobs").state(job.name).ended)
    with Ledger.open(home / "ledger.sqlite") as ledger:
        keys = [call.key for call in ledger.calls(record_of(home, address).id)]
        assert len(ledger.runs()) == 1
    assert len(keys) == len(set(keys))


def test_a_page_that_is_opened_before_a_lost_run_goes_on_says_so_and_looks_again(bench, home):
    home.mkdir(parents=True)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with Ledger.open(home / "ledger.sqlite") as ledger:
        record = ledger.start_run("ideate", TOPIC, {"method": "rag", "topic": TOPIC, "options": {}, "settings": {}})
    with sqlite3.connect(home / "ledger.sqlite") as connection:
        connection.execute("UPDATE runs SET pid = ?", (gone.pid,))
    place = home / "workbench" / "jobs" / "20260101-000000-abc"
    place.mkdir(parents=True)
    (place / "request.json").write_text(JobRequest(work="start", kind="ideate").model_dump_json())
    log = place / "log.jsonl"
    log.write_text(f'{{"started": 1}}\n{{"run": "{record.id}"}}\n')
    browser = bench()
    jobs = browser.client.app.state.workbench.jobs
    jobs._over.add(place.name)  # as long as nobody starts it
    page = browser.get(f"/runs/{record.id}").text
    assert "started again now" in page
    assert "data-reload" in page
    assert ">Resume<" not in page
    log.write_text(log.read_text() + '{"problem": "gave up"}\n')
    page = browser.get(f"/runs/{record.id}").text
    assert "data-reload" not in page
    assert ">Resume<" in page


def test_a_run_that_cannot_begin_says_why(bench, home):
    jobs = Jobs(home / "workbench" / "jobs")
    name = jobs.launch(JobRequest(work="resume", run_id="nothing", settings={"home": str(home)}))
    until(lambda: jobs.state(name).ended)
    assert "There is no run" in bench().get(f"/jobs/{name}").text
    until(lambda: not jobs.is_alive(name))
    jobs.let_go()


def test_a_run_of_another_kind_shows_its_report_in_a_frame(started, home):
    _, browser, address = started(goal="answer", topic="What limits graph learning for molecules?")
    until(lambda: record_of(home, address).status == "finished")
    page = browser.get(address).text
    assert "Evidence" in page
    answer = browser.get(f"{address}/report/report.html")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert browser.get(f"{address}/report/../../ledger.sqlite").status_code == 404
    assert browser.get(f"{address}/report/..%2f..%2fsecret").status_code == 404


def test_an_idea_is_reviewed_on_demand_and_its_card_leads_to_the_reviews(started, home):
    _, browser, address = started()
    until(lambda: record_of(home, address).status == "finished")
    idea = IdeationReport.model_validate_json(record_of(home, address).result).ideation.best.idea
    reviews = begun(browser, browser.post(f"{address}/ideas/{idea.id}/review", follow_redirects=False))
    until(lambda: record_of(home, reviews).status == "finished")
    assert record_of(home, reviews).kind == "review"
    assert reviews in browser.get(f"{address}/ideas/{idea.id}/steering").text
    part = browser.get(f"{reviews}/outcome").text
    assert "report.html" in part
    assert idea.title in browser.get(f"{reviews}/report/report.html").text


def test_two_ideas_are_judged_on_demand_and_the_run_shows_what_it_came_to(bench, two, home, serve):
    run, first, second = two
    browser = bench(writer=serve().model)
    pair = {"one": f"{run}/{first.id}", "other": f"{run}/{second.id}"}
    assert browser.post("/compare", pair, follow_redirects=False).status_code == 303
    page = until(lambda: "Judge again" in (text := browser.get("/compare", params=pair).text) and text)
    assert page.count('<th scope="row">') >= 10, "five criteria in both orders"
    with Ledger.open(home / "ledger.sqlite") as ledger:
        judged = next(each for each in ledger.runs() if each.kind == "judge")
    part = browser.get(f"/runs/{judged.id}/outcome").text
    assert "<pre" in part
    assert "win" in part
