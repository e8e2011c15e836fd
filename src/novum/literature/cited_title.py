"""Titles as texts cite them: `Wei et al. 2022: Chain-of-Thought Prompting`, `"BERT" (Devlin et al., 2019)`."""

from __future__ import annotations

import re

from novum.core import Value


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
