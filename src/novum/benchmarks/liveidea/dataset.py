"""A run as a table in the layout of the published data set: one row for each idea and critic.

The first columns are those of the paper's Supplementary Table 1. Further columns keep what it leaves out: ideas without
a critic, missing scores with their reasons, and each judgement of fluency.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from novum.benchmarks.liveidea.records import FLUENCY, IDEA_DIMENSIONS, IdeaRecord, JudgementRecord, LiveIdeaRun
from novum.files.tables import Row

PUBLISHED = (
    "keywords", "idea_model", "critic_model", "idea", "raw_critique", "parsed_scores", "critique_reasoning",
    "full_response", "first_was_rejected", "first_reject_response", "idea_length_in_char", "idea_length_in_words",
    "originality", "feasibility", "clarity", "fluency", "avg", "full_response_length",
)  # fmt: skip
ADDITIONAL = (
    "discipline", "idea_number", "fate", "why", "thoughts", "first_rejected_as_released", "used_fallback",
    "behind_marker", "idea_calls", "idea_prompt_tokens", "idea_completion_tokens", "critique_analysis", "missing",
    "critic_calls", "critic_prompt_tokens", "critic_completion_tokens", "fluency_judgements",
)  # fmt: skip
COLUMNS = PUBLISHED + ADDITIONAL
WHOLE = frozenset({
    "idea_length_in_char", "idea_length_in_words", "full_response_length", "idea_number", "idea_calls",
    "idea_prompt_tokens", "idea_completion_tokens", "critic_calls", "critic_prompt_tokens", "critic_completion_tokens",
})  # fmt: skip
NUMBERS = frozenset({*IDEA_DIMENSIONS, FLUENCY, "avg"})
FLAGS = frozenset({"first_was_rejected", "first_rejected_as_released", "used_fallback", "behind_marker"})


def rows_of(run: LiveIdeaRun) -> Iterator[Row]:
    """The rows of the table, idea by idea; an idea without a critic has one row too. Empty cells are None."""
    critiques: dict[tuple[str, str, int], list[JudgementRecord]] = {}
    graded: dict[tuple[str, str], list[JudgementRecord]] = {}
    for each in run.judgements:
        if each.of_pair:
            graded.setdefault((each.model, each.keyword), []).append(each)
        else:
            critiques.setdefault((each.model, each.keyword, each.number), []).append(each)
    lowest = run.protocol.combined == "lowest"
    units_written: set[tuple[str, str]] = set()
    for idea in run.ideas:
        unit = (idea.model, idea.keyword)
        pairs = graded.get(unit, [])
        shared = _of_idea(idea) | {FLUENCY: _number(_fluency(pairs, lowest=lowest))}
        found: Sequence[JudgementRecord | None] = critiques.get(idea.key) or (None,)
        for critique in found:
            first = unit not in units_written
            units_written.add(unit)
            grades = json.dumps([_grade(each) for each in pairs], ensure_ascii=False) if first and pairs else None
            row = dict.fromkeys(COLUMNS) | shared | cells_of_critique(critique)
            yield row | {"avg": _average(row), "fluency_judgements": grades}


def _of_idea(idea: IdeaRecord) -> dict[str, Any]:
    return {
        "keywords": idea.keyword,
        "idea_model": idea.model,
        "idea": idea.idea,
        "full_response": idea.full,
        "first_was_rejected": idea.first_refused,
        "first_reject_response": idea.first_refusal or None,
        "idea_length_in_char": idea.characters,
        "idea_length_in_words": idea.words,
        "full_response_length": len(idea.full),
        "discipline": idea.discipline or None,
        "idea_number": idea.number,
        "fate": idea.fate,
        "why": idea.why or None,
        "thoughts": idea.thoughts or None,
        "first_rejected_as_released": idea.first_refused_as_released,
        "used_fallback": idea.fallback,
        "behind_marker": idea.behind_marker,
        "idea_calls": idea.calls,
        "idea_prompt_tokens": idea.prompt_tokens,
        "idea_completion_tokens": idea.completion_tokens,
    }


def cells_of_critique(critique: JudgementRecord | None) -> dict[str, Any]:
    """The cells of one judge's scores of one idea; empty without a judge."""
    if critique is None:
        return {}
    scores = {name: _number(critique.scores.get(name)) for name in IDEA_DIMENSIONS}
    return {
        **scores,
        "critic_model": critique.judge or None,
        "raw_critique": critique.raw,
        "parsed_scores": json.dumps(scores),
        "critique_reasoning": critique.reasoning or None,
        "critique_analysis": critique.analysis or None,
        "missing": json.dumps(critique.missing, ensure_ascii=False) if critique.missing else None,
        "critic_calls": critique.calls,
        "critic_prompt_tokens": critique.prompt_tokens,
        "critic_completion_tokens": critique.completion_tokens,
    }


def _grade(graded: JudgementRecord) -> dict[str, Any]:
    """A judgement of a pair without the columns that its row has."""
    return graded.model_dump(mode="json", exclude={"model", "keyword"}, exclude_defaults=True)


def _fluency(pairs: list[JudgementRecord], *, lowest: bool) -> float | None:
    """Fluency of a keyword: the mean of its pairs, or the lowest."""
    scores = [score for each in pairs if (score := each.scores[FLUENCY]) is not None]
    if not scores:
        return None
    return min(scores) if lowest else sum(scores) / len(scores)


def _average(row: Row) -> float | None:
    """The mean of the four dimensions; None when one is missing."""
    scores = [row[name] for name in (*IDEA_DIMENSIONS, FLUENCY)]
    return None if None in scores else sum(scores) / len(scores)


def _number(score: float | None) -> float | int | None:
    """Whole numbers as integers, as in the published columns."""
    return int(score) if score is not None and score.is_integer() else score
