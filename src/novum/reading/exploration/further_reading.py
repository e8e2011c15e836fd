"""Reading further in a paper with full text after one of its passages was relevant to the question.

A search mostly finds abstract, introduction and method of a paper. Its results contain numbers and few words of the
question.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from novum.core import Paper
from novum.core.evidence import Snippet
from novum.reading.exploration.passage_index import NearPassage
from novum.reading.exploration.passages import Key, Passage

_OPENS_AT = 5
"""Minimum score of a passage that opens its paper: background on the subject, even if it is no evidence."""
_RESULTS = re.compile(r"\b(?:results?|findings?|analys[ei]s|ablations?|discussions?|limitations?)\b", re.IGNORECASE)
_TESTS = re.compile(r"\b(?:evaluations?|experiments?)\b", re.IGNORECASE)
"""About half of these sections describe the tests only, without results."""
_PREPARATION = re.compile(
    r"\b(?:framework|set-?ups?|settings?|protocols?|metrics?|measures?|design|details?|data ?sets?|data|baselines?)\b",
    re.IGNORECASE,
)
_END_MATTER = re.compile(r"^\W*(?:references|bibliography|acknowledge?ments?|funding)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Section:
    """A section of an opened paper, with its passages that were not read."""

    paper: Paper
    title: str
    passages: tuple[Passage, ...]
    untouched: bool
    """Whether none of its passages was read."""
    promise: int
    """How likely it has results, as returned by `promise`."""


def promise(passage: Passage) -> int:
    """How likely a passage has results, by its heading or the one above: 2 for results and limitations, 1 for tests, 0
    for others."""
    return max(
        _promise_of(passage.section), 0 if _PREPARATION.search(passage.section) else _promise_of(passage.chapter)
    )


def _promise_of(heading: str) -> int:
    if _PREPARATION.search(heading):
        return 0
    return 2 if _RESULTS.search(heading) else int(bool(_TESTS.search(heading)))


def available_sections(
    passages: Iterable[Passage], read: Mapping[Key, Snippet], seen: Collection[Key]
) -> list[Section]:
    """Sections of opened papers with unread passages, those most likely to have results first, otherwise in order."""
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


def next_passages(
    nearest: Sequence[NearPassage], wanted: Sequence[Section], at_hand: Sequence[Section], read: Mapping[Key, Snippet]
) -> list[NearPassage]:
    """Unread passages of opened papers: first of the sections `wanted`, then of sections on results, then of sections
    on tests, then the neighbours of a passage that opened its paper. `nearest`: all passages by cosine with the
    question, which orders each group."""
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
