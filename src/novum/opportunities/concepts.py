"""The concepts of a library as known at the end of a year, and the papers that contain them, later papers included.

Only papers up to that year decide what is a concept, how spellings are merged, and what is too general. Later papers
are then searched for the same concepts: they show whether a forecast was right.
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
from novum.opportunities.specificity import is_specific
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
"""Largest number of concepts of one paper; the rarest are kept, since the number of pairs grows with the square."""
_WITH_TEXT = 0.1
"""Share of papers with an abstract that is needed for abstracts to be read at all."""
_KEYWORDS = 3
"""Mean number of labels of a paper from which labels are taken for keywords."""


@dataclass(frozen=True, eq=False)
class ConceptNames:
    """Concepts and the papers that contain them. `names`: alphabetical; `concept`: the concept numbers of all dated
    papers, concatenated, ascending within a paper, those of paper i ending at `concept_to[i]`; `units`: whitened
    vectors of the names, shape (concepts, d)."""

    names: tuple[str, ...]
    concept: NDArray[np.int32]
    concept_to: Ints
    units: Vectors
    synonyms: tuple[Synonym, ...]
    """Near-synonyms that were merged."""
    variants: int
    """Number of spellings that were merged into another."""
    idle: tuple[Synonym, ...] = ()
    """Lines of the user's list that name an unknown concept."""


async def extract_concepts(
    papers: PaperColumns,
    dated: DatedPapers,
    year: int,
    settings: OpportunitySettings,
    embedder: Embedder,
    edits: tuple[Synonym, ...] = (),
) -> ConceptNames:
    """The concepts of papers up to the end of `year`. `edits`: the user's decisions on near-synonyms."""
    known = dated.until(year)
    names = await asyncio.to_thread(_extract_names, papers, dated, known, settings)
    listed = names.known.names
    vectors = await vectors_of(embedder, listed) if listed else np.zeros((0, 1), np.float32)
    return await asyncio.to_thread(_merge_synonyms, names, vectors, len(dated), known, settings, edits)


@dataclass(frozen=True, eq=False)
class _ExtractedNames:
    """Names before near-synonyms are merged. `known`: with the papers up to the year; `row`, `name`: one entry for each
    name in a dated paper, the paper and the number of the name; `variants`: number of merged spellings."""

    known: NamedConcepts
    row: NDArray[np.int32]
    name: Ints
    variants: int


def _merge_synonyms(
    extracted: _ExtractedNames,
    vectors: Vectors,
    papers: int,
    known: int,
    settings: OpportunitySettings,
    edits: tuple[Synonym, ...],
) -> ConceptNames:
    """The concepts after merging near-synonyms. `vectors`: of the names; `papers`, `known`: number of dated papers, and
    of those up to the year."""
    names, units = extracted.known.names, whitened(vectors)
    synonyms = apply_decisions(propose_synonyms(extracted.known, units, settings.alike), edits)
    head = heads(names, synonyms)
    merged = {names[at] for at in np.flatnonzero(head != np.arange(len(head))).tolist()}
    selected = np.unique(head)
    order = selected[np.argsort(np.array(names)[selected])] if len(selected) else selected
    place = np.full(len(names), -1)
    place[order] = np.arange(len(order))
    concept, concept_to = _rarest(extracted.row, place[head[extracted.name]], papers, known, len(order))
    return ConceptNames(
        names=tuple(names[at] for at in order.tolist()),
        concept=concept,
        concept_to=concept_to,
        units=units[order],
        synonyms=tuple(each for each in synonyms if each.name in merged),
        variants=extracted.variants,
        idle=idle(names, edits),
    )


def reads_gists(dated: DatedPapers, known: int) -> bool:
    """Whether enough of the first `known` papers have an abstract. Where few have, these would link more concepts than
    all others together, and a year with more of them would seem to have more links."""
    if not known:
        return True
    words = np.asarray(dated.tokens.words[: dated.tokens.words_to[known - 1]])
    empty = (words[:-1] == GIST) & (words[1:] == KEYWORDS)
    return bool(known - empty.sum() >= _WITH_TEXT * known)


def reads_keywords(dated: DatedPapers, known: int) -> bool:
    """Whether the labels of the first `known` papers are keywords, of which authors give several, or fields, of which a
    paper has one or two. A field is not a concept: it would link all its papers."""
    labels = np.diff(dated.tokens.fields_to[:known], prepend=0)
    labelled = labels[labels > 0]
    return bool(len(labelled) and labelled.mean() >= _KEYWORDS)


