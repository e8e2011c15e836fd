"""Rows of matches and entries, written by Novum or by others, read as records.

The input is not trusted: rows that cannot be read are reported and left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from novum.benchmarks.arena.task import MAX_NAME_LENGTH
from novum.core import TOPIC_LIMIT, Citation, Cost, Experiment, Idea, Outcome, Verdict
from novum.core.comparison import CRITERIA, ArenaEntry, ComparisonKind, JudgedPair
from novum.core.idea import DETAILS
from novum.core.record import first_error
from novum.files.tables import ImportLog, Row, read_rows, text_of, words_of

MAX_IDEA_LENGTH = 100_000
"""Characters of an idea with its experiment: some have ten thousand, and judges read no more than that."""
_LONGEST_REASON = 10_000
_IDEA = ("title", "motivation", "novelty", "method", "summary")
_SHOWN = "shown"
"""The column of the idea as judges saw it, an object with the parts of an idea."""
_OUTCOMES: Mapping[str, Outcome] = {
    "first": "first", "0": "first", "a": "first",
    "second": "second", "1": "second", "b": "second",
    "tie": "tie", "2": "tie", "draw": "tie",
}  # fmt: skip
"""Spellings of an outcome; 0, 1 and 2 as in the judges' prompt in the paper (Table 24)."""
_WORDS: Mapping[str, Outcome] = {"first": "first", "second": "second", "tie": "tie"}


def read_matches(file: Path, log: ImportLog) -> list[JudgedPair]:
    """The judged pairs in a file of matches, in the order of their first rows."""
    pairs: dict[tuple[str, ...], _PairRows] = {}
    for number, row in log.each(read_rows(file), file.name):
        try:
            _add_match(row, pairs)
        except ValueError as error:  # of pydantic too
            log.refuse(f"{file.name}, row {number}", first_error(error))
    return [each.judged_pair() for each in pairs.values()]


def read_entries(file: Path, log: ImportLog, maker: str = "", *, several: bool = False) -> list[ArenaEntry]:
    """The entries in a file, in the order of the rows.

    `maker`: the entrant of rows without one. An entrant has one entry on a topic, and further rows are refused; with
    `several` it may have any number of different ideas on a topic, as in the tables of bulk runs.
    """
    found: dict[tuple[str, ...], ArenaEntry] = {}
    for number, row in log.each(read_rows(file), file.name):
        try:
            entry = _entry(row if text_of(row, "entrant") or not maker else {**row, "entrant": maker})
            own = (entry.idea.id if entry.idea else entry.forfeit,) if several else ()
            if (entry.topic, entry.entrant, *own) in found:
                which = "this idea" if several else "an idea"
                raise ValueError(f"{entry.entrant!r} has {which} on this topic already")
            found[entry.topic, entry.entrant, *own] = entry
        except ValueError as error:
            log.refuse(f"{file.name}, row {number}", first_error(error))
    return list(found.values())


@dataclass
class _PairRows:
    """One judged pair while its rows are read."""

    topic: str
    kind: ComparisonKind
    first: str
    second: str
    judge: str
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    failure: str = ""

    def judged_pair(self) -> JudgedPair:
        return JudgedPair(
            topic=self.topic,
            kind=self.kind,
            first=self.first,
            second=self.second,
            judge=self.judge,
            verdicts=tuple(self.verdicts.values()),
            failure="" if self.verdicts else self.failure,
        )


def _add_match(row: Row, pairs: dict[tuple[str, ...], _PairRows]) -> None:
    """Reads one row. Raises ValueError for a row that cannot be used."""
    topic, first, second = _topic(row), _name(row, "first"), _name(row, "second")
    if first == second:
        raise ValueError(f"{first!r} cannot be compared with itself")
    kind, judge = _kind(row), _name(row, "judge")
    key = (topic, kind, first, second, judge, text_of(row, "order"))
    outcome = text_of(row, "outcome")
    if not outcome:
        failure = text_of(row, "failure", "reason")
        if not failure:
            raise ValueError("neither an outcome nor a failure")
        pairs.setdefault(key, _PairRows(topic, kind, first, second, judge)).failure = failure[:1000]
        return
    verdict = Verdict(
        criterion=_criterion(row, kind),
        outcome=_outcome(outcome, first, second),
        reason=words_of(row, "reason")[:_LONGEST_REASON],
    )
    pair = pairs.setdefault(key, _PairRows(topic, kind, first, second, judge))
    if verdict.criterion in pair.verdicts:
        raise ValueError(f"{judge!r} decided on {verdict.criterion} of this pair already: number its requests by order")
    pair.verdicts[verdict.criterion] = verdict


