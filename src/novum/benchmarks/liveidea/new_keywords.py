"""New keywords from a library: for each discipline what its recent papers are about, by use and by growth.

By use: keywords of many papers of the last months that are more frequent in their discipline than elsewhere. By
growth: keywords that a growing share of the discipline's papers uses, year by year. A keyword goes to the discipline
that it is most at home in, and to no other.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from novum.benchmarks.liveidea.records import Keyword
from novum.core import Paper
from novum.core.record import Value
from novum.literature.search.ranking.growth import KeywordCounts, growth, standing_alone

DISCIPLINES: dict[str, tuple[str, ...]] = {
    "agricultural science": ("agric", "agronom", "veterinar", "food sci", "forestry", "aquacult"),
    "astronomy": ("astro", "cosmolog", "space sci"),
    "biology": ("biolog", "genetic", "biochem", "genomic", "zoolog", "botan", "microbio"),
    "biomedical engineering": ("biomedical eng", "bioengineering", "medical physics"),
    "chemistry": ("chemistry", "chemical"),
    "civil engineering": ("civil eng", "structural eng", "transportation eng"),
    "computer science": (
        "computer sci", "artificial intell", "machine learning", "computation and language", "computer vision",
        "robotics", "software", "cs.",
    ),
    "earth science": ("earth", "geolog", "geophys", "atmospher", "ocean", "geoscience"),
    "ecology": ("ecolog", "biodivers"),
    "economics": ("econom", "financ"),
    "electrical engineering": ("electrical", "electronic", "signal proc"),
    "environmental science": ("environmental",),
    "materials science": ("materials", "nanotech"),
    "mathematics": ("mathemat", "algebra", "geometry", "number theory"),
    "mechanical engineering": ("mechanical", "aerospace"),
    "medicine": ("medicine", "clinical", "health", "oncolog"),
    "neuroscience": ("neuro",),
    "pharmacology": ("pharma", "toxicol"),
    "physics": ("physics", "quantum", "optics"),
    "psychology": ("psycholog", "cognit"),
    "social science": ("social sci", "sociolog", "political", "education", "anthropol"),
    "statistics": ("statist", "probability"),
}  # fmt: skip
"""How words begin in the fields of papers, as services name them, by discipline."""
_PATTERNS = {
    name: re.compile("|".join(rf"\b{re.escape(word)}" for word in words)) for name, words in DISCIPLINES.items()
}
_BOTH = "physics and astronomy"
"""One field of OpenAlex, most of it physics."""
_MOST = 300_000
"""Keywords of a discipline counted at once; of more the rarer half is forgotten."""
_AT_HOME = 1.5
"""How much more frequent a keyword must be in its discipline than in all papers."""


class RefreshedKeyword(Value):
    """A keyword with the reason for it."""

    keyword: str
    discipline: str
    papers: int
    """Of the discipline, in the months looked at."""
    growth: float | None = None
    """Factor of its odds from a year to the next, where growth is the reason."""
    date: dt.date


class RefreshedKeywords(Value):
    """A fresh list, and what it was made of."""

    keywords: tuple[RefreshedKeyword, ...]
    papers: int
    """Looked at."""
    without_field: int
    """Papers of no field that a discipline could be told from."""
    short: dict[str, int]
    """Disciplines with fewer keywords than were wanted, and how many they have."""

    def as_keywords(self) -> tuple[Keyword, ...]:
        return tuple(Keyword(keyword=each.keyword, discipline=each.discipline) for each in self.keywords)


def refresh_keywords(
    papers: Iterable[Paper], today: dt.date, *, each: int = 60, months: int = 12, fewest: int = 3
) -> RefreshedKeywords:
    """`each` keywords for every discipline, up to half of them by growth. `fewest`: papers that a keyword needs."""
    since = today - dt.timedelta(days=round(months * 30.44))
    counted = {name: KeywordCounts(most=_MOST) for name in DISCIPLINES}
    lately = {name: KeywordCounts(most=_MOST) for name in DISCIPLINES}
    looked, lost = 0, 0
    fields: set[str] = set(DISCIPLINES)
    for paper in papers:
        looked += 1
        fields.update(field.lower() for field in paper.fields)
        homes = disciplines_of(paper.fields)
        lost += not homes
        for name in homes:
            counted[name].add([paper])
            if (paper.public_by or dt.date.min) >= since:
                lately[name].add([paper])
    recent = {name: counts.totals() for name, counts in lately.items()}
    use = _use(recent, fewest)
    fresh: list[RefreshedKeyword] = []
    for name in DISCIPLINES:
        rising = growth(counted[name], each, fewest=fewest).rising
        growths = {trend.keyword: trend.growth for trend in rising if recent[name][trend.keyword] >= fewest}
        grown = [word for word in growths if word not in fields and _home(word, recent) == name][: each // 2]
        used = [word for word in use[name] if word not in fields and word not in grown and _home(word, recent) == name]
        fresh += [
            RefreshedKeyword(
                keyword=word, discipline=name, papers=recent[name][word], growth=growths.get(word), date=today
            )
            for word in (*grown, *used)[:each]
        ]
    have = Counter(one.discipline for one in fresh)
    short = {name: have[name] for name in DISCIPLINES if have[name] < each}
    return RefreshedKeywords(keywords=tuple(fresh), papers=looked, without_field=lost, short=short)


def disciplines_of(fields: Sequence[str]) -> set[str]:
    """The disciplines that the fields of a paper speak of."""
    text = " / ".join(fields).lower().replace(_BOTH, "physics")
    return {name for name, pattern in _PATTERNS.items() if pattern.search(text)}


def _home(keyword: str, recent: Mapping[str, Counter[str]]) -> str:
    """The discipline of whose keywords it makes up the largest share; the first of several such."""
    return max(recent, key=lambda name: recent[name][keyword] / (recent[name].total() or 1))


def _use(recent: Mapping[str, Counter[str]], fewest: int) -> dict[str, list[str]]:
    """For each discipline its keywords, first those that are both frequent and its own."""
    everywhere: Counter[str] = sum(recent.values(), Counter())
    whole = everywhere.total() or 1
    best: dict[str, list[str]] = {}
    for name, counts in recent.items():
        size = counts.total() or 1
        weighed = []
        for keyword in standing_alone(counts, fewest):
            count = counts[keyword]
            lift = (count / size) / (everywhere[keyword] / whole)
            own = everywhere[keyword] == count or lift >= _AT_HOME
            if own and " " in keyword:  # a single word is rarely a subject
                weighed.append((-count * math.log(max(lift, _AT_HOME)), keyword))
        best[name] = [keyword for _, keyword in sorted(weighed)]
    return best
