"""The basis of an idea: an open problem and concepts of explored literature, with the passages that show them."""

from __future__ import annotations

from novum.core.evidence import Concept, OpenProblem, Snippet
from novum.core.record import Value


class LookUp(Value):
    """A weak point that the writer of an idea named, and the question on it that was searched in the literature."""

    weak_point: str
    question: str
    cites: tuple[int, ...] = ()
    """Passages that were new to the writer, as positions in `Ground.evidence`; empty when there were none."""
    revised: bool = False
    """Whether the idea was revised because of them."""


class Ground(Value):
    """The basis of one idea. Every `cites` in it holds positions in `evidence`, from 1."""

    idea_id: str
    problem: OpenProblem
    concepts: tuple[Concept, ...] = ()
    """The concepts given to the writer, used or not."""
    looked_up: tuple[LookUp, ...] = ()
    weak_point: str = ""
    """What the writer still considers doubtful."""
    strays: tuple[str, ...] = ()
    """Labels that its drafts cite and that no passage has."""
    evidence: tuple[Snippet, ...]
    """All passages given to the writer."""
