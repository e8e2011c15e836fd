"""Text made comparable: the normal form under which two titles are the same title."""

from __future__ import annotations

import re
import unicodedata

_NOT_LETTERS = re.compile(r"[\W_]+")


def normal_title(title: str) -> str:
    """Lower case, accents dropped, every run of punctuation or space one space.

    `normal_title("Chain-of-Thought  Prompting…") == "chain of thought prompting"`. Letters of other scripts stay.
    """
    if title.isascii():
        return " ".join(title.encode().translate(_PLAIN_ASCII).decode().split())
    return _NOT_LETTERS.sub(" ", _plain(title)).strip()


_PLAIN_ASCII = bytes(ord(chr(code).lower()) if chr(code).isalnum() and code < 128 else ord(" ") for code in range(256))
"""Bytes of ASCII letters in lower case, digits, and a space for everything else."""


def _plain(title: str) -> str:
    """Taken apart before and after the case is folded: some letters fold only then, others come apart only then."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", title).casefold())
    return "".join(char for char in folded if not unicodedata.combining(char))


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut at a space where there is one near, with an ellipsis when cut."""
    if len(text) <= limit:
        return text
    head = text[: max(limit - 1, 0)]
    at_space = head.rfind(" ")
    return (head[:at_space] if at_space > limit * 0.6 else head).rstrip() + "…"
