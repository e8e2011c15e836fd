"""A model's answer with an idea: thoughts set aside, the final idea found, its length and any refusal told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from novum.benchmarks.liveidea.answers.outcome import LONGEST
from novum.benchmarks.liveidea.answers.text import count_words, refuses, refuses_as_released
from novum.llm.reasoning import split_reasoning

_MARKER = re.compile(
    r"(?:(?<=\n)|(?<=\A))[ \t>#*_]{0,12}final idea\b[ \t*_]{0,6}[:：]?[ \t*_]{0,6}"
    r"|\*{1,3}final idea[ \t]{0,3}[:：]?\*{1,3}[ \t]{0,3}[:：]?",
    re.IGNORECASE,
)


class AnswerFate(StrEnum):
    """What becomes of an idea."""

    JUDGED = "judged"
    REFUSED = "refused"
    """Asked once more under the academic prompt."""
    EMPTY = "empty"
    """Asked again."""
    TOO_LONG = "too long"
    """Excluded, and counted."""
    TOO_SHORT = "too short"


@dataclass(frozen=True)
class LengthLimits:
    """Which ideas count, by their words and characters, bounds included."""

    most_words: int
    least_characters: int = 1
    most_characters: int = LONGEST

    def fate(self, words: int, characters: int) -> AnswerFate:
        """Judged, too long or too short."""
        if words > self.most_words or characters > self.most_characters:
            return AnswerFate.TOO_LONG
        return AnswerFate.TOO_SHORT if characters < self.least_characters else AnswerFate.JUDGED


PAPER_LENGTHS = LengthLimits(most_words=200)
RELEASED_LENGTHS = LengthLimits(most_words=199, least_characters=101, most_characters=2499)
"""Bounds of the released code, which excludes them themselves."""


@dataclass(frozen=True)
class IdeaAnswer:
    """One answer, taken apart."""

    full: str
    """All that the model said, thoughts first."""
    thoughts: str
    idea: str
    """What judges see; empty where nothing is left."""
    words: int
    fate: AnswerFate
    refused_as_released: bool
    """What the released code's matching would have said of the same answer; `fate` goes by ours."""
    marked: bool
    """Whether the idea was found behind the final-idea marker."""


def read_idea(
    content: str, reasoning: str = "", *, marker: bool = False, lengths: LengthLimits = PAPER_LENGTHS
) -> IdeaAnswer:
    """The idea in one answer. `reasoning` is what the server sent apart from the answer.

    `marker`: the model was asked to put its idea behind «Final Idea:». Where it did not, its whole answer is the idea,
    as the protocol has it. Of several markers the last with anything behind it counts: the first may be the model
    telling itself what it was asked. An answer of over `LONGEST` characters is too long whatever it says.
    """
    full = f"{reasoning.strip()}\n\n{content}".strip() if reasoning.strip() else content
    if len(content) > LONGEST:
        return IdeaAnswer(full, "", "", 0, AnswerFate.TOO_LONG, refused_as_released=False, marked=False)
    said = split_reasoning(content, reasoning)
    final = _behind_marker(said.text) if marker else ""
    idea = final or said.text
    words = count_words(idea)
    if not words:
        fate = AnswerFate.EMPTY
    elif not final and refuses(idea):
        fate = AnswerFate.REFUSED
    else:
        fate = lengths.fate(words, len(idea))
    return IdeaAnswer(full, said.reasoning, idea, words, fate, refuses_as_released(content), bool(final))


def _behind_marker(text: str) -> str:
    for found in reversed(list(_MARKER.finditer(text))):
        if final := text[found.end() :].strip(" \t\r\n*_:"):
            return final
    return ""
