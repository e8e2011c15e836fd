"""The main journeys, as a newcomer goes them: from a topic to a refined idea in hand, and through a study."""

from __future__ import annotations

import os
import re
import signal
from contextlib import suppress

import pytest

from novum.ledger import Ledger

pytestmark = pytest.mark.slow
TOPIC = "graph learning for drug discovery"


def begin(watched, topic=TOPIC):
    page = watched.page
    page.fill("#topic", topic)
    page.click("button.primary")
    page.wait_for_url("**/runs/2*")
    return page.url.rsplit("/", 1)[-1].split("#")[0]


def test_from_a_topic_to_a_refined_idea_in_hand(visit, server):
    watched = visit("/")
    page = watched.page
    page.click("summary:has-text('Method')")
    page.select_option("#method", "chain-of-ideas")
    page.wait_for_selector("#estimate dl")
    begin(watched)
    page.wait_for_selector(".beads li, .idea-card")
    watched.keep("run-live")
    page.wait_for_selector(".idea-card")
    watched.keep("run-ideas")
    assert watched.violations() == []
    page.locator("textarea[name=comment]").first.fill("more feasible, with public data")
    page.locator("button:has-text('Refine')").first.click()
    page.wait_for_selector("ins")
    page.wait_for_selector(".idea-card")
    watched.keep("run-refined")
    assert watched.violations() == []
    page.click("summary:has-text('Export')")
    with page.expect_download() as download:
        page.click("text=Markdown")
    assert download.value.suggested_filename.endswith("report.md")


def test_two_browsers_see_the_same_run_and_each_others_changes(visit, server):
    first = visit("/")
    run = begin(first)
    second = visit(f"/runs/{run}")
    for watched in (first, second):
        watched.page.wait_for_selector(".idea-card")
    first.page.locator("button:has-text('Pin')").first.click()
    second.page.wait_for_selector(".mark-pinned")
    second.page.locator("button:has-text('Discard')").first.click()
    first.page.wait_for_selector(".mark-discarded")


def test_two_browsers_steer_one_run_at_once_and_nothing_is_lost(visit, server):
    first = visit("/")
    run = begin(first, "graph neural networks for molecules")
    second = visit(f"/runs/{run}")
    for watched, remark in ((first, "cheaper"), (second, "safer")):
        watched.page.wait_for_selector(".idea-card")
        watched.page.locator("textarea[name=comment]").first.fill(remark)
    for watched in (first, second):
        watched.page.locator("button:has-text('Refine')").first.click(no_wait_after=True)
    for watched in (first, second):
        watched.page.wait_for_url(lambda address: run not in address)
        watched.page.wait_for_selector(".idea-card")
    third = visit(f"/runs/{run}")
    with Ledger.open(server.home / "ledger.sqlite") as ledger:
        steered = [each for each in ledger.runs() if each.kind == "steer" and run in str(each.params)]
    assert {each.params["task"]["comment"] for each in steered} == {"cheaper", "safer"}
    assert {each.status for each in steered} == {"finished"}
    for each in steered:
        assert third.page.locator(f".offspring a[href='/runs/{each.id}']").count() == 1


def test_when_the_server_and_the_process_of_a_run_are_killed_the_run_goes_on(visit, server, model):
    watched = visit("/")
    run = begin(watched, "self-correcting agents for molecule design")
    watched.page.close()
    server.kill()
    jobs = server.home / "workbench" / "jobs"
    [job] = [each for each in jobs.iterdir() if run in (each / "log.jsonl").read_text()]
    with suppress(ProcessLookupError):
        os.kill(int((job / "process").read_text()), signal.SIGKILL)
    answered = model.answered
    server.start()
    again = visit(f"/runs/{run}")
    again.page.wait_for_selector(".idea-card")
    with Ledger.open(server.home / "ledger.sqlite") as ledger:
        keys = [call.key for call in ledger.calls(run)]
        assert len([each for each in ledger.runs() if each.id == run]) == 1
    assert len(keys) == len(set(keys))
    assert model.answered >= answered


def test_a_killed_server_loses_nothing(visit, server, model):
    watched = visit("/")
    run = begin(watched, "self-correcting agents for chemistry")
    server.kill()
    server.start()
    watched.messages.clear()
    again = visit(f"/runs/{run}")
    again.page.wait_for_selector(".idea-card")
    with Ledger.open(server.home / "ledger.sqlite") as ledger:
        keys = [call.key for call in ledger.calls(run)]
    assert len(keys) == len(set(keys))
    watched.messages = [each for each in watched.messages if "ERR_" not in each]


def test_a_study_of_three_people_from_set_up_to_agreement(visit, server):
    leader = visit("/studies")
    page = leader.page
    page.fill("#title", "Which ideas do people prefer?")
    page.fill("#ideas", "Bridges of grass\nRoots guided into spans.\n\nBridges of ice\nCooled in summer.")
    page.click("button.primary")
    page.wait_for_url("**/studies/study*")
    page.fill("input[name=number]", "3")
    page.click("button:has-text('Make links')")
    page.wait_for_selector(".link")
    leader.keep("study-invited")
    for number, link in enumerate(re.findall(r"http://[^<\s]*/take/[\w-]+", page.content())):
        take_part(visit(address=link, width=[1300, 420, 420][number]), str(5 + number))
    page.reload()
    leader.keep("study-results")
    assert leader.violations() == []
    assert page.locator("text=passed").count() == 3
    assert "Krippendorff" in page.content()


def test_an_answer_that_could_not_be_saved_is_told_and_sent_again(visit, server):
    page = visit("/studies").page
    page.fill("#title", "For the leader alone")
    page.fill("#ideas", "Bridges of grass\nRoots guided into spans.")
    page.fill("[name=checks]", "0")
    page.click("button.primary")
    page.wait_for_url("**/studies/study*")
    page.click("button:has-text('Make links')")
    page.wait_for_selector(".link")
    person = visit(address=re.search(r"http://[^<\s]*/take/[\w-]+", page.content())[0])
    page = person.page
    with page.expect_navigation():
        page.click("button.primary")
    assert "For the leader alone" not in page.content()
    page.locator("fieldset.scale").nth(0).locator("input[value='7']").check()
    page.wait_for_selector("#saved:text-is('Saved')")
    page.context.set_offline(True)
    page.locator("fieldset.scale").nth(1).locator("input[value='4']").check()
    page.wait_for_selector("#saved:has-text('Not saved yet')")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_selector("#saved:text-is('Saved')")
    page.reload()
    assert page.locator("fieldset.scale").nth(1).locator("input[value='4']").is_checked()
    person.messages = [each for each in person.messages if "ERR_" not in each and "Failed to fetch" not in each]


def take_part(person, value):
    """Agrees, answers everything, with checks as they ask."""
    page = person.page
    assert person.violations() == []
    with page.expect_navigation():
        page.click("button.primary")
    while page.locator("#answers").count():
        asked = re.search(r"choose (\w+) everywhere", page.inner_text("main"))
        for scale in page.locator("fieldset.scale").all():
            scale.locator(f"input[value='{asked[1] if asked else value}']").check()
        person.keep("study-task")
        assert person.violations() == []
        with page.expect_navigation():
            page.click("button.primary")
    assert "Thank you" in page.inner_text("h1")
