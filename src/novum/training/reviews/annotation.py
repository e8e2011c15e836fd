"""Idea texts by a model: an annotator leaves the results out, and rules and a second model look whether it did.

Source: the two transformations of "Data Acquisition and Preprocessing" in SPARK, an idea abstract and an idea review.
Added: what leaks is turned down and asked for again, a bounded number of times, with the words that leaked; then the
text is left out. How often is counted. A checker that quotes nothing that stands in the text decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, Literal

from novum.errors import NoUsableAnswer
from novum.llm import Answer, ModelName, Question, prose
from novum.llm.schema import listed
from novum.llm.settings import Role
from novum.training.reviews.languages import mixes_languages, other_language
from novum.training.reviews.leaks import leaks_in

Kind = Literal["abstract", "review"]
Rejection = Literal["rules", "checker", "shape", "no answer", "no check"]
"""Why an answer was turned down: words that leak by the rules or by the checking model; a text that is no version of
the original; nothing usable from the annotator; nothing usable from the checker."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_LEFT_OUT = re.compile(r"…|\.\.\.+")
_SHARED = 0.35
"""Of the longer words of an idea text, the share that the original has too, at least: it is a version of it."""
_LONGER = 1.3
"""How much longer than the original it may be."""
_FEWEST = {"abstract": 20, "review": 10}
"""Words of an idea text."""


class IdeaAbstract(Answer):
    """The answer to `annotate_abstract`."""

    text: str = prose(2500, "the abstract of the idea: problem, approach, what is new; no results, no implementation")


class IdeaReview(Answer):
    """The answer to `annotate_review`."""

    text: str = prose(8000, "what the report says of the idea alone; empty if it says nothing of it")


class LeakCheck(Answer):
    """The answer to `check_leaks`: the words first, then the verdict."""

    quotes: list[str] = listed(
        8, "words of the text that tell a result or an implementation detail", longest=200, few=0
    )
    leaks: bool


_FORMS: dict[Kind, tuple[str, str, type[IdeaAbstract | IdeaReview]]] = {
    "abstract": ("annotate_abstract", "abstract", IdeaAbstract),
    "review": ("annotate_review", "review", IdeaReview),
}


@dataclass(frozen=True)
class Annotator:
    """Who writes, who checks, and how often a text is asked for."""

    writer: Role | ModelName = "reader"
    checker: Role | ModelName = "judge"
    tries: int = 3


@dataclass
class Annotation:
    """One text: the idea version, empty where it was left out, and why answers on the way were turned down."""

    text: str = ""
    turned: list[Rejection] = field(default_factory=list)
    silent: bool = False
    """Whether the annotator found nothing of it to concern the idea."""


def annotate(original: str, kind: Kind, who: Annotator) -> Generator[Question[Any], Any, Annotation]:
    """The idea version of an abstract or a review."""
    prompt, need, form = _FORMS[kind]
    done, leaks = Annotation(), list[str]()
    for attempt in range(who.tries):
        needs = {need: original, "leaks": tuple(leaks)}
        answer = yield Question(
            prompt, needs, form, role=who.writer, sample=attempt, temperature=None if attempt else 0.0
        )
        if isinstance(answer, NoUsableAnswer):
            done.turned.append("no answer")
            continue
        text = answer.text.strip()
        if kind == "review" and not text:
            done.silent = True
            return done
        why, leaks = yield from _faults(text, original, kind, who)
        if why is None:
            done.text = text
            return done
        done.turned.append(why)
    return done


def _faults(
    text: str, original: str, kind: Kind, who: Annotator
) -> Generator[Question[Any], Any, tuple[Rejection | None, list[str]]]:
    """Why an answer is turned down, and the words that leak: cheap checks first, so that a model is asked only for what
    passes them."""
    if not is_version_of(text, original, kind):
        return "shape", []
    by_rules = [leak.words for leak in leaks_in(text)]
    if by_rules:
        return "rules", by_rules[:12]
    check = yield Question("check_leaks", {"text": text, "kind": kind}, LeakCheck, role=who.checker, temperature=0.0)
    if isinstance(check, NoUsableAnswer):
        return "no check", []
    quoted = [quote for quote in check.quotes if quote_occurs_in(quote, text)]
    return ("checker", quoted[:12]) if check.leaks and quoted else (None, [])


def is_version_of(text: str, original: str, kind: Kind) -> bool:
    """Whether it can be what is left of the original: neither too short nor too long, in its words, in English."""
    words = text.split()
    if len(words) < _FEWEST[kind] or len(words) > _LONGER * len(original.split()) + 20:
        return False
    told, known = set(_WORD.findall(text.lower())), set(_WORD.findall(original.lower()))
    shared = bool(told) and len(told & known) >= _SHARED * len(told)
    return shared and not other_language(text) and not mixes_languages(text, original)


def quote_occurs_in(quote: str, text: str) -> bool:
    """Whether words that were quoted are there, whatever their spacing, case and marks around them; of a quote with
    something left out, all its pieces."""
    told = " ".join(text.lower().split())
    pieces = [piece.strip(" \"'“”‘’[](),.") for piece in _LEFT_OUT.split(" ".join(quote.lower().split()))]
    said = [piece for piece in pieces if piece]
    return sum(map(len, said)) > 2 and all(piece in told for piece in said)
