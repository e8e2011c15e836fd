"""A made-up corpus in the genuine layout of DBLP-Citation-network V14, of any size, the same for the same seed.

Words follow Zipf's law, inside topics that papers mostly stay in; years grow as publication did; a paper cites earlier
papers, mostly recent ones of its own topic, and the much cited more (preferential attachment). No sentence means
anything: what is measured is time and memory. Words are drawn one by one, or, where phrases matter, as `phrased.py`
says.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from figures.phrased import Phrased, Text
from novum.literature.embedding import vocabulary

_AT_ONCE = 10_000
_TOPICS = 400
_TOPIC_WORDS = 600
_OWN_TOPIC = 0.6
"""Share of words, and of citations, from the paper's own topic."""
_TITLE_WORDS, _ABSTRACT_WORDS = 9, 90
_WITH_ABSTRACT, _WITH_REFERENCES = 0.7, 0.5
_REFERENCES = 10
_FIRST_YEAR, _LAST_YEAR = 1970, 2023
_VENUES = 3000
_NAMES = 40_000


def write_corpus(path: Path, papers: int, seed: int = 0, *, phrased: bool = False) -> None:
    """`papers` records, one a line, in no order of time, as in the genuine dumps: half of the references are to papers
    that come later in the file. `phrased`: with phrases that come back, else words are drawn one by one."""
    with path.open("wb") as file:
        for lines in _pages(papers, np.random.default_rng(seed), phrased=phrased):
            file.writelines(lines)


def _pages(papers: int, rng: np.random.Generator, *, phrased: bool) -> Iterator[list[bytes]]:
    """Papers are numbered in order of time, and written in another."""
    words = np.array(_words(60_000))
    topics = rng.integers(0, len(words), (_TOPICS, _TOPIC_WORDS))
    years = np.sort(_FIRST_YEAR + (rng.beta(3, 1, papers) * (_LAST_YEAR - _FIRST_YEAR + 1)).astype(int))
    topic_of = rng.integers(0, _TOPICS, papers)
    of_topic = [np.flatnonzero(topic_of == topic) for topic in range(_TOPICS)]
    phrases = Phrased.made(words, papers, rng) if phrased else None
    for numbers in np.array_split(rng.permutation(papers), max(1, papers // _AT_ONCE)):
        if phrases:
            texts = phrases.texts(numbers, topic_of[numbers], rng.random(len(numbers)) < _WITH_ABSTRACT, rng)
        else:
            texts = _texts(words, topics[topic_of[numbers]], rng)
        yield [
            orjson.dumps(
                _record(number, text, int(years[number]), _cited(number, of_topic[topic_of[number]], rng), rng)
            )
            + b"\n"
            for number, text in zip(numbers.tolist(), texts, strict=True)
        ]


def _texts(words: NDArray[np.str_], own: NDArray[np.int64], rng: np.random.Generator) -> Iterator[Text]:
    """Of papers whose topics have these words, one word at a time."""
    lengths = _lengths(len(own), rng)
    drawn = words[_draw(lengths, own, len(words), rng)]
    for text in np.split(drawn, np.cumsum(lengths)[:-1]):
        title, abstract = " ".join(text[:_TITLE_WORDS]).capitalize(), " ".join(text[_TITLE_WORDS:])
        yield Text(title, abstract, text[_TITLE_WORDS - 2 : _TITLE_WORDS].tolist())


def _words(count: int) -> list[str]:
    """Words of the embedder's vocabulary, then pairs of them: rare compounds make the long tail."""
    plain = [word for word in vocabulary() if word.isascii() and word.isalpha() and len(word) > 2]
    pairs = (f"{one}{other}" for step in range(1, len(plain)) for one, other in zip(plain, plain[step:], strict=False))
    return (plain + [next(pairs) for _ in range(max(0, count - len(plain)))])[:count]


def _lengths(count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Words of each paper: title, and for most an abstract."""
    abstract = rng.poisson(_ABSTRACT_WORDS, count) * (rng.random(count) < _WITH_ABSTRACT)
    return _TITLE_WORDS + abstract


def _draw(
    lengths: NDArray[np.int64], own: NDArray[np.int64], words: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Places in the vocabulary for all words of all papers, one after the other; `own`: each paper's topic's words."""
    total = int(lengths.sum())
    special = own[np.repeat(np.arange(len(lengths)), lengths), _zipf(_TOPIC_WORDS, total, rng)]
    return np.where(rng.random(total) < _OWN_TOPIC, special, _zipf(words, total, rng))


def _zipf(kinds: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Ranks by the law of Zipf and Mandelbrot: the chance of rank r falls as 1 / (r + 2.7)."""
    cumulative = np.cumsum(1 / (np.arange(kinds) + 2.7))
    return np.searchsorted(cumulative, rng.random(count) * cumulative[-1])


def _cited(number: int, same_topic: NDArray[np.int64], rng: np.random.Generator) -> list[int]:
    """Earlier papers: mostly recent ones of the topic; some of any, with a pull towards the first."""
    if number < _TOPICS or rng.random() > _WITH_REFERENCES:
        return []
    count = int(rng.poisson(_REFERENCES))
    earlier = int(np.searchsorted(same_topic, number))
    recent = earlier - 1 - (rng.random(count) ** 2 * earlier).astype(int)
    anywhere = (rng.random(count) ** 3 * number).astype(int)
    near = (rng.random(count) < _OWN_TOPIC) & (earlier > 0)
    return sorted(set(np.where(near, same_topic[recent], anywhere).tolist()))


def _record(number: int, text: Text, year: int, cited: list[int], rng: np.random.Generator) -> dict[str, object]:
    names = rng.integers(0, _NAMES, 3)
    return {
        "id": _key(number),
        "title": f"{text.title} {number:x}",
        "doi": f"10.1000/made.up.{number}" if number % 3 else "",
        "issue": "",
        "keywords": text.keywords,
        "lang": "en",
        "venue": {"raw": f"Proceedings of Meeting {number % _VENUES}"},
        "year": year,
        "n_citation": int(rng.integers(0, 100)),
        "page_start": "1",
        "page_end": "10",
        "volume": "",
        "issn": "",
        "isbn": "",
        "url": [f"http://dx.doi.org/10.1000/made.up.{number}"],
        "abstract": text.abstract,
        "authors": [
            {"id": f"{name:024x}", "name": f"Author {name:x} Made", "org": "An Institute"} for name in names.tolist()
        ],
        "references": [_key(one) for one in cited],
        "doc_type": "Conference",
    }


def _key(number: int) -> str:
    return f"{number:024x}"
