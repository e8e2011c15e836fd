"""The rules that find results, performance figures and implementation details: `leak_rules.toml`, compiled.

The words around a match decide whether a comparison or a finding is a result: the last part of this file has them.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

LeakKind = Literal["percentage", "metric", "comparison", "finding", "statistics", "exhibit", "score", "implementation"]
DIGIT = "0"
"""The hint that stands for any digit."""


@dataclass(frozen=True)
class LeakRule:
    """One way in which a text gives a result away. `pattern` reads text in lower case; `hints`: see the data file."""

    name: str
    kind: LeakKind
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    example: str


@cache
def leak_rules() -> tuple[LeakRule, ...]:
    """All rules, in the order of the data file."""
    table = tomllib.loads(resources.files(__package__).joinpath("leak_rules.toml").read_text(encoding="utf-8"))
    return tuple(_rule(row, table["words"]) for row in table["rule"])


def _rule(row: dict[str, Any], words: dict[str, str]) -> LeakRule:
    pattern = re.compile("|".join(_with_words(each, words) for each in row["patterns"]))
    return LeakRule(row["name"], row["kind"], tuple(row.get("hints", ())), pattern, row["example"])


def _with_words(pattern: str, words: dict[str, str]) -> str:
    """`pattern` with each `{name}` replaced by that word list, which may hold names itself."""
    filled = re.sub(r"\{([a-z_]+)\}", lambda match: words[match[1]], pattern)
    return filled if filled == pattern else _with_words(filled, words)


_BY_OTHERS = (
    r"(?:existing|current|previous|prior|recent|other|traditional|conventional|popular|today's|"
    r"modern|available)\s+(?:[\w-]+\s+){0,4}"
)
NO_RESULT_BEFORE = re.compile(
    r"\b(?:(?:not|no|cannot|can't|never|fails? to|failed to|unable to|hardly|rather than|struggl\w+ to|without|whether|"
    r"how to|aims? to|aiming to|designed to|goal of|in order to|would|could|should|may|might|need to|difficult to|"
    r"hard to|challenging to|remains?|if|hope to|intended to|seeks? to|expected to|will)\s+(?:(?!and\b)[\w-]+\s+){0,4}"
    r"|goals?\b[^.;]{0,60}|(?<!we )(?:have|has)\s+(?:\w+ly\s+)?"
    r"|(?<!shown )(?<!found )(?<!able )(?<!demonstrated )(?<!proven )(?<!us )to\s+"
    rf"|{_BY_OTHERS})$"
)
"""Text directly before a match that makes it no result: a wish, a plan, a failure, or the work of others."""
OTHERS_FIRST = re.compile(r"\W*(?:recently|previous(?:ly)?|prior|existing|current|traditional|conventional|modern)\b")
OURS = re.compile(r"\b(?:we|us|ours?|it|its|this|these|proposed)\b")
"""A sentence that matches OTHERS_FIRST at its start and OURS nowhere is about the work of others alone."""
PROOFS = re.compile(
    r"\btheor|\bregret\b|\b(?:lower|upper|error|mistake) bounds?\b|\bconvergence\b|\bminimax\b|\bcomplexit|\bguarantee|"
    r"\bproof|\bprove"
)
TRIALS = re.compile(r"experiment|empiric|simulat|numerical|data ?set|benchmark|\btasks\b|in practice|baseline|%")
"""A sentence with a term of PROOFS and none of TRIALS makes a theoretical claim, which is part of the idea."""
DEPENDS_ON_CONTEXT: frozenset[LeakKind] = frozenset({"comparison", "finding"})
