"""One part of what a library teaches: fitted on papers, asked of ideas, kept as numbers in a folder.

A part is one file of this room. It says a raw number for each subject of a batch, or NaN where nothing can be said, and
the reason for one of them in words. What it has learnt is plain arrays, facts and files, so that a model can be read by
anybody and nothing in it can be run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar

import numpy as np

from novum.core import Subject
from novum.core.arrays import Bools, Floats, Vectors
from novum.files.arrays import ModelState

if TYPE_CHECKING:
    from novum.idea_metrics.corpus import Corpus

Result = TypeVar("Result")


@dataclass(frozen=True)
class SubjectBatch:
    """Subjects that are scored together, with what every part needs of them."""

    subjects: Sequence[Subject]
    vectors: Vectors
    """Embeddings of `Subject.whole` of unit length, shape (n, d); a row of zeros where there was nothing to embed."""
    interests: Vectors
    """Embeddings of `Subject.interests` of unit length, shape (n, d); zeros where none are known."""
    samples: Sequence[Vectors]
    """For each subject the embeddings of its `samples`, of unit length, shape (number of samples, d)."""
    _found: dict[type, tuple[object, Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, part: object, find: Callable[[], Result]) -> Result:
        """What `find` says, which is asked the first time only: what a part needs to explain one subject, it finds
        for all of them together, since a hundred one by one take longer than a thousand at once."""
        owner, result = self._found.get(type(part), (None, None))
        if owner is not part:
            result = find()
            self._found[type(part)] = part, result
        answer: Result = result
        return answer

    def __len__(self) -> int:
        return len(self.subjects)

    @property
    def empty(self) -> Bools:
        """Which subjects have no embedding: parts that rest on it have nothing to say of them."""
        return np.asarray(~self.vectors.any(axis=1))


class IdeaMetric(Protocol):
    """What every part can do. `name` is that of the number (`originality`, `readability`, …)."""

    name: ClassVar[str]
    better: ClassVar[int]
    """1: a higher raw number is better; -1: a lower one."""

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """The part as these papers teach it. Says nothing (NaN) where they do not: that is no error."""
        ...

    def measure(self, batch: SubjectBatch) -> Floats:
        """Raw numbers, shape (n,); NaN where it cannot be said."""
        ...

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """What the number of one subject rests on, or (for a NaN) why it is missing: one line for people. Of a batch
        all subjects are asked after one by one (`Batch.once`)."""
        ...

    def state(self) -> ModelState:
        """What is to be kept."""
        ...

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The part back from what was kept. Raises KeyError or ValueError where that is damaged."""
        ...
