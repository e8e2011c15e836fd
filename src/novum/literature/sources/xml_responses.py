"""XML answers of services, read within bounded time and memory.

The parser is the standard library's, which loads nothing from outside. What makes XML dangerous is left out instead of
guarded: none of our services writes a document type, so one that declares it, and with it every entity, is refused.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from novum.literature.importing.cleaning import clean_text
from novum.literature.sources.source import NotDataError

LARGEST_ANSWER = 24_000_000
"""Bytes. The largest volumes of proceedings take a third of that."""
_MOST_ELEMENTS = 500_000
_DEEPEST = 40
_PIECE = 1_000_000
"""Bytes. Small pieces of one endless token would be read again and again, one large piece past its first fault."""


class _Bounded(TreeBuilder):
    """Builds the tree while it is neither too deep nor too large."""

    def __init__(self, deepest: int) -> None:
        super().__init__()
        self._deepest = deepest
        self._depth = self._elements = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        """Raises ValueError at the first element too many."""
        self._depth += 1
        self._elements += 1
        if self._depth > self._deepest:
            raise ValueError(f"XML nested more than {self._deepest} deep")
        if self._elements > _MOST_ELEMENTS:
            raise ValueError(f"XML of more than {_MOST_ELEMENTS:,} elements")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag)


def xml_root(answer: bytes, *, deepest: int = _DEEPEST) -> Element:
    """The outermost element. `deepest`: levels of elements. Raises ValueError for what is not XML, declares
    a document type, or is too large."""
    if len(answer) > LARGEST_ANSWER:
        raise ValueError(f"XML of {len(answer):,} bytes")
    if b"<!DOCTYPE" in answer:
        raise NotDataError("XML with a document type, which could hide anything behind its entities")
    if b"\0" in answer:  # in UTF-16 or UTF-32 a document type could pass unseen
        raise ValueError("not XML in UTF-8")
    parser = XMLParser(target=_Bounded(deepest), encoding="utf-8")  # noqa: S314 - without a document type, and bounded
    try:
        for start in range(0, len(answer), _PIECE):
            parser.feed(answer[start : start + _PIECE])
        root = parser.close()
    except ParseError as error:
        raise NotDataError(f"not XML: {error}") from error
    if not isinstance(root, Element):
        raise ValueError("not XML: nothing in it")
    return root


def text_of(element: Element, path: str) -> str:
    """The clean text of the first element at `path`, itself and below; empty when there is none."""
    found = element.find(path)
    return "" if found is None else clean_text("".join(found.itertext()))
