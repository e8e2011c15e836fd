"""Searching the full-text index: quickly for candidates, then scoring these in full."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import orjson
import tantivy
from sqlalchemy import select
from tantivy import FieldType, Occur, Query, Schema, TextAnalyzer

from novum.literature.filters import EVERYTHING, Filters
from novum.literature.identity import title_key
from novum.literature.search.catalogue import Numbers
from novum.literature.search.spelling import folded_words
from novum.literature.search.topic_evidence import TopicWord
from novum.literature.search.word_queries import Wording, Words, pairs_in
from novum.literature.store.bulk import among
from novum.literature.store.database import Database
from novum.literature.store.schema import papers

_MOST_TERMS = 16
"""Number of words of a query, the rarest, by which candidates are found. On real data more words found no more
papers."""
_AUTHOR_TERMS, _AUTHOR_CHARACTERS = 8, 200
"""Queries of up to so many words are also searched in the authors' names."""
_REPEAT = 3.0
"""BM25's k1, here for the words of the query: a repeated word counts more, but not twice as much."""
_LONGEST_QUESTION = 5_000
"""Characters of a query that are used."""
_LONGEST_TEXT = 10_000
"""Characters of a paper that are scored: an entry with the text of a book must not slow down a search."""
_REMEMBERED = 5_000
"""Papers whose words are cached between searches: what is found once is often found again."""
_STEMS_KEPT = 200_000
"""Words remembered with their stems, about 30 MB."""
_WIDE, _MARGIN = 0.1, 1.3
"""Minimum share of allowed papers for checking filters after the search, and how many more candidates are then
fetched."""


_TIES, _MOST_TIES = 8, 50
"""Results fetched beyond those wanted, to see ties; and how many times the wanted number are fetched at most."""


@dataclass(frozen=True, slots=True)
class _RowWords:
    """The words of a row, and the JSON of its authors. Equal words of all rows are one object."""

    title: Sequence[str]
    text: Sequence[str]
    authors: str | bytes
    title_key: int


class WordStems(dict[str, tuple[str, ...]]):
    """Analyses texts as the index does, and remembers what became of each word: that is three times as fast."""

    def __init__(self, analyzer: TextAnalyzer) -> None:
        super().__init__()
        self._analyzer = analyzer

    def __missing__(self, words: str) -> tuple[str, ...]:
        if len(self) >= _STEMS_KEPT:
            self.clear()
        self[words] = stems = tuple(map(sys.intern, self._analyzer.analyze(words)))
        return stems

    def of(self, text: str) -> list[str]:
        """The words of a text, folded and stemmed, without stop words. Equal words are one object."""
        return list(chain.from_iterable([self[words] for words in folded_words(text)]))


class TextSearch:
    """A full-text index at one moment; without a searcher it is empty. `stems`: for title and text, `names`: for
    authors."""

    def __init__(
        self,
        database: Database,
        schema: Schema,
        searcher: tantivy.Searcher | None,
        stems: WordStems,
        names: TextAnalyzer,
    ) -> None:
        self._database = database
        self._schema = schema
        self._searcher = searcher
        self._stems = stems
        self._names = names
        self._words_by_row: dict[int, _RowWords] = {}

    def wording(self, text: str) -> Wording:
        """The words of a query. `text` is a list of words: it has no query syntax."""
        if self._searcher is None:
            return Wording()
        searcher, text = self._searcher, text[:_LONGEST_QUESTION]
        analyzed = self._stems.of(text)
        rare = _without_unknown({word: _rarity(searcher, "body", word) for word in analyzed})
        counts = {word: count for word, count in Counter(analyzed).items() if word in rare}
        words = {word: rare[word] * _repetition_weight(count) for word, count in counts.items()}
        pairs = {
            (one, other): (rare[one] + rare[other]) * _repetition_weight(count)
            for (one, other), count in pairs_in(analyzed).items()
            if one in rare and other in rare
        }
        names = self._names.analyze(text) if len(text) <= _AUTHOR_CHARACTERS else []
        few = names if len(names) <= _AUTHOR_TERMS else []
        return Wording(
            dict(sorted(words.items(), key=lambda one: (-one[1], one[0]))),
            pairs,
            _without_unknown({name: _rarity(searcher, "authors", name) for name in few}),
            title_key(text),
        )

    def topic_words(self, text: str) -> list[TopicWord]:
        """The words of a text, each once, with the number of papers that have it, 0 included."""
        found: dict[str, TopicWord] = {}
        for written in text[:_LONGEST_QUESTION].split():
            for word in self._stems.of(written):
                holders = self._searcher.doc_freq("body", word) if self._searcher else 0
                found.setdefault(word, TopicWord(written, word, holders))
        return list(found.values())

    def search(
        self,
        wording: Wording,
        k: int,
        filters: Filters = EVERYTHING,
        excluded: Sequence[int] = (),
        allowed: Numbers | None = None,
    ) -> list[int]:
        """About the `k` best rows by the rarest words, best first: candidates to be scored in full.

        `excluded`: rows for the filters' `exclude_ids`. `allowed`: the rows that meet all that, None: all do.
        """
        if self._searcher is None or not wording:
            return []
        searcher, wanted = self._searcher, Query.boolean_query(self._any_of(wording))
        if allowed is None:
            return best(searcher, wanted, k)
        found = _best_allowed(searcher, wanted, k, allowed)
        if found is not None:
            return found
        return best(searcher, Query.boolean_query([(Occur.Must, wanted), *self._conditions(filters, excluded)]), k)

    def texts(self, wording: Wording, numbers: Sequence[int]) -> dict[int, Words]:
        """The words of these rows, as far as the query needs them; deleted rows are left out."""
        if missing := [number for number in numbers if number not in self._words_by_row]:
            self._remember(missing)
        rows = {number: self._words_by_row.get(number) for number in numbers}
        return {number: self._words_of(row, wording) for number, row in rows.items() if row is not None}

    def _remember(self, numbers: Sequence[int]) -> None:
        """Another thread may do the same: then a row is read twice."""
        if len(self._words_by_row) > _REMEMBERED:
            self._words_by_row = {}
        with self._database.read() as connection:
            wanted = select(*_COLUMNS).where(among(connection, papers.c.number, numbers))
            for row in connection.execute(wanted):
                self._words_by_row[row.number] = _RowWords(
                    self._stems.of(row.title),
                    self._stems.of((row.abstract or row.summary)[:_LONGEST_TEXT]),
                    row.authors,
                    row.title_key,
                )

    def _words_of(self, row: _RowWords, wording: Wording) -> Words:
        return Words(
            row.title,
            row.text,
            self._names.analyze(" ".join(orjson.loads(row.authors))[:_LONGEST_TEXT]) if wording.names else (),
            titled=row.title_key == wording.title_key,
        )

    def _any_of(self, wording: Wording) -> list[tuple[Occur, Query]]:
        """Any of the rarest words, in title, body or names. Single terms without nesting: only then tantivy can skip
        papers that cannot be among the best."""
        rarest = list(wording.words)[:_MOST_TERMS]
        places = [*(("title", word) for word in rarest), *(("body", word) for word in rarest)]
        places += [("authors", name) for name in wording.names]
        return [
            (Occur.Should, Query.term_query(self._schema, place, word, index_option="freq")) for place, word in places
        ]

    def _conditions(self, filters: Filters, excluded: Sequence[int]) -> list[tuple[Occur, Query]]:
        conditions: list[tuple[Occur, Query]] = []
        if filters.before is not None:
            conditions.append((Occur.Must, self._between("public_by", 1, filters.before.toordinal() - 1)))
        if filters.since is not None:
            conditions.append((Occur.Must, self._between("public_by", filters.since.toordinal(), None)))
        if filters.min_citations is not None:
            conditions.append((Occur.Must, self._between("citations", filters.min_citations, None)))
        for place, keys in (("field", filters.field_keys), ("venue", filters.venue_keys)):
            if keys:
                conditions.append((Occur.Must, _silently(Query.term_set_query(self._schema, place, sorted(keys)))))
        if excluded:
            conditions.append((Occur.MustNot, Query.term_set_query(self._schema, "number", list(excluded))))
        return conditions

    def _between(self, place: str, low: int, high: int | None) -> Query:
        return _silently(Query.range_query(self._schema, place, FieldType.Integer, low, high))


