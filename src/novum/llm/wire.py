"""The OpenAI chat protocol as pure functions: a request's body, a reply's reading, an error's meaning."""

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

JsonObject = Mapping[str, Any]


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
    """What we have learned a model's server accepts; begins as its provider's usual and only ever gets more modest."""

    form: AnswerForm
    limit_field: str
    temperature: bool = True
    seed: bool = True
    logprobs: bool = True
    limit_swapped: bool = False
    """The other name of the token limit was tried: some servers accept both, and name both in every complaint."""

    @classmethod
    def of(cls, model: ModelName) -> ServerCapabilities:
        return cls(model.provider.form, model.provider.limit_field, seed=model.provider.sends_seed)

    def after_refusal(self, told: str) -> ServerCapabilities | None:
        """More modest habits, given what a 400 complained about; None when nothing of ours can be left out."""
        text = told.lower()
        if "max_completion_tokens" in text and not self.limit_swapped:
            other = "max_completion_tokens" if self.limit_field == "max_tokens" else "max_tokens"
            return replace(self, limit_field=other, limit_swapped=True)
        if "temperature" in text and self.temperature:
            return replace(self, temperature=False)
        if re.search(r"\bseed\b", text) and self.seed:
            return replace(self, seed=False)
        if "logprob" in text and self.logprobs:
            return replace(self, logprobs=False)
        if (
            re.search(r"response_format|json_schema|schema|json_object|structured|grammar", text)
            and self.form != "prompt"
        ):
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
    """The geometric mean of the probabilities of its tokens; None where the server does not tell."""


def request_body(asking: ChatRequest, model: ModelName, habits: ServerCapabilities) -> dict[str, Any]:
    """The JSON body of a chat request."""
    messages = [{"role": each.role, "content": each.content} for each in asking.messages]
    body: dict[str, Any] = {"model": model.model, "messages": messages, habits.limit_field: asking.max_tokens}
    body |= dict(model.provider.extras)
    if habits.temperature and asking.temperature is not None:
        body["temperature"] = asking.temperature
    if habits.seed and asking.seed is not None:
        body["seed"] = asking.seed
    if habits.logprobs and asking.logprobs:
        body["logprobs"] = True
    if asking.schema:
        _ask_for_form(body, asking, habits.form, model.provider.dialect == "strict")
    return body


def _ask_for_form(body: dict[str, Any], asking: ChatRequest, form: AnswerForm, strict: bool) -> None:
    if form in {"schema", "interview"}:
        schema = _parsed(asking.schema)
        schema = plain_prose(schema) if form == "interview" else schema
        described = {"name": asking.schema_name, "schema": schema, "strict": strict}
        body["response_format"] = {"type": "json_schema", "json_schema": described}
        return
    last = body["messages"][-1]
    last["content"] += f"\n\nAnswer with one JSON object that fits this JSON schema, and nothing else:\n{asking.schema}"
    if form == "object":
        body["response_format"] = {"type": "json_object"}


@functools.lru_cache(maxsize=256)
def _parsed(schema: str) -> Any:
    return orjson.loads(schema)


def parse_reply(data: Any) -> ChatReply:
    """The first choice of a chat answer. Raises ValueError saying what is missing."""
    try:
        choice = data["choices"][0]
        message = choice["message"] or {}
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError("the answer has no choices[0].message") from error
    if not isinstance(message, Mapping):
        raise ValueError("choices[0].message is no object")
    usage = data.get("usage")
    counted = usage if isinstance(usage, Mapping) else {}
    return ChatReply(
        content=_text_of(message.get("content")),
        reasoning=_text_of(message.get("reasoning_content") or message.get("reasoning")),
        finish=str(choice.get("finish_reason") or "stop")[:40],
        refusal=_text_of(message.get("refusal")),
        prompt_tokens=_count(counted.get("prompt_tokens")),
        completion_tokens=_count(counted.get("completion_tokens")),
        token_probability=token_probability(choice.get("logprobs")),
    )


def _count(value: Any) -> int | None:
    """A number of tokens, None when it is none that can be."""
    return value if isinstance(value, int) and 0 <= value < 2**31 else None


def _text_of(content: Any) -> str:
    """Text of a message's content, which may be a string, nothing, or a list of parts."""
    if isinstance(content, list):
        return "".join(_text_of(part.get("text")) for part in content if isinstance(part, dict))
    return content.replace("\0", "") if isinstance(content, str) else ""  # PostgreSQL holds no NUL


def error_text(data: Any, text: str) -> str:
    """The human part of an error's body, one line of at most 300 characters."""
    if isinstance(data, list) and data:
        data = data[0]
    error = data.get("error", data) if isinstance(data, dict) else data
    message = error.get("message") if isinstance(error, dict) else error
    if not isinstance(message, str):
        message = re.sub(r"<[^>]+>", " ", text)
    return " ".join(message.split())[:300]


OUT_OF_CREDIT = re.compile(
    r"insufficient[_ ]quota|exceeded your current quota|credit balance|payment required|billing hard limit",
    re.IGNORECASE,
)
"""A 429 that no waiting mends, unless it says how long to wait: Google words its limits per minute like this too."""
_ASKED_TO_WAIT = re.compile(
    r"(?:retry|try again) in (?:(?P<m>\d+)m)?(?P<s>\d+(?:\.\d+)?)(?P<ms>ms|s)"
    r"|\"retryDelay\":\s*\"(?P<d>\d+(?:\.\d+)?)s\"",
    re.IGNORECASE,
)


def requested_wait(text: str) -> float | None:
    """Seconds that the body of an error asks us to wait."""
    if (found := _ASKED_TO_WAIT.search(text)) is None:
        return None
    if found["d"]:
        return float(found["d"])
    seconds = float(found["s"]) / (1000 if found["ms"].lower() == "ms" else 1)
    return seconds + 60 * int(found["m"] or 0)
