"""What one passage says to a question, and how much it matters: the score of 1 to 10 that decides about evidence."""

from __future__ import annotations

import re

from pydantic import Field

from novum.core import shorten
from novum.core.evidence import Kind, Snippet
from novum.core.sentences import sentences
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, prose
from novum.reading.exploration.passage_index import NearPassage

_SUMMARY = 1_200
_SAYS_NOTHING = 3
"""Score at most of a passage about which the reader says nothing."""
_LEAST_QUOTE = 12
"""Characters: a quotation shorter than that could stand anywhere."""
_FULL_AT = 0.36
"""Cosine from which on similarity alone gives a 10; half of that gives a 5 or 6."""


class Finding(Answer):
    """The answer to `judge_passage`."""

    summary: str = prose(600, "what the passage says that helps to answer the question; empty if nothing in it does")
    quote: str = prose(400, "its sentence that matters most, copied word for word; empty if nothing helps")
    kind: Kind = Field(description="which of the five kinds the passage brings")
    score: int = Field(description="1 to 10, as the question explains", ge=1, le=10)


async def judge_passage(models: Models, question: str, near: NearPassage, query: str, turn: int) -> Snippet | None:
    """What the reader makes of one passage; None when it gave no usable answer.

    A quotation that does not stand in the passage is dropped, and a high score without a word about it is none.
    """
    passage = near.passage
    needs = {
        "question": question,
        "paper": passage.paper,
        "section": passage.section,
        "text": passage.text,
        "origin": passage.origin,
    }
    try:
        finding = await models.ask(Question("judge_passage", needs, Finding, role="reader", temperature=0.0))
    except NoUsableAnswer:
        return None
    summary = shorten(finding.summary, _SUMMARY)
    score = finding.score if summary else min(finding.score, _SAYS_NOTHING)
    return _snippet(near, query, turn, summary, verbatim(finding.quote, passage.text), score, finding.kind)


def snippet_by_similarity(near: NearPassage, query: str, turn: int, sentence: str) -> Snippet:
    """A passage that no model read: its own `sentence` nearest to the question stands for it, its cosine is its
    score.
    """
    score = min(max(round(10 * near.similarity / _FULL_AT), 1), 10)
    return _snippet(near, query, turn, sentence, sentence, score)


def verbatim(quote: str, passage: str) -> str:
    """The words of `passage` that `quote` gives, as they stand there; blanks, quotation marks and case may differ.
    Nothing when they are not there.
    """
    words = re.findall(r"\w+", quote.casefold())
    if sum(map(len, words)) < _LEAST_QUOTE:
        return ""
    there = list(re.finditer(r"\w+", passage))
    lowered = [word[0].casefold() for word in there]
    for first in range(len(lowered) - len(words) + 1):
        if lowered[first : first + len(words)] == words:
            last = there[first + len(words) - 1]
            closing = re.match(r"[.!?)\]%]{0,3}", passage[last.end() :])
            return passage[there[first].start() : last.end()] + (closing[0] if closing else "")
    return ""


def opening_sentences(passage: str, longest: int = 400) -> list[str]:
    """The sentences of a passage, each cut to a length: candidates for the one that stands for it."""
    return [shorten(" ".join(span.of(passage).split()), longest) for span in sentences(passage)]


def _snippet(
    near: NearPassage, query: str, turn: int, summary: str, quote: str, score: int, kind: Kind | None = None
) -> Snippet:
    passage = near.passage
    return Snippet(
        paper_id=passage.paper.id,
        origin=passage.origin,
        start=passage.start,
        end=passage.end,
        section=passage.section,
        passage=passage.text,
        quote=quote,
        summary=summary,
        kind=kind,
        score=score,
        similarity=round(near.similarity, 4),
        query=query,
        round=turn,
    )
