"""The task of an arena: topics, entrants, judges and the schedule.

A run stores it beside its settings, and reads it again when it is resumed.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from pydantic import JsonValue, model_validator

from novum.benchmarks.arena.records import IdeaForm, ScheduleName, StudyName
from novum.core.comparison import IDEA_CRITERIA, ArenaEntry, ArenaTopic, ComparisonKind, Entrant
from novum.core.record import Value
from novum.errors import BadInput
from novum.ledger.run import STEP_SEPARATOR
from novum.methods import MethodOptions, get_method
from novum.methods.effort import EFFORT, LEVELS, has_effort, no_effort_note, with_effort

LEAST_WORDS, MOST_WORDS = 60, 2000
"""Bounds of the number of words that judges see of an idea."""
MAX_NAME_LENGTH = 200
"""Characters of an entrant's name."""
_BETWEEN = re.compile(r",(?![^\[\]{}]*[\]}])")
"""A comma outside lists and objects."""
_OPTION = re.compile(r"\s*([A-Za-z_]\w*)\s*=(.*)", re.DOTALL)


class ArenaTask(Value):
    """What is compared. Judges have full names, `provider:model`, with an address or not.

    Raises ValueError for missing or duplicate topics, entrants and judges, and for values out of bounds.
    """

    topics: tuple[ArenaTopic, ...]
    entrants: tuple[Entrant, ...]
    judges: tuple[str, ...]
    kinds: tuple[ComparisonKind, ...] = ("idea",)
    given: tuple[ArenaEntry, ...] = ()
    """The entries of entrants without a method, which forfeit all other topics."""
    schedule: ScheduleName = "round-robin"
    level: float = 0.95
    """Expected Kendall's tau at which the schedule `adaptive` stops."""
    sure_about: tuple[str, ...] = ()
    """Criteria that `swiss` and `adaptive` use, each by itself; none: their average."""
    most_pairs: int | None = None
    """Pairs at most; each is judged twice by every judge."""
    before: dt.date | None = None
    protocol: str = ""
    """Name of the judging protocol. Empty: the newest, which is settled when the run starts. Stored tasks without a
    name were judged by the first one."""
    study: StudyName = ""
    form: IdeaForm = "as-written"
    words: int = 0
    """Most words of an idea that judges see; needed for the forms `cut` and `restated`."""
    prompt_hashes: dict[str, str] = {}
    """SHA-256 of its prompts by name, where they are not part of Novum; settled when the run starts."""

    @model_validator(mode="after")
    def _usable(self) -> Self:
        named = {
            "topic": [each.topic for each in self.topics],
            "entrant": [each.name for each in self.entrants],
            "judge": list(self.judges),
        }
        for what, names in named.items():
            if not names:
                raise ValueError(f"no {what} is named")
            if twice := next((name for name, number in Counter(names).items() if number > 1), ""):
                raise ValueError(f"two {what}s are called {twice!r}: give one of them another name (name=…)")
        if len(self.entrants) < 2:
            raise ValueError(f"there is only one entrant, {self.entrants[0].name!r}, and no other to compare it with")
        for each in self.entrants:
            _check_name(each)
        if not 0 < self.level <= 1:
            raise ValueError(f"a ranking can be sure to a level above 0, up to 1, not {self.level:g}")
        if self.most_pairs is not None and self.most_pairs < 1:
            raise ValueError(f"at least one pair must be judged, not {self.most_pairs:,}")
        if self.form != "as-written" and not LEAST_WORDS <= self.words <= MOST_WORDS:
            raise ValueError(
                f"an idea in the form {self.form!r} has {LEAST_WORDS} to {MOST_WORDS:,} words, not {self.words:,}"
            )
        if strange := next((name for name in self.sure_about if name not in IDEA_CRITERIA), ""):
            raise ValueError(f"there is no criterion {strange!r}: choose of {', '.join(IDEA_CRITERIA)}")
        topics, brought = set(named["topic"]), {each.name for each in self.entrants if not each.method}
        if stray := next(
            (each for each in self.given if each.topic not in topics or each.entrant not in brought), None
        ):
            raise ValueError(
                f"there is an idea of {stray.entrant!r} on {stray.topic!r}, which are not both taking part"
            )
        return self

    @property
    def with_experiments(self) -> bool:
        return "experiment" in self.kinds


