"""Evidence for and against an idea being new."""

from __future__ import annotations

from typing import Literal

from novum.core.record import Value

Known = Literal["no", "partly", "yes"]
Distance = Literal["near", "far"]


class PriorWork(Value):
    """A paper near an idea, with the cosine similarity of the two texts (-1 to 1)."""

    paper_id: str
    similarity: float


class ClosestPaper(Value):
    """The paper closest to an idea. `similarity`: the cosine of the two texts; None where it was not measured."""

    paper_id: str
    similarity: float | None = None


class NoveltyCheck(Value):
    """One round of comparing an idea with the nearest papers (Chain of Ideas, Table 16).

    `novel is None`: the checker gave no usable answer, or the library holds nothing to compare with.
    """

    idea_id: str
    round: int
    novel: bool | None
    nearest: tuple[PriorWork, ...] = ()
    """The papers that the idea was compared with."""
    closest_id: str | None = None
    """The paper that, according to the checker, is closest or already has the result."""
    closest_title: str = ""
    """Its title; empty where there is none, and in checks that did not store it."""
    reason: str = ""
    """What the idea shares with the closest paper, according to the checker; or why there is no verdict."""
    known: Known | None = None
    """Whether the closest paper contains the idea: "yes" both problem and mechanism, "partly" one of them. None: not
    decided, or decided by a version that did not store it."""
    difference: str = ""
    """What the idea has that the closest paper lacks, according to the checker."""
    relevant_ids: tuple[str, ...] = ()
    """Those of `nearest` that bear on the idea, according to the checker, closest first."""
    distance: Distance | None = None
    """Whether the compared papers are near enough to say much about novelty, according to the checker. None: not
    stated."""
    further_query: str = ""
    """A search that the checker requested because the compared papers were far away."""
    recalled: tuple[str, ...] = ()
    """Titles of closer works that the checker recalls; they are not verified."""

    @property
    def closest(self) -> ClosestPaper | None:
        """The paper that the checker calls closest. Where it stored no verdict of its own, the most similar one."""
        similarity = {prior.paper_id: prior.similarity for prior in self.nearest}
        named = [paper_id for paper_id in (self.closest_id, *self.relevant_ids) if paper_id]
        if not named and self.known is None:
            named = sorted(similarity, key=lambda paper_id: -similarity[paper_id])
        return ClosestPaper(paper_id=named[0], similarity=similarity.get(named[0])) if named else None

    @property
    def verdict(self) -> str:
        """The result in one phrase, which names the closest paper where the check stored its title."""
        named = f"“{self.closest_title}”" if self.closest_title else "a compared paper"
        if self.novel is None:
            return "no verdict"
        if not self.novel:
            return f"already contained in {named}"
        if self.known == "partly":
            return f"partly anticipated by {named}"
        if self.distance == "far":
            return "in none of the compared papers, which are too far away to say much"
        return "in none of the compared papers"
