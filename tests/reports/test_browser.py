"""The page in a real browser: nothing is cut off, nothing is fetched, nothing runs."""

from __future__ import annotations

import shutil

import pytest

from novum.reports.files import write_report

from .reading import poisoned
from .sample import REPORT

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
OPEN_ALL = "document.querySelectorAll('details').forEach(depth => depth.open = true)"
LONG = " " + "Unbreakable" * 200 + '<script>document.title="owned"</script><img src="https://evil.example/x.png">'


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
@pytest.mark.parametrize("width", [360, 800, 1400])
@pytest.mark.parametrize("report", [REPORT, poisoned(LONG)], ids=["sample", "hostile"])
def test_with_all_depths_open_nothing_is_wider_than_the_window_and_nothing_is_fetched(tmp_path, report, width):
    playwright = pytest.importorskip("playwright.sync_api")
    address = write_report(report, tmp_path).html.as_uri()
    asked: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        page.evaluate(OPEN_ALL)
        seen = page.evaluate("document.documentElement.scrollWidth")
        title = page.title()
        browser.close()
    assert seen <= width
    assert asked == [address]
    assert title != "owned"
