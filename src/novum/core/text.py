"""Normal forms of text: titles that can be compared, and texts of limited length."""

from __future__ import annotations

import re
import unicodedata

_NOT_LETTERS = re.compile(r"[\W_]+")


def normal_title(title: str) -> str:
    """A title in lower case, without accents, with one space for each run of punctuation or spaces.

    `normal_title("Chain-of-Thought  Prompting…") == "chain of thought prompting"`. Letters of other scripts are kept.
    """
    if title.isascii():
        return " ".join(title.encode().translate(_PLAIN_ASCII).decode().split())
    return _NOT_LETTERS.sub(" ", _plain(title)).strip()


_PLAIN_ASCII = bytes(ord(chr(code).lower()) if chr(code).isalnum() and code < 128 else ord(" ") for code in range(256))
"""Bytes of ASCII letters in lower case, digits, and a space for everything else."""


def _plain(title: str) -> str:
    """Lower case without accents. Decomposed before and after case folding, since each changes what the other does."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", title).casefold())
    return "".join(char for char in folded if not unicodedata.combining(char))


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters of a text; a cut is made at a space if one is near, and marked by an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[: max(limit - 1, 0)]
    at_space = head.rfind(" ")
    return (head[:at_space] if at_space > limit * 0.6 else head).rstrip() + "…"
