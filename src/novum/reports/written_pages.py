"""Which pages were written: for who wants them in another form too, such as PDF. It loads nothing that draws."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_pages: ContextVar[list[Path]] = ContextVar("pages")


@contextmanager
def pages_written() -> Iterator[list[Path]]:
    """The pages of the reports that are written inside the `with`, as they are written."""
    pages: list[Path] = []
    token = _pages.set(pages)
    try:
        yield pages
    finally:
        _pages.reset(token)


def note_page(page: Path) -> None:
    """Notes a page that was written, once."""
    noted = _pages.get(None)
    if noted is not None and page not in noted:
        noted.append(page)
