"""The concepts of a library as they were known at the end of a year, and which papers hold them, later ones included.

Whatever decides what is a concept, how spellings are merged and what is general rests on papers up to that year alone.
Later papers are then read with the same list: that is what a forecast is held against.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Ints, Vectors
from novum.literature.embedding import Embedder, vectors_of
from novum.literature.search.ranking.keywords import WEAK
from novum.opportunities.paper_columns import DatedPapers, PaperColumns
from novum.opportunities.phrases import IN_GIST, IN_KEYWORDS, PhraseTable, TokenText, words_of
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.sparse import Table, csr
from novum.opportunities.specificity import specificity_rank
from novum.opportunities.synonyms import (
    NamedConcepts,
    Synonym,
    apply_decisions,
    heads,
    idle,
    propose_synonyms,
    whitened,
)
from novum.opportunities.tokens import FIRST, GIST, KEYWORDS, Lexicon
from novum.opportunities.variants import usual_forms, without_separators
from novum.opportunities.vocabulary import SelectedPhrases, select_phrases

_MOST_IN_ONE = 64
"""Concepts of one paper: the rarest, which tell most. Pairs grow with the square of it."""
_WITH_TEXT = 0.1
"""Share of papers with an abstract below which titles and keywords alone are read."""
_KEYWORDS = 3
"""Labels that papers have in the mean from which these are keywords."""


@dataclass(frozen=True, eq=False)
class ConceptNames:
    """`names`, alphabetical; `concept`: those of all papers of the shelf, each paper's up to `concept_to`, ascending;
    `units`: whitened vectors of the names."""

    names: tuple[str, ...]
    concept: NDArray[np.int32]
    concept_to: Ints
    units: Vectors
    synonyms: tuple[Synonym, ...]
    """What was merged by likeness."""
    variants: int
    """Spellings that were merged into another."""
    idle: tuple[Synonym, ...] = ()
    """Lines of the user's list that name what is no concept here."""


async def extract_concepts(
    papers: PaperColumns,
    shelf: DatedPapers,
    year: int,
    settings: OpportunitySettings,
    embedder: Embedder,
    edits: tuple[Synonym, ...] = (),
) -> ConceptNames:
    """Those of papers up to the end of `year`. `edits`: what a user decided of near-synonyms."""
    known = shelf.until(year)
    named, held, variants = await asyncio.to_thread(_named, papers, shelf, known, settings)
    vectors = await vectors_of(embedder, named.names) if named.names else np.zeros((0, 1), np.float32)
    return await asyncio.to_thread(_settled, named, held, vectors, len(shelf), known, variants, settings, edits)


def _settled(
    named: NamedConcepts,
    held: tuple[NDArray[np.int32], Ints],
    vectors: Vectors,
    papers: int,
    known: int,
    variants: int,
    settings: OpportunitySettings,
    edits: tuple[Synonym, ...],
) -> ConceptNames:
    """With near-synonyms merged; `held`: rows and names of all `papers`."""
    units = whitened(vectors)
    synonyms = apply_decisions(propose_synonyms(named, units, settings.alike), edits)
    head = heads(named.names, synonyms)
    merged = _merged(named.names, synonyms, head)
    selected = np.unique(head)
    order = selected[np.argsort(np.array(named.names)[selected])] if len(selected) else selected
    place = np.full(len(named.names), -1)
    place[order] = np.arange(len(order))
    concept, concept_to = _rarest(held[0], place[head[held[1]]], papers, known, len(order))
    return ConceptNames(
        names=tuple(named.names[at] for at in order.tolist()),
        concept=concept,
        concept_to=concept_to,
        units=units[order],
        synonyms=merged,
        variants=variants,
        idle=idle(named.names, edits),
    )


def reads_gists(shelf: DatedPapers, known: int) -> bool:
    """Whether enough of the known papers have a text. Where hardly any has, the few that do would join more concepts
    than all others together, and a year with more of them would look like a year of discoveries."""
    if not known:
        return True
    words = np.asarray(shelf.tokens.words[: shelf.tokens.words_to[known - 1]])
    empty = (words[:-1] == GIST) & (words[1:] == KEYWORDS)
    return bool(known - empty.sum() >= _WITH_TEXT * known)


def reads_keywords(shelf: DatedPapers, known: int) -> bool:
    """Whether what the known papers are filed under are keywords, of which authors give several, or the fields of a
    shelf, of which a paper has one or two: a field is no concept, and would join all that is filed there."""
    labels = np.diff(shelf.tokens.fields_to[:known], prepend=0)
    filed = labels[labels > 0]
    return bool(len(filed) and filed.mean() >= _KEYWORDS)


def _merged(names: Sequence[str], synonyms: Sequence[Synonym], head: Ints) -> tuple[Synonym, ...]:
    """Those that came into force."""
    gone = {names[at] for at in np.flatnonzero(head != np.arange(len(head))).tolist()}
    return tuple(each for each in synonyms if each.name in gone)