def parse_entrants(texts: Iterable[str]) -> tuple[Entrant, ...]:
    """Entrants written as `rag` or `chain-of-ideas:length=0,name=without-chain`, several separated by commas.

    One without a name is called as its method, with its options where the method is there more than once.
    Raises BadInput for an unknown method or option, and for text of another form.
    """
    written = [parts for text in texts for parts in _split(text)]
    times = Counter(parts[0] for parts in written)
    return tuple(_entrant(parts, alone=times[parts[0]] == 1) for parts in written)


def options_for(entrant: Entrant, topic: ArenaTopic, assignment: ArenaTask) -> MethodOptions:
    """The options of one entrant on one topic: its own, and those that the arena sets for all.

    Raises BadInput with the name of a wrong option.
    """
    method = get_method(entrant.method)
    options: dict[str, JsonValue] = dict(entrant.options)
    if assignment.before is not None:
        options["before"] = assignment.before.isoformat()
    if "experiment" in method.options.model_fields:
        options.setdefault("experiment", assignment.with_experiments)
    if "paper" in method.options.model_fields and topic.paper_id:
        options.setdefault("paper", topic.paper_id)
    return method.options_from(options)


def parse_options(method: str, texts: Iterable[str]) -> dict[str, JsonValue]:
    """Options of a method written as `KEY=VALUE`. Raises BadInput for an unknown one, and for text of another form."""
    options = dict(_option(method, text) for text in texts)
    get_method(method).options_from(options)
    return options


def entrants_in(entries: Sequence[ArenaEntry]) -> tuple[Entrant, ...]:
    """The entrants of entries read from a file, in order of appearance."""
    return tuple(Entrant(name=name) for name in dict.fromkeys(each.entrant for each in entries))


def _split(text: str) -> list[list[str]]:
    """Commas separate entrants, unless an option follows."""
    found: list[list[str]] = []
    for part in (piece.strip() for piece in _BETWEEN.split(text)):
        if not part:
            continue
        if _OPTION.fullmatch(part):
            if not found:
                raise BadInput(f"{text!r} names no method before {part!r}: write METHOD:{part}.")
            found[-1].append(part)
            continue
        method, colon, first = part.partition(":")
        found.append([method.strip(), *([first] if colon else [])])
    return found


def _entrant(parts: Sequence[str], *, alone: bool) -> Entrant:
    method, options = parts[0], dict(_option(parts[0], part) for part in parts[1:])
    name = str(options.pop("name", "") or (method if alone else _with_options(method, options)))
    options = _at_effort(method, options)
    if "before" in options:
        raise BadInput(f"{name}: before is the same for all entrants. Give it to the arena: --before YYYY-MM-DD.")
    get_method(method).options_from(options)
    return Entrant(name=name, method=method, options=options)


def _at_effort(method: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with those of an effort (`effort=low`) spelled out. Raises BadInput for one that there is not."""
    effort = str(options.get(EFFORT, ""))
    own = {name: value for name, value in options.items() if name != EFFORT}
    if effort and effort not in LEVELS:
        raise BadInput(f"{method}: there is no effort {effort!r}: choose of {', '.join(LEVELS)}.")
    if effort and not has_effort(method):
        raise BadInput(no_effort_note(method))
    return with_effort(method, effort, own)


def _option(method: str, part: str) -> tuple[str, Any]:
    """Lists and objects from JSON, all else as text for the option's type to parse."""
    found = _OPTION.fullmatch(part)
    if found is None:
        raise BadInput(f"{part!r}, an option of {method}, is not of the form KEY=VALUE.")
    name, value = found[1], found[2].strip()
    try:
        return name, json.loads(value) if value[:1] in {"[", "{"} else value
    except ValueError as error:
        raise BadInput(f"{method}: the value of {name} is not valid JSON ({error}).") from error


def _with_options(method: str, options: Mapping[str, Any]) -> str:
    """`chain-of-ideas`, or `chain-of-ideas length=0`."""
    return " ".join([method, *(f"{name}={value}" for name, value in options.items())])


def _check_name(entrant: Entrant) -> None:
    name = entrant.name
    if not name.strip() or len(name) > MAX_NAME_LENGTH:
        raise ValueError(f"an entrant's name has 1 to {MAX_NAME_LENGTH} characters, not {len(name.strip()):,}")
    if not name.isprintable() or (entrant.method and STEP_SEPARATOR in name):
        raise ValueError(f"the entrant's name {name!r} cannot be shown: leave out line ends and «{STEP_SEPARATOR}»")
