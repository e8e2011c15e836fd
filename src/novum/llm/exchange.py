"""One question as it goes to one model: everything that decides what comes back, and the key that stands for it."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, replace

import orjson

from novum.ledger.accounts import BYTES_PER_TOKEN
from novum.llm.providers import ModelName
from novum.llm.question import Question, Value
from novum.llm.schema import Answer, schema_text
from novum.llm.settings import CallSettings
from novum.llm.wire import ChatReply, ChatRequest
from novum.prompts import FENCE, Message, Prompt, draw_fence
from novum.prompts.untrusted import without_inline_marks

_MOST_LETTERS_PER_TOKEN = 20
"""Characters. No tokenizer reaches this on average over a prompt; prose has four to five."""


@dataclass(frozen=True)
class Exchange:
    """A rendered conversation with its model and settings; fences are placeholders still."""

    prompt: Prompt
    messages: tuple[Message, ...]
    model: ModelName
    schema: str
    returns: str
    sample: int
    temperature: float | None
    max_tokens: int
    seed: int
    token_probabilities: bool = False
    """Not part of the key: it changes what is reported about an answer, not the answer."""
    weights: str = ""
    """The hash of the weights of a model that was trained here: another model may get its name."""

    @classmethod
    def of(
        cls, question: Question[Value], prompt: Prompt, model: ModelName, calls: CallSettings, weights: str = ""
    ) -> Exchange:
        """`question` for one model under the run's settings, within what its provider can do."""
        provider, form = model.provider, question.returns
        usual = calls.temperature if provider.temperature is None else provider.temperature
        return cls(
            prompt=prompt,
            messages=prompt.render(question.needs).messages,
            model=model,
            schema=schema_text(form, provider.dialect) if issubclass(form, Answer) else "",
            returns=form.__name__,
            sample=question.sample,
            temperature=usual if question.temperature is None else question.temperature,
            max_tokens=min(calls.max_tokens, provider.max_tokens or calls.max_tokens),
            seed=calls.seed * 1000 + question.sample,
            token_probabilities=calls.token_probabilities,
            weights=weights,
        )

    @functools.cached_property
    def settings(self) -> str:
        """JSON of what is set for the call."""
        return orjson.dumps(
            {"temperature": self.temperature, "max_tokens": self.max_tokens, "seed": self.seed}
        ).decode()

    @functools.cached_property
    def conversation(self) -> str:
        """JSON of the messages."""
        return orjson.dumps([[each.role, each.content] for each in self.messages]).decode()

    @functools.cached_property
    def key(self) -> str:
        """Equal for equal questions, and only for these."""
        return self._key_of(self.conversation)

    @property
    def earlier_key(self) -> str:
        """The key of the same question when short texts, such as topics, stood in prompts without marks."""
        messages = [[each.role, without_inline_marks(each.content)] for each in self.messages]
        return self._key_of(orjson.dumps(messages).decode())

    def _key_of(self, conversation: str) -> str:
        model = f"{self.model}#{self.weights}" if self.weights else str(self.model)
        content = orjson.dumps([model, conversation, self.schema, self.settings, self.sample])
        return f"call-{hashlib.blake2b(content, digest_size=8).hexdigest()}"  # `content_id`, of the same bytes

    @functools.cached_property
    def worst_prompt_tokens(self) -> int:
        """More tokens than the prompt can have."""
        return (len(self.conversation.encode()) + len(self.schema)) // BYTES_PER_TOKEN

    def with_credible_counts(self, reply: ChatReply) -> ChatReply:
        """`reply` with None for a number of tokens that its text cannot have, as where a server reports 1 for all: what
        is not known counts at its highest, so that a budget holds."""
        prompt, completion = reply.prompt_tokens, reply.completion_tokens
        read, written = sum(len(each.content) for each in self.messages), len(reply.content)
        return replace(
            reply,
            prompt_tokens=None if prompt is None or prompt < read // _MOST_LETTERS_PER_TOKEN else prompt,
            completion_tokens=None
            if completion is None or completion < written // _MOST_LETTERS_PER_TOKEN
            else completion,
        )

    @property
    def worst_tokens(self) -> int:
        """More tokens than the call can take."""
        return self.worst_prompt_tokens + self.max_tokens

    def request(self) -> ChatRequest:
        """The request, its quoted passages fenced by a word drawn for this request only."""
        fence = draw_fence()
        messages = [Message(each.role, each.content.replace(FENCE, fence)) for each in self.messages]
        return ChatRequest(
            messages,
            self.temperature,
            self.max_tokens,
            self.seed,
            self.schema,
            self.returns,
            logprobs=self.token_probabilities,
        )
