"""Work on the library that a page starts: papers from services, opportunities, uploads of every kind. Real processes,
and services of an invented literature over real HTTP."""

from __future__ import annotations

import json
import shutil

import pytest

from novum.literature import Library
from novum.web.live.job_files import JobRequest
from tests.literature.pdf.writing import Text, pdf
from tests.runs.conftest import filled_library
from tests.scripted_internet.conftest import _running, internet
from tests.web.test_library import browser, shelf
from tests.web.test_runs import until

__all__ = ["_running", "browser", "filled_library", "internet", "shelf"]
pytestmark = pytest.mark.slow
TOPIC = "trade guilds in Flanders"


@pytest.fixture
def connected(home, internet):
    """The home folder, whose settings name the services of this machine."""
    home.mkdir(parents=True, exist_ok=True)
    addresses = "".join(f'{name} = "{address}"\n' for name, address in internet.addresses.items())
    (home / "novum.toml").write_text(f"[source_addresses]\n{addresses}")
    return home


def job_page(browser, answer):
    """The page of a job that was just started, once it has ended."""
    assert answer.status_code == 303, answer.text
    address = answer.headers["location"]
    return until(lambda: "data-reload" not in (text := browser.get(address).text) and text)


def test_papers_of_services_come_into_the_library_and_are_counted(connected, browser, internet):
    page = job_page(browser, browser.post("/library/fetch", {"topic": TOPIC, "count": "60"}, follow_redirects=False))
    assert "Added" in page
    assert TOPIC in page
    assert {one.service for one in internet.log} >= {"openalex", "arxiv"}
    with Library.open(connected / "library") as library:
        assert library.size().papers >= 60
    assert "results-note" in browser.get("/library/results", params={"q": TOPIC}).text
    assert "Fetched" in browser.get("/library").text


def test_a_service_that_is_down_is_named_and_the_others_go_on(connected, browser, internet):
    internet.put_out_of_order("arxiv", "403")
    page = job_page(browser, browser.post("/library/fetch", {"topic": TOPIC}, follow_redirects=False))
    assert "Added" in page
    assert "arXiv" in page or "arxiv" in page


def test_when_all_services_are_down_the_page_says_why(connected, browser, internet):
    for name in internet.addresses:
        internet.put_out_of_order(name, "403")
    page = job_page(browser, browser.post("/library/fetch", {"topic": TOPIC}, follow_redirects=False))
    assert 'role="alert"' in page
    assert "openalex" in page.lower()


def test_opportunities_are_found_and_stand_with_their_map(home, bench, filled_library):
    shutil.copytree(filled_library, home / "library")
    browser = bench()
    answer = browser.post("/library/opportunities", {"topic": "graph neural networks"}, follow_redirects=False)
    page = job_page(browser, answer)
    assert "report/report.html" in page
    at = answer.headers["location"]
    assert "<svg" in browser.get(f"{at}/report/report.html").text
    assert json.loads(browser.get(f"{at}/report/openings.json").text)
    assert browser.get(f"{at}/report/report.md").status_code == 200
    assert "@" in browser.get(f"{at}/report/papers.bib").text


def test_too_few_papers_for_opportunities_are_said_to_be_too_few(browser):
    answer = browser.post("/library/opportunities", {"topic": "widgets"}, follow_redirects=False)
    page = job_page(browser, answer)
    assert "0 opportunities" in page
    assert "too few" in page.lower()


UPLOADS = {
    "mine.bib": b"@article{a, title={Levers that learn}, year={2020}, author={Ada Smith}}\n@article{b, year={2021}}\n",
    "mine.jsonl": b'{"title": "Pulleys that plan", "year": 2021, "abstract": "About pulleys."}\nnot json\n',
    "mine.json": json.dumps([
        {"id": "x", "type": "article-journal", "title": "Wedges that wait", "issued": {"date-parts": [[2019]]},
         "author": [{"family": "Byron", "given": "Ada"}]}
    ]).encode(),
    "mine.ris": b"TY  - JOUR\nTI  - Screws that scale\nPY  - 2018\nAU  - Smith, Ada\nER  - \n",
    "mine.pdf": pdf([[Text(72, 750, "Wheels that wonder", 20), Text(72, 720, "Ada Smith", 12),
                      Text(72, 680, "Abstract", 12), Text(72, 660, "We study wheels that wonder about roads.", 11)]]),
    "broken.pdf": b"%PDF-1.7 and nothing more",
}  # fmt: skip


def test_every_kind_of_file_is_read_and_what_cannot_be_is_listed(browser, home):
    files = [("files", (name, content)) for name, content in UPLOADS.items()]
    page = job_page(browser, browser.post("/library/upload", files=files, follow_redirects=False))
    assert "Rejected records" in page
    assert "mine.bib</h2>" in page
    assert "broken.pdf: " in page
    for title in ("Levers that learn", "Pulleys that plan", "Wedges that wait", "Screws that scale"):
        assert title in browser.get("/library/results", params={"q": title}).text


def test_uploaded_files_are_gone_once_they_were_read(browser, home):
    jobs = browser.client.app.state.workbench.jobs
    files = [("files", (name, UPLOADS[name])) for name in ("mine.bib", "broken.pdf")]
    answer = browser.post("/library/upload", files=files, follow_redirects=False)
    job_page(browser, answer)
    until(lambda: not jobs.is_alive(answer.headers["location"].rpartition("/")[2]))
    assert list((home / "workbench" / "uploads").iterdir()) == []


def test_an_import_whose_process_is_lost_is_started_again(browser, home):
    jobs = browser.client.app.state.workbench.jobs
    file = home / "workbench" / "uploads" / "sent" / "tables" / "01-mine.bib"
    file.parent.mkdir(parents=True)
    file.write_bytes(UPLOADS["mine.bib"])
    place = jobs.folder / "20260101-000000-abc"
    place.mkdir()
    (place / "log.jsonl").write_text('{"spawned": 1}\n{"started": 1}\n')  # as if it had ended without a word
    wanted = JobRequest(work="import", files=(str(file),), settings={"home": str(home)})
    (place / "request.json").write_text(wanted.model_dump_json())
    until(lambda: "Added" in browser.get(f"/library/jobs/{place.name}").text)
    assert "Levers that learn" in browser.get("/library/results", params={"q": "Levers that learn"}).text
