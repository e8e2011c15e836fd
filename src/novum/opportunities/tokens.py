"""The words of all papers as numbers: the only step that reads text, and so the only one that need not be repeated for
papers that were read before. Everything else about concepts is made from these columns.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Ints
from novum.literature.changes import ChangedPaper
from novum.literature.filters import field_key, venue_key
from novum.literature.search.ranking.keywords import runs
from novum.opportunities.plain_text import plain_text

BREAK, GIST, KEYWORDS, FIRST = 0, 1, 2, 3
"""Among the words of a paper: nothing goes on here; its abstract begins; what it is filed under begins. The first word
has the number `FIRST`."""
MOST_WORDS = 1 << 21
"""Three word numbers fit into one of 63 bits. What comes later is no word."""
_LONGEST = 40
"""Characters of a word; a text without spaces is none."""
_FIELDS = 30
_IN_PRESS = 1
"""Years ahead that a paper may be dated."""
UNKNOWN = -1
_AT_ONCE = 50_000
"""Groups chosen together: each of their members needs several times its size meanwhile."""
_IN_PLACE = 4_000_000
"""Members numbered anew together."""


class Lexicon:
    """Strings by number, in order of arrival."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.names = list(known)
        self._number = {name: number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        """That of a string, given on first sight."""
        result = self._number.setdefault(name, len(self.names))
        if result == len(self.names):
            self.names.append(name)
        return result

    def known(self, name: str) -> int | None:
        """None for one that was never seen."""
        return self._number.get(name)

    def __len__(self) -> int:
        return len(self.names)

    def ordered(self, used: Ints) -> tuple[Lexicon, Ints]:
        """Those of these numbers, which ascend, in alphabetical order; and for every number the new one."""
        order = sorted(used.tolist(), key=self.names.__getitem__)
        place = np.zeros(len(self.names), np.int64)
        place[order] = np.arange(len(order))
        return Lexicon(self.names[number] for number in order), place


@dataclass(frozen=True, eq=False)
class Tokens:
    """Columns of `n` papers: `words` of all of them one after the other, each paper's up to `words_to`; likewise what
    they are filed under. `year` 0, `venue` and `citations` -1: not known."""

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
        """Of no paper."""
        none = np.zeros(0, np.int64)
        short = none.astype(np.int32)
        return cls(none, np.zeros(0, "S32"), none.astype(np.int16), short, short, short, none, short, none)

    def __len__(self) -> int:
        return len(self.number)

    def chosen(self, rows: NDArray[np.intp]) -> Tokens:
        """These papers, in this order."""
        flat = {name: getattr(self, name)[rows] for name in ("number", "paper_id", "year", "venue", "citations")}
        words, words_to = chosen_groups(self.words, self.words_to, rows)
        filed, fields_to = chosen_groups(self.fields, self.fields_to, rows)
        return Tokens(**flat, words=words, words_to=words_to, fields=filed, fields_to=fields_to)

    def since(self, row: int) -> Tokens:
        """The papers from this row on; nothing is copied but for two short columns."""
        flat = {name: getattr(self, name)[row:] for name in ("number", "paper_id", "year", "venue", "citations")}
        words, fields = (int(to[row - 1]) if row else 0 for to in (self.words_to, self.fields_to))
        return Tokens(
            **flat,
            words=self.words[words:],
            words_to=self.words_to[row:] - words,
            fields=self.fields[fields:],
            fields_to=self.fields_to[row:] - fields,
        )

    def joined(self, other: Tokens) -> Tokens:
        """These papers and then the others."""
        mapping = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in _COLUMNS}
        for name, base in (("words_to", len(self.words)), ("fields_to", len(self.fields))):
            mapping[name][len(self) :] += base
        return Tokens(**mapping)

    def renumber(self, words: Lexicon, filed: Lexicon, venues: Lexicon) -> tuple[Lexicon, Lexicon, Lexicon]:
        """Number words, fields and venues, in place, as if these papers were all that was ever read: whatever goes by
        numbers is then the same, in whichever order papers arrived and were changed. Gives the new lexicons."""
        results = []
        for column, lexicon, first in ((self.words, words, FIRST), (self.fields, filed, 0), (self.venue, venues, 0)):
            blocks = [column[begin : begin + _IN_PLACE] for begin in range(0, len(column), _IN_PLACE)]
            used = np.zeros(len(lexicon), bool)
            for some in blocks:
                used[some[some >= first] - first] = True
            fresh, place = lexicon.ordered(np.flatnonzero(used))
            for some in blocks:
                known = some >= first
                some[known] = place[some[known] - first] + first
            results.append(fresh)
        return results[0], results[1], results[2]

    def check(self, words: int, filed: int) -> None:
        """Raises ValueError where columns do not belong together: they may come from a damaged disk."""
        flat = (self.paper_id, self.year, self.venue, self.citations, self.words_to, self.fields_to)
        whole = all(len(column) == len(self) for column in flat)
        for numbers, to, most in ((self.words, self.words_to, words + FIRST), (self.fields, self.fields_to, filed)):
            whole = whole and _ascending(to, len(numbers))
            whole = whole and (not len(numbers) or (numbers.min() >= 0 and numbers.max() < most))
        if not whole:
            raise ValueError("the columns of its papers do not belong together")


_COLUMNS = [column.name for column in fields(Tokens)]


def _ascending(to: Ints, whole: int) -> bool:
    return (not len(to) and not whole) or bool(to[-1] == whole and to[0] >= 0 and (np.diff(to) >= 0).all())


def chosen_groups(members: NDArray[np.int32], to: Ints, rows: NDArray[np.intp]) -> tuple[NDArray[np.int32], Ints]:
    """The members of some groups one after the other, and up to where each group goes."""
    counts = np.diff(to, prepend=0)[rows]
    begins, upto = to[rows] - counts, np.cumsum(counts)
    values = np.empty(int(upto[-1]) if len(upto) else 0, members.dtype)
    for begin in range(0, len(rows), _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        there = int(upto[begin] - counts[begin])
        values[there : int(upto[some][-1])] = members[ragged(begins[some], counts[some])]
    return values, upto


def ragged(begins: Ints, counts: Ints) -> Ints:
    """`begins[i]`, `begins[i] + 1`, … `counts[i]` of them, for each i one after the other."""
    total = int(counts.sum())
    within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(begins, counts) + within


class Reader:
    """Takes papers in. `words`, `filed` and `venues` know what was seen before."""

    def __init__(self, words: Lexicon, filed: Lexicon, venues: Lexicon) -> None:
        self.words = words
        self.filed = filed
        self.venues = venues

    def read(self, papers: Sequence[ChangedPaper]) -> Tokens:
        """Their columns."""
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
    """0 as well for a year that has not come: one slip of the pen would make it the last year of the library."""
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
"""Of which the first words (de novo, in vivo) are parted: what is left of them would begin names."""
FOREIGN = frozenset(
    f"{_FRENCH} {_GERMAN} {_SPANISH} {_PORTUGUESE} {_ITALIAN} {_DUTCH} {_RUSSIAN} {_ARABIC} {_LATIN}".split()
)
