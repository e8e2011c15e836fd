"""Reading on in a paper that is held in full: where one passage bears on the question, the outcomes stand elsewhere.

What a search finds in a full text is mostly where the paper speaks of itself: abstract, introduction, method. Its
results hold figures and few of the question's words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from novum.core import Paper
from novum.core.evidence import Snippet
from novum.reading.exploration.passage_index import Near
from novum.reading.exploration.passages import Key, Passage

_OPENS_AT = 5
"""Score from which on a passage opens its paper: background on the very matter, though no evidence yet."""
_RESULTS = re.compile(r"\b(?:results?|findings?|analys[ei]s|ablations?|discussions?|limitations?)\b", re.IGNORECASE)
_TESTS = re.compile(r"\b(?:evaluations?|experiments?)\b", re.IGNORECASE)
"""Half of such a section tells how things were tested only."""
_PREPARATION = re.compile(
    r"\b(?:framework|set-?ups?|settings?|protocols?|metrics?|measures?|design|details?|data ?sets?|data|baselines?)\b",
    re.IGNORECASE,
)
_END_MATTER = re.compile(r"^\W*(?:references|bibliography|acknowledge?ments?|funding)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Section:
    """A section of an opened paper with its passages that were not read."""

    paper: Paper
    title: str
    passages: tuple[Passage, ...]
    untouched: bool
    """None of it was read."""
    promise: int
    """Of outcomes, as `promise` has it."""


def promise(passage: Passage) -> int:
    """By its heading, else the one above: 2 where results or limits are told, 1 where tests are, 0 elsewhere."""
    return max(
        _promise_of(passage.section), 0 if _PREPARATION.search(passage.section) else _promise_of(passage.chapter)
    )


def _promise_of(heading: str) -> int:
    if _PREPARATION.search(heading):
        return 0
    return 2 if _RESULTS.search(heading) else int(bool(_TESTS.search(heading)))


def sections_at_hand(passages: Iterable[Passage], read: Mapping[Key, Snippet], seen: Collection[Key]) -> list[Section]:
    """Sections of opened papers that hold unread passages, those that promise outcomes first, else in their order."""
    opened = _opened(read)
    parts: dict[tuple[str, str], list[Passage]] = {}
    for passage in passages:
        if passage.paper.id in opened and passage.origin == "full text" and not _END_MATTER.match(passage.section):
            parts.setdefault((passage.paper.id, passage.section), []).append(passage)
    sections = (
        Section(
            paper=part[0].paper,
            title=part[0].section,
            passages=unread,
            untouched=len(unread) == len(part),
            promise=promise(part[0]),
        )
        for part in parts.values()
        if (unread := tuple(passage for passage in part if passage.key not in seen))
    )
    return sorted(sections, key=lambda section: -section.promise)


def read_next(
    nearest: Sequence[Near], wanted: Sequence[Section], at_hand: Sequence[Section], read: Mapping[Key, Snippet]
) -> list[Near]:
    """Unread passages of opened papers: of the sections `wanted`, of those that tell results, of those that tell of
    tests, then those that stand beside a passage that opened its paper. `nearest`: all passages by cosine to the
    question, which orders each of these.
    """
    unread = {passage.key for section in at_hand for passage in section.passages}
    groups = (
        _keys(wanted),
        _keys(section for section in at_hand if section.promise == 2),
        _keys(section for section in at_hand if section.promise == 1),
        _beside(sorted((near.passage for near in nearest), key=lambda each: (each.paper.id, each.start)), read),
    )
    ranked = (near for group in groups for near in nearest if near.passage.key in group & unread)
    return list({near.passage.key: near for near in ranked}.values())


def _keys(sections: Iterable[Section]) -> set[Key]:
    return {passage.key for section in sections for passage in section.passages}


def _opened(read: Mapping[Key, Snippet]) -> set[str]:
    return {snippet.paper_id for snippet in read.values() if _opens(snippet)}


def _opens(snippet: Snippet | None) -> bool:
    return snippet is not None and snippet.origin == "full text" and snippet.score >= _OPENS_AT


def _beside(passages: Sequence[Passage], read: Mapping[Key, Snippet]) -> set[Key]:
    pairs = [(one.key, other.key) for one, other in pairwise(passages) if one.paper.id == other.paper.id]
    return {key for one, other in pairs for key, by in ((one, other), (other, one)) if _opens(read.get(by))}
