"""A literature made up for tests: topics that gather around words of their own, with citations among them."""

from __future__ import annotations

import asyncio
import random

import numpy as np

from novum.core import Paper
from novum.idea_metrics.corpus import Corpus, unit
from novum.literature import StaticEmbedder

_WORDS = {
    "graphs": "graph node edge neighbour message network community walk spectral embedding",
    "proteins": "protein fold sequence residue structure binding enzyme mutation design stability",
    "climate": "climate ocean temperature rain forecast drought season emission carbon atmosphere",
    "speech": "speech voice acoustic phoneme speaker recognition accent dialogue transcription noise",
}
_SENTENCES = (
    "We study how a {} and a {} are learned from the {} of each {}",
    "The new method learns better models of a {} from data with a {} and the {}",
    "Our results show what it takes to improve the {} when a {} is not known",
    "This {} depends on the {} of its {}, and we show how to learn it from the {}",
    "In each {} the {} and the {} are found with a new method for the {}",
    "We show that a better {} can be learned from the {} without any {} or {}",
)


def prose(rng, words, count=5):
    """Sentences of these words in a random order, at most six different ones."""
    chosen = rng.sample(_SENTENCES, min(count, len(_SENTENCES)))
    return " ".join(f"{each.format(*(rng.choice(words) for _ in range(5)))}." for each in chosen)


TOPICS = {topic: words.split() for topic, words in _WORDS.items()}


def made_up_papers(count=200, seed=0, first_year=2010, years=10, **same):
    """Papers of four topics in turn. Each cites up to five earlier ones of its topic; `same` overrides their fields."""
    rng = random.Random(seed)
    papers: list[Paper] = []
    names = list(TOPICS)
    for number in range(count):
        topic = names[number % len(names)]
        words = [rng.choice(TOPICS[topic]) for _ in range(3)]
        earlier = [each for each in papers if each.fields == (topic,)]
        fields = {
            "title": f"{words[0].capitalize()} {words[1]} {words[2]} number {number}",
            "abstract": prose(rng, TOPICS[topic]),
            "year": first_year + number * years // count,
            "venue": f"{topic} {number % 3}",
            "fields": (topic,),
            "authors": (f"Author {number % 17}", f"Author {number % 23}"),
            "citation_count": int(rng.paretovariate(1.2)),
            "references": tuple(each.id for each in rng.sample(earlier, min(5, len(earlier)))),
        }
        papers.append(Paper(**(fields | same)))
    return papers


def corpus_of(papers):
    """As it would be read from a library."""
    embedder = StaticEmbedder()
    texts = [f"{paper.title}. {paper.gist}" for paper in papers]
    vectors = asyncio.run(embedder.embed(texts))
    order = sorted(range(len(papers)), key=lambda row: papers[row].year or 0)
    return Corpus([papers[row] for row in order], unit(np.asarray(vectors))[order], embedder.name)
