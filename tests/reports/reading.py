"""How the tests read a page, as a strict browser would, and how they fill a report with somebody's evil text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

from pydantic import JsonValue

from novum.core import IdeationReport

from .sample import REPORT

_VOID = {"meta", "br", "hr", "link", "img", "input", "base", "wbr", "col", "area", "embed", "source", "track"}
_ID = re.compile(r"[a-z]+-[0-9a-f]{16}")
_CHOICES = {"anchor", "forward", "backward", "first", "second", "tie"}
_CHOSEN = {"linked_by", "known", "distance", "fate", "kind", "verdict"}
"""Fields that hold one of a few words."""


class Page(HTMLParser):
    """Elements with their attributes in order, the text that is seen, and what does not nest."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.faults: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.faults.append(f"</{tag}> closes {self._open[-1:] or 'nothing'}")

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.text += data

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    def values(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.elements if name in attributes]

    @property
    def attributes(self) -> set[str]:
        return {name for _, attributes in self.elements for name in attributes}

    @property
    def words(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())


def poisoned(poison: str, report: IdeationReport = REPORT) -> IdeationReport:
    """A sample report with the poison at the end of every text in it; its ids still fit together."""
    evil = IdeationReport.model_validate(_poison(report.model_dump(mode="json"), poison))
    text = json.dumps(evil.model_dump(mode="json"))
    for old, new in zip(_ids(report), _ids(evil), strict=True):
        text = text.replace(old, new)
    return IdeationReport.model_validate(json.loads(text))


def _poison(value: JsonValue, poison: str) -> JsonValue:
    if isinstance(value, dict):
        return {
            name: part if name in _CHOSEN else _poison(part, poison) for name, part in value.items() if name != "id"
        }
    if isinstance(value, list):
        return [_poison(part, poison) for part in value]
    if isinstance(value, str) and value not in _CHOICES and not _ID.fullmatch(value):
        return value + poison
    return value


def _ids(report: IdeationReport) -> list[str]:
    ideation = report.ideation
    ideas = [idea for candidate in ideation.candidates for idea in (candidate.idea, *candidate.earlier_drafts)]
    return [record.id for record in (*ideation.papers, *ideas)]
