"""Plain text of titles and abstracts, without markup of HTML and LaTeX and without ligatures of PDF files."""

from __future__ import annotations

import html
import re
import unicodedata

_CHARACTERS = 10_000
"""Number of characters of a text that are read."""
_REST = r"(?:\s[^<>=]{1,40}=[^<>]{0,100})?\s?/?>"
_INLINE = re.compile(
    r"</?(?:jats:)?(?:a|b|i|u|em|tt|sc|sub|sup|span|strong|bold|italic|underline|font)" + _REST, re.IGNORECASE
)
_BLOCK = re.compile(
    r"</?(?:(?:jats|mml):[\w-]{1,40}|p|br|hr|h[1-6]|li|ol|ul|div|sec|list|title|table|tr|td|section)" + _REST,
    re.IGNORECASE,
)
"""Known HTML tags; other tags may be part of the text: a paper may be about a <mask>."""
_ACCENT = re.compile(r"\\(['\"`^~=.])\s*(?:\{\\?([A-Za-z])\}|\\?([A-Za-z]))")
_COMBINING = {"'": "\u0301", '"': "\u0308", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307"}
_ELSEWHERE = re.compile(
    r"\\(?:cite[a-z]{0,9}|ref|eqref|label|url|footnotemark)\*?(?:\[[^\[\]{}]{0,80}\]){0,2}\{[^{}]{0,200}\}"
)
"""LaTeX commands that refer to something outside the text."""
_SET = re.compile(r"\\(?:emph|underline|(?:text|math)[a-z]{1,6})\s*\{([^{}]{0,500})\}|\\(?:em|it|bf|tt|sc|rm|cal|bb)\b")
"""LaTeX commands for the style of words."""
_LETTERS = re.compile(r"\{(\w{1,3})\}")
_SEEN_AS = {
    **dict.fromkeys((0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF)),
    **dict.fromkeys((0x00A9, 0x00AE, 0x2122), " "),
    **dict.fromkeys((0x2010, 0x2011, 0xFE63, 0xFF0D), "-"),
    0x2019: "'",
}
"""Soft hyphens and spaces without width are removed, and all hyphens become one character."""


def plain_text(text: str) -> str:
    r"""The text without markup, its letters in composed form: `e\ufb03cient` is `efficient`, `na{\"i}ve` is `naïve`,
    `CO<sub>2</sub>` is `CO2`, `\emph{graph} networks` is `graph networks`."""
    text = text[:_CHARACTERS]
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _BLOCK.sub(" . ", _INLINE.sub("", text))
    if "\\" in text:
        text = _ELSEWHERE.sub(" ", _ACCENT.sub(_composed, text))
        text = _LETTERS.sub(r"\1", _SET.sub(lambda match: match[1] or " ", text))
    return text if text.isascii() else unicodedata.normalize("NFKC", text.translate(_SEEN_AS))


def _composed(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", (match[2] or match[3]) + _COMBINING[match[1]])
