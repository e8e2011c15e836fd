"""The page on an arena in a real browser, on the screen and on paper, with poison in every text."""

from __future__ import annotations

import pytest

from novum.benchmarks.arena.report.numbers import arena_report
from novum.benchmarks.arena.report.page import write_arena_report

from .arena_sample import evil_run
from .test_browser import CHROMIUM, FLAGS, OPEN_ALL


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
@pytest.mark.parametrize("width", [380, 1300])
def test_in_a_browser_nothing_is_cut_off_or_fetched_and_pairs_stand_side_by_side(tmp_path, width):
    playwright = pytest.importorskip("playwright.sync_api")
    files = write_arena_report(arena_report(evil_run(3), draws=20, equal_length=True), tmp_path)
    asked: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.on("request", lambda request: asked.append(request.url))
        page.goto(files.html.as_uri())
        page.evaluate(OPEN_ALL)
        page.wait_for_selector(".pair .sides .title")
        sides = page.evaluate(
            "[...document.querySelector('.pair').querySelectorAll('.sides > div')].map(side => side.innerText)"
        )
        plans = page.evaluate("document.querySelectorAll(\".pair[data-kind='idea'] .sides .plan\").length")
        seen = page.evaluate("document.documentElement.scrollWidth")
        page.click("#ideas th:nth-child(3) button")
        column = page.eval_on_selector_all(
            "#ideas table:first-of-type tbody tr", "rows => rows.map(row => Number(row.cells[2].dataset.v))"
        )[:5]
        title = page.title()
        browser.close()
    assert seen <= width
    assert [("Crowding changes folding" in side) for side in sides] == [True, True]
    assert plans == 0
    assert column == sorted(column, reverse=True)
    assert title != "owned"
    assert {address.partition(":")[0] for address in asked} <= {"file", "data"}


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_on_paper_no_table_is_cut_and_of_the_topics_only_what_was_unfolded_is_printed(tmp_path):
    playwright = pytest.importorskip("playwright.sync_api")
    files = write_arena_report(arena_report(evil_run(3), draws=20, equal_length=True), tmp_path)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 690, "height": 1000})  # A4 within its margins, at 96 dpi
        page.emulate_media(media="print")
        page.goto(files.html.as_uri())
        page.evaluate("document.querySelector('#topic-2').open = true")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        folded = page.evaluate("document.querySelectorAll('main > section:not(#topics) details:not([open])').length")
        topics = page.evaluate("[...document.querySelectorAll('#topics details[open]')].map(part => part.id)")
        hidden = page.evaluate("document.querySelector('#topic-1').getBoundingClientRect().height")
        wide = page.evaluate("document.documentElement.scrollWidth")
        cut = page.eval_on_selector_all(
            ".scroll, .canvas", "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth + 1).length"
        )
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        after = page.evaluate("[...document.querySelectorAll('#topics details[open]')].map(part => part.id)")
        browser.close()
    assert folded == 0
    assert topics == after == ["topic-2"]
    assert hidden < 400
    assert wide <= 690
    assert cut == 0
