"""The basis of an idea in words, for the Markdown file and the page."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core import Concept, Ground, LookUp, OpenProblem, normal_title
from novum.reports.phrases import count

HEADING = "What it was made from"
NOT_QUOTED = "no sentence of these passages could be quoted for it"
NOT_NAMED = "its name is not in these passages"
_BASES = {
    "stated": "Open problem, said by a passage",
    "measured": "Open problem, a failure that a passage measured",
    "contradiction": "Open problem, a contradiction between passages",
}


def basis(problem: OpenProblem) -> str:
    """The kind of the problem from which an idea started."""
    return _BASES.get(problem.basis or "", "Where it started: what a passage says")


def unquoted(problem: OpenProblem) -> bool:
    """Whether it is called an open problem and no words show it."""
    return problem.basis is not None and not problem.quote


def unnamed(concept: Concept, ground: Ground) -> bool:
    """Whether no longer word of its name stands in the passages that are to show it."""
    words = [word for word in normal_title(concept.name).split() if len(word) > 3]
    shown = normal_title(" ".join(ground.evidence[place - 1].passage for place in _there(concept.cites, ground)))
    return bool(words) and not any(word[:5] in shown for word in words)


def outcome(look: LookUp) -> str:
    """The result of looking up a weak point."""
    if not look.cites:
        return "nothing new was found; it stands"
    found = count(len(look.cites), "passage")
    return f"{found} found, and the idea revised by them" if look.revised else f"{found} found; no usable revision came"


def marks(cites: Sequence[int], ground: Ground) -> str:
    """Which passages of the list below it: numbers in brackets would be taken for papers."""
    there = _there(cites, ground)
    return f"(passage{'s' if len(there) > 1 else ''} {', '.join(map(str, there))})" if there else "(no passage shown)"


def _there(cites: Sequence[int], ground: Ground) -> list[int]:
    return [place for place in cites if 1 <= place <= len(ground.evidence)]
