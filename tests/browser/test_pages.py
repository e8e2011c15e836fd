"""Every page in a real browser: no violation of WCAG 2.2 AA, no message in the console, no request off the machine."""

from __future__ import annotations

import pytest

from tests.web.test_boards import arena_in, liveidea_in, made_report
from tests.web.test_steering import HOSTILE, idea, stored

pytestmark = pytest.mark.slow
PAGES = ["/", "/runs", "/library", "/library?q=graph+neural+networks", "/library/keywords", "/leaderboards", "/compare",
         "/studies", "/nothing"]  # fmt: skip


def looked_at(watched, name):
    watched.page.wait_for_load_state("networkidle")
    watched.keep(name)
    assert watched.violations() == []
    wide = watched.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, "the page scrolls sideways"


@pytest.mark.parametrize("width", [1300, 420])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_accessible_and_fits(visit, path, width, dark):
    watched = visit(path, width=width, dark=dark)
    looked_at(watched, f"{path.strip('/').replace('/', '-').partition('?')[0] or 'start'}-{width}-{dark}")
    watched.messages = [each for each in watched.messages if path != "/nothing" or "404" not in each]


@pytest.fixture(scope="module")
def hostile_run(server):
    """A run whose ideas hold everything that a hostile model could write."""
    from novum.core import Candidate

    texts = dict.fromkeys(("motivation", "novelty", "method", "summary", "mechanism", "check"), HOSTILE)
    harmless = Candidate(idea=idea("Roots", novelty="grown"), earlier_drafts=(idea("Root", novelty="built"),))
    return stored(server.home, Candidate(idea=idea("T " + HOSTILE, **texts)), harmless)


@pytest.mark.parametrize("width", [1300, 420])
def test_hostile_text_runs_nothing_and_loads_nothing(visit, hostile_run, width):
    watched = visit(f"/runs/{hostile_run}", width=width)
    alerts = []
    watched.page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    for fold in watched.page.locator("details:not(.menu)").all():
        fold.evaluate("each => each.open = true")
    looked_at(watched, f"hostile-{width}")
    for link in watched.page.locator("main a").all():
        assert not link.get_attribute("href").startswith("javascript")
    assert alerts == []
    assert watched.page.locator("main img, main script:not([type='application/json'])").count() == 0


def test_the_keyboard_reaches_everything(visit, hostile_run):
    watched = visit(f"/runs/{hostile_run}")
    watched.page.keyboard.press("?")
    assert watched.page.locator("#help").is_visible()
    watched.page.keyboard.press("Escape")
    watched.page.keyboard.press("j")
    watched.page.keyboard.press("j")
    assert watched.page.evaluate("document.activeElement.closest('.idea-card').querySelector('h3').innerText").endswith(
        "Roots"
    )
    watched.page.keyboard.press("k")
    watched.page.keyboard.press("/")
    assert watched.page.evaluate("document.activeElement.id") == "find"


def test_a_menu_is_opened_and_closed_by_keys(visit, hostile_run):
    page = visit(f"/runs/{hostile_run}").page
    page.locator(".menu > summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".menu[open]").count() == 1
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert page.locator(".menu[open]").count() == 0
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


@pytest.mark.parametrize("width", [1300, 760, 420])
def test_an_open_menu_stays_inside_the_page(visit, hostile_run, server, width):
    page = visit("/library?q=graph+neural+networks", width=width).page
    paper = page.locator(".hits a").first.get_attribute("href")
    for path in ("/library?q=graph+neural+networks", "/library/keywords", paper, f"/runs/{hostile_run}"):
        page.goto(server.address + path)
        page.locator(".menu > summary").first.click()
        box = page.locator(".menu[open] ul").bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, path
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, path


def test_every_place_of_the_bar_is_two_keys_away(visit, server):
    page = visit("/runs").page
    for key, place in (("l", "/library"), ("b", "/leaderboards"), ("c", "/compare"), ("t", "/studies"), ("s", "/")):
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(server.address + place)


def test_search_answers_while_one_types(visit):
    watched = visit("/library")
    watched.page.keyboard.press("/")
    watched.page.keyboard.type("graph neural networks")
    watched.page.wait_for_selector(".hits h3")
    assert "graph" in watched.page.locator(".hits").inner_text().lower()


MOVED = """() => { window.moved = 0; new PerformanceObserver(list => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.moved += each.value;
}).observe({type: "layout-shift", buffered: true}); }"""


@pytest.mark.parametrize("width", [1300, 420])
@pytest.mark.parametrize("path", [each for each in PAGES if each != "/nothing"])
def test_nothing_moves_while_a_page_loads(visit, server, path, width):
    watched = visit("/runs", width=width)
    watched.page.add_init_script(f"({MOVED})()")
    watched.page.goto(server.address + path)
    watched.page.wait_for_load_state("networkidle")
    if path == "/":
        watched.page.wait_for_selector("#estimate dl")
    watched.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert watched.page.evaluate("window.moved") < 0.001


@pytest.fixture(scope="module")
def boards(server):
    """Finished runs of both benchmarks whose reports were made."""
    return {"arena": arena_in(server.home), "liveidea": liveidea_in(server.home)}


@pytest.mark.parametrize("width", [1300, 420])
@pytest.mark.parametrize("board", ["liveidea", "arena"])
def test_a_leaderboard_is_accessible_and_sorts_by_a_click(visit, boards, board, width):
    watched = visit(f"/leaderboards?board={board}&run={boards[board]}", width=width)
    page = watched.page
    page.wait_for_selector(".ranking table.sortable th button")
    looked_at(watched, f"board-{board}-{width}")
    column = page.locator("table.sortable").first.locator("th button").nth(2)
    orders = []
    for _ in range(2):
        column.click()
        orders.append(page.locator("table.sortable").first.locator("tbody th").all_inner_texts())
    assert orders[0] == orders[1][::-1]


def test_a_pair_of_an_arena_shows_both_ideas_and_the_reasons(visit, boards):
    watched = visit(f"/leaderboards?board=arena&run={boards['arena']}")
    page = watched.page
    page.locator("details.topic > summary").first.click()
    page.locator("details.pair > summary").first.click()
    page.wait_for_selector(".pair[open] .sides")
    assert page.locator(".pair[open] .sides > div").count() == 2
    assert page.locator(".pair[open] .why").count() >= 2
    watched.keep("board-pair")
    assert watched.violations() == []


def test_a_board_that_cannot_be_read_says_so_in_its_place(visit, server):
    run = made_report(server.home, "arena", {"run": "of another version"}, ())
    watched = visit(f"/leaderboards?board=arena&run={run}")
    watched.page.wait_for_selector(".ranking [role=alert]")
    watched.messages = [each for each in watched.messages if "400" not in each]


def test_the_scores_of_an_idea_come_when_they_are_unfolded(visit, hostile_run):
    watched = visit(f"/runs/{hostile_run}")
    watched.page.locator("summary:has-text('Scores')").first.click()
    watched.page.wait_for_selector("text=Predicted rating")
    assert watched.violations() == []
