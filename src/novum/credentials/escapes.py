r"""Decodes ASCII characters that a text writes as escapes: `%2B`, also `%252B`; `\u002b`, `\x2b`, `\"` and `\/`;
`&#43;`, `&#x2b;` and `&plus;`. A server may write a key so, and any of its characters, in any mixture. Characters and
terminal sequences that nobody sees are left out: a key with some inside looks whole.
"""

from __future__ import annotations

import html
import re
from html.entities import html5
from urllib.parse import unquote

_ROUNDS = 4
"""How often a text is decoded, as what was escaped may be escaped again."""
_NAMES = sorted(name for name, value in html5.items() if name[-1] == ";" and len(value) == 1 and "!" <= value <= "~")
_USUAL = {"\\/": "/", '\\"': '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"'}
"""What is in all JSON and XML: replaced fast, and no reason to look for more."""
_DECIMAL = "0{0,5}(?:3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6])"
_HEX = "[2-7][0-9A-Fa-f]"
_UNSEEN_RANGES = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x115F), (0x1160, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
)  # fmt: skip
_UNSEEN = "".join(chr(code) for first, last in _UNSEEN_RANGES for code in range(first, last + 1))
"""Characters that a reader does not see (Unicode: Default_Ignorable_Code_Point, those of the basic plane). The members
of each range differ in their last hexadecimal digit alone, also in UTF-8."""


def _in_any_case(first: str, last: str) -> str:
    """Matches what lies between two hexadecimal numbers that differ in their last digit."""
    digits = "0123456789abcdef"
    ending = digits[digits.index(first[-1]) : digits.index(last[-1]) + 1]
    return "".join(f"[{each}{each.upper()}]" if each.isalpha() else each for each in first[:-1]) + (
        f"[{ending}{ending.upper()}]"
    )


def _quoted(code: int) -> str:
    return "".join(f"%{byte:02x}" for byte in chr(code).encode())


_UNSEEN_HEX = "|".join(_in_any_case(f"{first:x}", f"{last:x}") for first, last in _UNSEEN_RANGES)
_UNSEEN_QUOTED = "|".join(_in_any_case(_quoted(first), _quoted(last)) for first, last in _UNSEEN_RANGES)
_UNSEEN_DECIMAL = "|".join(str(ord(char)) for char in _UNSEEN)
_HIDDEN_ESCAPE = "|".join(
    (
        rf"\\+u0{{0,2}}(?:{_UNSEEN_HEX})",
        rf"&#(?:[xX]0{{0,5}}(?:{_UNSEEN_HEX})|0{{0,5}}(?:{_UNSEEN_DECIMAL}));?",
        rf"%(?:{_UNSEEN_QUOTED.replace('|%', '|')[1:]})",
    )
)
"""The same characters, escaped."""
_STYLE = r"\x1b\[[0-9;]{0,12}[A-Za-z]"
"""Terminal sequences that set colours and move the cursor."""
_HIDDEN = rf"{_STYLE}|[{_UNSEEN}]|{_HIDDEN_ESCAPE}"
_NUMBERED = rf"%{_HEX}|\\+(?:u00|x){_HEX}|&#(?:{_DECIMAL}|[xX]0{{0,5}}{_HEX});?"
_UNUSUAL = re.compile(f"{_HIDDEN}|{_NUMBERED}|&(?:{'|'.join(name for name in _NAMES if f'&{name}' not in _USUAL)})")
_ANY = re.compile(rf"{_HIDDEN}|{_NUMBERED}|\\+[\"/]|&(?:{'|'.join(_NAMES)})")
"""One character each, or none."""
_FIRST_LOOK = re.compile(_UNUSUAL.pattern + r"|&amp;(?:#|[A-Za-z]{2,22};)")
_UNSEEN_BYTES = "|".join("".join(f"\\x{byte:02x}" for byte in each.encode()) for each in _UNSEEN)
_FIRST_LOOK_AT_BYTES = re.compile(_FIRST_LOOK.pattern.replace(f"[{_UNSEEN}]", _UNSEEN_BYTES).encode())


def may_hold_escapes(text: str | bytes) -> bool:
    """Whether a text holds escapes of characters that need none, as few texts do. Bytes with a NUL are no text."""
    if isinstance(text, bytes):
        marked = b"%" in text or b"\\" in text or b"&" in text or b"\x1b" in text or not text.isascii()
        return marked and b"\0" not in text and _FIRST_LOOK_AT_BYTES.search(text) is not None
    marked = "%" in text or "\\" in text or "&" in text or "\x1b" in text or not text.isascii()
    return marked and _FIRST_LOOK.search(text) is not None


def decoded(text: str) -> str:
    """The text with its escapes decoded, also those that were escaped again."""
    for _ in range(_ROUNDS):
        for usual, plain in _USUAL.items():
            text = text.replace(usual, plain)
        if _UNUSUAL.search(text) is None:
            break
        text = _UNUSUAL.sub(_character, text)
    return text


def decoded_spans(text: str) -> tuple[str, list[int], list[int]]:
    """The decoded text, and where each of its characters begins and ends in `text`. Slow: for texts with a secret."""
    starts, ends = list(range(len(text))), list(range(1, len(text) + 1))
    for _ in range(_ROUNDS):
        before = text
        text, starts, ends = _decoded_once(text, starts, ends)
        if text == before:
            break
    return text, starts, ends


def _decoded_once(text: str, starts: list[int], ends: list[int]) -> tuple[str, list[int], list[int]]:
    pieces: list[str] = []
    new_starts: list[int] = []
    new_ends: list[int] = []
    at = 0
    for match in _ANY.finditer(text):
        first, last = match.span()
        character = _character(match)
        pieces += [text[at:first], character]
        new_starts += [*starts[at:first], *[starts[first]] * len(character)]
        new_ends += [*ends[at:first], *[ends[last - 1]] * len(character)]
        at = last
    return "".join([*pieces, text[at:]]), new_starts + starts[at:], new_ends + ends[at:]


def _character(match: re.Match[str]) -> str:
    escape = match[0]
    if escape[0] == "\x1b" or escape in _UNSEEN:
        return ""
    if escape[0] == "%":
        character = unquote(escape)
    elif escape[0] == "&":
        character = html.unescape(escape)
    else:
        letters = escape.lstrip("\\")
        character = letters if len(letters) == 1 else chr(int(letters[1:], 16))
    return "" if character in _UNSEEN else character
