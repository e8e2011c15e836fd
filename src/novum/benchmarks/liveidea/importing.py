"""A table of ideas and critiques read as a run: one written by Novum, or by others in the published layout.

The input is not trusted: a score outside the scale is missing; a row without idea or model, or a duplicate, is reported
and left out. Ideas of a table without numbers are identified by their texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import get_args

from novum.benchmarks.liveidea.answers import count_words, refuses
from novum.benchmarks.liveidea.cells import MOST_IDEAS, critique_in, flag_in, name_in, score_of, text_in, whole_in
from novum.benchmarks.liveidea.records import (
    FLUENCY,
    IdeaFate,
    IdeaRecord,
    JudgementRecord,
    Keyword,
    LiveIdeaProtocol,
    LiveIdeaRun,
)
from novum.core.record import first_error
from novum.errors import BadInput
from novum.files.tables import ImportLog, Row

MOST_CELLS = 25_000_000
"""Models × keywords × judges: over ten times the published measurement, and what fits in memory."""


@dataclass(kw_only=True)
class ImportedRun(ImportLog):
    """A run as far as it could be read, and the rows that could not be."""

    run: LiveIdeaRun


@dataclass
class _ImportedRows:
    """What was read so far, in the order of its appearance."""

    released: bool
    ideas: dict[tuple[str, str, int], IdeaRecord] = field(default_factory=dict)
    judgements: list[JudgementRecord] = field(default_factory=list)
    keywords: dict[str, str] = field(default_factory=dict)
    models: dict[str, None] = field(default_factory=dict)
    numbers: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    graded: set[tuple[str, str]] = field(default_factory=set)
    seen: set[tuple[object, ...]] = field(default_factory=set)

    def take(self, row: Row) -> None:
        """Adds one row. Raises ValueError for a row that cannot be used."""
        model, keyword = name_in(row, "idea_model"), name_in(row, "keywords", "keyword")
        number = self._number(row, model, keyword)
        self.models.setdefault(model)
        self.keywords[keyword] = self.keywords.get(keyword) or text_in(row, "discipline")
        if (model, keyword, number) not in self.ideas:
            self.ideas[model, keyword, number] = _idea(row, model, keyword, number)
        critique = critique_in(row, model, keyword, number, released=self.released)
        if critique is not None:
            self._check_new(critique, numbered=row.get("idea_number") is not None)
            self.judgements.append(critique)
        self._take_fluency(row, model, keyword)

    def _number(self, row: Row, model: str, keyword: str) -> int:
        if row.get("idea_number") is not None:
            number = whole_in(row, "idea_number")
        else:
            known = self.numbers.setdefault((model, keyword), {})
            number = known.setdefault(text_in(row, "idea"), len(known))
        if number >= MOST_IDEAS:
            raise ValueError(f"idea number {number:,}: no model has so many ideas for one keyword")
        return number

    def _check_new(self, critique: JudgementRecord, *, numbered: bool) -> None:
        """Raises ValueError for a duplicate. Without numbers, two ideas with one text may have a judge in common."""
        key = (critique.model, critique.keyword, critique.number, critique.judge)
        answer = () if numbered else (critique.raw, *critique.scores.values())
        if (*key, *answer) in self.seen:
            raise ValueError(f"{critique.judge or 'nobody'} judged this idea in an earlier row")
        self.seen.add((*key, *answer))

    def _take_fluency(self, row: Row, model: str, keyword: str) -> None:
        """Each judgement if the table has them, else the keyword's single number, from the first row that has it."""
        if (model, keyword) in self.graded:
            return
        if judgements := text_in(row, "fluency_judgements"):
            records = list(_graded(judgements, model, keyword))
            scores = [{FLUENCY: self._score(each.scores[FLUENCY])} for each in records]
            pairs = zip(records, scores, strict=True)
            self.judgements += [each.model_copy(update={"scores": score}) for each, score in pairs]
            self.graded.add((model, keyword))
            return
        score = self._score(row.get(FLUENCY))
        if score is None:
            return
        self.graded.add((model, keyword))
        self.judgements.append(
            JudgementRecord(model=model, keyword=keyword, ideas=(0, 1), number=0, judge="", scores={FLUENCY: score})
        )

    def _score(self, value: object) -> float | None:
        return score_of(value, released=self.released)


