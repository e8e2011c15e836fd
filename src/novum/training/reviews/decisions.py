"""Parse the decision on a submission from the words of venues and data sets."""

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
"""The first pattern that matches counts. Invitations to a workshop begin with the words of a rejection."""


_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), decision) for pattern, decision in _ROWS)


def parse_decision(words: str) -> Decision:
    """The decision of texts such as `Accept (Oral)`, `Poster`, `Withdrawn Submission` or `Reject`; `unknown` for
    others."""
    return next((decision for pattern, decision in _PATTERNS if pattern.search(words.strip())), "unknown")
