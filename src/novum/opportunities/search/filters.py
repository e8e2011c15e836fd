"""The concepts that a query allows."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np

from novum.core.arrays import Bools
from novum.errors import BadInput
from novum.literature.filters import field_key
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.plain_words import stems
from novum.opportunities.search.tables import SearchTables

FIELD_SHARE = 0.2
"""Share of the papers of a concept that must be in a field for the concept to belong to it."""
_NAMED = 12


def allowed_concepts(tables: SearchTables, query: OpportunityQuery) -> Bools:
    """A mask of the allowed concepts, shape (concepts,). Raises BadInput for an unknown field and for years without
    papers."""
    values = np.ones(len(tables.map.names), bool)
    for excluded in query.exclude:
        words = set(stems(excluded.lower()))
        values &= np.array([not words or not words.issubset(stems(name)) for name in tables.map.names])
    if query.fields:
        values &= _in_fields(tables, query.fields)
    if query.since is not None or query.until is not None:
        values &= _of_years(tables, query)
    return values


def _in_fields(tables: SearchTables, fields: tuple[str, ...]) -> Bools:
    lexicon = tables.map.filed
    numbers = [lexicon.known(field_key(field)) for field in fields]
    if missing := [field for field, number in zip(fields, numbers, strict=True) if number is None]:
        some = ", ".join(_nearest(missing[0], lexicon.names))
        has = (
            f"its fields are {some}{' and more' if len(lexicon) > _NAMED else ''}"
            if some
            else "its papers have no fields"
        )
        raise BadInput(f"No paper of the library has the field “{missing[0]}”: {has}.")
    filed, rows = tables.map.stored.graph.dated.filed()
    inside = np.zeros(tables.concepts_of_paper.shape[0], np.float32)
    inside[rows[np.isin(filed, np.array(numbers))]] = 1
    share = np.asarray(tables.map.snapshot.held @ inside, float) / np.maximum(tables.papers, 1)
    return np.asarray(share >= FIELD_SHARE)


def _nearest(field: str, names: Sequence[str]) -> list[str]:
    """The most similar names: first those that share a word with the field, then those with similar spelling."""
    words = set(stems(field.lower()))
    alike = get_close_matches(field_key(field), names, _NAMED)
    return sorted(names, key=lambda name: (words.isdisjoint(stems(name)), name not in alike, name))[:_NAMED]


def _of_years(tables: SearchTables, query: OpportunityQuery) -> Bools:
    since, until = query.since or 0, query.until or 9999
    years = np.asarray(tables.map.stored.graph.dated.years)
    inside = ((years >= since) & (years <= until)).astype(np.float32)
    if since > until or not inside.any():
        raise BadInput(
            f"The library has no papers of these years: its papers are from {int(years[0])} to {int(years[-1])}."
        )
    return np.asarray(np.asarray(tables.map.snapshot.held @ inside[: tables.concepts_of_paper.shape[0]]) > 0)


def requested_concept(concept_map: ConceptMap, text: str, near: list[str]) -> str:
    """The concept that a user names. Raises BadInput, with the concepts `near` the topic, where there is none."""
    name = concept_map.named(text)
    if name is None:
        nearest = f" The nearest are {', '.join(near)}." if near else ""
        raise BadInput(f"The library has no concept “{text}”.{nearest}")
    return name
