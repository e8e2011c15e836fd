"""Coverage: how well a library covers a topic, so that what it does not know is said before anything is made of it.

A paper counts by two kinds of evidence: how much nearer it is to the topic than the papers nearest to random topics
are to these, and the share of the topic's words, weighted by rarity, that it has. The limits below were chosen on one
half of the topics in `bench/data/coverage_topics.csv` and checked on the other by `bench/coverage.py`.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from novum.core import Paper, Value
from novum.literature.filters import Filters
from novum.literature.function_words import FUNCTION_WORDS
from novum.literature.paper_library import PaperLibrary
from novum.literature.search.topic_evidence import NearbyPaper, TopicEvidence, TopicWord
from novum.literature.store.storable import storable

CoverageVerdict = Literal["good", "thin", "none"]

ENOUGH_PAPERS = 5
"""Papers on a topic that good coverage needs."""
_ON_TOPIC, _NEAR = 0.75, 0.5
"""Evidence for a paper on the topic, and for one near it; 2 at most."""
_SOME = 3
"""Papers near the topic, without one that is clearly on it, that are more than nothing."""
_CONCLUSIVE = 1.0
"""Evidence by which a single paper is more than nothing."""
_FROM, _OVER = -1.0, 4.0
"""Similarities count from so many standard deviations above those of random topics, over a range of so many."""
_KNOWN_WORDS = 0.5
"""Share of the topic's words that the best papers must have together for good coverage."""
_BEST = 10
_SHOWN = 5
_LONGEST_TITLE = 90


class CoveringPaper(Value):
    """A paper near a topic; `evidence`, 0 to 2, that it is on the topic."""

    id: str
    title: str
    year: int | None
    similarity: float
    evidence: float


class Coverage(Value):
    """How well a library covers a topic."""

    topic: str
    verdict: CoverageVerdict
    papers: int
    """Papers on the topic, among those looked at; when there are very many, at least so many."""
    searched: int
    """Papers of the library, or those of them that were public in time."""
    years: tuple[int, int] | None
    """First and last year of the papers on the topic; None without one that has a year."""
    nearest: tuple[CoveringPaper, ...]
    """The papers with the most evidence, the best first, whether on the topic or not."""
    paper_ids: tuple[str, ...]
    """Ids of the papers on the topic, the best first."""
    similarity: float
    """The highest similarity of a paper to the topic, a cosine of embeddings."""
    random_similarity: float
    """The highest similarity of a paper to a usual random topic."""
    missing_words: tuple[str, ...]
    """Words of the topic that none of the best papers has, the rarest first."""
    reason: str
    """The verdict and what it goes by, in one sentence."""


async def coverage_of(library: PaperLibrary, topic: str, *, before: dt.date | None = None) -> Coverage:
    """How well the papers on disk cover a topic, whatever its length or language. `before`: only papers that were
    public before this day count. No service is asked. Raises LibraryError when the library cannot be read."""
    filters, topic = Filters(before=before), storable(topic)
    return judged_coverage(topic, await library.stored.topic_evidence(topic, filters), before)


@dataclass(frozen=True)
class _Judged:
    """A paper with its evidence. `agreed`: the words count only if the similarity does not speak against them."""

    near: NearbyPaper
    agreed: float
    separate: float


def judged_coverage(topic: str, evidence: TopicEvidence, before: dt.date | None = None) -> Coverage:
    """The coverage that the evidence speaks for. Without I/O."""
    words = _telling(evidence.words)
    weights = _weights(words, evidence.papers)
    judged = sorted((_judged(one, evidence, weights) for one in evidence.nearest), key=_order) if topic.strip() else []
    on_topic = [one.near.paper for one in judged if one.agreed >= _ON_TOPIC]
    missing = _missing(words, weights, judged[:_BEST])
    verdict = _verdict(judged, len(on_topic), 1 - sum(weights[each.indexed] for each in missing))
    best = max((one.near.similarity for one in judged), default=0.0)
    coverage = Coverage(
        topic=topic,
        verdict=verdict,
        papers=len(on_topic),
        searched=evidence.papers,
        years=_years(on_topic),
        nearest=tuple(_covering(one) for one in judged[:_SHOWN]),
        paper_ids=tuple(paper.id for paper in on_topic),
        similarity=best,
        random_similarity=evidence.background.usual,
        missing_words=tuple(dict.fromkeys(each.written.strip(_PUNCTUATION) for each in missing)),
        reason="",
    )
    return coverage.model_copy(update={"reason": f"{verdict}: {_explained(coverage, before)}"})


