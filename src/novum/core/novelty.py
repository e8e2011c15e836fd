"""Evidence for and against an idea being new."""

from __future__ import annotations

from typing import Literal

from novum.core.record import Value

Known = Literal["no", "partly", "yes"]


class PriorWork(Value):
    """A paper near an idea, with the cosine similarity of the two texts (-1 to 1)."""

    paper_id: str
    similarity: float


class NoveltyCheck(Value):
    """One round of comparing an idea with the nearest papers (Chain of Ideas, Table 16).

    `novel is None`: the checker gave no usable answer, or the library holds nothing to compare with.
    """

    idea_id: str
    round: int
    novel: bool | None
    nearest: tuple[PriorWork, ...] = ()
    closest_id: str | None = None
    """The paper that, according to the checker, is closest or already has the result."""
    reason: str = ""
    known: Known | None = None
    """Whether the closest paper contains the idea: "yes" both problem and mechanism, "partly" one of them. None: not
    decided, or decided by a version that did not store it."""
    difference: str = ""
    """What the idea has that the closest paper lacks, according to the checker."""
    relevant_ids: tuple[str, ...] = ()
    """Those of `nearest` that bear on the idea, according to the checker, closest first."""
    recalled: tuple[str, ...] = ()
    """Titles of closer works that the checker recalls; they are not verified."""
