"""Which paper does a citation mean? Never simply the first hit: a candidate must prove to be the one, or it is none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from novum.core import Paper, Value, normal_title
from novum.literature.identity import main_title, names_of, nearly_same_title


class CitedTitle(Value):
    """One way to read a citation."""

    title: str
    year: int | None = None
    authors: tuple[str, ...] = ()
    """Surnames as far as the text names them."""


def readings(text: str, year: int | None = None) -> list[CitedTitle]:
    """The ways to read `text`, the most literal first: all of it a title; a title with authors and year around it."""
    text = " ".join(text.split())[:_LONGEST]
    found = [CitedTitle(title=text, year=year)]
    for pattern in (_AUTHORS_FIRST, _AUTHORS_LAST, _YEAR_LAST):
        if match := pattern.match(text):
            parts = match.groupdict()
            found.append(
                CitedTitle(
                    title=parts["title"].strip(" \"'“”.,"),
                    year=year or int(parts["year"]),
                    authors=_surnames(parts.get("authors") or ""),
                )
            )
    return found


_LONGEST = 1000
_YEAR = r"\(?(?P<year>(?:19|20)\d\d)[a-z]?\)?"
_AUTHORS_FIRST = re.compile(rf"(?P<authors>[^:]{{2,200}}?)[\s,]+{_YEAR}\s*[:.,–—-]\s*(?P<title>.{{3,}})$")
_AUTHORS_LAST = re.compile(rf"(?P<title>.{{3,}}?)\s*[(\[](?P<authors>[^()\[\]]{{2,200}}?)[\s,]+{_YEAR}[)\]]\.?$")
_YEAR_LAST = re.compile(rf"(?P<title>.{{3,}}?)[\s,]+{_YEAR}\.?$")
_NOT_NAMES = frozenset({"et", "al", "and", "others"})


def _surnames(authors: str) -> tuple[str, ...]:
    """Every word of the author part that can be a surname."""
    words = re.findall(r"[^\W\d_][\w'’-]+", authors)
    return tuple(word for word in words if word.lower() not in _NOT_NAMES)


_TELLING = 4
"""Words from which a title is hardly ever given to two papers."""


def choose_exact(cited: CitedTitle, alike: Sequence[Paper]) -> Paper | None:
    """Of papers with exactly the cited title, the one that is meant; None when that is not certain."""
    fitting = [paper for paper in alike if _fits(cited, paper)]
    if len(fitting) > 1:
        exact = [paper for paper in fitting if cited.year is not None and paper.year == cited.year]
        fitting = exact or fitting
    if len(fitting) == 1:
        return fitting[0]
    return max(fitting, key=_prominence) if fitting and _is_distinctive(cited.title) else None


def choose_near(cited: CitedTitle, candidates: Sequence[Paper]) -> Paper | None:
    """Of papers with similar titles, the only one whose title is the cited one but for slips, or whose main title
    is; None when there is none or more than one."""
    slips = [paper for paper in candidates if nearly_same_title(cited.title, paper.title) and _fits(cited, paper)]
    if not slips:
        slips = [paper for paper in candidates if _same_main_title(cited, paper) and _fits(cited, paper)]
    return slips[0] if len(slips) == 1 else None


def _fits(cited: CitedTitle, paper: Paper) -> bool:
    """Year and authors do not contradict: a preprint and its publication may differ by a year, and by more where the
    title alone tells; surnames given must occur."""
    if cited.authors and paper.authors and not names_of(cited.authors) & names_of(paper.authors):
        return False
    if cited.year is None or paper.year is None or abs(cited.year - paper.year) <= 1:
        return True
    return _is_distinctive(cited.title) and nearly_same_title(cited.title, paper.title)


def _same_main_title(cited: CitedTitle, paper: Paper) -> bool:
    """One leaves out the subtitle of the other. A short main title needs a year or an author to agree."""
    mine, theirs = normal_title(cited.title), normal_title(paper.title)
    if mine != main_title(paper.title) and theirs != main_title(cited.title):
        return False
    vouched = bool(cited.authors) or (cited.year is not None and paper.year is not None)
    return vouched or len(min(mine, theirs, key=len).split()) >= _TELLING


def _is_distinctive(title: str) -> bool:
    return len(normal_title(title).split()) >= _TELLING


def _prominence(paper: Paper) -> tuple[int, int, str]:
    """The more cited, then the earlier."""
    return (paper.citation_count or 0, -(paper.year or 9999), paper.id)
