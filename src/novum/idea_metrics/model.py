"""A fitted model: all metrics fitted to one library. Scoring takes milliseconds and calls no language model."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from novum.core import Composite, PartScore, PredictedRating, Scorecard, Subject
from novum.core.arrays import Floats, Vectors
from novum.errors import BadInput
from novum.idea_metrics.card import ModelCard
from novum.idea_metrics.composite import CONFIDENCE_WEIGHT, CREATIVITY_WEIGHTS, combined, weighted_composite
from novum.idea_metrics.corpus import LONGEST_TEXT, unit
from novum.idea_metrics.fluency import english
from novum.idea_metrics.folder import damaged, read_card, read_known, read_scales, read_state, write_model
from novum.idea_metrics.known_titles import KnownTitles
from novum.idea_metrics.metric import IdeaMetric, SubjectBatch
from novum.idea_metrics.registered import registered_metrics
from novum.idea_metrics.review_rating import RatingModel
from novum.idea_metrics.settings import OriginalityForm
from novum.literature import Embedder
from novum.literature.embedding import vectors_of
from novum.literature.store.storable import storable
from novum.statistics.quantile_table import QuantileTable

_AT_ONCE = 512
CORRECTED = "originality_corrected"
RELIABILITY = "reliability"
_RELIABILITY = {"confidence": CONFIDENCE_WEIGHT, "past_performance": 1 - CONFIDENCE_WEIGHT}


@dataclass(frozen=True, eq=False)
class FittedMetrics:
    """Metrics (`parts`) by name, in the order in which they are reported; `scales`: the distribution of their raw
    numbers in the library, and of the Creativity Index; `rating`: what predicts the rating by reviewers, None where
    that is not wanted."""

    card: ModelCard
    parts: Mapping[str, IdeaMetric]
    scales: Mapping[str, QuantileTable]
    embedder: Embedder
    known: KnownTitles
    rating: RatingModel | None = None

    @classmethod
    def load(cls, folder: Path, embedder: Embedder, rating: RatingModel | None = None) -> Self:
        """Loads a stored model. Raises BadInput where it is missing, damaged, or of another form or embedder."""
        card = read_card(folder)
        if card.embedder != embedder.name:
            raise BadInput(
                f"The model in {folder} was fitted with the embedder {card.embedder}, and the setting `embedder` names "
                f"{embedder.name}: vectors of two embedders cannot be compared. Set `embedder`, or fit again."
            )
        states = {name: read_state(folder, name) for name in registered_metrics()}
        try:
            parts = {name: kind.of_state(states[name]) for name, kind in registered_metrics().items()}
            model = cls(card, parts, read_scales(folder), embedder, read_known(folder), rating)
            model.score_batch(_blank(card.dimensions), explain=False)  # whether the metrics fit each other
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise damaged(folder, error) from error
        return model

    def save(self, folder: Path) -> None:
        """Writes the model to a folder, completely or not at all. Raises BadInput where it cannot be written."""
        states = {name: part.state() for name, part in self.parts.items()}
        write_model(folder, self.card, states, self.scales, self.known)

    def knows(self, title: str) -> bool:
        """Whether a paper of this title was among the training papers; a preprint and its publication are the same."""
        return title in self.known

    def but(
        self,
        *,
        card: ModelCard | None = None,
        parts: Mapping[str, IdeaMetric] | None = None,
        scales: Mapping[str, QuantileTable] | None = None,
    ) -> Self:
        """A copy with another card and some metrics or scales replaced."""
        return dataclasses.replace(
            self,
            card=card or self.card,
            parts={**self.parts, **(parts or {})},
            scales={**self.scales, **(scales or {})},
        )

    async def score(self, subjects: Sequence[Subject], *, explain: bool = True) -> list[Scorecard]:
        """One scorecard for each subject; a number that is not available is None, with the reason.

        `explain`: also explain each number; without it scoring is several times as fast.
        """
        cards: list[Scorecard] = []
        for begin in range(0, len(subjects), _AT_ONCE):
            batch = await self.batch_of(subjects[begin : begin + _AT_ONCE])
            cards += self.score_batch(batch, explain=explain)
        return cards

    async def batch_of(self, subjects: Sequence[Subject]) -> SubjectBatch:
        """Subjects with their embeddings. Raises BadInput where these have another length than those of the training
        papers, as of an embedder that is configured differently under the same name."""
        batch = await batch_of(subjects, self.embedder, self.card.dimensions)
        if batch.vectors.shape[1] != self.card.dimensions:
            raise BadInput(
                f"The embedder {self.embedder.name} now makes vectors of {batch.vectors.shape[1]:,} numbers, and the "
                f"model {self.card.name} was fitted with {self.card.dimensions:,}: fit it again (`novum metrics fit`)."
            )
        return batch

    def score_batch(self, batch: SubjectBatch, *, explain: bool = True) -> list[Scorecard]:
        """Scorecards of subjects whose embeddings are known."""
        raws = {name: part.measure(batch) for name, part in self.parts.items()}
        return self.cards_of(batch, raws, explain=explain)

    def cards_of(self, batch: SubjectBatch, raws: Mapping[str, Floats], *, explain: bool) -> list[Scorecard]:
        """Scorecards of subjects whose raw numbers are known: by part, shape (n,)."""
        shares = {name: self._scaled(name, raw) for name, raw in raws.items()}
        problems = [english().problem(each.whole) for each in batch.subjects]
        ratings = self.rating.predict(batch.subjects, problems) if self.rating else [None] * len(batch)
        return [
            self._without_scores(subject, problem)
            if problem
            else self._card_of(batch, row, raws, shares, explain=explain).model_copy(update={"rating": rating})
            for row, (subject, problem, rating) in enumerate(zip(batch.subjects, problems, ratings, strict=True))
        ]

    def _without_scores(self, subject: Subject, why: str) -> Scorecard:
        """The card of a text that is no English prose: numbers on it would look like a judgement and be none."""
        names = [*self.parts, CORRECTED, RELIABILITY]
        none = Composite(value=None, weights={}, missing=tuple(self.card.creativity_weights))
        return Scorecard(
            subject=subject,
            parts={name: _part(name, None, None, why) for name in names},
            creativity=none,
            creativity_published=none,
            creativity_corrected=none,
            satisfaction=Composite(value=None, weights={}, missing=tuple(self.card.satisfaction_weights)),
            combined=None,
            rating=None if self.rating is None else PredictedRating(value=None, why=why),
        )

    def _scaled(self, name: str, raw: Floats) -> Floats:
        """The share of the library with a worse value, shape (n,); the value itself where the library has none (model
        confidence)."""
        table = self.scales.get(name)
        share = np.clip(raw, 0, 1) if table is None else table.share(raw)
        return 1 - share if self.parts[name].better < 0 else share

    def _card_of(
        self,
        batch: SubjectBatch,
        row: int,
        raws: Mapping[str, Floats],
        shares: Mapping[str, Floats],
        *,
        explain: bool,
    ) -> Scorecard:
        parts: dict[str, PartScore] = {}
        for name, part in self.parts.items():
            raw = _known(raws[name][row])
            why = part.explain(batch, row, float(raws[name][row])) if explain or raw is None else ""
            parts[name] = _part(name, raw, _known(shares[name][row]), why)
            if name == "originality":
                parts[CORRECTED] = _corrected(parts[name], explain=explain)
            if name == "past_performance":
                parts[RELIABILITY] = _reliability(parts)
        published, corrected = self._creativity(parts, "published"), self._creativity(parts, "corrected")
        creativity = published if self.card.settings.originality == "published" else corrected
        weights = self.card.satisfaction_weights
        satisfaction = weighted_composite(
            {name: parts[name].scaled if name in parts else None for name in weights}, weights
        )
        return Scorecard.model_construct(
            subject=batch.subjects[row],
            parts=parts,
            creativity=creativity,
            creativity_published=published,
            creativity_corrected=corrected,
            satisfaction=satisfaction,
            combined=combined(creativity.value, satisfaction.value),
        )

    def _creativity(self, parts: Mapping[str, PartScore], form: OriginalityForm) -> Composite:
        weights = self.card.creativity_weights
        raws = {name: parts[name].raw if name in parts else None for name in weights}
        if form == "corrected" and "originality" in raws:
            raws["originality"] = parts[CORRECTED].raw
        index = weighted_composite(raws, weights)
        papers = self.scales.get(creativity_scale(form)) if weights == CREATIVITY_WEIGHTS else None
        if papers is None or index.value is None:
            return index
        return index.model_copy(update={"share": float(papers.share(index.value))})


def creativity_scale(form: OriginalityForm) -> str:
    """The name of the scale of the Creativity Index."""
    return f"creativity_{form}"


async def batch_of(subjects: Sequence[Subject], embedder: Embedder, dimensions: int = 0) -> SubjectBatch:
    """Subjects with their embeddings. Texts without letters are not embedded; texts are cut at 20,000 characters.
    `dimensions`: see `embedded`."""
    short = [_readable(subject) for subject in subjects]
    texts = [each.whole for each in short] + [each.interests for each in short]
    texts += [sample for each in short for sample in each.samples]
    vectors = await embedded(texts, embedder, dimensions)
    n, begin, samples = len(short), 2 * len(short), []
    for each in short:
        samples.append(vectors[begin : begin + len(each.samples)])
        begin += len(each.samples)
    return SubjectBatch(short, vectors[:n], vectors[n : 2 * n], samples)


async def embedded(texts: Sequence[str], embedder: Embedder, dimensions: int = 0) -> Vectors:
    """Embeddings of unit length, shape (len(texts), d); zeros for a text without letters. `dimensions`: d, used when
    there is nothing to embed and the embedder does not know its dimensions yet."""
    rows = [row for row, text in enumerate(texts) if any(map(str.isalpha, text))]
    if not rows:
        return np.zeros((len(texts), embedder.dimensions or dimensions), dtype=np.float32)
    result = await vectors_of(embedder, [texts[row] for row in rows])
    vectors = np.zeros((len(texts), result.shape[1]), dtype=np.float32)
    vectors[rows] = unit(result)
    return vectors


def _blank(dimensions: int) -> SubjectBatch:
    """A batch with one empty subject that makes every metric use its whole state."""
    nothing = np.zeros((1, dimensions), dtype=np.float32)
    nobody = Subject(title="", year=2000, authors=("nobody",), references=("nothing",))
    return SubjectBatch([nobody], nothing, nothing, [nothing[:0]])


def _readable(subject: Subject) -> Subject:
    """The subject with texts cut to a bounded length, without characters that no encoder accepts."""
    texts = {name: _text(getattr(subject, name)) for name in ("title", "text", "topic")}
    lists = {name: tuple(map(_text, getattr(subject, name))) for name in ("keywords", "samples")}
    changed = {name: value for name, value in (texts | lists).items() if value != getattr(subject, name)}
    return subject.model_copy(update=changed) if changed else subject


def _text(text: str) -> str:
    return storable(text[:LONGEST_TEXT])


def _corrected(printed: PartScore, *, explain: bool) -> PartScore:
    """Corrected originality, which grows with the distance: δ / (δ + 1)."""
    if printed.raw is None or printed.scaled is None:
        return _part(CORRECTED, None, None, printed.why)
    why = "1 minus originality as printed: it grows with the distance" if explain else ""
    return _part(CORRECTED, 1 - printed.raw, 1 - printed.scaled, why)


def _reliability(parts: Mapping[str, PartScore]) -> PartScore:
    """Equation 5, of values scaled from 0 to 1; where one is missing, the other alone."""
    whole = weighted_composite({name: parts[name].scaled for name in _RELIABILITY}, _RELIABILITY)
    if whole.value is None:
        return _part(RELIABILITY, None, None, "neither model confidence nor past performance is known")
    names = {"confidence": "model confidence", "past_performance": "past performance"}
    text = " and ".join(f"{names[name]} ({parts[name].scaled:.2f})" for name in whole.weights)
    alone = ", the other being unknown" if whole.missing else ""
    return _part(RELIABILITY, whole.value, whole.value, f"{text}{alone}")


def _part(name: str, raw: float | None, scaled: float | None, why: str) -> PartScore:
    return PartScore.model_construct(name=name, raw=raw, scaled=scaled, why=why)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