def _entry(row: Row) -> ArenaEntry:
    """Reads one row. Raises ValueError for a row that cannot be used."""
    topic, entrant = _topic(row), _name(row, "entrant")
    forfeit = text_of(row, "forfeit")[:1000]
    parts = {name: words_of(row, name) for name in _IDEA}
    parts["summary"] = parts["summary"] or words_of(row, "idea")
    idea = experiment = None
    if any(part.strip() for part in parts.values()):
        generator = text_of(row, "generator")[:MAX_NAME_LENGTH]
        details = {name: words_of(row, name) for name in DETAILS}
        idea = Idea(topic=topic, citations=_citations(row), generator=generator, **parts, **details)
        experiment = _experiment(row, idea)
    elif not forfeit:
        raise ValueError("neither an idea nor a forfeit")
    size = len(idea.text if idea else "") + len(experiment.text if experiment else "")
    if size > MAX_IDEA_LENGTH:
        raise ValueError(f"{size:,} characters, at most {MAX_IDEA_LENGTH:,} are an idea with its experiment")
    numbers: dict[str, Any] = dict(_object(row, "cost") or {})
    numbers |= {name: row[name] for name in Cost.model_fields if row.get(name) not in (None, "")}
    seconds = row.get("seconds") or 0.0
    entry = ArenaEntry.model_validate(
        {
            "topic": topic, "entrant": entrant, "idea": idea, "experiment": experiment,
            "forfeit": "" if idea else forfeit, "notes": _list(row, "notes"), "cost": numbers, "seconds": seconds,
            "shown": _shown(row, idea),
        }
    )  # fmt: skip
    _check_amounts(entry)
    return entry


def _shown(row: Row, idea: Idea | None) -> Idea | None:
    fields = _object(row, _SHOWN)
    if fields is None or idea is None:
        return None
    parts = {name: text_of(fields, name)[:MAX_IDEA_LENGTH] for name in _IDEA}
    return Idea(topic=idea.topic, generator=idea.generator, **parts) if any(parts.values()) else None


def _check_amounts(entry: ArenaEntry) -> None:
    """Raises ValueError for NaN, Infinity and negative amounts, which JSON of other programs may contain."""
    amounts = entry.cost.model_dump() | {"seconds": entry.seconds}
    if wrong := next((name for name, amount in amounts.items() if not 0 <= amount < math.inf), ""):
        raise ValueError(f"{wrong} is {amounts[wrong]:g}, which is no amount")


def _experiment(row: Row, idea: Idea) -> Experiment | None:
    """An object with the fields of `Experiment`, or a text whose lines are the steps."""
    fields = _object(row, "experiment")
    if fields is not None:
        known = {name: value for name, value in fields.items() if name in Experiment.model_fields}
        return Experiment.model_validate({"hypothesis": "", "steps": (), **known, "idea_id": idea.id})
    steps = tuple(line.strip() for line in text_of(row, "experiment").splitlines() if line.strip())
    return Experiment(idea_id=idea.id, hypothesis="", steps=steps) if steps else None


def _citations(row: Row) -> tuple[Citation, ...]:
    """Objects with name and paper_id, or names alone."""
    cited = _list(row, "citations")
    return tuple(Citation.model_validate(each if isinstance(each, dict) else {"name": each}) for each in cited)


def _list(row: Row, column: str) -> list[Any]:
    """A list, in a CSV as JSON."""
    value = row.get(column)
    if isinstance(value, str):
        value = _json(value, column) if value.strip() else None
    if not isinstance(value, list | None):
        raise ValueError(f"{column} is no list")
    return value or []


def _object(row: Row, column: str) -> Mapping[str, Any] | None:
    value = row.get(column)
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = _json(value, column)
    return value if isinstance(value, dict) else None


def _json(text: str, column: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{column} is no JSON") from None


def _topic(row: Row) -> str:
    topic = " ".join(text_of(row, "topic").split())
    if not topic or len(topic) > TOPIC_LIMIT:
        raise ValueError(f"the topic has {len(topic):,} characters, 1 to {TOPIC_LIMIT:,} are a topic")
    return topic


def _name(row: Row, column: str) -> str:
    name = " ".join("".join(char for char in text_of(row, column) if char.isprintable() or char.isspace()).split())
    if not name or len(name) > MAX_NAME_LENGTH:
        raise ValueError(f"{column} has {len(name):,} characters, 1 to {MAX_NAME_LENGTH} are a name")
    return name


def _kind(row: Row) -> ComparisonKind:
    match text_of(row, "kind").casefold():
        case "" | "idea":
            return "idea"
        case "experiment":
            return "experiment"
        case other:
            raise ValueError(f"the kind {other[:40]!r} is neither idea nor experiment")


def _criterion(row: Row, kind: ComparisonKind) -> str:
    name = text_of(row, "criterion").casefold()
    if name not in CRITERIA[kind]:
        raise ValueError(f"the criterion {name[:40]!r} is none of {', '.join(CRITERIA[kind])}")
    return name


def _outcome(text: str, first: str, second: str) -> Outcome:
    """From `first`, `second` or `tie`, which take precedence over names; from the winner's name; or from 0, 1 and 2."""
    by_name: dict[str, Outcome] = {first: "first", second: "second"}
    outcome = _WORDS.get(text) or by_name.get(text) or _OUTCOMES.get(text.casefold().removesuffix(".0"))
    if outcome is None:
        raise ValueError(f"the outcome {text[:40]!r} is neither first, second nor tie")
    return outcome
