"""What novelty checks came to, for rankings, judges and designers."""

from __future__ import annotations

from novum.core import Candidate, shorten
from novum.literature import PaperLibrary

_GIST, _PART = 300, 500
"""Characters of an abstract, and of each part, in the text of a finding."""


def is_known(candidate: Candidate) -> bool:
    """Whether a named paper contains the idea as it stands. An idea without a decided check counts as not known."""
    check = candidate.final_check
    return check is not None and check.novel is False


def finding_text(candidate: Candidate, library: PaperLibrary) -> str:
    """What the novelty check of the idea as it stands came to, as a short text for judges and designers: verdict,
    closest paper with the beginning of its abstract, what is shared, and what the idea adds. Empty without a check."""
    check = candidate.final_check
    if check is None:
        return ""
    closest = check.closest
    paper = library.get(closest.paper_id) if closest else None
    parts = (
        ("Result", check.verdict),
        ("Closest paper", f"{paper.short_citation}: {paper.title}. {shorten(paper.gist, _GIST)}" if paper else ""),
        ("What they share" if check.novel is not None else "Reason", check.reason),
        ("What the idea adds", check.difference),
    )
    return "\n".join(f"{heading}: {shorten(text, _PART)}" for heading, text in parts if text)
