"""Made-up literatures: topics with words of their own, years, lengths, and a scorer whose taste is known."""

from __future__ import annotations

import asyncio
import hashlib

import numpy as np

from novum.core import Composite, Scorecard, Subject
from novum.training.preferences.building import build_preferences
from novum.training.preferences.pool import PairCandidate
from novum.training.preferences.records import PreferenceSettings

DIMENSIONS = 24
FIRST, SECOND = (
    ("amber", "basalt", "cedar", "delta", "ember", "fjord", "garnet", "hazel", "indigo", "jasper", "kelp", "lichen"),
    ("engine", "forest", "glacier", "harbour", "island", "jungle", "kiln", "lagoon", "meadow", "oasis", "prairie"),
)


def chance(text):
    """A number from 0 to 1 that follows from the text."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).digest(), "big") / 2**48


class Noting:
    """Embeds by chance, and remembers what it was asked to."""

    name, dimensions = "noting", DIMENSIONS

    def __init__(self):
        self.texts = []

    async def embed(self, texts):
        self.texts += texts
        return np.array([[chance(f"{at} {text}") for at in range(DIMENSIONS)] for text in texts], dtype=np.float32)


class Taste:
    """Scores by chance, and by length as far as it is told to; remembers how often it was asked."""

    def __init__(self, length=0.0, silent=()):
        self.length, self.silent, self.asked = length, set(silent), 0
        self.embedder = Noting()

    def score_batch(self, batch, *, explain=True):
        self.asked += 1
        assert not explain
        assert np.allclose(np.linalg.norm(batch.vectors, axis=1), 1, atol=1e-5)
        return [self.card(subject) for subject in batch.subjects]

    def card(self, subject):
        longer = self.length * len(subject.text.split()) / 200
        whole = [
            Composite(
                value=None if subject.title in self.silent else chance(f"{which} {subject.title}") + longer, weights={}
            )
            for which in ("creativity", "satisfaction")
        ]
        return Scorecard(
            subject=subject, parts={}, creativity=whole[0], creativity_published=whole[1],
            creativity_corrected=whole[0], satisfaction=whole[1], combined=None,
        )  # fmt: skip


def literature(seed, papers=240, topics=8, years=range(2014, 2022)):
    """Candidates and their vectors: each topic has a phrase in all of its titles, and a direction of its own."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(topics, DIMENSIONS))
    candidates, vectors = [], []
    for number in range(papers):
        topic = number % topics
        phrase = f"{FIRST[topic % len(FIRST)]} {SECOND[topic // len(FIRST) % len(SECOND)]}"
        words = " ".join(f"w{word}" for word in rng.integers(0, 400, int(rng.integers(60, 100))))
        year = int(rng.choice(years))
        subject = Subject(title=f"On the {phrase} number {number}", text=f"{phrase} {words}", year=year)
        candidates.append(PairCandidate(f"paper-{chance(subject.title):.12f}", subject, False, year))
        vectors.append(centres[topic] + rng.normal(size=DIMENSIONS) * 0.6)
    array = np.array(vectors, dtype=np.float32)
    return candidates, array / np.linalg.norm(array, axis=1, keepdims=True)


def made(candidates, vectors, taste=None, **settings):
    """The preferences that come of it."""
    chosen = PreferenceSettings(**({"better": "published", "margin": 0.1, "topic_size": 40, "overlap": 0.0} | settings))
    return asyncio.run(build_preferences(candidates, vectors, taste or Taste(), chosen))


def pairs_by_id(preferences):
    """Its pairs by ids, split by split."""
    ids = [one.id for one in preferences.pool.candidates]
    return [[(ids[pair.chosen], ids[pair.rejected]) for pair in split] for split in preferences.chosen.splits]
