"""A table of ideas and critiques read as a run: ours, or one that others made in the published layout.

Nothing in it is believed: a score beyond the scale is missing, a row without idea or model is refused, told and left
out. Ideas of a table without numbers are told apart by their texts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, get_args

from pydantic import ValidationError

from novum.benchmarks.liveidea.answers import count_words
from novum.benchmarks.liveidea.dataset import Row
from novum.benchmarks.liveidea.records import (
    FLUENCY,
    IDEA_DIMENSIONS,
    Fate,
    IdeaRecord,
    JudgementRecord,
    Keyword,
    LiveIdeaProtocol,
    LiveIdeaRun,
)
from novum.errors import BadInput

LONGEST_NAME = 500
"""Characters of a model's name or a keyword."""
MOST_IDEAS = 10_000
"""Of one model for one keyword: beyond that a table is something else."""
_TOLD = 100
_BEYOND = "not on the scale"
_EMPTY = "not given"


@dataclass
class ReadBack:
    """A run as far as it could be read, and which rows could not."""

    run: LiveIdeaRun
    rows: int
    refused: int
    why: list[str]
    """Of the first refused rows: the row's number in the file, counted from 1, and what is wrong with it."""


@dataclass
class _Shelf:
    """What was read so far, in the order of its appearance."""

    released: bool
    ideas: dict[tuple[str, str, int], IdeaRecord] = field(default_factory=dict)
    judgements: list[JudgementRecord] = field(default_factory=list)
    keywords: dict[str, str] = field(default_factory=dict)
    models: dict[str, None] = field(default_factory=dict)
    numbers: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    graded: set[tuple[str, str]] = field(default_factory=set)

    def take(self, row: Row) -> None:
        """One row. Raises ValueError saying what is wrong with it."""
        model, keyword = _name(row, "idea_model"), _name(row, "keywords", "keyword")
        number = self._number(row, model, keyword)
        self.models.setdefault(model)
        self.keywords[keyword] = self.keywords.get(keyword) or _text(row, "discipline")
        if (model, keyword, number) not in self.ideas:
            self.ideas[model, keyword, number] = _idea(row, model, keyword, number)
        self._take_critique(row, model, keyword, number)
        self._take_fluency(row, model, keyword)

    def _number(self, row: Row, model: str, keyword: str) -> int:
        if row.get("idea_number") is not None:
            number = _whole(row, "idea_number")
        else:
            known = self.numbers.setdefault((model, keyword), {})
            number = known.setdefault(_text(row, "idea"), len(known))
        if number >= MOST_IDEAS:
            raise ValueError(f"idea number {number:,}: no model has so many ideas for one keyword")
        return number

    def _take_critique(self, row: Row, model: str, keyword: str, number: int) -> None:
        judge, missing = _text(row, "critic_model")[:LONGEST_NAME], _reasons(row)
        if not judge and not missing:
            return
        scores = {name: self._score(row.get(name)) for name in IDEA_DIMENSIONS}
        for name in [each for each, score in scores.items() if score is None]:
            missing.setdefault(name, _EMPTY if row.get(name) in (None, "") else _BEYOND)
        self.judgements.append(
            JudgementRecord(
                model=model,
                keyword=keyword,
                ideas=(number,),
                number=number,
                judge=judge,
                scores=scores,
                missing={name: why for name, why in missing.items() if scores.get(name, 0) is None},
                analysis=_text(row, "critique_analysis"),
                raw=_text(row, "raw_critique"),
                reasoning=_text(row, "critique_reasoning"),
                calls=_whole(row, "critic_calls"),
                prompt_tokens=_whole(row, "critic_prompt_tokens"),
                completion_tokens=_whole(row, "critic_completion_tokens"),
            )
        )

    def _take_fluency(self, row: Row, model: str, keyword: str) -> None:
        """Each judgement where the table has them; else the keyword's one number, from the first row that has it."""
        if told := _text(row, "fluency_judgements"):
            records = list(_graded(told, model, keyword))
            scores = [{FLUENCY: self._score(each.scores[FLUENCY])} for each in records]
            pairs = zip(records, scores, strict=True)
            self.judgements += [each.model_copy(update={"scores": score}) for each, score in pairs]
            self.graded.add((model, keyword))
            return
        score = self._score(row.get(FLUENCY))
        if score is None or (model, keyword) in self.graded:
            return
        self.graded.add((model, keyword))
        self.judgements.append(
            JudgementRecord(model=model, keyword=keyword, ideas=(0, 1), number=0, judge="", scores={FLUENCY: score})
        )

    def _score(self, value: object) -> float | None:
        """On the scale, 0 included as the published layout has it; of a run as released any number."""
        if value is None or isinstance(value, bool):
            return None
        try:
            score = float(str(value))
        except ValueError:
            return None
        return score if (self.released and math.isfinite(score)) or 0 <= score <= 10 else None


