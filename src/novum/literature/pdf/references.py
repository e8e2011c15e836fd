"""Title, authors, year and identifiers of one entry of a bibliography, from its text."""

from __future__ import annotations

import re

from novum.core import Value
from novum.literature.entry import Reference, clean_identifier
from novum.literature.pdf.front import PARTICLES

_LABEL = re.compile(r"^\s*(?:\[[^\]]{1,45}\]|\(\d{1,4}\)|\d{1,4}\.(?=\s))\s*")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>,;]+")
_ARXIV = re.compile(
    r"(?:arxiv\s*(?:preprint)?\s*(?:arxiv)?\s*[:.]?\s*|arxiv\.org/(?:abs|pdf)/|abs/)"
    r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d./:-])((?:19|20)\d\d)[a-z]?(?![\d/:]|[-–]\d|\.\d)")
_QUOTED = re.compile(r"[“\"‘']{1,2}(?P<title>[^“”\"]{8,400}?)[,.?!]?[”\"’']{1,2}(?=[\s,.;(]|$)")
_NAMED_YEAR = re.compile(
    r"^(?P<authors>.{2,2500}?)[.,]?\s*[(\[]?(?P<year>(?:19|20)\d\d)[a-z]?[)\]]?\s*[.,:]\s+(?P<rest>\S.*)$"
)
_STOP = re.compile(
    r"(?<=[^\s.][.?!])\s+(?=[^\sa-z])|(?<=[^\s.][?!.])\s+(?=arXiv|https?:|doi|pages|vol|[a-z]+\s(?:preprint|conference))"
)
_INITIAL = re.compile(r"(?:^|[\s.\-‐,])[^\W\d_]\.$")
_ABBREVIATION = re.compile(r"\b(?:vs|etc|cf|e\.g|i\.e|st|dr|eds?|no|vol|jr|sr|u\.s)\.$", re.IGNORECASE)
_AND = re.compile(r"\s*(?:,\s*and\b|,\s*&|;|\band\b|&|,)\s*")
_NO_NAME = re.compile(r"et al\.?|others|editors?|eds?\.?|jr\.?|sr\.?|i{2,3}", re.IGNORECASE)
_LONGEST = 3000
_SHORTEST_TITLE = 3


class CitedWork(Value):
    """One entry of a bibliography. What was not recognised is empty."""

    raw: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str = ""
    arxiv: str = ""

    def reference(self) -> Reference | None:
        """The reference by DOI, else by arXiv id, else by title; None when it has none of them."""
        for scheme, value in (("doi", self.doi), ("arxiv", self.arxiv), ("title", self.title)):
            if value:
                return Reference(scheme=scheme, value=value)
        return None


def read_entry(raw: str) -> CitedWork:
    """The parts of an entry. The usual forms: authors, year, title; authors (year) title; authors, title, …, year;
    authors, “title”, …, year."""
    text = _LABEL.sub("", raw[:_LONGEST]).strip()
    doi, arxiv = _identifier(_DOI, text), _identifier(_ARXIV, text)
    parts = _parts(text)
    return CitedWork(
        raw=raw,
        title=_tidy(parts.title),
        authors=_authors(parts.authors),
        year=parts.year,
        doi=clean_identifier("doi", doi.rstrip(".)]}")) if doi else "",
        arxiv=clean_identifier("arxiv", arxiv) if arxiv else "",
    )


class _Parts(Value):
    authors: str = ""
    title: str = ""
    year: int | None = None


def _parts(text: str) -> _Parts:
    quoted = _QUOTED.search(text)
    if quoted and len(quoted["title"].split()) >= 2:
        return _Parts(authors=text[: quoted.start()], title=quoted["title"], year=_last_year(text))
    named = _NAMED_YEAR.match(text)
    if named and (_are_names(named["authors"]) or not _stops(named["authors"])):
        return _Parts(authors=named["authors"], title=_first_sentence(named["rest"]), year=int(named["year"]))
    authors, rest = _authors_first(text)
    return _Parts(authors=authors, title=_first_sentence(_YEAR_FIRST.sub("", rest)), year=_last_year(text))


