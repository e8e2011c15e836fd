"""What became of a submission, from the words of venues and their dumps."""

from __future__ import annotations

import re

from novum.core.peer_review import Decision

_ROWS: tuple[tuple[str, Decision], ...] = (
    (r"desk[ _-]*reject|reject\w* without review", "desk-rejected"),
    (r"withdr[ae]w", "withdrawn"),
    (r"\bworkshop", "workshop"),
    (r"\breject|\bdeclin|\bnot accept", "rejected"),
    (r"\baccept|\bposter|\boral|\bspotlight|\bnotable|\bhighlight|\bbest paper|^approved?$|^true$", "accepted"),
    (r"^false$", "rejected"),
)  # fmt: skip
"""The first that fits counts: a paper invited to a workshop was told so in words that begin with a rejection."""


_SAID = tuple((re.compile(pattern, re.IGNORECASE), decision) for pattern, decision in _ROWS)


def parse_decision(words: str) -> Decision:
    """`Accept (Oral)`, `Poster`, `Withdrawn Submission`, `Reject`; `unknown` for `Active` or nothing."""
    return next((decision for pattern, decision in _SAID if pattern.search(words.strip())), "unknown")
