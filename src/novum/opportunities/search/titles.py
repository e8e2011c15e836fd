"""What titles say of a concept: whether it stands in them, and whether as what is used or as what is studied."""

from __future__ import annotations

from collections.abc import Iterable

from novum.opportunities.search.plain_words import stems

_USED_AFTER = frozenset({"with", "via", "using", "by", "through"})
_USED_BEFORE = frozenset({"for", "based", "enable", "improve", "guided", "driven"})
_STUDIED_AFTER = frozenset({"for", "of", "in", "on", "toward", "improving", "understanding", "against"})
_STUDIED_BEFORE = frozenset({"with", "via", "using", "by", "through", "from", "under"})
_FEW = 4
"""Titles of which one is enough."""


def is_in_title(name: str, title: str) -> bool:
    """Whether the title has its words side by side, plural and hyphens aside."""
    return _place(list(stems(name)), _words(title)) is not None


def is_used_as_means(name: str, titles: Iterable[str]) -> bool:
    """Whether titles speak of it as of a means (`with X`, `X for`) at least half as often as of an end (`of X`, `X
    using`), and one does, or two where more than four have it."""
    used = studied = named = 0
    wanted = list(stems(name))
    for title in titles:
        words = _words(title)
        at = _place(wanted, words)
        if at is None:
            continue
        named += 1
        before = words[at - 1] if at else ""
        after = words[at + len(wanted)] if at + len(wanted) < len(words) else ""
        used += before in _USED_AFTER or after in _USED_BEFORE
        studied += before in _STUDIED_AFTER or after in _STUDIED_BEFORE
    return used >= (2 if named > _FEW else 1) and 2 * used >= studied


def _words(title: str) -> list[str]:
    plain = "".join(char if char.isalnum() else " " for char in title.lower()[:1000])
    return list(stems(plain))


def _place(wanted: list[str], words: list[str]) -> int | None:
    for at in range(len(words) - len(wanted) + 1):
        if words[at : at + len(wanted)] == wanted:
            return at
    return None
