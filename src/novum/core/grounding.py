"""The basis of an idea: an open problem and concepts of explored literature, with the passages that show them."""

from __future__ import annotations

from novum.core.evidence import Concept, OpenProblem, Snippet
from novum.core.record import Value


class LookUp(Value):
    """A weak point that the writer of an idea named, and what was asked of the literature about it."""

    weak_point: str
    question: str
    cites: tuple[int, ...] = ()
    """Passages found that its writer had not seen, places in `Ground.evidence`; empty when nothing new was found."""
    revised: bool = False
    """Whether the idea was revised by them."""


class Ground(Value):
    """Where one idea comes from. Every `cites` in it counts places in `evidence`, from 1."""

    idea_id: str
    problem: OpenProblem
    concepts: tuple[Concept, ...] = ()
    """Those that its writer was given, whether it built on them or not."""
    looked_up: tuple[LookUp, ...] = ()
    weak_point: str = ""
    """What its writer still holds to be doubtful."""
    strays: tuple[str, ...] = ()
    """Labels that its drafts cite and no passage has."""
    evidence: tuple[Snippet, ...]
    """Every passage that its writer was shown."""
