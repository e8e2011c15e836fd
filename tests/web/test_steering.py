"""Steering, comparing and exporting in the workbench, on ideas that are in the ledger already."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from novum.core import (
    Account,
    Candidate,
    Idea,
    Ideation,
    IdeationReport,
    Match,
    Spend,
    Verdict,
)
from novum.ledger import Ledger
from novum.reports.ideation.versions import versions, word_changes
from novum.reports.pdf import find_browser, pdf_of
from novum.web.marks import Marks

TOPIC = "bridges that grow"
HOSTILE = (
    '<script>alert(1)</script> <svg onload="alert(2)"> [click](javascript:alert(3)) ![x](http://evil.example/p.png) '
    "\u202etxet desrever\u202c | a | b |\n|---|---|\n" + "| c | d |\n" * 50
)


def idea(title, **parts):
    fields = {"motivation": "m", "novelty": "n", "method": "1. Grow.", "summary": f"{title} in short.", **parts}
    return Idea(topic=TOPIC, title=title, **fields)


def stored(home, *candidates, matches=()):
    """A finished run with these ideas; returns its id."""
    home.mkdir(parents=True, exist_ok=True)
    with Ledger.open(home / "ledger.sqlite") as ledger:
        record = ledger.start_run("ideate", TOPIC, {"method": "rag", "topic": TOPIC, "options": {}, "settings": {}})
        ideation = Ideation(topic=TOPIC, method="rag", candidates=candidates, matches=matches)
        account = Account(run_id=record.id, novum_version="1", started="2026-01-01T00:00:00+00:00", seconds=1.0,
                          models={"writer": "m"}, spend=Spend())  # fmt: skip
        report = IdeationReport(ideation=ideation, account=account)
        ledger.end_run(record.id, "finished", result=report.model_dump_json())
    return record.id


@pytest.fixture
def two(home):
    """Two ideas in one run; the second is a version of an earlier one."""
    first = Candidate(idea=idea("Roots"))
    second = Candidate(
        idea=idea("Vines, guided", novelty="new rope"), earlier_drafts=(idea("Vines", novelty="old rope"),)
    )
    match = Match(first_id=first.idea.id, second_id=second.idea.id, judge="m",
                  verdicts=(Verdict(criterion="novelty", outcome="first", reason="It is newer."),))  # fmt: skip
    run = stored(home, first, second, matches=(match,))
    return run, first.idea, second.idea


def test_an_ideas_page_has_its_ideas_as_cards_with_all_ways_to_steer(bench, two):
    run, _, second = two
    page = bench().get(f"/runs/{run}").text
    assert page.count('class="idea-card hop') == 2
    for wish in ("refine", "similar", "merge"):
        assert f'value="{wish}"' in page
    assert f'value="{run}/{second.id}"' in page
    assert "The whole report" in page


def test_versions_show_the_words_that_changed(bench, two):
    page = bench().get(f"/runs/{two[0]}").text
    assert "<del>old</del>" in page
    assert "<ins>new</ins>" in page


def test_a_mark_is_seen_by_other_browsers_and_the_later_one_counts(bench, two):
    run, first, _ = two
    one, other = bench(), bench()
    at = f"/runs/{run}/ideas/{first.id}"
    one.post(f"{at}/mark", {"mark": "pinned"})
    assert "is-pinned" in other.get(f"/runs/{run}").text
    other.post(f"{at}/mark", {"mark": "discarded"})
    assert "discarded" in one.get(f"{at}/steering").text
    one.post(f"{at}/mark", {"mark": "none"})
    assert "is-" not in other.get(f"/runs/{run}").text.replace("is-closest", "")


def test_a_mark_that_there_is_not_is_refused(bench, two):
    run, first, _ = two
    assert bench().post(f"/runs/{run}/ideas/{first.id}/mark", {"mark": "<b>"}).status_code == 422
    assert bench().post(f"/runs/{run}/ideas/idea-0/mark", {"mark": "pinned"}).status_code == 404


def test_a_paper_that_the_library_lacks_cannot_join_a_chain(bench, two):
    run, first, _ = two
    answer = bench().post(f"/runs/{run}/ideas/{first.id}/steer", {"wish": "chain", "add": "No such paper"})
    assert answer.status_code == 400
    assert "No such paper" in answer.text


def test_two_ideas_stand_side_by_side(bench, two):
    run, first, second = two
    page = bench().get("/compare", params={"one": f"{run}/{first.id}", "other": f"{run}/{second.id}"}).text
    assert "Roots in short." in page
    assert "Vines, guided in short." in page
    assert "Judge" in page


def test_an_idea_is_not_compared_with_itself(bench, two):
    run, first, _ = two
    at = f"{run}/{first.id}"
    assert bench().post("/compare", {"one": at, "other": at}).status_code == 400
    assert bench().get("/compare", params={"one": "nothing/idea"}).status_code == 404


def test_leaderboards_without_runs_say_how_to_get_one(bench):
    page = bench().get("/leaderboards").text
    assert "novum liveidea run" in page
    assert bench().get("/leaderboards", params={"board": "none"}).status_code == 404


@pytest.mark.parametrize("form", ["html", "md", "json", "bib", "zip"])
def test_what_is_seen_can_be_taken_away(bench, two, form):
    answer = bench().get(f"/runs/{two[0]}/export/{form}")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]


def test_hostile_text_of_ideas_stays_text(bench, home):
    run = stored(home, Candidate(idea=idea("T " + HOSTILE, motivation=HOSTILE, novelty=HOSTILE, method=HOSTILE,
                                           summary=HOSTILE)))  # fmt: skip
    page = bench().get(f"/runs/{run}").text
    assert "<script>alert" not in page
    assert "<svg onload" not in page
    assert 'href="javascript' not in page
    assert "<img" not in page
    assert "\u202e" not in page


def test_word_changes_put_both_texts_together_again():
    pieces = word_changes("a cheap test on rope", "a test on new rope")
    assert "".join(each.text for each in pieces if each.kind != "added") == "a cheap test on rope"
    assert "".join(each.text for each in pieces if each.kind != "removed") == "a test on new rope"
    assert [each.text for each in pieces if each.kind == "removed"] == [" cheap"]


def test_an_idea_without_earlier_versions_has_no_lineage():
    assert versions(Candidate(idea=idea("Roots"))) == ()


def test_marks_outlive_the_process(tmp_path):
    Marks(tmp_path / "marks.sqlite").set("run", "idea", "pinned")
    assert Marks(tmp_path / "marks.sqlite").of_run("run") == {"idea": "pinned"}


def test_the_feed_tells_watchers_of_a_change(bench, two):
    run, first, _ = two
    browser = bench()
    workbench = browser.client.app.state.workbench

    async def watch():
        frames = workbench.feeds.of(run).follow()
        await anext(frames)
        await workbench.feeds.announce(run, "steering", first.id)
        names = [(await anext(frames)).name for _ in range(2)]
        await frames.aclose()
        return names

    assert "steering" in asyncio.run(watch())


@pytest.mark.slow
@pytest.mark.skipif(not any(map(shutil.which, ("chromium", "google-chrome"))), reason="apt-get install chromium")
def test_a_report_is_printed_as_pdf(bench, two):
    assert bench().get(f"/runs/{two[0]}/export/pdf").content.startswith(b"%PDF")


def test_without_a_browser_the_reason_says_how_to_get_one(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("novum.reports.pdf._MAC", ())
    with pytest.raises(Exception, match="apt-get install"):
        find_browser()


def test_a_browser_that_is_named_must_be_there(monkeypatch):
    monkeypatch.setenv("NOVUM_BROWSER", "no-such-browser")
    with pytest.raises(Exception, match="NOVUM_BROWSER"):
        pdf_of("<p>text</p>")


def test_the_card_of_an_idea_explains_its_scores(bench, two):
    run, first, _ = two
    browser = bench()
    assert f'hx-get="/runs/{run}/ideas/{first.id}/scores"' in browser.get(f"/runs/{run}").text
    part = browser.get(f"/runs/{run}/ideas/{first.id}/scores", headers={"HX-Request": "true"}).text
    assert "Predicted rating" in part
    assert "How reviewers would rate title and abstract" in part
    assert "novum metrics fit" in part
    assert "<html" not in part


def test_a_few_comparisons_have_no_interval_and_the_card_says_so(bench, two):
    assert "too few pairs for an interval" in bench().get(f"/runs/{two[0]}").text
