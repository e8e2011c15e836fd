"""The versions of an idea, oldest first, with the words that each one changes."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Literal

from novum.core import DETAILS, Candidate, Idea
from novum.reports.sanitizing import clean

_TOKENS = re.compile(r"\s+|\w+|[^\w\s]")
_PARTS = {"title": "Title", "motivation": "Motivation", "novelty": "Novelty", "method": "Method", "summary": "Summary"}
_LONGEST = 6_000
"""Characters of a part that are compared; longer texts are of a hostile model."""
Kind = Literal["same", "added", "removed"]


@dataclass(frozen=True)
class Piece:
    """Words that two versions share, or that one of them alone has."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class PartChange:
    """A part of an idea that a version changes."""

    name: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Version:
    """A version with what it changes in the one before; nothing for the first."""

    number: int
    idea: Idea
    changes: tuple[PartChange, ...]


def versions(candidate: Candidate) -> tuple[Version, ...]:
    """All versions of an idea, oldest first; none for an idea without earlier ones."""
    ideas = (*candidate.earlier_drafts, candidate.idea)
    if len(ideas) < 2:
        return ()
    pairs = zip((None, *ideas), ideas, strict=False)
    return tuple(Version(number, after, _changes(before, after)) for number, (before, after) in enumerate(pairs, 1))


def word_changes(before: str, after: str) -> tuple[Piece, ...]:
    """The words of both texts in order: shared ones once, removed ones before those that replace them."""
    old, new = (_TOKENS.findall(clean(text, _LONGEST)) for text in (before, after))
    pieces: list[Piece] = []
    for action, i, j, k, n in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if action == "equal":
            pieces.append(Piece("same", "".join(old[i:j])))
            continue
        if j > i:
            pieces.append(Piece("removed", "".join(old[i:j])))
        if n > k:
            pieces.append(Piece("added", "".join(new[k:n])))
    return tuple(pieces)


def _changes(before: Idea | None, after: Idea) -> tuple[PartChange, ...]:
    if before is None:
        return ()
    names = {**_PARTS, **DETAILS}
    return tuple(
        PartChange(heading, word_changes(getattr(before, name), getattr(after, name)))
        for name, heading in names.items()
        if getattr(before, name) != getattr(after, name)
    )
