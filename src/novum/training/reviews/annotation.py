"""Idea texts by a model: an annotator omits the results; rules and a second model check that it did.

Source: the two transformations of "Data Acquisition and Preprocessing" in SPARK, an idea abstract and an idea review.
Added here: a text with a leak is rejected and requested again with the leaking words, a bounded number of times, and
then omitted. Rates are counted. A check without a quotation from the text is ignored.
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
"""Why a response was rejected: leaks found by the rules or by the checker; not a version of the original; no usable
response from the annotator; no usable response from the checker."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_LEFT_OUT = re.compile(r"…|\.\.\.+")
_SHARED = 0.35
"""Least share of the longer words of an idea text that the original has too."""
_LONGER = 1.3
"""Largest ratio of its length to that of the original."""
_FEWEST = {"abstract": 20, "review": 10}
"""Least words of an idea text."""


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
    """The models that write and check, and the number of attempts."""

    writer: Role | ModelName = "reader"
    checker: Role | ModelName = "judge"
    tries: int = 3


@dataclass
class Annotation:
    """One text: its idea version, empty if it was omitted, and the reasons of rejected responses."""

    text: str = ""
    turned: list[Rejection] = field(default_factory=list)
    silent: bool = False
    """Whether the annotator found nothing about the idea in it."""


def annotate(original: str, kind: Kind, who: Annotator) -> Generator[Question[Any], Any, Annotation]:
    """Requests the idea version of an abstract or a review; a judge-like generator of questions."""
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
    """The reason to reject a response, and its leaking words. Cheap checks come before the checker."""
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
    """Whether `text` can be a version of `original`: of similar length, in its words, in English."""
    words = text.split()
    if len(words) < _FEWEST[kind] or len(words) > _LONGER * len(original.split()) + 20:
        return False
    words_used, known = set(_WORD.findall(text.lower())), set(_WORD.findall(original.lower()))
    shared = bool(words_used) and len(words_used & known) >= _SHARED * len(words_used)
    return shared and not other_language(text) and not mixes_languages(text, original)


def quote_occurs_in(quote: str, text: str) -> bool:
    """Whether a quotation, or each part of one with omissions, is in `text`, ignoring spacing, case and marks."""
    plain = " ".join(text.lower().split())
    pieces = [piece.strip(" \"'“”‘’[](),.") for piece in _LEFT_OUT.split(" ".join(quote.lower().split()))]
    parts = [piece for piece in pieces if piece]
    return sum(map(len, parts)) > 2 and all(part in plain for part in parts)
