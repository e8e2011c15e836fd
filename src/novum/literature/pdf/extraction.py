"""The text of a PDF file with its positions, by PDFium. Runs in a child process only (`worker.py`).

The position of each character comes from PDFium; its order and line breaks are not used, as it knows no columns.
"""

from __future__ import annotations

import ctypes
import math
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw

from novum.literature.pdf.limits import Unreadable
from novum.literature.pdf.spans import PageText, PdfText, TextSpan

_Document: Any = pypdfium2.PdfDocument
raw: Any = pypdfium2.raw
"""The functions of PDFium, by ctypes and therefore without types."""

PAGES_READ = 300
_MOST_CHARACTERS = 100_000
"""Of one page. A dense page has a tenth of that."""
_GAP = 0.8
"""In font sizes. A wider gap separates columns or cells, not words."""
_SAME_BASE = 0.05
SPACE = 0.25
"""In font sizes: a wider gap between letters is a space, even where PDFium reports none."""
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})


def extract(path: Path, pages: int = PAGES_READ) -> PdfText:
    """The text of the first `pages` pages. Raises Unreadable, or OSError when the file cannot be opened."""
    _check_head(path)
    try:
        with _Document(path) as document:
            count = len(document)
            if not count:
                raise Unreadable("it has no pages; it is probably damaged")
            read = tuple(_pages(document, min(count, pages)))
            known = document.get_metadata_dict()
    except pypdfium2.PdfiumError as error:
        raise Unreadable(_why(error)) from error
    if not any(span.text.strip() for page in read for span in page.spans):
        raise Unreadable("no text: it is probably a scan; run it through OCR (`ocrmypdf`) first")
    title, author = (known.get(name, "").encode("utf-8", "replace").decode() for name in ("Title", "Author"))
    return PdfText(read, count, title, author)


def _check_head(path: Path) -> None:
    """Checks the signature, which PDF readers accept anywhere in the first 1024 bytes. Raises Unreadable."""
    with path.open("rb") as opened:
        head = opened.read(1024)
    if not head:
        raise Unreadable("the file is empty")
    if b"%PDF-" not in head:
        raise Unreadable("not a PDF file, whatever its name says")


def _why(error: pypdfium2.PdfiumError) -> str:
    if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
        return "it is encrypted; save a copy without a password"
    return f"PDFium cannot read it ({str(error).rstrip('.')}); it is probably damaged or cut off"


def _pages(document: Any, count: int) -> Iterator[PageText]:
    """The text of the first pages. A page that cannot be loaded counts as empty, as the others may hold the paper."""
    for number in range(count):
        try:
            page = document[number]
            text = page.get_textpage()
        except pypdfium2.PdfiumError:
            yield PageText(0, 0)
            continue
        try:
            yield _page_text(text, page.get_width(), page.get_height())
        finally:
            text.close()
            page.close()


@dataclass(frozen=True, slots=True)
class _Font:
    """The font of a text object, as it appears on the page."""

    size: float
    bold: bool
    italic: bool
    turns: int
    """Quarter turns anticlockwise."""


@dataclass(frozen=True, slots=True)
class _Character:
    text: str
    left: float
    right: float
    base: float
    font: _Font
    spaced: bool = False
    """A space comes before it."""


def _page_text(text: Any, width: float, height: float) -> PageText:
    """The text of a page, turned so that most of it is upright."""
    characters = _combine_accents(list(_characters(text)))
    counts = Counter(character.font.turns for character in characters)
    upright = counts.most_common(1)[0][0] if counts else 0
    if upright % 2:
        width, height = max(width, height), min(width, height)
    spans = [span for span, turns in _spans(characters) if turns == upright]
    sideways = [span.text for span, turns in _spans(characters) if turns != upright]
    return PageText(width, height, tuple(spans), tuple(sideways))


def _characters(text: Any) -> Iterator[_Character]:
    """The visible characters, turned upright. A space, which PDFium adds where files draw none, marks the next one."""
    page, spaced = text.raw, False
    x, y, box = ctypes.c_double(), ctypes.c_double(), raw.FS_RECTF()
    fonts: dict[int, _Font] = {}
    for index in range(min(text.count_chars(), _MOST_CHARACTERS)):
        glyph = _glyph(raw.FPDFText_GetUnicode(page, index), raw.FPDFText_IsHyphen(page, index) == 1)
        if not glyph.strip() or not raw.FPDFText_GetLooseCharBox(page, index, box):
            spaced = spaced or glyph == " "
            continue
        raw.FPDFText_GetCharOrigin(page, index, x, y)
        key = ctypes.cast(raw.FPDFText_GetTextObject(page, index), ctypes.c_void_p).value or 0
        font = fonts.get(key) or fonts.setdefault(key, _font(page, index))
        corners = (box.left, box.bottom, box.right, box.top)
        if all(map(math.isfinite, (*corners, x.value, y.value))):
            yield _upright(glyph, corners, (x.value, y.value), font, spaced)
            spaced = False


