"""Cleans values from files and responses. An invalid value becomes None or empty, never a guess."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from novum.core import Identifiers
from novum.literature.entry import REGISTRIES, clean_identifier

LONGEST_TEXT = 100_000
"""Characters; longer text is no abstract."""
LONGEST_NAME = 500
"""Characters of the name of a venue or field."""
_FIRST_YEAR, _LAST_YEAR = 1400, 2200
_ISO_DAY = len("2020-01-31")
_MONTHS = range(1, 13)
_CONTROL = bytes([*range(0x09), *range(0x0B, 0x20), 0x7F])
"""Dropped from text; tabs and line ends become spaces."""
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_ELEMENTS = (
    "a|abbr|abstract|alternatives|annotation|article-title|b|blockquote|body|bold|boxed-text|br|caption|chemical-struct|"
    "cite|code|div|disp-formula|disp-quote|em|email|ext-link|fig|font|graphic|h[1-6]|hr|html|i|img|inline-formula|"
    "inline-graphic|italic|jnl|label|li|list|list-item|math|mml|monospace|named-content|ol|p|pre|q|ref|"
    "related-article|roman|sans-serif|sc|sec|section|semantics|small|source|span|strike|strong|styled-content|sub|sup|"
    "table|tbody|td|tex-math|th|thead|title|tr|tt|u|ul|underline|uri|xref|m(?:i|n|o|s|text|row|sub|sup|subsup|under|"
    "over|underover|frac|sqrt|root|fenced|style|space|padded|phantom|table|tr|td|multiscripts|prescripts)"
)
_NAMED = r"(?:jats|mml|m|xhtml|html|ce|tp|oasis):[\w.-]+"
_LONG = r"(?:[^<>\"']|\"[^\"]{0,2000}\"|'[^']{0,2000}'){0,2000}"
_ATTRIBUTE = r"\s+[\w:.-]+\s*=\s*(?:\"[^\"]{0,2000}\"|'[^']{0,2000}'|[^\s<>\"']{1,2000})"
# A name with a namespace begins a tag whatever follows, also where the text is cut off; other names, some mean text.
_TAG = re.compile(
    rf"</?{_NAMED}(?:(?:[\s/]{_LONG})?>|[^<>]{{0,2000}}\Z)"
    rf"|</?(?:{_ELEMENTS})(?:{_ATTRIBUTE}){{0,40}}\s*/?>|<(?:{_ELEMENTS})\s+[\w:.-]+\s*=\s*[\"'][^<>]{{0,2000}}\Z"
    r"|</?[A-Za-z][^<>]{0,100}>|</[A-Za-z][\w:.-]{0,30}\Z|<!--.{0,2000}?-->|<!\[CDATA\[|\]\]>|<\?xml[^<>]{0,200}\?>",
    re.IGNORECASE,
)
_MATHML = re.compile(r"<(mml:|m:)?math\b", re.IGNORECASE)
_TEX_BESIDE_MATHML = re.compile(
    r"<(jats:|mml:)?(tex-math|annotation)\b[^<>]{0,500}>[^<]{0,5000}</(jats:|mml:)?(tex-math|annotation)\s*>",
    re.IGNORECASE,
)
"""The same formula a second time."""
_NUMBERS = frozenset({"pmid", "pmcid"})
"""Registries whose identifiers are often written as numbers."""
_ARXIV_NEW = re.compile(r"(\d\d)(\d\d)\.\d{4,5}")


def clean_text(value: object) -> str:
    """The text on one line: without control characters and lone surrogates, each run of white space as one space."""
    if not isinstance(value, str):
        return ""
    if value.isprintable() and "  " not in value:  # nearly all are; of white space, only the plain space is printable
        return value.strip()
    return " ".join(value.encode("utf-8", "ignore").translate(None, _CONTROL).decode().split())


def clean_texts(values: Sequence[object]) -> list[str]:
    """The texts among `values`, each as from `clean_text`, empty ones left out."""
    try:
        whole = "".join(values)  # type: ignore[arg-type]  # what is no text ends in the other branch
    except TypeError:
        return [text for value in values if (text := clean_text(value))]
    if whole.isprintable() and "  " not in whole:
        return [text for value in values if (text := value.strip())]  # type: ignore[attr-defined]
    return [text for value in values if (text := clean_text(value))]


def without_markup(text: str) -> str:
    """The text without tags of HTML, JATS and MathML, however long their attributes, also one that is cut off at the
    end. Of a formula that is given in MathML and TeX, the first is kept."""
    if "<" not in text:
        return text
    if _MATHML.search(text):
        text = _TEX_BESIDE_MATHML.sub(" ", text)
    return clean_text(_TAG.sub(" ", text))


def clean_year(value: object) -> int | None:
    """A year from a number or a text that holds one."""
    if isinstance(value, str):
        match = _YEAR.search(value)
        value = int(match.group(1)) if match else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if _FIRST_YEAR <= value <= _LAST_YEAR else None


def clean_date(value: object) -> dt.date | None:
    """A day from ISO 8601 text."""
    try:
        return dt.date.fromisoformat(value[:_ISO_DAY]) if isinstance(value, str) else None
    except ValueError:
        return None


def clean_count(value: object) -> int | None:
    """A citation count."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 10**9:
        return None
    return int(value)


def clean_identifiers(found: dict[str, object]) -> Identifiers:
    """The identifiers of known registries in `found`, without prefixes."""
    cleaned = {
        scheme: clean_identifier(scheme, clean_text(str(value) if scheme in _NUMBERS else value))
        for scheme, value in found.items()
        if scheme in REGISTRIES and (isinstance(value, str) or (scheme in _NUMBERS and type(value) is int))
    }
    return Identifiers(**{scheme: value for scheme, value in cleaned.items() if value})


def arxiv_day(arxiv: str | None) -> dt.date | None:
    """The last day of the month that an arXiv id of the form YYMM.number names: by then it was certainly public."""
    match = _ARXIV_NEW.fullmatch(arxiv or "")
    if not match or int(match.group(2)) not in _MONTHS:
        return None
    year, month = 2000 + int(match.group(1)), int(match.group(2))
    following = dt.date(year + month // 12, month % 12 + 1, 1)
    return following - dt.timedelta(days=1)
