"""Which ideas of a whole batch are kept: none in the words or under the title of another, none too like another, and no
more than were asked for, spread evenly.

What is kept depends on the order in which ideas are shown, which is that of the questions and never that in which
models happened to answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from novum.core import Idea, normal_title
from novum.idea_metrics.near_duplicates import Distinct, Vectors
from novum.runs.bulk.rounds import Turn

REPEATED = "in the words, or under the title, of another"
SURPLUS = "more than were asked for"


@dataclass(frozen=True)
class Found:
    """An idea by its place in the journal. `words`: hashes of its title and of its text."""

    turn: Turn
    place: int
    title: str
    words: tuple[int, ...]


@dataclass(frozen=True)
class Dropped:
    """An idea that is left out, and why; `like`: the one that it resembles."""

    found: Found
    why: str
    like: Found | None = None
    cosine: float | None = None


@dataclass
class Gathering:
    """Takes the ideas of one round after the other. `near`: from which cosine on two are twins."""

    near: float
    kept: list[Found] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    _said: dict[int, Found] = field(default_factory=dict)
    _distinct: Distinct = field(init=False)

    def __post_init__(self) -> None:
        self._distinct = Distinct(self.near)

    def take(self, ideas: Sequence[Found], vectors: Vectors) -> list[Found]:
        """Those that are new. `vectors`: one row for each idea."""
        unlike = [at for at, idea in enumerate(ideas) if self._is_unsaid(idea)]
        new: list[Found] = []
        for at, twin in zip(unlike, self._twins(vectors[unlike]), strict=True):
            if twin is None:
                new.append(ideas[at])
                self.kept.append(ideas[at])
            else:
                like, cosine = self.kept[twin[0]], twin[1]
                self.dropped.append(Dropped(ideas[at], f"too like another, by a cosine of {cosine:.2f}", like, cosine))
        return new

    def close(self, number: int) -> list[Found]:
        """What is left of all that was kept: at most `number`, in the order of the questions."""
        of_question: dict[int, int] = {}
        places = []
        for at, found in enumerate(self.kept):
            question = found.turn.question
            of_question[question] = of_question.get(question, -1) + 1
            places.append((of_question[question], question, at))
        chosen = sorted(at for *_, at in sorted(places)[:number])
        surplus = set(range(len(self.kept))) - set(chosen)
        self.dropped += [Dropped(self.kept[at], SURPLUS) for at in sorted(surplus)]
        return sorted((self.kept[at] for at in chosen), key=lambda each: each.turn.question)

    def _is_unsaid(self, idea: Found) -> bool:
        before = next((self._said[word] for word in idea.words if word in self._said), None)
        for word in idea.words:
            self._said.setdefault(word, idea)
        if before is not None:
            self.dropped.append(Dropped(idea, REPEATED, before))
        return before is None

    def _twins(self, vectors: Vectors) -> list[tuple[int, float] | None]:
        if self.near >= 1:
            return [None] * len(vectors)
        told = self._distinct.take(vectors)
        return [None if twin is None else (twin.place, twin.cosine) for twin in told]


def found_at(turn: Turn, place: int, idea: Idea) -> Found:
    """An idea as it is held in memory."""
    title = normal_title(idea.title)
    texts = ("title", title), ("text", "\n".join((idea.motivation, idea.novelty, idea.method, idea.summary)))
    words = tuple(_number(f"{kind} {text}") for kind, text in texts if text.strip())
    return Found(turn, place, idea.title[:200], words)


def compared_text(idea: Idea) -> str:
    """What twins are told by: as much as a paper's title and abstract, by which the library says what is alike."""
    return f"{idea.title}\n{idea.summary}"


def stacked(vectors: Sequence[Vectors]) -> Vectors:
    """Rows one below the other."""
    return np.concatenate(vectors) if vectors else np.zeros((0, 0), np.float32)


def _number(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