_YEAR_FIRST = re.compile(r"^\(?(?:19|20)\d\d[a-z]?\)?[.,:]?\s+")


def _identifier(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[match.lastindex or 0] if match else ""


def _last_year(text: str) -> int | None:
    """The last year in an entry, apart from pages and addresses."""
    text = _DOI.sub(" ", re.sub(r"https?://\S+", " ", text))
    years = _YEAR.findall(text)
    return int(years[-1]) if years else None


def _stops(text: str) -> list[int]:
    """The ends of sentences, which are not after initials and abbreviations."""
    ends = [match.start() for match in _STOP.finditer(text)]
    return [end for end in ends if not _ABBREVIATION.search(text[:end][-12:])]


def _first_sentence(text: str) -> str:
    ends = (end for end in _stops(text) if end >= _SHORTEST_TITLE and not _INITIAL.search(text[max(0, end - 4) : end]))
    return text[: next(ends, len(text))]


def _authors_first(text: str) -> tuple[str, str]:
    """Authors and rest, split after a list of names that the rest does not continue."""
    for end in _stops(text)[:80]:
        before, after = text[:end], text[end:].strip()
        if not _are_names(before):
            continue
        if _INITIAL.search(before) and _goes_on_with_name(before, after):
            continue
        return before, after
    return "", text


def _goes_on_with_name(before: str, after: str) -> bool:
    """`Smith, J. | K. Title`: another initial; `J. | Smith, K. Jones. Title`: the surname of the initial."""
    first = re.split(r"[,.:?]", after, maxsplit=1)[0].split()
    if re.match(r"[^\W\d_]\.|and\b|&|et al", after):
        return True
    initials_first = re.match(r"[^\W\d_]\.", before) is not None
    surname_is_before = re.search(r"[^\W\d_][\w'’-]+,\s*(?:[^\W\d_]\.[\s-]*)+$", before) is not None
    return (initials_first or not surname_is_before) and 0 < len(first) <= 3


def _are_names(text: str) -> bool:
    """Whether all pieces between commas and `and` can be names."""
    pieces = [piece.strip(" .()") for piece in _AND.split(text[:2500])]
    pieces = [piece for piece in pieces if piece and not _NO_NAME.fullmatch(piece)]
    if not pieces:
        return False
    good = sum(_could_be_name(piece) for piece in pieces)
    return good >= 0.8 * len(pieces)


def _could_be_name(piece: str) -> bool:
    """`Smith`, `J. K.`, `van der Berg`, `Jane Smith et al`: short, capitalised, without digits."""
    words = re.sub(r"\bet al\.?$", "", piece).split()
    if not 0 < len(words) <= 5 or any(char.isdigit() for char in piece):
        return False
    return all(word[0].isupper() or not word[0].isascii() or word.lower() in PARTICLES for word in words)


def _authors(text: str) -> tuple[str, ...]:
    """`Smith, J. and Jones, K.` and `J. Smith, K. Jones` alike, as `J. Smith`."""
    pieces = [piece.strip(' .,()“"') for piece in _AND.split(text[:2500])]
    pieces = [piece for piece in pieces if piece and not _NO_NAME.fullmatch(piece)]
    names: list[str] = []
    for piece in pieces:
        if names and _INITIALS.fullmatch(piece) and _is_surname(names[-1]):
            names[-1] = f"{piece.rstrip('.')}. {names[-1]}"
        elif _could_be_name(piece):
            names.append(re.sub(r"\s*\bet al\.?$", "", piece))
    return tuple(dict.fromkeys(names))


_INITIALS = re.compile(r"[A-ZÀ-Þ]\.?(?:[\s-]*[A-ZÀ-Þ]\.?){0,3}")


def _is_surname(name: str) -> bool:
    """Whether a name has no initials yet: one word, or particles and a word."""
    *before, last = name.split()
    return len(last) > 1 and all(word.lower() in PARTICLES for word in before)


def _tidy(title: str) -> str:
    title = " ".join(title.split()).strip(" .,;:“”\"'")
    return title if len(title) >= _SHORTEST_TITLE and any(map(str.isalpha, title)) and len(title) <= 500 else ""
