"""The one gate through which foreign text enters a prompt.

Text of papers, reviews and models is data. It is cleaned of what a model could take for structure, cut to a length,
and set between two marks that carry a fence word. The fence word is a placeholder until the prompt is sent, when a
fresh random one takes its place: the text cannot know it, and equal questions stay equal in the ledger.
"""

from __future__ import annotations

import re
import secrets
import unicodedata

from novum.core import shorten

FENCE = "\x02fence\x03"
"""Stands for the fence word in a rendered prompt. Its control characters cannot occur in cleaned text."""

DEFAULT_LIMIT = 6000
"""Characters: about 1,500 tokens, a long abstract or the idea of a paper many times over."""

_CHAT_MARKS = re.compile(
    r"<[|｜][^|｜>\n]{0,40}[|｜]?>|<[^<|｜>\s]{1,40}[|｜]>|"
    r"\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]|<</?SYS>>|</?s>|"
    r"</?(?:bos|eos|im_start|im_end|endoftext|start_of_turn|end_of_turn|(?:bos|eos)_token)>",
    re.IGNORECASE,
)
_FENCE_LIKE = re.compile(r"<(/?)\s*(material)\b([^>\n]{0,80})>?", re.IGNORECASE)
_ROLES = ("system", "assistant", "user", "human")
_LONGEST_ROLE = max(map(len, _ROLES))
_HEADING_ROLE = re.compile(rf"^([^\S\n]*)({'|'.join(_ROLES)})(\s*:)", re.IGNORECASE | re.MULTILINE)
_KEPT_CONTROLS = "\n\t"
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co"})
"""Unicode categories: control, format (zero-width, bidi), surrogate, private use."""


class _Visible(dict[int, int | None]):
    """What `str.translate` keeps and drops, by character code: looked up on a character's first appearance only."""

    def __missing__(self, code: int) -> int | None:
        char = chr(code)
        hidden = char not in _KEPT_CONTROLS and unicodedata.category(char) in _HIDDEN
        self[code] = None if hidden else code
        return self[code]


_VISIBLE = _Visible()


def draw_fence() -> str:
    """A fence word nobody can foresee: 8 hex digits."""
    return secrets.token_hex(4)


def clean(text: str) -> str:
    """`text` without control, format (zero-width, bidi) and surrogate characters, chat marks and fence-like tags
    defused.
    """
    told = text if text.replace("\n", " ").isprintable() else text.translate(_VISIBLE)
    if "<" in told or "[" in told:  # most text has neither, and every prompt passes here
        told = _FENCE_LIKE.sub(r"(\1\2\3)", _CHAT_MARKS.sub("[mark removed]", told))
    return _HEADING_ROLE.sub(r"\1\2 -", told) if ":" in told and _may_head_a_role(told) else told


def _may_head_a_role(text: str) -> bool:
    """Whether a line begins with the name of a role: looked up line by line, several times as fast as the pattern,
    which tries every character."""
    return any(line.lstrip()[:_LONGEST_ROLE].casefold().startswith(_ROLES) for line in text.split("\n"))


def untrusted(text: object, limit: int = DEFAULT_LIMIT) -> str:
    """The Jinja filter: foreign `text`, cleaned, at most `limit` characters, between fenced marks."""
    inside = shorten(clean(str(text)).strip(), limit)
    return f"<material {FENCE}>\n{inside}\n</material {FENCE}>"


def plain(text: object, limit: int = 300) -> str:
    """The Jinja filter for a short foreign name inside a line: cleaned, one line, cut; for use inside fenced marks."""
    return shorten(" ".join(clean(str(text)).split()), limit)
