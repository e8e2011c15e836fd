"""Providers of models that speak the OpenAI protocol: address, key, and what each accepts.

A model is named `provider:model`, with an address where the provider's own is not meant:
`openai:gpt-5.5`, `ollama:llama3.3`, `server:my-model@http://127.0.0.1:8000/v1`, `offline:smollm2-135m`,
`judge:mine` for a reviewer model that was trained here, `local:mine` for one that writes ideas.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from novum.credentials.addresses import public_address, without_password
from novum.errors import BadInput

AnswerForm = Literal["schema", "object", "prompt", "interview"]
"""How a typed answer is requested: by JSON schema, by JSON mode with the schema in the prompt, by the prompt alone,
or by plain questions, one for each field, where the prompt says which."""


Dialect = Literal["full", "strict", "small"]
"""What a JSON schema may say. Strict: OpenAI's, without length or range keywords. Small: strings limited to plain
prose, and lists to few items, so that a very small model comes to an end."""


@dataclass(frozen=True)
class Provider:
    """One provider. `writer` and `reader` are its models when a user names only the provider."""

    name: str
    base_url: str
    key_names: tuple[str, ...] = ()
    """Environment variables that may hold the key, first found wins; none: no key needed."""
    form: AnswerForm = "schema"
    dialect: Dialect = "full"
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    sends_seed: bool = True
    local: bool = False
    """Runs on the user's own machine, without charge."""
    in_flight: int = 32
    """Calls at once, unless the user says otherwise."""
    writer: str = ""
    reader: str = ""
    prices_as: str = ""
    """Its name in the price table; empty: not listed."""
    footprint_as: str = ""
    temperature: float | None = None
    """The temperature at which its models answer best, where that is known; None: as configured."""
    max_tokens: int | None = None
    """The most tokens of one answer."""
    extras: tuple[tuple[str, float | bool], ...] = ()
    """Further fields of every request."""
    writes_reports: bool = False
    """Its models were trained to write reviews, and cannot give structured responses."""

    @property
    def small(self) -> bool:
        """Its models are too small for our usual prompts."""
        return self.dialect == "small"


PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider(
            "openai",
            "https://api.openai.com/v1",
            ("OPENAI_API_KEY",),
            dialect="strict",
            limit_field="max_completion_tokens",
            writer="gpt-5.5",
            reader="gpt-5.4-mini",
            prices_as="openai",
            footprint_as="openai",
        ),
        Provider(
            "anthropic",
            "https://api.anthropic.com/v1",
            ("ANTHROPIC_API_KEY",),
            form="prompt",  # its OpenAI layer ignores `response_format` without an error
            sends_seed=False,
            writer="claude-sonnet-5-5",
            reader="claude-haiku-5-5",
            prices_as="anthropic",
            footprint_as="anthropic",
        ),
        Provider(
            "google",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
            sends_seed=False,
            writer="gemini-3.8-flash",
            reader="gemini-3.5-flash-lite",
            prices_as="google",
            footprint_as="google_genai",
        ),
        Provider(
            "openrouter",
            "https://openrouter.ai/api/v1",
            ("OPENROUTER_API_KEY",),
            writer="~openai/gpt-latest",
            reader="~openai/gpt-mini-latest",
            prices_as="openrouter",
        ),
        Provider(
            "mistral",
            "https://api.mistral.ai/v1",
            ("MISTRAL_API_KEY",),
            sends_seed=False,
            writer="mistral-large-latest",
            reader="mistral-small-latest",
            prices_as="mistral",
            footprint_as="mistralai",
        ),
        Provider(
            "groq",
            "https://api.groq.com/openai/v1",
            ("GROQ_API_KEY",),
            writer="openai/gpt-oss-120b",
            reader="openai/gpt-oss-20b",
            prices_as="groq",
        ),
        Provider(
            "deepseek",
            "https://api.deepseek.com/v1",
            ("DEEPSEEK_API_KEY",),
            form="object",
            sends_seed=False,
            writer="deepseek-chat",
            reader="deepseek-chat",
            prices_as="deepseek",
        ),
        Provider(
            "together",
            "https://api.together.xyz/v1",
            ("TOGETHER_API_KEY",),
            writer="openai/gpt-oss-120b",
            reader="openai/gpt-oss-20b",
            prices_as="together",
        ),
        Provider("ollama", "http://127.0.0.1:11434/v1", local=True, in_flight=2, writer="llama3.3", reader="llama3.3"),
        Provider("server", "", ("NOVUM_SERVER_KEY",)),
        Provider(
            "offline",
            "",
            local=True,
            in_flight=4,
            writer="smollm2-135m",
            reader="smollm2-135m",
            form="interview",
            dialect="small",
            temperature=0.3,
            max_tokens=600,
            extras=(("min_p", 0.1),),
        ),
        Provider("judge", "", ("NOVUM_SERVER_KEY",), local=True, in_flight=4, max_tokens=600, writes_reports=True),
        Provider(
            "local",
            "",
            ("NOVUM_SERVER_KEY",),
            local=True,
            in_flight=4,
            form="interview",
            dialect="small",
            max_tokens=600,
            extras=(("min_p", 0.1),),
        ),
    )
}

