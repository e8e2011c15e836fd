"""The words of all papers as numbers. This is the only step that reads text; its columns are stored, so papers are read
once, and everything else about concepts is computed from the columns.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Ints, ranges
from novum.literature.changes import ChangedPaper
from novum.literature.filters import field_key, venue_key
from novum.literature.search.ranking.keywords import runs
from novum.opportunities.plain_text import plain_text

BREAK, GIST, KEYWORDS, FIRST = 0, 1, 2, 3
"""Special numbers among the words of a paper: no phrase crosses this point; its abstract begins; its keywords begin.
The first word of the lexicon has the number `FIRST`."""
MOST_WORDS = 1 << 21
"""Three word numbers must fit into 63 bits. Words beyond this number are ignored."""
_LONGEST = 40
"""Maximal number of characters of a word."""
_FIELDS = 30
_IN_PRESS = 1
"""Years into the future that a paper may be dated."""
UNKNOWN = -1
_AT_ONCE = 50_000
"""Groups that are copied together, since each member needs several times its size meanwhile."""
_IN_PLACE = 4_000_000
"""Members that are renumbered together."""


class Lexicon:
    """Strings and their numbers, in the order in which they were added."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.names = list(known)
        self._number = {name: number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        """The number of a string; a new string is added."""
        result = self._number.setdefault(name, len(self.names))
        if result == len(self.names):
            self.names.append(name)
        return result

    def known(self, name: str) -> int | None:
        """The number of a string; None for an unknown one."""
        return self._number.get(name)

    def __len__(self) -> int:
        return len(self.names)

    def ordered(self, used: Ints) -> tuple[Lexicon, Ints]:
        """A lexicon with the strings of the numbers `used`, in alphabetical order, and the new number of every old
        one."""
        order = sorted(used.tolist(), key=self.names.__getitem__)
        place = np.zeros(len(self.names), np.int64)
        place[order] = np.arange(len(order))
        return Lexicon(self.names[number] for number in order), place


@dataclass(frozen=True, eq=False)
class Tokens:
    """Columns of `n` papers. `words`: the word numbers of all papers, concatenated, those of paper i ending at
    `words_to[i]`; `fields` and `fields_to`: likewise the numbers of their fields. Unknown: `year` 0, `venue` and
    `citations` -1."""

    number: Ints
    paper_id: NDArray[np.bytes_]
    year: NDArray[np.int16]
    venue: NDArray[np.int32]
    citations: NDArray[np.int32]
    words: NDArray[np.int32]
    words_to: Ints
    fields: NDArray[np.int32]
    fields_to: Ints

    @classmethod
    def empty(cls) -> Self:
        """Columns without papers."""
        none = np.zeros(0, np.int64)
        short = none.astype(np.int32)
        return cls(none, np.zeros(0, "S32"), none.astype(np.int16), short, short, short, none, short, none)

    def __len__(self) -> int:
        return len(self.number)

    def take(self, rows: NDArray[np.intp]) -> Tokens:
        """The papers of these rows, in this order."""
        flat = {name: getattr(self, name)[rows] for name in ("number", "paper_id", "year", "venue", "citations")}
        words, words_to = take_groups(self.words, self.words_to, rows)
        filed, fields_to = take_groups(self.fields, self.fields_to, rows)
        return Tokens(**flat, words=words, words_to=words_to, fields=filed, fields_to=fields_to)

    def since(self, row: int) -> Tokens:
        """The papers from this row on. Only two short columns are copied."""
        flat = {name: getattr(self, name)[row:] for name in ("number", "paper_id", "year", "venue", "citations")}
        words, fields = (int(to[row - 1]) if row else 0 for to in (self.words_to, self.fields_to))
        return Tokens(
            **flat,
            words=self.words[words:],
            words_to=self.words_to[row:] - words,
            fields=self.fields[fields:],
            fields_to=self.fields_to[row:] - fields,
        )

    def followed_by(self, other: Tokens) -> Tokens:
        """These papers, followed by the others."""
        mapping = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in _COLUMNS}
        for name, base in (("words_to", len(self.words)), ("fields_to", len(self.fields))):
            mapping[name][len(self) :] += base
        return Tokens(**mapping)

    def renumber(self, words: Lexicon, filed: Lexicon, venues: Lexicon) -> tuple[Lexicon, Lexicon, Lexicon]:
        """Renumbers words, fields and venues in place, alphabetically and without unused ones, so that numbers do not
        depend on the order in which papers were added and changed. Returns the new lexicons."""
        results = []
        for column, lexicon, first in ((self.words, words, FIRST), (self.fields, filed, 0), (self.venue, venues, 0)):
            blocks = [column[begin : begin + _IN_PLACE] for begin in range(0, len(column), _IN_PLACE)]
            used = np.zeros(len(lexicon), bool)
            for some in blocks:
                used[some[some >= first] - first] = True
            ordered, place = lexicon.ordered(np.flatnonzero(used))
            for some in blocks:
                known = some >= first
                some[known] = place[some[known] - first] + first
            results.append(ordered)
        return results[0], results[1], results[2]

    def check(self, words: int, filed: int) -> None:
        """Raises ValueError where the columns do not fit together, as after damage on disk. `words`, `filed`: sizes of
        the lexicons."""
        flat = (self.paper_id, self.year, self.venue, self.citations, self.words_to, self.fields_to)
        is_valid = all(len(column) == len(self) for column in flat)
        for numbers, to, most in ((self.words, self.words_to, words + FIRST), (self.fields, self.fields_to, filed)):
            is_valid = is_valid and _are_ends(to, len(numbers))
            is_valid = is_valid and (not len(numbers) or (numbers.min() >= 0 and numbers.max() < most))
        if not is_valid:
            raise ValueError("the columns of its papers do not belong together")


