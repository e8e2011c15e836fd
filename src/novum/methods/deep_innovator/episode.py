"""An episode of next-idea prediction as a pure state machine (DeepInnovator, sections 3 and 4.2).

The policy writes an idea, a comment model says what is wrong with it, the policy writes an improved idea, and so on. An
episode never changes: each response and each comment gives a new one. It does no I/O and knows no rewards; whoever
drives it asks the models.

    episode = Episode().with_response("<idea>…</idea>").with_comment(IdeaComment("The check is missing."))
    episode.phase    # "idea": the policy writes next
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

IDEAS = 6
"""Ideas of an episode, at most: 6 turns of the policy and 5 comments between them (Table A1)."""
Phase = Literal["idea", "comment", "ended"]
EndReason = Literal["", "limit", "no idea", "satisfied", "no comment"]
"""Why an episode ended: all ideas are written; a response held no idea; the comment found nothing serious; there was no
usable comment."""
PARTS = ("title", "problem", "idea", "approach", "novelty")
"""The parts of an idea, as the policy names them at the beginning of a line."""

_THINKING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_TAGGED = re.compile(r"<idea>(.*?)(</idea>|\Z)", re.DOTALL | re.IGNORECASE)
_PART = re.compile(rf"^[ \t*#]{{0,6}}({'|'.join(PARTS)})[ \t*]{{0,4}}:[ \t*]{{0,4}}", re.MULTILINE | re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?](?=\d)[^.!?\n]*)*[.!?]*\s*")
_SCORE = re.compile(
    r"\b\d{1,3}(?:\.\d+)?\s*(?:/|out of)\s*\d{1,3}\b"
    r"|\b(?:scores?|scored|rating|rated|grade|marks?|points?|confidence|probability|authenticity)\b[^.!?\n]{0,24}?\d"
    r"|\b\d{1,3}(?:\.\d+)?\s*(?:%|percent|points?|stars?)\s*(?:real|authentic|sure|confident|of the maximum)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PolicyIdea:
    """One idea of the policy. `well_formed`: it stands between `<idea>` and `</idea>` and has all parts."""

    text: str
    well_formed: bool = True

    @property
    def parts(self) -> dict[str, str]:
        """The parts that the text names, by name; the first of equal ones."""
        found = list(_PART.finditer(self.text))
        ends = [each.start() for each in found[1:]] + [len(self.text)]
        named: dict[str, str] = {}
        for each, end in zip(found, ends, strict=False):  # without a part there is one end
            named.setdefault(each[1].lower(), self.text[each.end() : end].strip())
        return named


def read_idea(response: str) -> PolicyIdea | None:
    """The idea in a response of the policy; None when there is none.

    Without tags the whole response is the idea, and it is not well formed; of several tagged ones the last counts, as
    it is what the policy came to.
    """
    spoken = _THINKING.sub("", response).strip()
    tagged = list(_TAGGED.finditer(spoken))
    text = (tagged[-1][1] if tagged else spoken).strip()
    if not text:
        return None
    idea = PolicyIdea(text)
    whole = bool(tagged) and bool(tagged[-1][2]) and all(idea.parts.get(part) for part in PARTS)
    return replace(idea, well_formed=whole)


@dataclass(frozen=True)
class IdeaComment:
    """What a comment model says. `satisfied`: it found nothing serious, and the episode ends."""

    text: str
    satisfied: bool = False


def without_scores(text: str) -> tuple[str, int]:
    """A comment without the sentences that hold a score, and their number: a comment says what is wrong, and never how
    good an idea is."""
    sentences = [each for each in _SENTENCE.findall(text) if each]
    kept = [each for each in sentences if not _SCORE.search(each)]
    return "".join(kept).strip(), len(sentences) - len(kept)


@dataclass(frozen=True)
class Refinement:
    """One step of an episode: the idea before and after a comment. `number`: from 1 (k in equation 1)."""

    number: int
    before: PolicyIdea
    after: PolicyIdea


@dataclass(frozen=True)
class Episode:
    """The state of one episode. `limit`: most ideas."""

    limit: int = IDEAS
    ideas: tuple[PolicyIdea, ...] = ()
    comments: tuple[str, ...] = ()
    """The comment on each idea but the last, without scores."""
    ended: EndReason = ""
    scores_removed: int = 0
    """Sentences of comments that held a score."""

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise ValueError(f"An episode has at least one idea, not {self.limit}.")

    @property
    def phase(self) -> Phase:
        """Whose turn it is."""
        if self.ended:
            return "ended"
        return "comment" if len(self.ideas) > len(self.comments) else "idea"

    def with_response(self, response: str) -> Episode:
        """The episode after a response of the policy. Without an idea in it, the episode ends. Raises ValueError when
        it is not the policy's turn."""
        if self.phase != "idea":
            raise ValueError(f"The policy may not write now: the episode's phase is {self.phase!r}.")
        idea = read_idea(response)
        if idea is None:
            return replace(self, ended="no idea")
        ideas = (*self.ideas, idea)
        return replace(self, ideas=ideas, ended="limit" if len(ideas) == self.limit else "")

    def with_comment(self, comment: IdeaComment | None) -> Episode:
        """The episode after a comment; None: the comment model gave no usable answer. Raises ValueError when it is not
        the turn of the comment model."""
        if self.phase != "comment":
            raise ValueError(f"There is nothing to comment on: the episode's phase is {self.phase!r}.")
        if comment is None:
            return replace(self, ended="no comment")
        text, removed = without_scores(comment.text)
        counted = replace(self, scores_removed=self.scores_removed + removed)
        if comment.satisfied:
            return replace(counted, ended="satisfied")
        if not text:
            return replace(counted, ended="no comment")
        return replace(counted, comments=(*self.comments, text))

    @property
    def refinements(self) -> tuple[Refinement, ...]:
        """The steps so far, in order."""
        return tuple(Refinement(number, *pair) for number, pair in enumerate(pairwise(self.ideas), 1))
