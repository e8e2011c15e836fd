"""A real browser on a real server: a Chromium of this machine, and the workbench as a process of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pytest

from novum.errors import BadInput
from novum.reports.pdf import find_browser
from novum.testing import ScriptedServer
from tests.runs.conftest import filled_library  # noqa: F401  a fixture

REQUIRED = "NOVUM_REQUIRE_BROWSER"
"""Set where a missing browser is a failure, not a reason to skip."""
SCREENSHOTS = Path(os.environ.get("NOVUM_SCREENSHOTS") or Path(__file__).parents[2] / ".pytest_cache" / "screenshots")
_OPTIONS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync"]  # fmt: skip
HUNG = 300.0
"""Seconds after which the browser of a test is ended. On a busy machine Chromium now and then stops answering, and
neither opening nor closing a page has a time limit of its own."""
AXE = Path(__file__).with_name("axe.min.js").read_text("utf-8")
_WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def pytest_collection_modifyitems(items):
    """A test whose browser was ended is tried once more, with a new browser."""
    here = Path(__file__).parent
    for each in items:
        if here in each.path.parents:
            each.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TargetClosedError", "Connection closed"]))


class Browser:
    """Chromium, launched when it is needed and not running."""

    def __init__(self, playwright, path: str) -> None:
        self._launch, self._path = playwright.chromium.launch, path
        self._token = f"--novum-test={uuid.uuid4().hex}"
        self._running = None

    def new_context(self, **options):
        if self._running is None or not self._running.is_connected():
            root = ["--no-sandbox"] if os.geteuid() == 0 else []
            self._running = self._launch(executable_path=self._path, args=[*_OPTIONS, *root, self._token])
        return self._running.new_context(**options)

    def end(self) -> None:
        """Ends its processes, from any thread; what waits for one of its pages fails."""
        subprocess.run(["pkill", "-KILL", "-f", "--", self._token], check=False)

    def close(self) -> None:
        if self._running is not None and self._running.is_connected():
            self._running.close()


@pytest.fixture(scope="module")
def chromium():
    """The browser; the tests are skipped, with how to get one, where there is none.

    It ends with its module: as long as Playwright runs, its event loop does, and no other test of the process can have
    one."""
    try:
        from playwright.sync_api import sync_playwright

        path = find_browser()
    except (ImportError, BadInput) as missing:
        if os.environ.get(REQUIRED):
            raise
        # Nobody needs a browser to work on the rest; where all tests must run, the variable above forbids this.
        pytest.skip(f"{missing} (or: pip install playwright)")
    with sync_playwright() as playwright:
        browser = Browser(playwright, path)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def model():
    """The scripted model of a module's tests."""
    with ScriptedServer(latency=0.05) as server:
        yield server


class Server:
    """`novum serve` in a home of its own. It can be killed and started again on the same port."""

    def __init__(self, home: Path, model: str, *options: str) -> None:
        self.home, self._model, self._options = home, model, options
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
        environment |= {"NOVUM_HOME": str(self.home), "NOVUM_WRITER": self._model, "NOVUM_SOURCES": "none"}
        port = self.address.rsplit(":", 1)[-1] if self.address else "0"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "novum", "serve", "--port", port, *self._options], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.home,
        )  # fmt: skip
        for line in self._process.stdout:
            if found := re.search(r"http://[\d.]+:\d+", line):
                self.address = found[0]
                return
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """As if the machine had lost power."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            self._process = None


@pytest.fixture(scope="module")
def server(tmp_path_factory, filled_library, model):  # noqa: F811
    """The workbench of a module's tests, with the starter library."""
    home = tmp_path_factory.mktemp("workbench")
    shutil.copytree(filled_library, home / "library")
    running = Server(home, model.model)
    running.start()
    yield running
    running.kill()


class Watched:
    """A page whose every message, request and violation is noted."""

    def __init__(self, page, address: str) -> None:
        self.page, self._address = page, address
        self.messages: list[str] = []
        self.foreign: list[str] = []
        page.on("console", lambda said: self.messages.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("request", self._request)

    def _request(self, request) -> None:
        if not request.url.startswith((self._address, "data:", "blob:", "about:")):
            self.foreign.append(request.url)

    def violations(self) -> list[str]:
        """What axe finds against WCAG 2.2 AA."""
        self.page.evaluate(AXE)
        found = self.page.evaluate("tags => axe.run(document, {runOnly: tags})", _WCAG)
        return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found["violations"]]

    def keep(self, name: str) -> None:
        """Keeps a picture of the page."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


@pytest.fixture
def visit(chromium, server):
    """Opens pages in browsers of their own: `visit("/library", width=420, dark=True)`."""
    opened = []
    watchdog = threading.Timer(HUNG, chromium.end)
    watchdog.daemon = True
    watchdog.start()

    def open_page(path="/", *, width=1300, dark=False, address=""):
        context = chromium.new_context(viewport={"width": width, "height": 900}, bypass_csp=False,
                                       color_scheme="dark" if dark else "light")  # fmt: skip
        context.set_default_timeout(60_000)
        watched = Watched(context.new_page(), server.address)
        watched.page.goto(address or server.address + path)
        opened.append((context, watched))
        return watched

    try:
        yield open_page
        for context, watched in opened:
            assert watched.foreign == []
            assert watched.messages == []
            context.close()
    finally:
        watchdog.cancel()
