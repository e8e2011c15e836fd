"""Boolean queries as search services read them: `(tone AND "vowel harmony") NOT ti:click`, by one grammar.

Which words join by AND and which by OR, which fields there are and what they mean, is the service's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce

import numpy as np

from tests.scripted_internet.corpus import Ints

Look = Callable[[str, str], Ints]
"""From the name of a field, empty for none, and a value (a word, or a phrase in quotes, or a range in brackets) to the
papers that have it, sorted. Raises QueryFault for what the service does not know."""
_TOKEN = re.compile(r'\s*(\(|\)|(?:[A-Za-z_.]+:)?(?:"[^"]*"|\[[^\]]*\])|[A-Za-z_.]+:(?=\()|[^\s()"]+|")')


class QueryFault(ValueError):
    """A query that the service does not understand, in its words."""


class BooleanQuery:
    """One query over `size` papers. `joined`: what stands between words without an operator, AND or OR."""

    def __init__(self, text: str, look: Look, size: int, joined: str = "AND") -> None:
        self._tokens = _TOKEN.findall(text)
        self._look = look
        self._size = size
        self._joined = joined
        self._place = 0
        self._field = ""

    def papers(self) -> Ints:
        """The papers that fit, sorted. Raises QueryFault."""
        if not self._tokens:
            return np.empty(0, np.int64)
        found = self._either()
        if self._place < len(self._tokens):
            raise QueryFault("unbalanced parentheses")
        return found

    def _peek(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._place += 1
        return token

    def _either(self) -> Ints:
        found = [self._all()]
        while self._peek() == "OR" or (self._joined == "OR" and self._peek() not in ("", ")")):
            if self._peek() == "OR":
                self._take()
            found.append(self._all())
        return reduce(np.union1d, found)

    def _all(self) -> Ints:
        found = self._one()
        while self._peek() not in ("", ")", "OR"):
            operator = self._peek()
            if operator in ("AND", "NOT", "ANDNOT"):
                self._take()
            elif self._joined == "OR":
                break
            if operator == "AND" and self._peek() == "NOT":
                operator = self._take()
            other = self._one()
            found = np.setdiff1d(found, other) if "NOT" in operator else np.intersect1d(found, other)
        return found

    def _one(self) -> Ints:
        token = self._take()
        if token == "NOT":
            return np.setdiff1d(np.arange(self._size), self._one())
        if token in ("", ")", "AND", "OR", "ANDNOT"):
            raise QueryFault(f"nothing to search for before {token or 'the end'}")
        field, colon, value = token.partition(":") if not token.startswith(('"', "[")) else ("", "", token)
        if token == "(" or (colon and not value):
            return self._group(field if colon else self._field, opened=token == "(")
        return (
            self._look(field, value) if colon and field.replace("_", "").isalpha() else self._look(self._field, token)
        )

    def _group(self, field: str, *, opened: bool) -> Ints:
        """What stands in parentheses, of this field."""
        if not opened and self._take() != "(":
            raise QueryFault(f"nothing after {field}:")
        outside, self._field = self._field, field
        found = self._either()
        self._field = outside
        if self._take() != ")":
            raise QueryFault("unbalanced parentheses")
        return found
