"""Every page in a real browser: no violation of WCAG 2.2 AA, no message in the console, no request off the machine."""

from __future__ import annotations

import pytest

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


def test_search_answers_while_one_types(visit):
    watched = visit("/library")
    watched.page.keyboard.press("/")
    watched.page.keyboard.type("graph neural networks")
    watched.page.wait_for_selector(".hits h3")
    assert "graph" in watched.page.locator(".hits").inner_text().lower()


def test_nothing_moves_while_a_page_loads(visit):
    watched = visit("/")
    watched.page.wait_for_selector("#estimate dl")
    shift = watched.page.evaluate(
        """() => new Promise(resolve => {
            let total = 0;
            new PerformanceObserver(list => { for (const each of list.getEntries()) total += each.value; })
                .observe({type: "layout-shift", buffered: true});
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(total)));
        })"""
    )
    assert shift < 0.02
