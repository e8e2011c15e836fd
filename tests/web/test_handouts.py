"""What is seen can be taken away: papers found, a paper, keywords, a comparison and a study, in every form."""

from __future__ import annotations

import json
import re

import pytest

from tests.web.test_library import browser, paper_address, shelf
from tests.web.test_steering import HOSTILE, idea, stored, two
from tests.web.test_studies import answer_all, invite, set_up

__all__ = ["browser", "shelf", "two"]


def taken(browser, address, form, **query):
    answer = browser.get(address, params={**query, "as": form})
    assert answer.status_code == 200, answer.text
    assert "attachment" in answer.headers["content-disposition"]
    return answer.text


def test_papers_that_a_search_found_are_taken_away_in_every_form(browser):
    query = {"q": "widgets that plan", "since": "2001"}
    assert "Widget learners that plan" in taken(browser, "/library", "md", **query)
    page = taken(browser, "/library", "html", **query)
    assert "<h3>" in page
    assert "Content-Security-Policy" in page
    assert taken(browser, "/library", "bib", **query).startswith("@")
    assert "Widget learners that plan" in {
        each["title"] for each in json.loads(taken(browser, "/library", "json", **query))
    }
    assert "as=bib" in browser.get("/library/results", params=query).text


def test_a_paper_goes_with_its_neighbours(browser):
    address = paper_address(browser, "deep widget learning networks")
    text = taken(browser, address, "md")
    assert "## It cites" in text
    assert "## Cited by" in text
    assert taken(browser, address, "bib").count("@") > 2
    assert json.loads(taken(browser, address, "json"))["cited_by"]


def test_keywords_have_no_papers_to_cite_and_say_so(browser):
    assert "## Rising" in taken(browser, "/library/keywords", "md")
    answer = browser.get("/library/keywords", params={"as": "bib"})
    assert answer.status_code == 400
    assert "no papers" in answer.text


def test_a_comparison_is_taken_away_with_both_ideas(bench, two):
    run, first, second = two
    pair = {"one": f"{run}/{first.id}", "other": f"{run}/{second.id}"}
    text = taken(bench(), "/compare", "md", **pair)
    assert "**A.** Roots in short." in text
    assert "**B.** Vines, guided in short." in text
    assert json.loads(taken(bench(), "/compare", "json", **pair))["B"]["title"] == "Vines, guided"


def test_the_results_of_a_study_hold_no_links_of_participants(bench):
    leader = bench()
    address = set_up(leader)
    links = invite(leader, address, 2)
    for link in links:
        answer_all(leader, link, "7")
    for form in ("md", "html", "json"):
        text = taken(leader, address, form)
        assert "originality" in text
        assert not any(link.rpartition("/")[2] in text for link in links)


def test_hostile_text_is_inert_in_every_form(bench, home):
    from novum.core import Candidate

    evil = Candidate(idea=idea("T " + HOSTILE, motivation=HOSTILE, method=HOSTILE, summary=HOSTILE))
    run = stored(home, evil, Candidate(idea=idea("Roots")))
    pair = {"one": f"{run}/{evil.idea.id}", "other": f"{run}/{evil.idea.id}"}
    page = taken(bench(), "/compare", "html", **pair)
    assert "<script" not in page
    assert "<svg" not in page
    assert "<img" not in page
    assert not re.search(r'href="(?!https?://|#)', page)
    markdown = taken(bench(), "/compare", "md", **pair)
    assert "<script" not in markdown
    assert "](javascript" not in markdown.replace("\\](", "")


@pytest.mark.parametrize("form", ["exe", "../secret", ""])
def test_a_form_that_there_is_not_is_refused(browser, form):
    assert browser.get("/library/keywords", params={"as": form}).status_code == 422
