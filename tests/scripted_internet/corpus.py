"""The invented literature: papers of 40 fields with titles, abstracts, dates, identifiers and citations.

The same size and seed give the same papers. Numbers are drawn at once; texts are written when they are asked for.
"""

from __future__ import annotations

import datetime as dt
from functools import cached_property, lru_cache
from hashlib import sha1

import numpy as np
from numpy.typing import NDArray

from tests.scripted_internet.lexicon import QUERIES, Field, Topic, fields, topics
from tests.scripted_internet.prose import NOTICES, SENTENCES, SLOT, TITLES
from tests.scripted_internet.words import coined, given_name, surname

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

FIRST_YEAR, LAST_DAY = 1975, dt.date(2026, 10, 31)
NOTICE_KINDS = ("editorial", "erratum", "paratext", "letter", "peer-review")
_NOTICES = 0.03
"""Share of the records that are no articles."""
_PER_TOPIC = 25
_BENCHMARK_WEIGHT = 4.0
"""How much larger the topics of the benchmark are than the usual one."""
_REFERENCES = 10.0
_MEMORY = 9.0
"""Years after which a paper is cited a third as often."""
_ABROAD = 0.16
"""Share of the references that lead out of the topic; half of them stay in the field."""


class Corpus:
    """Papers are numbers from 0, in order of their dates."""

    def __init__(self, papers: int, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.size = papers
        self.topics: tuple[Topic, ...] = topics()[: max(len(QUERIES), papers // _PER_TOPIC)]
        self.day = self._days()
        """Proleptic ordinals, sorted."""
        self.topic = self._topics_of_papers()
        self.field = np.array([fields().index(topic.field) for topic in self.topics])[self.topic]
        self.year = np.array([dt.date.fromordinal(int(day)).year for day in self.day])
        self.notice = np.where(
            self._rng.random(papers) < _NOTICES, self._rng.integers(0, len(NOTICE_KINDS), papers), -1
        )
        """Index into NOTICE_KINDS; -1 for articles."""
        self.retracted = self._chance(0.004) & (self.notice < 0)
        self.draws = self._rng.integers(0, 2**15, (papers, len(SENTENCES) + 1, 6), dtype=np.int64)
        """For each sentence and the title (last): which template, then what fills its slots."""
        self.cited_start, self.cited = self._citations()
        self.citing_start, self.citing = _reversed(self.cited_start, self.cited)
        self._draw_coverage()

    # Citations

    def references(self, paper: int) -> Ints:
        """What a paper cites, the newest first."""
        return self.cited[self.cited_start[paper] : self.cited_start[paper + 1]][::-1]

    def citations(self, paper: int) -> Ints:
        """What cites a paper, the newest first."""
        return self.citing[self.citing_start[paper] : self.citing_start[paper + 1]][::-1]

    @cached_property
    def citation_count(self) -> Ints:
        """How many papers cite each."""
        return np.diff(self.citing_start)

    def are_linked(self, one: int, other: int) -> bool:
        """Whether one of two papers cites the other."""
        return bool((self.references(one) == other).any() or (self.references(other) == one).any())

    # Texts

    def title(self, paper: int) -> str:
        """Of an article or a notice."""
        written = self._written(paper, self.title_template(paper), len(SENTENCES))
        return written[:1].upper() + written[1:]

    def title_template(self, paper: int) -> str:
        notice = int(self.notice[paper])
        return NOTICES[notice] if notice >= 0 else TITLES[int(self.draws[paper, len(SENTENCES), 0]) % len(TITLES)]

    def abstract(self, paper: int) -> str:
        """Empty for what is no article; which services have it is another matter."""
        if self.notice[paper] >= 0:
            return ""
        chosen = (some[int(self.draws[paper, place, 0]) % len(some)] for place, some in enumerate(SENTENCES))
        written = [self._written(paper, template, place) for place, template in enumerate(chosen)]
        return " ".join(sentence[:1].upper() + sentence[1:] for sentence in written)

    def authors(self, paper: int) -> list[tuple[str, str]]:
        """Given and family names, one to six; who writes on a topic is one of a few."""
        draws = self.draws[paper].ravel()
        group = int(self.topic[paper]) * 17
        return [
            (given_name(group + draw % 23), surname(group + draw % 31))
            for draw in dict.fromkeys(int(draw) for draw in draws[: 1 + int(draws[7]) % 6])
        ]

    def date(self, paper: int) -> dt.date:
        return dt.date.fromordinal(int(self.day[paper]))

    def field_of(self, paper: int) -> Field:
        return fields()[int(self.field[paper])]

    def topic_of(self, paper: int) -> Topic:
        return self.topics[int(self.topic[paper])]

    def venue(self, paper: int) -> str:
        """One of four journals of the field."""
        form = ("Journal of {}", "Annals of {}", "{} Letters", "International Review of {}")[self._draw(paper, 1) % 4]
        return form.format(self.field_of(paper).name)

    def terms(self, paper: int) -> list[str]:
        """Keywords."""
        topic = self.topic_of(paper)
        return [topic.subject.name, topic.aspect.name, coined(paper)]

    def _draw(self, paper: int, place: int) -> int:
        return int(self.draws[paper, -1, place])

    def _written(self, paper: int, template: str, place: int) -> str:
        number = iter(range(1, 6))
        return SLOT.sub(lambda slot: self.filler(paper, slot[1], int(self.draws[paper, place, next(number)])), template)

    def filler(self, paper: int, slot: str, draw: int) -> str:
        """What stands in a slot of a paper's text."""
        topic = self.topic_of(paper)
        if slot in "SAPc":
            fixed = {"S": topic.subject.name, "A": topic.aspect.name, "P": topic.aspect.phrase, "c": coined(paper)}
            return fixed[slot]
        if slot == "r":
            return coined(self.remembered(paper, draw))
        return _pick(self.pool(topic, slot, draw), draw)

    def remembered(self, paper: int, draw: int) -> int:
        """One of the papers that it cites; itself when it cites none."""
        start, end = int(self.cited_start[paper]), int(self.cited_start[paper + 1])
        return int(self.cited[start + draw % (end - start)]) if end > start else paper

    def pool(self, topic: Topic, slot: str, draw: int) -> tuple[str, ...]:
        """What may stand in a slot."""
        other = topic.field.subjects[draw // 7 % len(topic.field.subjects)]
        pools = {"s": topic.subject, "a": topic.aspect, "f": topic.field, "x": other}
        return topic.field.methods if slot == "m" else pools[slot].words

    # Identifiers

    def openalex(self, paper: int) -> str:
        return f"W{2_000_000_000 + paper * 39_119}"

    def doi(self, paper: int) -> str:
        """Empty without one."""
        if not self.has_doi[paper]:
            return ""
        if self.is_arxiv_only[paper]:
            return f"10.48550/arxiv.{self.arxiv(paper)}"
        field, year = int(self.field[paper]), int(self.year[paper])
        return f"10.{5100 + field}/{self.field_of(paper).name[:3].lower()}.{year}.{paper:06d}"

    def pmid(self, paper: int) -> str:
        """Empty outside the life sciences."""
        return str(10_000_000 + paper * 431) if self.has_pmid[paper] else ""

    def pmcid(self, paper: int) -> str:
        """Of those with an open full text."""
        return f"PMC{3_000_000 + paper * 97}" if self.has_pmc[paper] else ""

    def arxiv(self, paper: int) -> str:
        """Empty where it was not posted there."""
        if not self.has_arxiv[paper]:
            return ""
        day = self.date(paper)
        if day >= dt.date(2007, 4, 1):
            return f"{day:%y%m}.{paper % 100_000:05d}"
        return f"{self.field_of(paper).arxiv.partition('.')[0]}/{day:%y%m}{paper % 1000:03d}"

    def s2(self, paper: int) -> str:
        """Semantic Scholar's name of a paper."""
        return sha1(f"paper {paper}".encode()).hexdigest()

    def corpus_number(self, paper: int) -> int:
        """Semantic Scholar's other name."""
        return 7_000_000 + paper * 13

    @cached_property
    def numbers(self) -> dict[tuple[str, str], int]:
        """Papers by (scheme, value), in lower case."""
        found: dict[tuple[str, str], int] = {}
        for paper in range(self.size):
            for scheme, value in self.names(paper):
                found[scheme, value.lower()] = paper
        return found

    def names(self, paper: int) -> list[tuple[str, str]]:
        """All identifiers of a paper, by scheme."""
        known = {
            "openalex": self.openalex(paper),
            "doi": self.doi(paper),
            "pmid": self.pmid(paper),
            "pmcid": self.pmcid(paper),
            "arxiv": self.arxiv(paper),
            "s2": self.s2(paper),
            "corpusid": str(self.corpus_number(paper)),
        }
        return [(scheme, value) for scheme, value in known.items() if value]

    def number_of(self, scheme: str, value: str) -> int | None:
        """The paper with this identifier."""
        return self.numbers.get((scheme, value.lower()))

    # Drawing

    def _chance(self, probability: float | NDArray[np.float64]) -> Flags:
        return np.asarray(self._rng.random(self.size) < probability)

    def _days(self) -> Ints:
        """More papers with every year: the number doubles in about ten."""
        first, last = dt.date(FIRST_YEAR, 1, 1).toordinal(), LAST_DAY.toordinal()
        growth = 3.4
        share = np.log1p(self._rng.random(self.size) * (np.exp(growth) - 1)) / growth
        return np.sort((first + share * (last - first)).astype(np.int64))

    def _topics_of_papers(self) -> Ints:
        weight = self._rng.lognormal(0.0, 0.5, len(self.topics))
        weight[: len(QUERIES)] = _BENCHMARK_WEIGHT
        return self._rng.choice(len(self.topics), self.size, p=weight / weight.sum())

    def _citations(self) -> tuple[Ints, Ints]:
        """Paper after paper cites earlier ones of its topic, by how often they are cited already and how new they are;
        and some others."""
        wanted = np.minimum(self._rng.poisson(self._rng.gamma(3.0, _REFERENCES / 3.0, self.size)) + 1, 60)
        wanted[self.notice >= 0] = 0
        abroad = self._rng.binomial(wanted, _ABROAD)
        cites: list[Ints] = [np.empty(0, np.int64)] * self.size
        usable = self.notice < 0
        for topic in range(len(self.topics)):
            members = np.flatnonzero((self.topic == topic) & usable)
            self._attach(members, wanted - abroad, cites)
        for field in np.unique(self.field):
            self._scatter(np.flatnonzero((self.field == field) & usable), abroad // 2, cites)
        self._scatter(np.flatnonzero(usable), abroad - abroad // 2, cites)
        unique = [np.unique(each) for each in cites]
        start = np.concatenate([[0], np.cumsum([len(each) for each in unique])])
        return start, np.concatenate(unique)

    def _attach(self, members: Ints, wanted: Ints, cites: list[Ints]) -> None:
        """Preferential attachment among the papers of one topic, some of which are better than others."""
        degree = np.zeros(len(members))
        years = self.day[members] / 365.25
        noise = self._rng.gumbel(size=(len(members), len(members))) + self._rng.normal(0.0, 1.0, len(members))
        for place in range(1, len(members)):
            count = min(int(wanted[members[place]]), place)
            score = 1.3 * np.log1p(degree[:place]) - (years[place] - years[:place]) / _MEMORY + noise[place, :place]
            chosen = np.argpartition(-score, count - 1)[:count] if 0 < count < place else np.arange(count)
            degree[chosen] += 1
            cites[members[place]] = members[chosen]

    def _scatter(self, members: Ints, wanted: Ints, cites: list[Ints]) -> None:
        """Citations of any earlier ones among `members`."""
        shares = self._rng.random((len(members), int(wanted.max(initial=0))))
        for place in range(1, len(members)):
            paper = members[place]
            if count := int(wanted[paper]):
                earlier = members[(shares[place, :count] * place).astype(np.int64)]
                cites[paper] = np.concatenate([cites[paper], earlier])

    def _draw_coverage(self) -> None:
        """Which services have a paper, with what."""
        group = np.array([field.group for field in fields()])[self.field]
        category = np.array([bool(field.arxiv) for field in fields()])[self.field]
        recent = self.year >= 1997
        article = self.notice < 0
        posted = np.where(group == "earth", 0.12, np.where(self.year >= 2007, 0.65, 0.3))
        self.has_arxiv = category & (self.year >= 1992) & self._chance(posted) & article
        self.is_arxiv_only = self.has_arxiv & self._chance(0.2) & (self.year >= 2022)
        self.has_doi = self._chance(np.where(recent, 0.96, 0.75)) | self.is_arxiv_only
        self.has_pmid = (group == "life") & self._chance(0.93)
        self.has_pmc = self.has_pmid & recent & self._chance(0.45) & article
        self.in_openalex = self._chance(0.975)
        self.in_crossref = self.has_doi & ~self.is_arxiv_only
        self.in_europe_pmc = self.has_pmid
        self.in_s2 = self._chance(0.94) & (self.notice != NOTICE_KINDS.index("peer-review"))
        self.in_dblp = (group == "computing") & self._chance(0.9) & article
        self.abstract_openalex = self._chance(np.where(recent, 0.78, 0.45))
        self.abstract_crossref = self._chance(0.32) & recent
        self.abstract_europe_pmc = self._chance(np.where(recent, 0.94, 0.7))
        self.abstract_s2 = self._chance(0.66)
        self.references_crossref = self._chance(np.where(recent, 0.85, 0.5))
        """Deposited by the publisher."""
        self.year_only = self._chance(0.12)
        """Services know no more of the date."""


def _pick(pool: tuple[str, ...], draw: int) -> str:
    return pool[draw % len(pool)]


def _reversed(start: Ints, cited: Ints) -> tuple[Ints, Ints]:
    """Who is cited by whom, from who cites whom; the citing papers of each in order."""
    citing = np.repeat(np.arange(len(start) - 1), np.diff(start))
    order = np.argsort(cited, kind="stable")
    counts = np.bincount(cited, minlength=len(start) - 1)
    return np.concatenate([[0], np.cumsum(counts)]), citing[order]


@lru_cache(maxsize=3)
def corpus_of(papers: int = 50_000, seed: int = 1) -> Corpus:
    """The corpus of this size, made once in a process."""
    return Corpus(papers, seed)
