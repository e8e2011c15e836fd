"""Cut rows to length: the quoted text of a prompt first, and never a rating.

A cut completion has no end token, so that a model does not learn to stop in the middle of a sentence. Where a review
ends with its rating, the text before the rating is cut instead, and the review ends normally.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from novum.core.record import Value
from novum.training.finetuning.conversations import Conversation
from novum.training.recipes.recipe import Lengths
from novum.training.reviews.tasks import Turns

_CLOSING = re.compile(r"\n</material [0-9a-f]+>")
_RATING_AT_END = re.compile(r"(?<!\n)\n+Rating: [01]\.\d\d\s*\Z")
_FEWEST = 8
"""Tokens of quoted text that remain at least."""
_TRIES = 6
_SLACK = 4
"""Tokens that are cut in addition, because the shortened text may be tokenized differently."""

Spans = Callable[[str], Sequence[tuple[int, int]]]
"""From a text to the start and end of each token, in characters."""
Render = Callable[[Turns, bool], list[int]]
"""From turns to tokens, with or without the beginning of an answer."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Tokens of a row. Those from position `prompt` on are the completion."""

    tokens: list[int]
    prompt: int
    prompt_cut: bool
    completion_cut: bool


class RowCuts(Value):
    """Numbers of rows, of cut prompts and completions, and of rows that were left out because they do not fit."""

    rows: int
    prompts: int
    completions: int
    left_out: int


class DoesNotFit(Exception):
    """The prompt is too long even without the text that it quotes."""


@dataclass(frozen=True)
class Fitter:
    """Cuts rows to lengths with a tokenizer, given as two functions."""

    render: Render
    spans: Spans
    lengths: Lengths

    def row(self, row: Conversation) -> Fitted:
        """Cut one row to length. Raises DoesNotFit."""
        prompt, answer = row.prompt, row.completion
        rendered = self.render(prompt, True)
        completion_tokens = len(self.render([*prompt, *answer], False)) - len(rendered)
        limit = max(self.lengths.prompt, self.lengths.sequence - completion_tokens)
        fitting, rendered = self._prompt(prompt, rendered, limit)
        most = self.lengths.sequence - len(rendered)
        if completion_tokens <= most:
            completion, cut = self._completion(fitting, answer, rendered), False
        elif _RATING_AT_END.search(answer[0]["content"]):
            completion, cut = self._review_with_rating(fitting, answer, rendered, most), True
        else:
            completion, cut = self._completion(fitting, answer, rendered)[:most], True
        return Fitted([*rendered, *completion], len(rendered), fitting is not prompt, cut)

    def prompt(self, turns: Turns) -> list[int]:
        """The tokens of a prompt, cut to the longest allowed prompt. Raises DoesNotFit."""
        return self._prompt(turns, self.render(turns, True), self.lengths.prompt)[1]

    def _completion(self, prompt: Turns, answer: Turns, rendered: Sequence[int]) -> list[int]:
        return self.render([*prompt, *answer], False)[len(rendered) :]

    def _prompt(self, turns: Turns, tokens: list[int], limit: int) -> tuple[Turns, list[int]]:
        """The prompt with as much of the quoted text in its last turn as fits in `limit` tokens."""
        fitting, over = turns, len(tokens) - limit
        for _ in range(_TRIES):
            if len(tokens) <= limit:
                return fitting, tokens
            fitting = [*turns[:-1], {**turns[-1], "content": self._shortened(turns[-1]["content"], over + _SLACK)}]
            tokens = self.render(fitting, True)
            over += max(0, len(tokens) - limit)
        if len(tokens) <= limit:
            return fitting, tokens
        raise DoesNotFit

    def _shortened(self, text: str, tokens: int) -> str:
        """`text` without its last `tokens` tokens of quoted text. Raises DoesNotFit."""
        end = _end_of_quote(text)
        starts = [first for first, last in self.spans(text) if first < end and last > first]
        keep = len(starts) - tokens
        if keep < _FEWEST:
            raise DoesNotFit
        return text[: starts[keep]].rstrip() + text[end:]

    def _review_with_rating(self, prompt: Turns, answer: Turns, rendered: Sequence[int], most: int) -> list[int]:
        """The tokens of a review that is cut before the rating at its end. Raises DoesNotFit."""
        text = answer[0]["content"]
        rating = _RATING_AT_END.search(text)
        assert rating is not None  # the caller checked
        starts = [first for first, _ in self.spans(text[: rating.start()])]
        over = len(self._completion(prompt, answer, rendered)) - most
        for more in range(0, 5 * _SLACK, _SLACK):
            keep = len(starts) - over - more
            if keep < 1:
                break
            shorter = text[: starts[keep]].rstrip() + text[rating.start() :]
            tokens = self._completion(prompt, [{**answer[0], "content": shorter}], rendered)
            if len(tokens) <= most:
                return tokens
        raise DoesNotFit


def _end_of_quote(text: str) -> int:
    """The position where the quoted text of a prompt ends. The rating of a quoted review is not part of it."""
    closing = max((match.start() for match in _CLOSING.finditer(text)), default=len(text))
    quoted = text[:closing].rstrip()
    rating = _RATING_AT_END.search(quoted)
    return rating.start() if rating else len(quoted)