def _telling(words: Sequence[TopicWord]) -> Sequence[TopicWord]:
    """The words of the topic without those of a question around it, such as "how" and "did"."""
    return [each for each in words if each.written.strip(_PUNCTUATION).lower() not in FUNCTION_WORDS] or words


def _weights(words: Sequence[TopicWord], papers: int) -> dict[str, float]:
    """The share of each word in what the topic says: rare words say more, words that no paper has say most."""
    rarity = {each.indexed: math.log1p((papers + 1) / (each.papers + 0.5)) for each in words}
    total = sum(rarity.values())
    return {word: value / total for word, value in rarity.items()}


def _judged(near: NearbyPaper, evidence: TopicEvidence, weights: dict[str, float]) -> _Judged:
    above = (near.similarity - evidence.background.usual) / evidence.background.deviation
    similar = min(max(above - _FROM, 0.0) / _OVER, 1.0)
    worded = sum(weights.get(word, 0.0) for word in near.words)
    return _Judged(near, similar + worded if similar else 0.0, similar + worded)


def _order(judged: _Judged) -> tuple[float, float, float, str]:
    """Papers near the topic first, then those with all its words, then by similarity."""
    near = judged.agreed if judged.agreed >= _NEAR else 0.0
    conclusive = judged.separate if judged.separate >= _CONCLUSIVE else 0.0
    return -near, -conclusive, -judged.near.similarity, judged.near.paper.id


def _missing(words: Sequence[TopicWord], weights: dict[str, float], best: Sequence[_Judged]) -> list[TopicWord]:
    """The words that none of these papers has, the rarest first."""
    known = set().union(*(one.near.words for one in best))
    return sorted((each for each in words if each.indexed not in known), key=lambda each: -weights[each.indexed])


def _verdict(judged: Sequence[_Judged], on_topic: int, known_words: float) -> CoverageVerdict:
    if on_topic >= ENOUGH_PAPERS and known_words >= _KNOWN_WORDS:
        return "good"
    near = sum(one.agreed >= _NEAR for one in judged)
    conclusive = any(one.separate >= _CONCLUSIVE for one in judged)
    return "thin" if near >= _SOME or conclusive else "none"


def _years(papers: Sequence[Paper]) -> tuple[int, int] | None:
    years = [paper.year for paper in papers if paper.year is not None]
    return (min(years), max(years)) if years else None


def _covering(judged: _Judged) -> CoveringPaper:
    paper = judged.near.paper
    return CoveringPaper(
        id=paper.id,
        title=paper.title,
        year=paper.year,
        similarity=round(judged.near.similarity, 3),
        evidence=round(judged.agreed, 3),
    )


# The reason, in words

_PUNCTUATION = ".,;:!?()[]{}\"'“”‘’«»"
_WORDS_NAMED = 4
_OTHER_LANGUAGE = "; if the papers are in another language, name the topic in theirs"


def _explained(coverage: Coverage, before: dt.date | None) -> str:
    if not coverage.topic.strip():
        return "the topic has no words"
    if not coverage.nearest:
        return f"the library has no papers{f' from before {before}' if before else ''}"
    nearest = f"“{_shortened(coverage.nearest[0].title)}”"
    papers = f"{coverage.searched:,} paper{'s' * (coverage.searched != 1)}"
    beside = f"similarity {coverage.nearest[0].similarity:.2f}; random topics reach {coverage.random_similarity:.2f}"
    if coverage.verdict == "none":
        foreign = "" if all(word.isascii() for word in coverage.missing_words) else _OTHER_LANGUAGE
        return f"the nearest of {papers}, {nearest}, is about something else ({beside}){_lacking(coverage)}{foreign}"
    on_topic = f"{_counted(coverage, papers)}{_of_years(coverage)}"
    return f"{on_topic}; the nearest is {nearest} ({beside}){_lacking(coverage)}"


def _counted(coverage: Coverage, papers: str) -> str:
    if not coverage.papers:
        return f"none of {papers} is on it, and a few touch it"
    if coverage.verdict == "good":
        return f"{coverage.papers} of {papers} are on it"
    return f"{coverage.papers} of {papers} {'comes' if coverage.papers == 1 else 'come'} close"


def _lacking(coverage: Coverage) -> str:
    named = coverage.missing_words[:_WORDS_NAMED]
    if not named:
        return ""
    return (
        f"; none of the nearest has {'the word ' if len(named) == 1 else ''}{', '.join(f'“{each}”' for each in named)}"
    )


def _of_years(coverage: Coverage) -> str:
    if coverage.years is None:
        return ""
    first, last = coverage.years
    return f", of {first}" if first == last else f", of {first} to {last}"


def _shortened(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE].rstrip()}…"
