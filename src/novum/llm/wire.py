"""The OpenAI chat protocol as pure functions: the body of a request, and how a reply is read."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from novum.llm.offline.prose import plain_prose
from novum.llm.providers import AnswerForm, ModelName
from novum.llm.token_probability import token_probability
from novum.prompts import Message

_FORM = re.compile(r"response_format|json_schema|schema|json_object|structured|grammar")


@dataclass(frozen=True)
class ChatRequest:
    """One request to a chat endpoint. `schema` is the JSON schema text of a typed answer, empty for plain text."""

    messages: Sequence[Message]
    temperature: float | None
    max_tokens: int
    seed: int | None = None
    schema: str = ""
    schema_name: str = ""
    logprobs: bool = False


@dataclass(frozen=True)
class ServerCapabilities:
    """What a model's server accepts: at first what its provider usually does, later without what it refused."""

    form: AnswerForm
    limit_field: str
    temperature: bool = True
    seed: bool = True
    logprobs: bool = True
    limit_swapped: bool = False
    """The other name of the token limit was tried: some servers accept both, and name both in every error."""

    @classmethod
    def of(cls, model: ModelName) -> ServerCapabilities:
        return cls(model.provider.form, model.provider.limit_field, seed=model.provider.sends_seed)

    def without_refused(self, reason: str) -> ServerCapabilities | None:
        """What remains after an error that names something as not accepted; None when it names nothing we send."""
        text = reason.lower()
        if "max_completion_tokens" in text and not self.limit_swapped:
            other = "max_completion_tokens" if self.limit_field == "max_tokens" else "max_tokens"
            return replace(self, limit_field=other, limit_swapped=True)
        if "temperature" in text and self.temperature:
            return replace(self, temperature=False)
        if re.search(r"\bseed\b", text) and self.seed:
            return replace(self, seed=False)
        if "logprob" in text and self.logprobs:
            return replace(self, logprobs=False)
        if _FORM.search(text) and self.form != "prompt":
            return replace(self, form="object" if self.form == "schema" else "prompt")
        return None


@dataclass(frozen=True)
class ChatReply:
    """A chat endpoint's answer."""

    content: str
    reasoning: str
    finish: str
    refusal: str
    prompt_tokens: int | None
    completion_tokens: int | None
    token_probability: float | None = None
    """The geometric mean of the probabilities of its tokens; None where the server does not report them."""

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing at all, although the model was not cut off and did not decline."""
        return self.finish == "stop" and not (self.content + self.reasoning + self.refusal).strip()


def request_body(request: ChatRequest, model: ModelName, capabilities: ServerCapabilities) -> dict[str, Any]:
    """The JSON body of a chat request, without what the server does not accept."""
    messages = [{"role": each.role, "content": each.content} for each in request.messages]
    body: dict[str, Any] = {"model": model.model, "messages": messages, capabilities.limit_field: request.max_tokens}
    body |= dict(model.provider.extras)
    if capabilities.temperature and request.temperature is not None:
        body["temperature"] = request.temperature
    if capabilities.seed and request.seed is not None:
        body["seed"] = request.seed
    if capabilities.logprobs and request.logprobs:
        body["logprobs"] = True
    if request.schema:
        _request_form(body, request, capabilities.form, model.provider.dialect == "strict")
    return body


def _request_form(body: dict[str, Any], request: ChatRequest, form: AnswerForm, strict: bool) -> None:
    if form in {"schema", "interview"}:
        schema = _parsed(request.schema)
        schema = plain_prose(schema) if form == "interview" else schema
        described = {"name": request.schema_name, "schema": schema, "strict": strict}
        body["response_format"] = {"type": "json_schema", "json_schema": described}
        return
    last = body["messages"][-1]
    last["content"] += (
        f"\n\nAnswer with one JSON object that fits this JSON schema, and nothing else:\n{request.schema}"
    )
    if form == "object":
        body["response_format"] = {"type": "json_object"}


@functools.lru_cache(maxsize=256)
def _parsed(schema: str) -> Any:
    return orjson.loads(schema)


def parse_reply(data: Any) -> ChatReply:
    """The first choice of a chat response. Raises ValueError with what the response is instead."""
    try:
        choice = data["choices"][0]
        message = choice["message"] or {}
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError("JSON without choices[0].message") from error
    if not isinstance(message, Mapping):
        raise ValueError("JSON whose choices[0].message is not an object")
    usage = _usage(data)
    reply = ChatReply(
        content=_text_of(message.get("content")),
        reasoning=_text_of(message.get("reasoning_content") or message.get("reasoning")),
        finish=str(choice.get("finish_reason") or "stop")[:40],
        refusal=_text_of(message.get("refusal")),
        prompt_tokens=_count(usage.get("prompt_tokens"))
        or None,  # no prompt is empty: 0 is a proxy that does not count
        completion_tokens=_count(usage.get("completion_tokens")),
        token_probability=token_probability(choice.get("logprobs")),
    )
    uncounted = reply.completion_tokens == 0 and (reply.content + reply.reasoning + reply.refusal).strip()
    return replace(reply, completion_tokens=None) if uncounted else reply


def completion_tokens(data: Any) -> int | None:
    """The tokens of an answer as the server counts them; None where it does not report them."""
    return _count(_usage(data).get("completion_tokens"))


def _usage(data: Any) -> Mapping[str, Any]:
    usage = data.get("usage") if isinstance(data, Mapping) else None
    return usage if isinstance(usage, Mapping) else {}


def _count(value: Any) -> int | None:
    """A number of tokens; None when the value cannot be one."""
    return value if type(value) is int and 0 <= value < 2**31 else None  # `true` is an int too


def _text_of(content: Any) -> str:
    """Text of a message's content, which may be a string, nothing, or a list of parts."""
    if isinstance(content, list):
        return "".join(_text_of(part.get("text")) for part in content if isinstance(part, dict))
    return content.replace("\0", "") if isinstance(content, str) else ""  # PostgreSQL holds no NUL