def _combine_accents(characters: list[_Character]) -> list[_Character]:
    """Accents and letters combined: old TeX fonts draw `é` as two characters, not always next to each other."""
    drawn: list[_Character | None] = list(characters)
    for at, accent in enumerate(characters):
        if accent.text in _ACCENTS and (under := _letter_under(drawn, at, accent)) is not None:
            letter = drawn[under]
            assert letter is not None
            drawn[under] = _under(accent, letter, first=under > at)
            drawn[at] = None
    return [character for character in drawn if character is not None]


def _letter_under(drawn: list[_Character | None], at: int, accent: _Character) -> int | None:
    """The index of the letter whose middle is closest to that of the accent; None without one nearby."""
    apart: list[tuple[float, int]] = []
    for near in range(max(0, at - _NEAR), min(len(drawn), at + _NEAR + 1)):
        other = drawn[near]
        if other and other.text[0].isalpha() and abs(other.base - accent.base) < 0.5 * accent.font.size:
            apart.append((abs(other.left + other.right - accent.left - accent.right) / 2, near))
    distance, nearest = min(apart, default=(math.inf, 0))
    return nearest if distance < 0.3 * accent.font.size else None


def _under(accent: _Character, letter: _Character, first: bool) -> _Character:
    plain = {"ı": "i", "ȷ": "j"}.get(letter.text, letter.text)
    text = unicodedata.normalize("NFC", plain + _ACCENTS[accent.text])
    return replace(letter, text=text, spaced=accent.spaced if first else letter.spaced)


_NEAR = 4
_ACCENTS = dict(
    zip("`´ˆ˜¨˝ˇ˘¯˙˚¸", "\u0300\u0301\u0302\u0303\u0308\u030b\u030c\u0306\u0304\u0307\u030a\u0327", strict=True)
)


def _glyph(code: int, hyphen: bool) -> str:
    """The text of a code point: ligatures as letters, and nothing for control characters and private use."""
    if hyphen or code in (0x02, 0xAD):
        return "-"
    if not 0x20 <= code <= 0x10FFFF or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xF900 or code in (0xFFFE, 0xFFFF):
        return ""
    return " " if code in (0xA0, 0x3000) else chr(code).translate(_LIGATURES)


def _upright(
    glyph: str, box: tuple[float, float, float, float], origin: tuple[float, float], font: _Font, spaced: bool
) -> _Character:
    left, bottom, right, top = box
    x, y = origin
    along, across = [((left, right), y), ((bottom, top), -x), ((-right, -left), -y), ((-top, -bottom), x)][font.turns]
    return _Character(glyph, along[0], along[1], across, font, spaced)


def _font(page: Any, index: int) -> _Font:
    """The font of a character. What PDFium does not report counts as plain."""
    name, flags = _font_name(page, index)
    matrix = raw.FS_MATRIX()
    scale = math.hypot(matrix.c, matrix.d) if raw.FPDFText_GetMatrix(page, index, matrix) else 1.0
    angle = raw.FPDFText_GetCharAngle(page, index)
    size = raw.FPDFText_GetFontSize(page, index) * (scale or 1.0)
    return _Font(
        size=round(size, 1) if math.isfinite(size) and size > 0 else 1.0,
        bold=any(word in name for word in _BOLD) or name.endswith("medi") or "-medi" in name or bool(flags & 1 << 18),
        italic=any(word in name for word in _ITALIC) or bool(flags & 1 << 6),
        turns=round(angle / (math.pi / 2)) % 4 if math.isfinite(angle) and angle >= 0 else 0,
    )


_BOLD = ("bold", "black", "heavy", "cmbx", "sfbx", "cmssbx")
_ITALIC = ("ital", "oblique", "cmti", "sfti", "slanted")


def _font_name(page: Any, index: int) -> tuple[str, int]:
    """The name of the font in lower case, and the flags of its descriptor (PDF 1.7, table 123)."""
    name, flags = ctypes.create_string_buffer(200), ctypes.c_int()
    length = raw.FPDFText_GetFontInfo(page, index, name, len(name), flags)
    return (name.value.decode("utf-8", "replace").lower() if length else ""), flags.value


def _spans(characters: list[_Character]) -> Iterator[tuple[TextSpan, int]]:
    """Characters that are next to each other both in the file and on the page, with their quarter turns."""
    held: list[_Character] = []
    for character in characters:
        if held and not _goes_on(held[-1], character):
            yield from _span(held)
            held = []
        held.append(character)
    yield from _span(held)


def _goes_on(last: _Character, following: _Character) -> bool:
    """The parts of a ligature share one box, so a character may begin well before the last one ends."""
    size = last.font.size
    level = abs(last.base - following.base) <= _SAME_BASE * size
    return last.font == following.font and level and -1.2 * size <= following.left - last.right <= _GAP * size


def _span(held: list[_Character]) -> Iterator[tuple[TextSpan, int]]:
    if not held:
        return
    parts = [held[0].text]
    for last, following in pairwise(held):
        if following.spaced or following.left - last.right > SPACE * following.font.size:
            parts.append(" ")
        parts.append(following.text)
    first, font = held[0], held[0].font
    text = unicodedata.normalize("NFC", "".join(parts))
    yield (
        TextSpan(text, first.left, held[-1].right, first.base, font.size, font.bold, font.italic, first.spaced),
        font.turns,
    )
