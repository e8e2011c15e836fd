r"""Decodes characters that a text writes as escapes: `%2B`, also `%252B`; `\u002b`, `\u{2b}`, `\x2b`, `\"` and `\/`;
`&#43;`, `&#x2b;` and `&plus;`. A server may write a key so, and any of its characters, in any mixture. Characters and
terminal sequences that nobody sees are left out: a key with some inside looks whole.
"""

from __future__ import annotations

import html
import re
import sys
from urllib.parse import unquote

_ROUNDS = 4
"""How often a text is decoded, as what was escaped may be escaped again."""
_USUAL = {"\\/": "/", '\\"': '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"'}
"""What is in all JSON and XML: replaced fast, and no reason to look for more."""
_UNSEEN_RANGES = (
    (0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x600, 0x605),
    (0x61C, 0x61C), (0x6DD, 0x6DD), (0x70F, 0x70F), (0x890, 0x891), (0x8E2, 0x8E2), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164),
    (0xD800, 0xF8FF), (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF), (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x13430, 0x1345F), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF), (0xF0000, 0x10FFFF),
)  # fmt: skip
"""Code points that a reader does not see: controls but for line ends and tabs, format characters, surrogates, private
use, the empty Braille pattern, and those of Unicode's Default_Ignorable_Code_Point."""
_UNSEEN_CLASS = "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in _UNSEEN_RANGES)
_UNSEEN = re.compile(f"[{_UNSEEN_CLASS}]")
_H = "[0-9A-Fa-f]"
_STYLE = r"\x1b\[[0-9;]{0,12}[A-Za-z]"
"""Terminal sequences that set colours and move the cursor."""
_ESCAPE = (
    rf"%(?:[0-7]{_H}|[c-fC-F]{_H}(?:%[89abAB]{_H}){{1,3}})"
    rf"|\\+(?:u(?:{_H}{{4}}|\{{{_H}{{1,8}}\}})|U{_H}{{8}}|x{_H}{{2}}|[bf])"
    rf"|&#(?:[0-9]{{1,12}}|[xX]{_H}{{1,12}});?"
)
_NAMED = "&[A-Za-z][A-Za-z0-9]{1,30};?"
_UNUSUAL = re.compile(rf"{_STYLE}|[{_UNSEEN_CLASS}]|{_ESCAPE}|{_NAMED}")
_ANY = re.compile(rf"{_UNUSUAL.pattern}|\\+[\"/]")
"""One character each, or none."""
_MARKS = ("%", "\\", "&")
_FIRST_LOOK = re.compile(
    rf"{_ESCAPE}|&(?!(?:amp|lt|gt|quot);)[A-Za-z][A-Za-z0-9]{{1,30}};?|&amp;(?:#|[A-Za-z]{{2,22}};)"
)
_LINE_ENDS = str.maketrans("\n\r\t", "   ")


def may_hold_escapes(text: str) -> bool:
    """Whether a text holds unseen characters, or escapes of characters that need none, as few texts do."""
    if any(mark in text for mark in _MARKS) and _FIRST_LOOK.search(text):
        return True
    if text.isascii():
        return not text.translate(_LINE_ENDS).isprintable()
    return _UNSEEN.search(text) is not None


def decoded(text: str) -> str:
    """The text with its escapes decoded, also those that were escaped again, and without what nobody sees."""
    for _ in range(_ROUNDS):
        before = text
        for usual, plain in _USUAL.items():
            text = text.replace(usual, plain)
        text = _UNUSUAL.sub(_character, text)
        if text == before:
            break
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
        characters = _character(match)
        pieces += [text[at:first], characters]
        new_starts += [*starts[at:first], *[starts[first]] * len(characters)]
        new_ends += [*ends[at:first], *[ends[last - 1]] * len(characters)]
        at = last
    return "".join([*pieces, text[at:]]), new_starts + starts[at:], new_ends + ends[at:]


def _character(match: re.Match[str]) -> str:
    escape = match[0]
    match escape[0]:
        case "%":
            return _UNSEEN.sub("", unquote(escape))
        case "&":
            return _UNSEEN.sub("", html.unescape(escape))
        case "\\":
            return _UNSEEN.sub("", _after_backslash(escape.lstrip("\\"), escape))
        case _:
            return ""


def _after_backslash(letters: str, escape: str) -> str:
    if len(letters) == 1:
        return "" if letters in "bf" else letters
    code = int(letters[1:].strip("{}"), 16)
    return chr(code) if code <= sys.maxunicode else escape
