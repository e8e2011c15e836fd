"""Remove from a context what tells the idea of its own target paper.

Three checks: references that are the target under another name, references whose idea is nearly the target's, and
entries of the context that repeat a passage or the title of the target.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from novum.core import Paper, normal_title, shorten
from novum.core.research_context import LeakFinding, NearEntry, PaperIdea, ResearchContext
from novum.literature import Embedder
from novum.literature.embedding import vectors_of

_PASSAGE = 8
"""Words of a passage: two texts that share so many in a row share a source."""
_SHARED = 0.3
"""Share of the target's passages from which another abstract is a version of it."""
_ALIKE = 0.9
"""Similarity of titles from which they name the same work."""
_TITLE_WORDS = 4
"""Titles with fewer words occur in other texts by chance."""
_TURN_OF_PHRASE = 2
"""Ideas of other papers in which a passage of the hidden idea is only a turn of phrase of its reader."""
_UNNAMED = "(unnamed group)"
_WORD = re.compile(r"\w+")
Entry = TypeVar("Entry")


def passages(text: str, words: int = _PASSAGE) -> frozenset[tuple[str, ...]]:
    """All runs of so many words, in lower case."""
    found = _WORD.findall(text.casefold())
    return frozenset(tuple(found[at : at + words]) for at in range(len(found) - words + 1))


def same_work(paper: Paper, target: Paper) -> str:
    """Why `paper` is a version of `target`; empty when it is another work."""
    one, other = normal_title(paper.title), normal_title(target.title)
    if one == other or difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE:
        return "its title is that of the target"
    own = passages(target.gist)
    if own and len(own & passages(paper.gist)) >= _SHARED * len(own):
        return "its abstract repeats that of the target"
    return ""


async def near_truth(
    embedder: Embedder, ideas: Sequence[PaperIdea], truth: PaperIdea, threshold: float
) -> frozenset[str]:
    """Ids of the papers whose idea has at least this cosine with the truth."""
    cosines = await _cosines(embedder, truth.text, [each.text for each in ideas])
    return frozenset(idea.paper_id for idea, cosine in zip(ideas, cosines, strict=True) if cosine >= threshold)


async def nearest_entries(
    embedder: Embedder, context: ResearchContext, truth: PaperIdea, most: int = 3
) -> tuple[NearEntry, ...]:
    """The conclusions of a context nearest to the truth by the cosine of their embeddings, the nearest first."""
    entries = [
        *(f"signal: {each.text}" for each in context.signals),
        *(f"relation: {each.reason}" for each in context.relations),
        *(f"group: {each.memory}" for each in context.groups if each.memory),
    ]
    cosines = await _cosines(embedder, truth.text, entries)
    ranked = sorted(zip(entries, cosines, strict=True), key=lambda pair: -pair[1])
    return tuple(NearEntry(what=entry, cosine=round(cosine, 3)) for entry, cosine in ranked[:most])


async def _cosines(embedder: Embedder, text: str, others: Sequence[str]) -> list[float]:
    if not others:
        return []
    vectors = await vectors_of(embedder, [text, *others])
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return [float(each) for each in unit[1:] @ unit[0]]


@dataclass(frozen=True)
class LeakCheck:
    """Finds passages and the title of one target in other texts."""

    title: str
    own: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, target: Paper, truth: PaperIdea, ideas: Sequence[PaperIdea] = ()) -> LeakCheck:
        """A check for the target's title, abstract and hidden idea. Turns of phrase that the reader uses for several of
        the other `ideas` too say nothing of the target."""
        title = normal_title(target.title)
        longest = title if len(title.split()) >= _TITLE_WORDS else ""
        used = Counter(passage for each in ideas for passage in passages(each.text))
        own = frozenset(passage for passage in passages(truth.text) if used[passage] < _TURN_OF_PHRASE)
        return cls(longest, passages(target.gist) | own)

    def why(self, text: str) -> str:
        """Why a text leaks; empty when it does not."""
        if self.title and f" {self.title} " in f" {normal_title(text)} ":
            return "it names the title of the target"
        return "it repeats a passage of the target" if self.own & passages(text) else ""


def without_leaks(context: ResearchContext, check: LeakCheck) -> tuple[ResearchContext, tuple[LeakFinding, ...]]:
    """The context without entries that leak, and what was removed."""
    findings: list[LeakFinding] = []

    def kept(entries: Iterable[Entry], what: str, text: Callable[[Entry], str]) -> list[Entry]:
        staying = []
        for entry in entries:
            if why := check.why(text(entry)):
                findings.append(LeakFinding(what=f"{what}: {shorten(text(entry), 120)}", why=why))
            else:
                staying.append(entry)
        return staying

    ideas = kept(context.ideas, "idea", lambda each: f"{each.title}\n{each.text}")
    gone = {each.paper_id for each in context.ideas} - {each.paper_id for each in ideas}
    clean = context.without(frozenset(gone))
    groups = []
    for group in clean.groups:
        name, memory = kept([group.name], "group name", str), kept([group.memory], "group memory", str)
        parts = {"name": name[0] if name else _UNNAMED, "memory": memory[0] if memory else ""}
        groups.append(group.model_copy(update=parts))
    relations = kept(clean.relations, "relation", lambda each: each.reason)
    signals = kept(clean.signals, "signal", lambda each: each.text)
    update = {"groups": tuple(groups), "relations": tuple(relations), "signals": tuple(signals)}
    return clean.model_copy(update=update), tuple(findings)
