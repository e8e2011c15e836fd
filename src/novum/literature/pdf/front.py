"""Title and authors, from the first page of a paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from novum.literature.pdf.hyphenation import Vocabulary
from novum.literature.pdf.lines import TextLine

_LARGER = 1.12
_MOST_TITLE_LINES = 6
_LONGEST_TITLE = 400
_NO_TITLE = re.compile(
    r"(arxiv:|doi:|https?:|published as|under review|preprint|proceedings of|journal of|vol(ume|\.)|issn|©|copyright"
    r"|research article|original (article|paper)|article$|review$|technical report$|contents lists)",
    re.IGNORECASE,
)
_GARBAGE = re.compile(
    r"(microsoft word\b.*|untitled.*|title|no title|document\d*|(full )?paper(\.\w+)?|template.*|latex.*|main"
    r"|.*\.(docx?|pdf|tex|dvi|ps|indd|rtf)|slide \d+|powerpoint presentation|arxiv:.*|camera.?ready.*"
    r"|[\d\W_]*|\S+_\S+|.{0,3})",
    re.IGNORECASE,
)


def is_title(text: str) -> bool:
    """Whether a title in metadata can be one: not `Microsoft Word - paper.doc`, not `untitled`."""
    text = text.strip()
    return len(text) <= _LONGEST_TITLE and not _GARBAGE.fullmatch(text)


@dataclass(frozen=True, slots=True)
class Front:
    """What is above the abstract on the first page."""

    title: str = ""
    authors: tuple[str, ...] = ()


def read_front(first_page: Sequence[TextLine], size: float, until: float, vocabulary: Vocabulary) -> Front:
    """Title and authors. `first_page`: segments from top to bottom; `until`: the height of abstract or text."""
    head = [line for line in first_page if line.base > until]
    lines = _title_lines(head, size)
    if not lines:
        return Front()
    foot = min(line.base for line in lines)
    rows = [line for line in head if line.base < foot - 1]
    title = vocabulary.join(" ".join(line.text.split()) for line in lines)
    return Front(title[:_LONGEST_TITLE], _authors(rows))


def _title_lines(head: Sequence[TextLine], size: float) -> list[TextLine]:
    """The lines in the largest font above the abstract."""
    worthy = [line for line in head if sum(map(str.isalpha, line.text)) > 3 and not _NO_TITLE.match(line.text)]
    large = [line for line in worthy if line.size >= _LARGER * size] or [line for line in worthy if line.bold]
    if not large:
        return []
    tallest = max(line.size for line in large)
    found: list[TextLine] = []
    for line in worthy:
        if abs(line.size - tallest) <= 0.06 * tallest and line in large:
            if found and found[-1].base - line.base > 2.5 * tallest:
                break
            found.append(line)
    return found[:_MOST_TITLE_LINES]


_SEPARATOR = re.compile(r"\s*(?:,|;|·|•|\||&|\band\b)\s*")
_MARKS = re.compile(r"[\d*†‡§¶∗⋆♠♡♢♣♦♥{}()\[\]<>@#^~]+.*$")
_NAME = re.compile(r"(?:[^\W\d_]['’.\w-]*\s+){1,5}[^\W\d_][\w'’.-]*(?:,? (?:Jr|Sr|II|III)\.?)?")
PARTICLES = frozenset(
    (
        "van", "von", "de", "der", "den", "del", "della", "di", "da", "dos", "du", "la", "le", "el", "al", "bin", "ibn",
        "ter", "ten", "zu", "y", "e", "d'", "d’", "l'",
    )
)  # fmt: skip
"""Parts of names that are written in lower case."""
_PLACES = re.compile(
    r"universit|institut|department|dept\b|school|college|laborator|\blabs?\b|research|centre|center|faculty|academy"
    r"|hospital|\binc\b|\bltd\b|\bgmbh\b|corporation|company|google|microsoft|facebook|deepmind|openai|amazon|alibaba"
    r"|tencent|huawei|baidu|nvidia|\bibm\b|division|program|science|engineering|technolog|street|avenue|\busa\b|china"
    r"|germany|france|canada|japan|india|kingdom|switzerland|author|equal|contribut|correspond|e-?mail|abstract"
    r"|anonymous|member|fellow|ieee|accepted|received|editor|version|\bai\b|\bnlp\b|group|team|foundation|january"
    r"|february|march |april|june|july|august|september|october|november|december|submitted|review|conference",
    re.IGNORECASE,
)


def _authors(rows: Sequence[TextLine]) -> tuple[str, ...]:
    """The names in all rows with the same font as the first row with a name."""
    style: tuple[float, bool] | None = None
    found: list[str] = []
    for line in rows:
        names = [name for cell in line.cells for name in _names(cell)]
        if style is None and names:
            style = (line.size, line.bold)
        if names and style is not None and abs(line.size - style[0]) < 0.6 and line.bold == style[1]:
            found += names
    return tuple(dict.fromkeys(found))


def _names(cell: str) -> list[str]:
    """The names in a cell; none if any part of it is not a name."""
    if "@" in cell or _PLACES.search(cell):
        return []
    pieces = [_MARKS.sub("", piece).strip(" .*") for piece in _SEPARATOR.split(cell)]
    pieces = [piece for piece in pieces if piece]
    return pieces if pieces and all(is_name(piece) for piece in pieces) else []


def is_name(text: str) -> bool:
    """`Madeleine van Zuylen`, `J. K. Smith`: two to six words, all capitalised but for particles."""
    if len(text) > 60 or not _NAME.fullmatch(text):
        return False
    words = text.split()
    return all(word[0].isupper() or word in PARTICLES or not word.isascii() for word in words)


def names_in(metadata: str) -> tuple[str, ...]:
    """The authors in metadata, where commas, semicolons or `and` separate them."""
    pieces = (piece.strip() for piece in re.split(r"\s*;\s*|\s*,\s*|\s+and\s+", metadata[:5000]))
    return tuple(dict.fromkeys(piece for piece in pieces if is_name(piece)))
