"""The text of a PDF with its positions and fonts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Text in one font on one baseline, without a gap wider than a space. Lengths are points; y grows upwards."""

    text: str
    left: float
    right: float
    base: float
    """Height of the baseline."""
    size: float
    """Font size, as it appears."""
    bold: bool = False
    italic: bool = False
    spaced: bool = False
    """A space comes before it."""


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of one page, in the order in which the file draws it."""

    width: float
    height: float
    spans: tuple[TextSpan, ...] = ()
    sideways: tuple[str, ...] = ()
    """Text at an angle to the rest, such as stamps in the margin and labels of axes."""


@dataclass(frozen=True, slots=True)
class PdfText:
    """The text that was read from a PDF."""

    pages: tuple[PageText, ...]
    page_count: int
    """Number of pages of the file, of which `pages` may be the first."""
    title: str = ""
    """From the metadata of the file, which are often wrong."""
    authors: str = ""
