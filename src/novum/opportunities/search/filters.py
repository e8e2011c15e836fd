"""Concepts that a query allows."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np

from novum.core.arrays import Bools
from novum.errors import BadInput
from novum.literature.filters import field_key
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.pair_features import OpportunityFeatures
from novum.opportunities.search.plain_words import stems

FIELD_SHARE = 0.2
"""Of its papers so many lie in a field in which a concept is at home."""
_NAMED = 12


def allowed_concepts(features: OpportunityFeatures, query: OpportunityQuery) -> Bools:
    """Shape (concepts,). Raises BadInput for a field that no paper is filed under, and for years without papers."""
    values = np.ones(len(features.map.names), bool)
    for excluded in query.exclude:
        words = set(stems(excluded.lower()))
        values &= np.array([not words or not words.issubset(stems(name)) for name in features.map.names])
    if query.fields:
        values &= _in_fields(features, query.fields)
    if query.since is not None or query.until is not None:
        values &= _of_years(features, query)
    return values


def _in_fields(features: OpportunityFeatures, fields: tuple[str, ...]) -> Bools:
    lexicon = features.map.filed
    numbers = [lexicon.known(field_key(field)) for field in fields]
    if missing := [field for field, number in zip(fields, numbers, strict=True) if number is None]:
        some = ", ".join(_nearest(missing[0], lexicon.names))
        has = (
            f"its fields are {some}{' and more' if len(lexicon) > _NAMED else ''}"
            if some
            else "its papers have no fields"
        )
        raise BadInput(f"No paper of the library has the field “{missing[0]}”: {has}.")
    filed, rows = features.map.stored.graph.dated.filed()
    inside = np.zeros(features.concepts_of_paper.shape[0], np.float32)
    inside[rows[np.isin(filed, np.array(numbers))]] = 1
    share = np.asarray(features.map.snapshot.held @ inside, float) / np.maximum(features.papers, 1)
    return np.asarray(share >= FIELD_SHARE)


def _nearest(field: str, names: Sequence[str]) -> list[str]:
    """Those that share a word with it first, then those with like letters."""
    words = set(stems(field.lower()))
    alike = get_close_matches(field_key(field), names, _NAMED)
    return sorted(names, key=lambda name: (words.isdisjoint(stems(name)), name not in alike, name))[:_NAMED]


def _of_years(features: OpportunityFeatures, query: OpportunityQuery) -> Bools:
    since, until = query.since or 0, query.until or 9999
    years = np.asarray(features.map.stored.graph.dated.years)
    inside = ((years >= since) & (years <= until)).astype(np.float32)
    if since > until or not inside.any():
        raise BadInput(
            f"The library has no papers of these years: its papers are from {int(years[0])} to {int(years[-1])}."
        )
    return np.asarray(np.asarray(features.map.snapshot.held @ inside[: features.concepts_of_paper.shape[0]]) > 0)


def requested_concept(concept_map: ConceptMap, text: str, near: list[str]) -> str:
    """The concept that a user names. Raises BadInput with the nearest where there is none."""
    name = concept_map.named(text)
    if name is None:
        offered = f" The nearest are {', '.join(near)}." if near else ""
        raise BadInput(f"The library has no concept “{text}”.{offered}")
    return name
