"""A report page as PDF, printed by a Chromium of this machine: it alone renders the page as browsers show it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from novum.errors import BadInput
from novum.files.atomic import write_all_atomic

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "chrome")
_MAC = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium")  # fmt: skip
CHOICE = "NOVUM_BROWSER"
"""The variable that may name the browser."""
_SECONDS = 120
_OPTIONS = (
    "--headless=new", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--no-pdf-header-footer",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip
"""The page holds all that it needs: no name is resolved, whatever it contains."""


def find_browser() -> str:
    """The path of a Chromium. Raises BadInput, with how to get one, where there is none."""
    if named := os.environ.get(CHOICE, ""):
        if found := shutil.which(named):
            return found
        raise BadInput(f"{CHOICE} names {named!r}, which cannot be run. Name a Chromium or Chrome, or leave it out.")
    for each in (*BROWSERS, *_MAC):
        if found := shutil.which(each):
            return found
    raise BadInput(
        "A PDF is printed by Chromium or Chrome, and none was found. Install one (Debian and Ubuntu: sudo apt-get "
        f"install chromium), or name it in {CHOICE}. The HTML file can be printed by any browser."
    )


def print_pages(files: Iterable[Path]) -> list[Path]:
    """Writes a PDF beside each HTML file among `files`, and returns their paths. Raises BadInput as `pdf_of` does."""
    pages = [file for file in files if file.suffix == ".html"]
    printed = {file.with_suffix(".pdf"): pdf_of(file.read_text("utf-8")) for file in pages}
    write_all_atomic(printed)
    return list(printed)


def pdf_of(html: str) -> bytes:
    """The page as PDF. Raises BadInput where no browser is found, or where it fails."""
    browser = find_browser()
    with tempfile.TemporaryDirectory(prefix="novum-pdf-", ignore_cleanup_errors=True) as folder:
        page, out = Path(folder) / "page.html", Path(folder) / "page.pdf"
        page.write_text(html, "utf-8", errors="replace")
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        command = [
            browser,
            *_OPTIONS,
            *root,
            f"--user-data-dir={folder}/profile",
            f"--print-to-pdf={out}",
            page.as_uri(),
        ]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BadInput(f"{browser} could not print the report: {error}. Print the HTML file instead.") from error
        if not out.is_file():
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise BadInput(f"{browser} printed no PDF ({said[-1][:200] if said else 'it said nothing'}).")
        return out.read_bytes()
