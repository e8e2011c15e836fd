"""What a page of a PDF holds, as far as reading goes: pieces of text with their place and their type."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Text in one font on one baseline, without a gap wider than a space. Lengths are points; y grows upwards."""

    text: str
    left: float
    right: float
    base: float
    """Of the baseline."""
    size: float
    """Of the font, as it appears."""
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
    """What is written at an angle to the rest: stamps in the margin, labels of axes."""


@dataclass(frozen=True, slots=True)
class PdfText:
    """What could be read out of a PDF."""

    pages: tuple[PageText, ...]
    page_count: int
    """Of the file; more than `pages` when only the first were read."""
    title: str = ""
    """As the file's own metadata has it, which is often nonsense."""
    authors: str = ""