KEYLESS = frozenset({"ollama", "server", "offline", "judge", "local"})
"""Providers that need no key."""
TRAINED = frozenset({"judge", "local"})
"""Providers of models that were trained here: reviewers, and models that write ideas."""
_SERVED = Provider("local", "", ("NOVUM_SERVER_KEY",))
"""A model that writes ideas and has an address, and so is of any size."""


@dataclass(frozen=True)
class ModelName:
    """A model as a user names it. `base_url` is empty where the provider's own address is meant. It has no credentials:
    they are remembered in `novum.credentials.addresses`."""

    provider: Provider
    model: str
    base_url: str = ""

    @classmethod
    def parse(cls, text: str) -> ModelName:
        """Reads `provider:model[@URL]`; `provider` alone means its usual writer. Raises BadInput saying what is
        wrong.
        """
        name, address = _split_address(text.strip())
        text, name = without_password(text), without_password(name)
        provider_name, _, model = name.partition(":")
        provider = PROVIDERS.get(provider_name)
        if provider is None:
            raise BadInput(f"There is no model provider {provider_name!r} (in {text!r}). {_suggest(provider_name)}")
        model = model or provider.writer
        if not model:
            address = "" if provider.name in TRAINED else "@http://HOST:PORT/v1"
            raise BadInput(f"{text!r} names no model. Write it as {provider.name}:MODEL{address}.")
        if provider.name == "server" and not address:
            raise BadInput(
                f"{text!r} names no address. Write it as server:{model}@http://HOST:PORT/v1, or set NOVUM_BASE_URL."
            )
        return cls(_SERVED if provider.name == "local" and address else provider, model, address)

    def __str__(self) -> str:
        return f"{self.provider.name}:{self.model}" + (f"@{self.base_url}" if self.base_url else "")

    @property
    def in_flight(self) -> int:
        """Calls at once, unless the user says otherwise: on this machine the processor sets the pace of one that was
        trained here, not where it is served."""
        served = self.provider.writes_reports and self.base_url
        return (PROVIDERS["server"] if served else self.provider).in_flight

    @property
    def leaves_provider(self) -> bool:
        """Whether its address is on another host than the provider's own, or not encrypted as that is. False for a
        provider without an address of its own."""
        own, given = urlsplit(self.provider.base_url), urlsplit(self.base_url)
        different = (own.scheme, own.hostname) != (given.scheme, given.hostname)
        return bool(self.provider.base_url and self.base_url) and different

    @property
    def short(self) -> str:
        """Without the address: what reports show."""
        return f"{self.provider.name}:{self.model}"


def _split_address(text: str) -> tuple[str, str]:
    name, mark, address = text.partition("@http")
    if not mark:
        return text, ""
    address = "http" + address
    try:
        parts = urlsplit(address)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that hold no IPv6 address, a port that is no number
        usable = False
    if not usable:
        raise BadInput(
            f"The address of {without_password(name)} is not a web address. Write it like http://127.0.0.1:8000/v1; in "
            "a user name and password write special characters as %XX."
        )
    return name, public_address(address).rstrip("/")


def _suggest(name: str) -> str:
    close = difflib.get_close_matches(name, PROVIDERS, n=1)
    hint = f"Did you mean {close[0]}? " if close else ""
    return f"{hint}A model is named provider:model, with one of {', '.join(PROVIDERS)}."
