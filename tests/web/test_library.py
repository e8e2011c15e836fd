"""The library pages: search, a paper among its neighbours, uploads with their rejects."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from novum.literature import Library
from novum.web.live.job_files import JobRequest
from novum.web.routes.library import upload_name
from tests.methods.conftest import LINE, entry
from tests.web.test_runs import until


@pytest.fixture(scope="session")
def shelf(tmp_path_factory):
    """An invented literature, indexed once."""
    folder = tmp_path_factory.mktemp("web") / "library"
    with Library.open(folder) as library:
        library.add([entry(*each) for each in LINE])
        asyncio.run(library.index())
    return folder


@pytest.fixture
def browser(shelf, home, bench):
    shutil.copytree(shelf, home / "library")
    return bench()


def paper_address(browser, words):
    page = browser.get("/library/results", params={"q": words}).text
    return page[page.index("/library/papers/") :].partition('"')[0]


def test_search_as_you_type_returns_a_part_of_a_page(browser):
    part = browser.get("/library/results", params={"q": "widgets that plan"}).text
    assert "Widget learners that plan" in part
    assert "<html" not in part


def test_filters_leave_papers_out(browser):
    part = browser.get("/library/results", params={"q": "widget learning", "since": "2015"}).text
    assert "Self-checking widget learners" in part
    assert "Deep widget learning" not in part


def test_a_year_that_is_none_is_refused_in_words(browser):
    assert browser.get("/library/results", params={"q": "x", "since": "0000"}).status_code == 400
    assert browser.get("/library", params={"q": "x", "since": "soon"}).status_code == 422


def test_nothing_found_says_what_to_do(browser):
    assert "fewer filters" in browser.get("/library/results", params={"q": "widgets", "cited": "9999999"}).text


def test_a_paper_stands_between_what_it_cites_and_what_cites_it(browser):
    page = browser.get(paper_address(browser, "deep widget learning networks")).text
    assert page.count("<svg") >= 2
    for title in ("Foundations of widget learning", "Self-checking widget learners", "Widget learners that plan"):
        assert title in page


def test_a_paper_that_is_not_there_is_not_found(browser):
    assert browser.get("/library/papers/paper-0").status_code == 404
    assert browser.get("/library/papers/..%2f..%2fledger.sqlite").status_code == 404


def test_keywords_are_shown_even_where_nothing_rises(browser):
    assert "Rising keywords" in browser.get("/library/keywords").text


@pytest.mark.parametrize(
    ("given", "kept"),
    [("../../etc/passwd.bib", "01-passwd.bib"), ("my papers (1).JSONL", "01-my-papers-1-.jsonl"),
     (".bib.bib", "01-bib.bib")],
)  # fmt: skip
def test_an_upload_gets_a_name_that_leads_nowhere(given, kept):
    assert upload_name(given, 1) == kept


def test_a_file_that_cannot_hold_papers_is_refused_by_name(browser):
    answer = browser.post("/library/upload", files={"files": ("photo.jpg", b"x")})
    assert answer.status_code == 400
    assert "photo.jpg" in answer.text


def test_too_many_files_are_refused(home, bench):
    files = [("files", (f"{number}.bib", b"")) for number in range(3)]
    assert "at most 2" in bench(upload_files=2).post("/library/upload", files=files).text


@pytest.mark.slow
def test_an_upload_adds_papers_and_lists_what_it_rejects(browser):
    bibtex = b"@article{a, title={Levers that learn}, year={2020}, author={Ada Smith}}\n@article{b, year={2021}}\n"
    answer = browser.post("/library/upload", files={"files": ("mine.bib", bibtex)}, follow_redirects=False)
    address = answer.headers["location"]
    page = until(lambda: "Rejected records" in (text := browser.get(address).text) and text)
    assert "Added" in page
    assert "Levers that learn" in browser.get("/library/results", params={"q": "levers that learn"}).text


def test_a_job_page_shows_only_files_of_its_own_report(browser, home):
    jobs = browser.client.app.state.workbench.jobs
    place = jobs.folder / "20260101-000000-abc"
    (place / "report").mkdir(parents=True)
    (place / "request.json").write_text(JobRequest(work="opportunities", query="widgets").model_dump_json())
    (place / "log.jsonl").write_text('{"started": 1}\n{"done": "finished"}\n')
    (place / "report" / "report.html").write_text("<p>map</p>")
    assert "report/report.html" in browser.get("/library/jobs/20260101-000000-abc").text
    assert browser.get("/library/jobs/20260101-000000-abc/report/report.html").text == "<p>map</p>"
    assert browser.get("/library/jobs/20260101-000000-abc/report/..%2frequest.json").status_code == 404
    assert browser.get("/library/jobs/..%2f/report/report.html").status_code == 404