def _extract_names(
    papers: PaperColumns, dated: DatedPapers, known: int, settings: OpportunitySettings
) -> _ExtractedNames:
    words = papers.words.names
    written = int(dated.tokens.words_to[known - 1]) if known else 0
    counts = np.bincount(dated.tokens.words[:written], minlength=len(words) + FIRST)
    forms = usual_forms(words, counts)
    unread = (0 if reads_gists(dated, known) else IN_GIST) | (0 if reads_keywords(dated, known) else IN_KEYWORDS)
    text = TokenText(dated.tokens, forms, _weak(papers.words), unread)
    phrases = PhraseTable.of(text, settings.fewest)
    selected = select_phrases(phrases, known, words, settings)
    spellings = _usual_spellings(forms, counts)
    names = [_name(parts, words, spellings) for parts in words_of(selected.keys).tolist()]
    head = _heads_without_separators(names)
    row, name = _entries(phrases, selected, head)
    contains = _table(row, name, known, len(names))
    valid = np.flatnonzero((head == np.arange(len(names))) & _is_specific(contains, names, known, settings))
    place = np.full(len(names), -1)
    place[valid] = np.arange(len(valid))
    inside = place[name] >= 0
    row, name = row[inside], place[name[inside]]
    unique = tuple(names[at] for at in valid.tolist())
    variants = int((forms != np.arange(len(forms))).sum() + (head != np.arange(len(names))).sum())
    return _ExtractedNames(NamedConcepts(unique, _table(row, name, known, len(unique))), row, name, variants)


def _is_specific(contains: Table, names: list[str], known: int, settings: OpportunitySettings) -> Bools:
    """Which names have specific neighbours and are not in too many papers, shape (names,)."""
    several = np.array([" " in name for name in names], bool)
    limit = max(settings.general * known, 4 * settings.fewest)
    return is_specific(contains, several) & (np.asarray(contains.sum(axis=0)).ravel() <= limit)


def _weak(words: Lexicon) -> Bools:
    weak = np.zeros(len(words) + FIRST, bool)
    weak[[number + FIRST for number, word in enumerate(words.names) if word in WEAK]] = True
    return weak


def _usual_spellings(forms: NDArray[np.int32], counts: Ints) -> list[int]:
    """For each form the number of its most frequent spelling."""
    order = np.lexsort((np.arange(len(forms)), -counts, forms))
    first = np.ones(len(order), bool)
    first[1:] = forms[order][1:] != forms[order][:-1]
    values = np.arange(len(forms))
    values[forms[order][first]] = order[first]
    return [int(each) for each in values]


def _name(parts: Sequence[int], words: Sequence[str], spellings: Sequence[int]) -> str:
    """The name of a phrase: the last word in its usual spelling, the others in their basic form (relation extraction,
    not relations extraction)."""
    numbers = [number for number in parts if number]
    return " ".join(words[number - FIRST] for number in (*numbers[:-1], spellings[numbers[-1]]))


def _heads_without_separators(names: list[str]) -> Ints:
    """For each name the number of the first, most frequent name that differs only in spaces and hyphens."""
    first: dict[str, int] = {}
    return np.array([first.setdefault(without_separators(name), place) for place, name in enumerate(names)], np.int64)


def _entries(phrases: PhraseTable, selected: SelectedPhrases, head: Ints) -> tuple[NDArray[np.int32], Ints]:
    """One entry for each selected phrase in a paper: the paper, and the number of the phrase's head."""
    place = np.full(len(phrases.keys), -1)
    place[np.searchsorted(phrases.keys, selected.keys)] = head
    name = place[phrases.phrase]
    return phrases.paper[name >= 0], name[name >= 0]


def _table(row: NDArray[np.int32], name: Ints, papers: int, names: int) -> Table:
    """Papers × names, 1 where the paper contains the name, for the first `papers` papers."""
    early = row < papers
    ones = np.ones(int(early.sum()), np.float32)
    result = csr((ones, (row[early], name[early])), shape=(papers, names))
    result.data[:] = 1
    return result


def _rarest(
    row: NDArray[np.int32], concept: Ints, papers: int, known: int, concepts: int
) -> tuple[NDArray[np.int32], Ints]:
    """The concepts of each paper, each once, at most `_MOST_IN_ONE` of a paper: those rarest in the first `known`
    papers. Returns the concept numbers of all papers, concatenated, and the end of each paper's."""
    pair = np.unique(row.astype(np.int64) * max(concepts, 1) + concept)
    row, concept = pair // max(concepts, 1), pair % max(concepts, 1)
    counts = np.bincount(concept[row < known], minlength=concepts)
    order = np.lexsort((concept, counts[concept], row))
    first = np.searchsorted(row, np.arange(papers))
    within = np.arange(len(row)) - first[row]
    selected = np.sort(order[within < _MOST_IN_ONE])
    return concept[selected].astype(np.int32), np.cumsum(np.bincount(row[selected], minlength=papers))