_COLUMNS = [column.name for column in fields(Tokens)]


def _are_ends(to: Ints, total: int) -> bool:
    return (not len(to) and not total) or bool(to[-1] == total and to[0] >= 0 and (np.diff(to) >= 0).all())


def take_groups(members: NDArray[np.int32], to: Ints, rows: NDArray[np.intp]) -> tuple[NDArray[np.int32], Ints]:
    """The members of the groups in `rows`, concatenated, and the end of each group. `to`: ends of all groups."""
    counts = np.diff(to, prepend=0)[rows]
    begins, upto = to[rows] - counts, np.cumsum(counts)
    values = np.empty(int(upto[-1]) if len(upto) else 0, members.dtype)
    for begin in range(0, len(rows), _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        first = int(upto[begin] - counts[begin])
        values[first : int(upto[some][-1])] = members[ranges(begins[some], counts[some])]
    return values, upto


class Reader:
    """Reads papers into columns. New words, fields and venues are added to the lexicons."""

    def __init__(self, words: Lexicon, filed: Lexicon, venues: Lexicon) -> None:
        self.words = words
        self.filed = filed
        self.venues = venues

    def read(self, papers: Sequence[ChangedPaper]) -> Tokens:
        """The columns of these papers."""
        texts = [np.fromiter(self._words(paper), np.int32) for paper in papers]
        filed = [[self.filed.number(name) for name in _filed(paper)] for paper in papers]
        return Tokens(
            number=np.array([paper.number for paper in papers], np.int64),
            paper_id=np.array([paper.paper_id for paper in papers], "S32"),
            year=np.array([_year(paper) for paper in papers], np.int16),
            venue=np.array([self._venue(paper) for paper in papers], np.int32),
            citations=np.array([_citations(paper) for paper in papers], np.int32),
            words=np.concatenate([np.zeros(0, np.int32), *texts]),
            words_to=np.cumsum([len(text) for text in texts], dtype=np.int64),
            fields=np.array([number for each in filed for number in each], np.int32),
            fields_to=np.cumsum([len(each) for each in filed], dtype=np.int64),
        )

    def _venue(self, paper: ChangedPaper) -> int:
        key = venue_key(paper.venue)
        return self.venues.number(key) if key else UNKNOWN

    def _words(self, paper: ChangedPaper) -> Iterator[int]:
        yield from self._runs(paper.title)
        yield GIST
        yield from self._runs(paper.gist)
        yield KEYWORDS
        for name in paper.fields[:_FIELDS]:
            yield from self._runs(name)

    def _runs(self, text: str) -> Iterator[int]:
        for run in runs(plain_text(text)):
            yield from map(self._number, run)
            if run:
                yield BREAK

    def _number(self, word: str) -> int:
        known = self.words.known(word)
        if known is not None:
            return known + FIRST
        if word in FOREIGN or len(word) > _LONGEST or len(self.words) + FIRST >= MOST_WORDS:
            return BREAK
        return self.words.number(word) + FIRST


def _filed(paper: ChangedPaper) -> Iterable[str]:
    return dict.fromkeys(key for name in paper.fields[:_FIELDS] if (key := " ".join(field_key(name).split())[:200]))


def _year(paper: ChangedPaper) -> int:
    """The year; 0 if unknown, or in the future, since one wrong year would become the last year of the library."""
    return paper.year if paper.year is not None and 0 < paper.year <= dt.date.today().year + _IN_PRESS else 0


def _citations(paper: ChangedPaper) -> int:
    return UNKNOWN if paper.citations is None else min(max(paper.citations, 0), 2**31 - 1)


_FRENCH = """
au aux avec ce ces cette comme dans de des du elle en est et etre être ils je la le les leur leurs mais nous ont ou où
par pas plus pour que qui sa se ses son sont sur un une vers
"""
_GERMAN = """
als am an auch auf aus bei beim bis das dass dem den der des die durch ein eine einem einen einer eines es für haben hat
ihre im ist kann können mit nach nicht oder sich sind über und unter vom von vor wenn werden wie wird wurde zu zum zur
zwischen
"""
_SPANISH = """
al como con cual cuando de del desde donde el ella en entre es esta este estos ha han hay la las lo los más muy o para
pero por que se sin sobre son su sus también un una y
"""
_PORTUGUESE = """
ao aos as até com como da das de do dos e é em entre essa este foi mais mas na nas no nos não o os ou para pela pelo por
que se sem sobre são um uma
"""
_ITALIAN = """
al alla alle che come con da dal dalla degli dei del della delle di e è gli i il in la le lo nel nella non per più quale
questa questo se si sono su sul sulla tra un una uno
"""
_DUTCH = """
aan als bij dat de die dit door een en er het hij hoe in is kan maar met naar niet of om onder ook op over te tot tussen
uit van voor waarin wat we wordt worden zijn zoals
"""
_RUSSIAN = """
без был была были было быть в во все для до его ее если за и из или их как к ко который которые между мы на над не но
о об он они от по под при с со так также то только у что эта эти этих это этой этом этот является являются
"""
_ARABIC = """
أن أو إلى التي الذي إن بعد بين ثم حيث على عن عند في قد كان كانت كما لا لم ما مع من منذ هذا هذه هو هي و
"""
_LATIN = "novo silico situ vitro vivo"
"""Second words of Latin terms (de novo, in vivo), whose first words are stop words."""
FOREIGN = frozenset(
    f"{_FRENCH} {_GERMAN} {_SPANISH} {_PORTUGUESE} {_ITALIAN} {_DUTCH} {_RUSSIAN} {_ARABIC} {_LATIN}".split()
)