def run_of(rows: Iterable[tuple[int, Row | str]], name: str, header: LiveIdeaRun | None = None) -> ImportedRun:
    """The run in a table. `rows`: each with its number, or with what is wrong with it. `header`: the `run.json` beside
    the table. Raises BadInput when no row can be read.
    """
    imported = _ImportedRows(released=header is not None and header.protocol.as_released)
    found = ImportedRun(run=LiveIdeaRun(name=name, models=(), keywords=()))
    for number, row in rows:
        found.rows += 1
        try:
            if isinstance(row, str):
                raise ValueError(row)  # reported like any other fault
            imported.take(row)
        except ValueError as error:  # of pydantic too
            found.refuse(f"row {number}", first_error(error))
    if not imported.ideas:
        first = f" The first: {found.why[0]}." if found.why else ""
        raise BadInput(
            f"{name} holds no ideas.{first} A table needs the columns keywords, idea_model, critic_model, idea, "
            "originality, feasibility, clarity and, where there is one, fluency."
        )
    found.run = _run(imported, name, header)
    _check_size(found.run)
    return found


def _check_size(run: LiveIdeaRun) -> None:
    judges = {each.judge for each in run.judgements if each.judge}
    if prod(map(len, (run.models, run.keywords, judges))) > MOST_CELLS:
        raise BadInput(
            f"{run.name} has {len(run.models):,} models, {len(run.keywords):,} keywords and {len(judges):,} judges: "
            "too many for one leaderboard. Check that each column holds what its name says, or take part of the table."
        )


def _run(imported: _ImportedRows, name: str, header: LiveIdeaRun | None) -> LiveIdeaRun:
    found = tuple(Keyword(keyword=keyword, discipline=imported.keywords[keyword]) for keyword in imported.keywords)
    ideas, judgements = tuple(imported.ideas.values()), _in_order(imported)
    if header is not None:
        known = {each.keyword for each in header.keywords}
        keywords = (*header.keywords, *(each for each in found if each.keyword not in known))
        models = (*header.models, *(model for model in imported.models if model not in header.models))
        changed = {"ideas": ideas, "judgements": judgements, "keywords": keywords, "models": models}
        return header.model_copy(update=changed)
    per_keyword = max((number for _, _, number in imported.ideas), default=0) + 1
    return LiveIdeaRun(
        name=name,
        protocol=LiveIdeaProtocol(ideas=per_keyword),
        models=tuple(imported.models),
        keywords=found,
        ideas=ideas,
        judgements=judgements,
        notes=("Read from a table without protocol, panel and dates.",),
    )


def _in_order(imported: _ImportedRows) -> tuple[JudgementRecord, ...]:
    """In the order of a run: the ideas of a model and keyword, then its pairs."""
    model = {name: place for place, name in enumerate(imported.models)}
    keyword = {name: place for place, name in enumerate(imported.keywords)}
    return tuple(
        sorted(
            imported.judgements, key=lambda each: (model[each.model], keyword[each.keyword], each.of_pair, each.number)
        )
    )


def _idea(row: Row, model: str, keyword: str, number: int) -> IdeaRecord:
    text, fate = text_in(row, "idea"), text_in(row, "fate") or "judged"
    refusal, first_refused = text_in(row, "first_reject_response"), flag_in(row, "first_was_rejected")
    as_released = flag_in(row, "first_rejected_as_released")
    if row.get("first_rejected_as_released") is None:  # matched as in the published code
        as_released, first_refused = first_refused, first_refused and (not refusal or refuses(refusal))
    if fate not in get_args(IdeaFate):
        raise ValueError(f"the fate {fate[:40]!r} is none of {', '.join(get_args(IdeaFate))}")
    if fate == "judged" and not text.strip():
        raise ValueError("the idea is empty")
    return IdeaRecord.model_validate(
        {
            "model": model,
            "keyword": keyword,
            "discipline": text_in(row, "discipline"),
            "number": number,
            "idea": text,
            "full": text_in(row, "full_response"),
            "thoughts": text_in(row, "thoughts"),
            "words": count_words(text),
            "fate": fate,
            "why": text_in(row, "why"),
            "first_refused": first_refused,
            "first_refused_as_released": as_released,
            "first_refusal": refusal,
            "fallback": flag_in(row, "used_fallback"),
            "behind_marker": flag_in(row, "behind_marker"),
            "calls": whole_in(row, "idea_calls"),
            "prompt_tokens": whole_in(row, "idea_prompt_tokens"),
            "completion_tokens": whole_in(row, "idea_completion_tokens"),
        }
    )


def _graded(text: str, model: str, keyword: str) -> Iterator[JudgementRecord]:
    try:
        pairs = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("the judgements of fluency are no JSON") from None
    if not isinstance(pairs, list):
        raise ValueError("the judgements of fluency are no list")
    for pair in pairs:
        if not isinstance(pair, dict):
            raise ValueError("a judgement of fluency is no object")
        record = JudgementRecord.model_validate({**pair, "model": model, "keyword": keyword})
        if set(record.scores) != {FLUENCY} or not 0 <= record.number < MOST_IDEAS**2:
            raise ValueError("a judgement of fluency is of something else")
        yield record
