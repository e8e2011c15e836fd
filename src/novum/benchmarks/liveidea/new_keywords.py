"""New keywords from a library: for each discipline what its recent papers are about, by use and by growth.

A keyword is a concept of the library (`novum.opportunities.concepts`) of several words: a phrase that titles and
abstracts use as a name, not a part of a longer one, and not words that fit every subject.

By use: keywords of many papers of the last months that are more frequent in their discipline than elsewhere. By
growth: keywords that a growing share of the discipline's papers uses, year by year. A keyword goes to the discipline
that it is most at home in, and to no other. A discipline with few recent papers gets none: their most frequent phrases
are an accident.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from novum.benchmarks.liveidea.concept_reader import ConceptReader
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
_AT_HOME = 1.5
"""How much more frequent a keyword must be in its discipline than in all papers."""
FEWEST_PAPERS = 50
"""Recent papers that a discipline needs."""
_FIT_ANY_SUBJECT = """
ability accuracy algorithm analysis application approach architecture area aspect base benchmark better bound
capability case challenge class code common complex computational current data dataset deep degradation design
different distribution diverse domain downstream effect efficiency efficient evaluation example experiment
experimental factor feature few field final first form framework full function gain general generation global goal
good group guarantee high human important information input intelligent key knowledge label labeled large latter
learned learning level limit linear local long loss low lower machine main major mechanism method model modeling
multiple natural new novel number object objective open optimal optimization order output paradigm parameter part
performance point poor practical practice prediction predictive prior problem procedure process property question rate
real-world reasoning recent research result role sample scale scheme science scientific second selection set setting
short simple single size small solution source space standard state statistical step strategy strong structure study
success system target task technique term test theoretical theory time tool top total traditional train trained
training type unified unlabeled upper use user value various way wide work
"""
_ANY_SUBJECT = frozenset(_FIT_ANY_SUBJECT.split())
"""Words that say nothing of a subject: a name of these alone (`training process`) is no keyword."""


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
    too_small: dict[str, int]
    """Disciplines with too few recent papers for keywords, and how many they have."""

    def as_keywords(self) -> tuple[Keyword, ...]:
        return tuple(Keyword(keyword=each.keyword, discipline=each.discipline) for each in self.keywords)


@dataclass(frozen=True)
class _Read:
    """What is kept of a paper that was read: its disciplines, and whether it is recent."""

    disciplines: frozenset[str]
    recent: bool


async def refresh_keywords(
    papers: Iterable[Paper], today: dt.date, *, each: int = 60, months: int = 12, fewest: int = 3
) -> RefreshedKeywords:
    """`each` keywords for every discipline, up to half of them by growth. `fewest`: recent papers that a keyword needs.

    Disciplines with fewer than `FEWEST_PAPERS` recent papers are in `too_small`.
    """
    since = today - dt.timedelta(days=round(months * 30.44))
    reader, read, fields = ConceptReader(), list[_Read](), set(DISCIPLINES)
    for paper in papers:
        reader.read(paper)
        fields.update(field.lower() for field in paper.fields)
        recent = (paper.public_by or dt.date.min) >= since
        read.append(_Read(frozenset(disciplines_of(paper.fields)), recent))
    sizes = Counter(name for one in read if one.recent for name in one.disciplines)
    large = [name for name in DISCIPLINES if sizes[name] >= FEWEST_PAPERS]
    fresh = await _fresh(reader, read, large, fields, today, each, fewest) if large else []
    have = Counter(one.discipline for one in fresh)
    return RefreshedKeywords(
        keywords=tuple(fresh),
        papers=len(read),
        without_field=sum(not one.disciplines for one in read),
        short={name: have[name] for name in large if have[name] < each},
        too_small={name: sizes[name] for name in DISCIPLINES if name not in large},
    )


async def _fresh(
    reader: ConceptReader,
    read: Sequence[_Read],
    large: Sequence[str],
    fields: set[str],
    today: dt.date,
    each: int,
    fewest: int,
) -> list[RefreshedKeyword]:
    counted = {name: KeywordCounts() for name in DISCIPLINES}
    recent: dict[str, Counter[str]] = {name: Counter() for name in DISCIPLINES}
    for paper in await reader.concepts(fewest):
        known = [name for name in paper.concepts if names_a_subject(name) and name not in fields]
        for name in read[paper.place].disciplines:
            counted[name].papers[paper.year] += 1
            counted[name].by_year.setdefault(paper.year, Counter()).update(known)
            if read[paper.place].recent:
                recent[name].update(known)
    use = _use(recent, fewest)
    fresh: list[RefreshedKeyword] = []
    for name in large:
        rising = growth(counted[name], each, fewest=fewest).rising
        growths = {trend.keyword: trend.growth for trend in rising if recent[name][trend.keyword] >= fewest}
        grown = [word for word in growths if _home(word, recent) == name][: each // 2]
        used = [word for word in use[name] if word not in grown and _home(word, recent) == name]
        fresh += [
            RefreshedKeyword(
                keyword=word, discipline=name, papers=recent[name][word], growth=growths.get(word), date=today
            )
            for word in (*grown, *used)[:each]
        ]
    return fresh


def names_a_subject(concept: str) -> bool:
    """Whether a concept has several words, one of them specific: `graph neural networks`, not `training process`."""
    words = [word.removesuffix("s") for word in concept.split()]
    return len(words) > 1 and any(word not in _ANY_SUBJECT and f"{word}s" not in _ANY_SUBJECT for word in words)


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
            if own:
                weighed.append((-count * math.log(max(lift, _AT_HOME)), keyword))
        best[name] = [keyword for _, keyword in sorted(weighed)]
    return best
