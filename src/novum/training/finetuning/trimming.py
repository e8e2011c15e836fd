"""Rows made to fit: the quoted text of a prompt is cut before anything else, and a rating is never lost.

A completion that is cut does not end: a model that learns from it must not learn to stop in the middle of a sentence.
Where the rating stands at the end, the text before it is cut instead, and the review ends as it should.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from novum.core.record import Value
from novum.training.finetuning.review_set import Conversation
from novum.training.recipes.recipe import Lengths
from novum.training.reviews.tasks import Turns

_CLOSING = re.compile(r"\n</material [0-9a-f]+>")
_RATING_AT_END = re.compile(r"(?<!\n)\n+Rating: [01]\.\d\d\s*\Z")
_FEWEST = 8
"""Tokens of quoted text that are left at least."""
_TRIES = 6
_SLACK = 4
"""Tokens more than seem needed are cut, as what is left may be split into other tokens."""

Spans = Callable[[str], Sequence[tuple[int, int]]]
"""From a text to where each of its tokens begins and ends."""
Render = Callable[[Turns, bool], list[int]]
"""From turns to tokens, with or without the opening of an answer."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Tokens of a row; those from `prompt` on are learnt."""

    tokens: list[int]
    prompt: int
    prompt_cut: bool
    completion_cut: bool


class Cuts(Value):
    """What became of rows: how many were cut, and how many were left out as they do not fit."""

    rows: int
    prompts: int
    completions: int
    left_out: int


class DoesNotFit(Exception):
    """The prompt alone, without the text it quotes, is longer than it may be."""


@dataclass(frozen=True)
class Fitter:
    """Fits rows to lengths, with a tokenizer's two ways of reading."""

    render: Render
    spans: Spans
    lengths: Lengths

    def row(self, row: Conversation) -> Fitted:
        """Raises DoesNotFit."""
        prompt, answer = row.prompt, row.completion
        asked = self.render(prompt, True)
        learnt = len(self.render([*prompt, *answer], False)) - len(asked)
        room = max(self.lengths.prompt, self.lengths.sequence - learnt)
        fitting, asked = self._prompt(prompt, asked, room)
        most = self.lengths.sequence - len(asked)
        if learnt <= most:
            completion, cut = self._answered(fitting, answer, asked), False
        elif _RATING_AT_END.search(answer[0]["content"]):
            completion, cut = self._with_its_end(fitting, answer, asked, most), True
        else:
            completion, cut = self._answered(fitting, answer, asked)[:most], True
        return Fitted([*asked, *completion], len(asked), fitting is not prompt, cut)

    def prompt(self, turns: Turns) -> list[int]:
        """A prompt alone, no longer than prompts may be. Raises DoesNotFit."""
        return self._prompt(turns, self.render(turns, True), self.lengths.prompt)[1]

    def _answered(self, prompt: Turns, answer: Turns, asked: Sequence[int]) -> list[int]:
        return self.render([*prompt, *answer], False)[len(asked) :]

    def _prompt(self, turns: Turns, asked: list[int], room: int) -> tuple[Turns, list[int]]:
        """The prompt with as much of its last turn's quoted text as there is room for."""
        fitting, over = turns, len(asked) - room
        for _ in range(_TRIES):
            if len(asked) <= room:
                return fitting, asked
            fitting = [*turns[:-1], {**turns[-1], "content": self._less(turns[-1]["content"], over + _SLACK)}]
            asked = self.render(fitting, True)
            over += max(0, len(asked) - room)
        if len(asked) <= room:
            return fitting, asked
        raise DoesNotFit

    def _less(self, text: str, tokens: int) -> str:
        """`text` with so many tokens fewer, taken from the end of what it quotes."""
        end = _end_of_quote(text)
        begins = [first for first, last in self.spans(text) if first < end and last > first]
        keep = len(begins) - tokens
        if keep < _FEWEST:
            raise DoesNotFit
        return text[: begins[keep]].rstrip() + text[end:]

    def _with_its_end(self, prompt: Turns, answer: Turns, asked: Sequence[int], most: int) -> list[int]:
        """A review cut before the rating that ends it."""
        text = answer[0]["content"]
        rating = _RATING_AT_END.search(text)
        assert rating is not None  # asked before
        begins = [first for first, _ in self.spans(text[: rating.start()])]
        over = len(self._answered(prompt, answer, asked)) - most
        for more in range(0, 5 * _SLACK, _SLACK):
            keep = len(begins) - over - more
            if keep < 1:
                break
            shorter = text[: begins[keep]].rstrip() + text[rating.start() :]
            tokens = self._answered(prompt, [{**answer[0], "content": shorter}], asked)
            if len(tokens) <= most:
                return tokens
        raise DoesNotFit


def _end_of_quote(text: str) -> int:
    """Where the quoted text of a prompt ends; the rating of a quoted review is not of it, and stays."""
    closing = max((found.start() for found in _CLOSING.finditer(text)), default=len(text))
    quoted = text[:closing].rstrip()
    rating = _RATING_AT_END.search(quoted)
    return rating.start() if rating else len(quoted)