def _silently(query: Query) -> Query:
    """A condition that adds nothing to the score."""
    return Query.const_score_query(query, 0.0)


def _without_unknown(rarities: Mapping[str, float]) -> dict[str, float]:
    return {word: rarity for word, rarity in rarities.items() if rarity}


def _repetition_weight(count: int) -> float:
    return count * (1 + _REPEAT) / (count + _REPEAT)


def _rarity(searcher: tantivy.Searcher, place: str, word: str) -> float:
    """BM25's inverse document frequency; 0 for a word that occurs nowhere."""
    holders = searcher.doc_freq(place, word)
    return math.log(1 + (searcher.num_docs - holders + 0.5) / (holders + 0.5)) if holders else 0.0


def best(searcher: tantivy.Searcher, wanted: Query, k: int) -> list[int]:
    """The `k` best rows for a query, best first, ties by row number. tantivy orders ties by the place in its files,
    which depends on when papers were indexed, so all ties with the last row are fetched, unless they are very many."""
    limit = k + _TIES
    while True:
        hits = searcher.search(wanted, limit=limit, count=False).hits
        if len(hits) < limit or hits[-1][0] < hits[k - 1][0] or limit > _MOST_TIES * k:
            break
        limit *= 2
    numbers = searcher.fast_field_values("number", [address for _, address in hits])
    ordered = sorted((-score, int(number)) for (score, _), number in zip(hits, numbers, strict=True) if number)
    return [number for _, number in ordered[:k]]


def _best_allowed(searcher: tantivy.Searcher, wanted: Query, k: int, allowed: Numbers) -> list[int] | None:
    """The best `k` allowed rows out of the best of all: faster than a query with the conditions, for which tantivy
    cannot skip papers. None when too few papers are allowed, or too few of them were found."""
    share = len(allowed) / max(1, searcher.num_docs)
    if share < _WIDE:
        return None
    limit = int(k / share * _MARGIN) + k
    found = best(searcher, wanted, limit)
    passing = only_allowed(found, allowed)[:k]
    return passing if len(passing) == k or len(found) < limit else None


def only_allowed(found: Sequence[int], allowed: Numbers | None) -> list[int]:
    """Those of `found` that are in `allowed`, which is sorted and may be long; None: all of them."""
    if allowed is None or not len(allowed):
        return [] if allowed is not None else list(found)
    rows = np.asarray(found, np.int64)
    places = np.minimum(np.searchsorted(allowed, rows), len(allowed) - 1)
    inside: list[int] = rows[allowed[places] == rows].tolist()
    return inside


NO_WORDS = Words((), ())
"""The words of a deleted row."""
_COLUMNS = [papers.c[name] for name in ("number", "title", "title_key", "abstract", "summary", "authors")]
