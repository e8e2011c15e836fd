"""The one gate through which foreign text enters a prompt.

Text of papers, reviews and models, and every topic and question, is data. It is cleaned of what a model could take for
structure, cut to a length, and set between two marks that carry a fence word. The fence word is a placeholder until the
prompt is sent, when a fresh random one takes its place: the text cannot know it, and equal questions stay equal in the
ledger.
"""

from __future__ import annotations

import re
import secrets
import unicodedata

from novum.core import shorten
from novum.prompts.special_tokens import without_special_tokens

FENCE = "\x02fence\x03"
"""Stands for the fence word in a rendered prompt. Its control characters cannot occur in cleaned text."""

_INLINE = re.compile(rf"<material {FENCE}>(?!\n)([^\n]*?)</material {FENCE}>")
"""What `quoted` makes. Nothing but `quoted` and `untrusted` can make it: foreign text holds no `FENCE`."""

DEFAULT_LIMIT = 6000
"""Characters: about 1,500 tokens, a long abstract or the idea of a paper many times over."""

_LABEL_LIMIT = 12
_MOST_MARKS = 4
"""Combining marks on one letter. Vietnamese, Hebrew and phonetic script need three at most."""

_SMALL_LATIN = {letter: f"{letter}{chr(ord(letter) + 0xFEE0)}" for letter in "aeilmrt"}
_FENCE_LIKE = re.compile(
    r"[<＜﹤](?=\s*[/／]?\s*" + "".join(f"[{_SMALL_LATIN[letter]}]" for letter in "material") + r"\b)", re.IGNORECASE
)
"""The opening bracket of a mark like ours, also one that is never closed."""
_ROLES = ("system", "assistant", "user", "human", "developer")
_LONGEST_ROLE = max(map(len, _ROLES))
_BEFORE_ROLE = " \t\xa0#*>_"
_HEADING_ROLE = re.compile(
    rf"^([^\S\n]*[#*>_ \t]*)({'|'.join(_ROLES)})([*_]*\s*)[:：]([*_]*)", re.IGNORECASE | re.MULTILINE
)
_INSTRUCTION_HEADING = re.compile(
    r"^(\s*)#+(\s*(?:instruction|input|response)s?\s*[:：])", re.IGNORECASE | re.MULTILINE
)
_COMBINING = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\u302a-\u302d\u3099\u309a\ufe20-\ufe2f"
)
_FLOOD = re.compile(f"([{_COMBINING}]{{{_MOST_MARKS}}})[{_COMBINING}]+")

_LINE_BREAKS = frozenset("\x0b\x0c\x85\u2028\u2029")
"""Characters that some programs take for the end of a line."""
_BLANKS = "\u115f\u1160\u3164\uffa0\u2800"
"""Letters and symbols that are drawn as nothing: Hangul fillers and the empty braille cell."""
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co"})
"""Unicode categories: control, format (zero-width, bidi, tags), surrogate, private use."""
_INVISIBLE_MARKS = (
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian variation selectors
    (0x2060, 0x206F),
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),  # tags and more variation selectors
)
"""Code points that are drawn as nothing although their category says otherwise."""


class _Visible(dict[int, int | str | None]):
    """What `str.translate` does with each character, by its code: looked up on its first appearance only."""

    def __missing__(self, code: int) -> int | str | None:
        self[code] = _visible(code)
        return self[code]


def _visible(code: int) -> int | str | None:
    char = chr(code)
    if char in _LINE_BREAKS:
        return "\n"
    if char in _BLANKS:
        return " "
    hidden = char not in "\n\t" and unicodedata.category(char) in _HIDDEN_CATEGORIES
    return None if hidden or any(first <= code <= last for first, last in _INVISIBLE_MARKS) else code


_VISIBLE = _Visible()
_UNUSUAL = re.compile(
    f"[{_COMBINING}{_BLANKS}{''.join(f'{chr(first)}-{chr(last)}' for first, last in _INVISIBLE_MARKS)}]"
)
"""What `str.isprintable` lets pass although it may have to go."""


def draw_fence() -> str:
    """A fence word nobody can foresee: 8 hex digits."""
    return secrets.token_hex(4)


def clean(text: str) -> str:
    """`text` without what a model could take for structure and a reader cannot see.

    Control, format (zero-width, bidi) and surrogate characters, variation selectors, tags and fillers are dropped;
    what ends a line becomes a line feed; of many combining marks on one letter four stay. The brackets of special
    tokens and of marks like our own become round ones, so that a text about `<unk>` speaks of `(unk)`. Everything else
    is as it was.
    """
    visible = _without_hidden(text)
    defused = without_special_tokens(visible)
    if "<" in defused or "＜" in defused or "﹤" in defused:  # most text has none, and every prompt passes here
        defused = _FENCE_LIKE.sub("(", defused)
    if "#" in defused:
        defused = _INSTRUCTION_HEADING.sub(r"\1\2", defused)
    return _HEADING_ROLE.sub(r"\1\2\3 -\4", defused) if _may_head_a_role(defused) else defused


def _without_hidden(text: str) -> str:
    if text.replace("\n", " ").isprintable() and (text.isascii() or not _UNUSUAL.search(text)):  # most text
        return text
    return _FLOOD.sub(r"\1", text.replace("\r\n", "\n").translate(_VISIBLE))


def _may_head_a_role(text: str) -> bool:
    """Whether a line begins with the name of a role: looked up line by line, several times as fast as the pattern,
    which tries every character."""
    if ":" not in text and "：" not in text:
        return False
    starts = (line.lstrip(_BEFORE_ROLE)[:_LONGEST_ROLE] for line in text.split("\n"))
    return any(start.casefold().startswith(_ROLES) for start in starts)


def untrusted(text: object, limit: int = DEFAULT_LIMIT) -> str:
    """The Jinja filter: foreign `text`, cleaned, at most `limit` characters, between fenced marks."""
    inside = shorten(clean(str(text)).strip(), limit)
    return f"<material {FENCE}>\n{inside}\n</material {FENCE}>"


def quoted(text: object, limit: int = 300) -> str:
    """The Jinja filter for a short foreign text inside a sentence: as `plain`, between fenced marks on one line."""
    return f"<material {FENCE}>{plain(text, limit)}</material {FENCE}>"


def without_inline_marks(text: str) -> str:
    """Rendered `text` as it was when `quoted` set no marks: recorded answers are found by it."""
    return _INLINE.sub(r"\1", text)


def plain(text: object, limit: int = 300) -> str:
    """The Jinja filter for a short foreign name inside a line: cleaned, one line, cut; for use inside fenced marks."""
    return shorten(" ".join(clean(str(text)).split()), limit)


def label(text: object) -> str:
    """The Jinja filter for a label that the program gave, such as `P1` or `R2.1`, outside fenced marks.

    Letters of the English alphabet, digits, points and hyphens pass, at most 12 of them: too little for a message.
    """
    return re.sub(r"[^A-Za-z0-9.-]", "", str(text))[:_LABEL_LIMIT]
