"""The interface of an idea metric: fitted to papers, applied to ideas, stored as numbers in a folder.

A metric is one file of this package. It gives a raw number for each subject of a batch, or NaN where that is not
available, and explains each number in words. Its fitted state is plain arrays, facts and files: nothing in a stored
model can be executed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np

from novum.core import Subject
from novum.core.arrays import Bools, Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus

Result = TypeVar("Result")


@dataclass(frozen=True)
class SubjectBatch:
    """Subjects that are scored together, with their embeddings."""

    subjects: Sequence[Subject]
    vectors: Vectors
    """Embeddings of `Subject.whole` of unit length, shape (n, d); a row of zeros for a subject without text."""
    interests: Vectors
    """Embeddings of `Subject.interests` of unit length, shape (n, d); zeros where none are given."""
    samples: Sequence[Vectors]
    """For each subject the embeddings of its `samples`, of unit length, shape (number of samples, d)."""
    _results: dict[type, tuple[object, Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, metric: object, find: Callable[[], Result]) -> Result:
        """The result of `find`, computed on the first call only and stored for this metric.

        A metric computes what its explanations need for the whole batch: a hundred subjects one by one take longer than
        a thousand at once.
        """
        owner, result = self._results.get(type(metric), (None, None))
        if owner is not metric:
            result = find()
            self._results[type(metric)] = metric, result
        answer: Result = result
        return answer

    def __len__(self) -> int:
        return len(self.subjects)

    @property
    def empty(self) -> Bools:
        """Which subjects have no embedding; metrics that need it are not available for them."""
        return np.asarray(~self.vectors.any(axis=1))


class IdeaMetric(Protocol):
    """A metric of ideas. `name` identifies its number (`originality`, `readability`, …)."""

    name: ClassVar[str]
    better: ClassVar[int]
    """1: a higher raw number is better; -1: a lower one."""

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """Fits the metric to the papers. A metric that cannot be fitted to them returns NaN later; that is no error."""
        ...

    def measure(self, batch: SubjectBatch) -> Floats:
        """Raw numbers, shape (n,); NaN where not available."""
        ...

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """One line for people: what the number of one subject is based on, or why it is not available. Called for one
        subject after the other (see `SubjectBatch.once`)."""
        ...

    def state(self) -> ModelState:
        """The state to store."""
        ...

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The metric from its stored state. Raises KeyError or ValueError where that is damaged."""
        ...
