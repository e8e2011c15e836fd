"""Joins lines to running text, and words that were broken at the end of a line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_BROKEN = re.compile(r"(?P<stem>[^\W_]+(?:[-‐][^\W_]+)*)[-‐]$")
_REST = re.compile(r"[^\W_]+(?:[-‐][^\W_]+)*")
_ADDRESS = re.compile(r"(https?://|www\.|doi\.org/|10\.\d{4,9}/)\S*$")
_WEB = re.compile(r"\S*(?:://|www\.|\.com|\.org|@)\S*")
_RANGE = re.compile(r"\d\s?[–-]$")
_SHORTEST_PART = 3


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words inside the lines of a document, where none is broken, in lower case."""

    words: frozenset[str]

    @classmethod
    def of(cls, lines: Iterable[str]) -> Vocabulary:
        found: set[str] = set()
        broken = False
        for line in lines:
            words = _WORD.findall(_WEB.sub(" ", line.lower()))[1 if broken else 0 :]
            broken = line.endswith(("-", "‐"))
            whole = words[:-1] if broken else words
            found.update(whole)
            found.update(part for word in whole for part in word.split("-"))
        return cls(frozenset(found))

    def join(self, lines: Iterable[str]) -> str:
        """The lines as one text. `exam-`, `ple` become `example`; `state-of-the-`, `art` keep the hyphen."""
        whole = ""
        for line in map(str.strip, lines):
            broken, rest = _BROKEN.search(whole[-80:]), _REST.match(line)
            if broken and rest:
                whole = (whole if self._keeps_hyphen(broken["stem"], rest[0]) else whole[:-1]) + line
            elif not whole or not line or _goes_on(whole, line):
                whole += line
            else:
                whole += f" {line}"
        return whole

    def _keeps_hyphen(self, stem: str, rest: str) -> bool:
        """Whether a hyphen is part of the word: as elsewhere in the document, otherwise if both halves are words."""
        lower = rest.lower()
        last = re.split("[-‐]", stem.lower())[-1]
        if stem.lower() + lower in self.words or f"{last}{lower}" in self.words:
            return False
        upper = stem.isupper() and rest.isupper()
        stem = stem.lower()
        if f"{stem}-{lower}" in self.words or not (rest[0].islower() or upper) or not stem.isalpha():
            return True
        if last.endswith("ly") and last in self.words:
            return True
        halves = (last, re.split("[-‐]", lower)[0])
        return all(len(half) >= _SHORTEST_PART and half in self.words for half in halves)


def _goes_on(whole: str, line: str) -> bool:
    """Whether a line continues a web address or a range of pages, which are broken without a hyphen."""
    address = whole.endswith(("/", "-", "_", ".")) and line[:1].islower() and _ADDRESS.search(whole[-200:])
    return bool(address) or (line[:1].isdigit() and _RANGE.search(whole[-4:]) is not None)
