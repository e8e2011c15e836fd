"""Trajectories as tokens: what the policy wrote, what the environment added, and which of it is trained on.

A trajectory is the prompt, the first response, a comment, the next response, and so on. Only tokens that the policy
sampled have a mask of 1. A comment is added as its tokens, between the end of one response and the beginning of the
next, so that nothing that was sampled is tokenized anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

_SENTINEL = "⟨response⟩"
LossOn = Literal["all", "first", "refinements"]
Turns = Sequence[dict[str, str]]


@dataclass(frozen=True)
class Segment:
    """Tokens of the policy, or of the environment. `logprobs`: of the policy's own, where the sampler gives them."""

    tokens: tuple[int, ...]
    own: bool
    logprobs: tuple[float, ...] = ()


@dataclass(frozen=True)
class Trajectory:
    """A prompt and the segments after it, in turn."""

    prompt: tuple[int, ...]
    segments: tuple[Segment, ...] = ()

    @property
    def tokens(self) -> list[int]:
        """Everything so far: the input for the next response."""
        return [*self.prompt, *self.completion]

    @property
    def completion(self) -> list[int]:
        """Everything after the prompt."""
        return [token for segment in self.segments for token in segment.tokens]

    def with_response(self, tokens: Sequence[int], logprobs: Sequence[float] = ()) -> Trajectory:
        """The trajectory after a sampled response."""
        return Trajectory(self.prompt, (*self.segments, Segment(tuple(tokens), True, tuple(logprobs))))

    def with_environment(self, tokens: Sequence[int]) -> Trajectory:
        """The trajectory after what the environment said."""
        return Trajectory(self.prompt, (*self.segments, Segment(tuple(tokens), False)))

    def mask(self, loss_on: LossOn = "all") -> list[int]:
        """1 for each token that is trained on. Without any, all the policy's own tokens are, so that a mean over tokens
        exists."""
        chosen = self._mask(loss_on)
        return chosen if any(chosen) else self._mask("all")

    def _mask(self, loss_on: LossOn) -> list[int]:
        mask: list[int] = []
        responses = 0
        for segment in self.segments:
            wanted = segment.own and (loss_on == "all" or (loss_on == "first") == (responses == 0))
            mask += [int(wanted)] * len(segment.tokens)
            responses += segment.own
        return mask

    @property
    def logprobs(self) -> list[float] | None:
        """Of every token after the prompt, 0 for those of the environment; None where the sampler gave none."""
        if any(segment.own and len(segment.logprobs) != len(segment.tokens) for segment in self.segments):
            return None
        return [each for segment in self.segments for each in (segment.logprobs or (0.0,) * len(segment.tokens))]

    def only_first(self) -> Trajectory:
        """The trajectory up to its first response."""
        own = [place for place, segment in enumerate(self.segments) if segment.own]
        return Trajectory(self.prompt, self.segments[: own[0] + 1] if own else ())


class ChatTokens:
    """Turns of a conversation as tokens, by the chat template of a tokenizer.

    Raises ValueError when the template cannot be used: where there is none, or where it hides or changes responses.
    """

    def __init__(self, tokenizer: Any) -> None:
        if not getattr(tokenizer, "chat_template", None):
            raise ValueError("its tokenizer has no chat template")
        self._tokenizer = tokenizer
        self._eos = tokenizer.eos_token or ""
        self._eos_id = tokenizer.eos_token_id

    def prompt(self, turns: Turns) -> list[int]:
        """The opening of a conversation, up to where the policy begins."""
        return self._ids(self._text(turns, add_generation_prompt=True))

    def between(self, response: Sequence[int], turns: Turns) -> list[int]:
        """What stands between a response and the next one: the end of the response, if it was cut off, `turns`, and the
        beginning of the next response."""
        opening: Turns = [{"role": "user", "content": "x"}, {"role": "assistant", "content": _SENTINEL}]
        text = self._text([*opening, *turns], add_generation_prompt=True)
        _, mark, after = text.partition(_SENTINEL)
        if not mark:
            raise ValueError("its chat template leaves out or changes earlier responses")
        if response and response[-1] == self._eos_id:
            after = after.removeprefix(self._eos)
        return self._ids(after)

    def spoken(self, tokens: Sequence[int]) -> str:
        """The text of a response."""
        return str(self._tokenizer.decode(list(tokens), skip_special_tokens=True))

    def _text(self, turns: Turns, **options: bool) -> str:
        return str(self._tokenizer.apply_chat_template(list(turns), tokenize=False, **options))

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])