def _named(
    papers: PaperColumns, shelf: DatedPapers, known: int, settings: OpportunitySettings
) -> tuple[NamedConcepts, tuple[NDArray[np.int32], Ints], int]:
    """Names with the papers that may be known; rows and names of all papers of the shelf; spellings merged."""
    words = papers.words.names
    written = int(shelf.tokens.words_to[known - 1]) if known else 0
    counts = np.bincount(shelf.tokens.words[:written], minlength=len(words) + FIRST)
    forms = usual_forms(words, counts)
    unread = (0 if reads_gists(shelf, known) else IN_GIST) | (0 if reads_keywords(shelf, known) else IN_KEYWORDS)
    text = TokenText(shelf.tokens, forms, _weak(papers.words), unread)
    phrases = PhraseTable.found(text, settings.fewest)
    picked = select_phrases(phrases, known, words, settings)
    selected = _shown(forms, counts)
    names = [_spelled(parts, words, selected) for parts in words_of(picked.keys).tolist()]
    head = _squeezed_heads(names)
    row, name = _entries(phrases, picked, head)
    held = _table(row, name, known, len(names))
    alone = np.flatnonzero((head == np.arange(len(names))) & _fit(held, names, known, settings))
    place = np.full(len(names), -1)
    place[alone] = np.arange(len(alone))
    inside = place[name] >= 0
    row, name = row[inside], place[name[inside]]
    unique = tuple(names[at] for at in alone.tolist())
    variants = int((forms != np.arange(len(forms))).sum() + (head != np.arange(len(names))).sum())
    return NamedConcepts(unique, _table(row, name, known, len(unique))), (row, name), variants


def _fit(held: Table, names: list[str], known: int, settings: OpportunitySettings) -> Bools:
    """Particular enough, and after merging not too general."""
    several = np.array([" " in name for name in names], bool)
    limit = max(settings.general * known, 4 * settings.fewest)
    return specificity_rank(held, several) & (np.asarray(held.sum(axis=0)).ravel() <= limit)


def _weak(words: Lexicon) -> Bools:
    weak = np.zeros(len(words) + FIRST, bool)
    weak[[number + FIRST for number, word in enumerate(words.names) if word in WEAK]] = True
    return weak


def _shown(forms: NDArray[np.int32], counts: Ints) -> list[int]:
    """For each form the spelling that is most used, as it is shown to people."""
    order = np.lexsort((np.arange(len(forms)), -counts, forms))
    first = np.ones(len(order), bool)
    first[1:] = forms[order][1:] != forms[order][:-1]
    values = np.arange(len(forms))
    values[forms[order][first]] = order[first]
    return [int(each) for each in values]


def _spelled(parts: Sequence[int], words: Sequence[str], shown: Sequence[int]) -> str:
    """The last word as it is mostly written, those before it in their plain form: relation extraction, not relations
    extraction."""
    numbers = [number for number in parts if number]
    return " ".join(words[number - FIRST] for number in (*numbers[:-1], shown[numbers[-1]]))


def _squeezed_heads(names: list[str]) -> Ints:
    """The most frequent of those that differ in spaces alone; names come by frequency."""
    first: dict[str, int] = {}
    return np.array([first.setdefault(without_separators(name), place) for place, name in enumerate(names)], np.int64)


def _entries(phrases: PhraseTable, picked: SelectedPhrases, head: Ints) -> tuple[NDArray[np.int32], Ints]:
    """Papers and names, each name at the place of its head."""
    place = np.full(len(phrases.keys), -1)
    place[np.searchsorted(phrases.keys, picked.keys)] = head
    name = place[phrases.phrase]
    return phrases.paper[name >= 0], name[name >= 0]


def _table(row: NDArray[np.int32], name: Ints, papers: int, names: int) -> Table:
    """Papers × names, 1 where one holds the other, of the first so many papers."""
    early = row < papers
    ones = np.ones(int(early.sum()), np.float32)
    result = csr((ones, (row[early], name[early])), shape=(papers, names))
    result.data[:] = 1
    return result


def _rarest(
    row: NDArray[np.int32], concept: Ints, papers: int, known: int, concepts: int
) -> tuple[NDArray[np.int32], Ints]:
    """Concepts by paper, each once, of one paper the rarest of what may be known."""
    pair = np.unique(row.astype(np.int64) * max(concepts, 1) + concept)
    row, concept = pair // max(concepts, 1), pair % max(concepts, 1)
    counts = np.bincount(concept[row < known], minlength=concepts)
    order = np.lexsort((concept, counts[concept], row))
    first = np.searchsorted(row, np.arange(papers))
    within = np.arange(len(row)) - first[row]
    selected = np.sort(order[within < _MOST_IN_ONE])
    return concept[selected].astype(np.int32), np.cumsum(np.bincount(row[selected], minlength=papers))
