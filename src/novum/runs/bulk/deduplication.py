"""The ideas that a run in bulk returns: no two with the same words or title, no near-duplicates, and at most as many as
were requested, spread evenly over the questions.

The result depends on the order in which ideas are added. That is the order of the questions, never the order in which
models happened to answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from novum.core import Idea, normal_title
from novum.core.arrays import Vectors
from novum.idea_metrics.near_duplicates import DistinctFilter, NearDuplicate
from novum.runs.bulk.rounds import Turn

REPEATED = "in the words, or under the title, of another"
SURPLUS = "more than were asked for"


@dataclass(frozen=True)
class FoundIdea:
    """An idea by its position in the journal. `hashes`: of its title and of its text."""

    turn: Turn
    place: int
    title: str
    hashes: tuple[int, ...]


@dataclass(frozen=True)
class DroppedIdea:
    """An idea that is left out, with the reason. `like`: the idea that it resembles."""

    found: FoundIdea
    why: str
    like: FoundIdea | None = None
    cosine: float | None = None


@dataclass
class Deduplication:
    """Adds the ideas of one round after another. `near`: the cosine from which two ideas are near-duplicates."""

    near: float
    different: list[FoundIdea] = field(default_factory=list)
    """Ideas of which no two are alike."""
    dropped: list[DroppedIdea] = field(default_factory=list)
    _by_hash: dict[int, FoundIdea] = field(default_factory=dict)
    _distinct: DistinctFilter = field(init=False)

    def __post_init__(self) -> None:
        self._distinct = DistinctFilter(self.near)

    def add(self, ideas: Sequence[FoundIdea], vectors: Vectors) -> list[FoundIdea]:
        """Adds ideas and returns those that are new. `vectors`: their embeddings, shape (n, d)."""
        reworded = [at for at, idea in enumerate(ideas) if self._has_new_words(idea)]
        new: list[FoundIdea] = []
        for at, duplicate in zip(reworded, self._near_duplicates(vectors[reworded]), strict=True):
            if duplicate is None:
                new.append(ideas[at])
                self.different.append(ideas[at])
            else:
                like, cosine = self.different[duplicate.place], duplicate.cosine
                self.dropped.append(
                    DroppedIdea(ideas[at], f"too like another, by a cosine of {cosine:.2f}", like, cosine)
                )
        return new

    def select(self, number: int) -> list[FoundIdea]:
        """At most `number` of the ideas that differ, in the order of the questions. The others are dropped."""
        of_question: dict[int, int] = {}
        places = []
        for at, found in enumerate(self.different):
            question = found.turn.question
            of_question[question] = of_question.get(question, -1) + 1
            places.append((of_question[question], question, at))
        chosen = sorted(at for *_, at in sorted(places)[:number])
        surplus = set(range(len(self.different))) - set(chosen)
        self.dropped += [DroppedIdea(self.different[at], SURPLUS) for at in sorted(surplus)]
        return sorted((self.different[at] for at in chosen), key=lambda each: each.turn.question)

    def _has_new_words(self, idea: FoundIdea) -> bool:
        before = next((self._by_hash[each] for each in idea.hashes if each in self._by_hash), None)
        for each in idea.hashes:
            self._by_hash.setdefault(each, idea)
        if before is not None:
            self.dropped.append(DroppedIdea(idea, REPEATED, before))
        return before is None

    def _near_duplicates(self, vectors: Vectors) -> Iterable[NearDuplicate | None]:
        """For each row the earlier idea that it is too similar to, if any. A threshold of 1 compares nothing."""
        return [None] * len(vectors) if self.near >= 1 else self._distinct.take(vectors)


def found_idea(turn: Turn, place: int, idea: Idea) -> FoundIdea:
    """An idea in the form that is held in memory."""
    title = normal_title(idea.title)
    texts = ("title", title), ("text", "\n".join((idea.motivation, idea.novelty, idea.method, idea.summary)))
    hashes = tuple(_hash(f"{kind} {text}") for kind, text in texts if text.strip())
    return FoundIdea(turn, place, idea.title[:200], hashes)


def embedded_text(idea: Idea) -> str:
    """The text whose embedding finds near-duplicates: about a paper's title and abstract, as the threshold expects."""
    return f"{idea.title}\n{idea.summary}"


def stack_vectors(vectors: Sequence[Vectors]) -> Vectors:
    """All rows in one array, shape (n, d)."""
    return np.concatenate(vectors) if vectors else np.zeros((0, 0), np.float32)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