def run_of(rows: Iterable[tuple[int, Row | str]], name: str, header: LiveIdeaRun | None = None) -> ReadBack:
    """The run in a table. `rows`: each with its number, or with what is wrong with it. `header`: what stands beside
    the table of a run of ours. Raises BadInput where no row can be read.
    """
    shelf = _Shelf(released=header is not None and header.protocol.as_released)
    count, refused = 0, 0
    why: list[str] = []
    for number, row in rows:
        count += 1
        try:
            if isinstance(row, str):
                raise ValueError(row)  # the row's fault is told like any other
            shelf.take(row)
        except ValueError as error:  # of pydantic too
            refused += 1
            if len(why) < _TOLD:
                why.append(f"row {number}: {_first_line(error)}")
    if not shelf.ideas:
        first = f" The first: {why[0]}." if why else ""
        raise BadInput(
            f"{name} holds no ideas.{first} A table needs the columns keywords, idea_model, critic_model, idea, "
            "originality, feasibility, clarity and, where there is one, fluency."
        )
    return ReadBack(_run(shelf, name, header), count, refused, why)


def _run(shelf: _Shelf, name: str, header: LiveIdeaRun | None) -> LiveIdeaRun:
    found = tuple(Keyword(keyword=keyword, discipline=shelf.keywords[keyword]) for keyword in shelf.keywords)
    ideas, judgements = tuple(shelf.ideas.values()), _in_order(shelf)
    if header is not None:
        known = {each.keyword for each in header.keywords}
        keywords = (*header.keywords, *(each for each in found if each.keyword not in known))
        models = (*header.models, *(model for model in shelf.models if model not in header.models))
        changed = {"ideas": ideas, "judgements": judgements, "keywords": keywords, "models": models}
        return header.model_copy(update=changed)
    per_keyword = max((number for _, _, number in shelf.ideas), default=0) + 1
    return LiveIdeaRun(
        name=name,
        protocol=LiveIdeaProtocol(ideas=per_keyword),
        models=tuple(shelf.models),
        keywords=found,
        ideas=ideas,
        judgements=judgements,
        notes=("Read from a table that others made: the protocol, panel and dates are not known.",),
    )


def _in_order(shelf: _Shelf) -> tuple[JudgementRecord, ...]:
    """As a run has them: a unit's ideas, then its pairs."""
    model = {name: place for place, name in enumerate(shelf.models)}
    keyword = {name: place for place, name in enumerate(shelf.keywords)}
    return tuple(
        sorted(shelf.judgements, key=lambda each: (model[each.model], keyword[each.keyword], each.of_pair, each.number))
    )


def _idea(row: Row, model: str, keyword: str, number: int) -> IdeaRecord:
    text, fate = _text(row, "idea"), _text(row, "fate") or "judged"
    if fate not in get_args(Fate):
        raise ValueError(f"the fate {fate[:40]!r} is none of {', '.join(get_args(Fate))}")
    if fate == "judged" and not text.strip():
        raise ValueError("the idea is empty")
    return IdeaRecord.model_validate(
        {
            "model": model,
            "keyword": keyword,
            "discipline": _text(row, "discipline"),
            "number": number,
            "idea": text,
            "full": _text(row, "full_response"),
            "thoughts": _text(row, "thoughts"),
            "words": count_words(text),
            "fate": fate,
            "why": _text(row, "why"),
            "first_refused": _flag(row, "first_was_rejected"),
            "first_refused_as_released": _flag(row, "first_rejected_as_released"),
            "first_refusal": _text(row, "first_reject_response"),
            "fallback": _flag(row, "used_fallback"),
            "behind_marker": _flag(row, "behind_marker"),
            "calls": _whole(row, "idea_calls"),
            "prompt_tokens": _whole(row, "idea_prompt_tokens"),
            "completion_tokens": _whole(row, "idea_completion_tokens"),
        }
    )


def _graded(told: str, model: str, keyword: str) -> Iterator[JudgementRecord]:
    try:
        pairs = json.loads(told)
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


def _reasons(row: Row) -> dict[str, str]:
    try:
        told = json.loads(_text(row, "missing") or "{}")
    except (ValueError, RecursionError):
        return {}
    known = told.items() if isinstance(told, dict) else ()
    return {name: str(why)[:LONGEST_NAME] for name, why in known if name in IDEA_DIMENSIONS}


def _name(row: Row, *columns: str) -> str:
    found = next((text for column in columns if (text := _text(row, column).strip())), "")
    if not found:
        raise ValueError(f"no {columns[0]}")
    if len(found) > LONGEST_NAME:
        raise ValueError(f"{columns[0]} has {len(found):,} characters")
    return found


def _text(row: Row, column: str) -> str:
    value = row.get(column)
    return "" if value is None else value if isinstance(value, str) else str(value)


def _whole(row: Row, column: str) -> int:
    value: Any = row.get(column)
    if value in (None, ""):
        return 0
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (0 <= number < 1e15 and number.is_integer()):
        raise ValueError(f"{column} is no whole number ({str(value)[:40]!r})")
    return int(number)


def _flag(row: Row, column: str) -> bool:
    return str(row.get(column)).strip().lower() in {"true", "1", "1.0", "yes"}


def _first_line(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error)
