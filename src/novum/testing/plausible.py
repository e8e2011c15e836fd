"""Answers of the right form out of nothing: a pure function of the question, for any JSON schema.

They say nothing sensible. They let everything around a model be tested and timed: the same question gets the same
answer, other questions other ones, labels named in a question are the labels used in its answer.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

_WORDS = [
    "adaptive",
    "sparse",
    "evidence",
    "retrieval",
    "causal",
    "graph",
    "memory",
    "planner",
    "verifier",
    "latent",
    "schedule",
    "curriculum",
    "contrast",
    "symmetry",
    "budget",
    "signal",
    "noise",
    "boundary",
    "protein",
    "lattice",
    "catalyst",
    "phase",
    "transport",
    "attention",
    "token",
    "feedback",
    "prior",
    "posterior",
    "ensemble",
    "calibration",
    "simulation",
    "field",
    "gradient",
    "transfer",
    "alignment",
    "residual",
    "spectrum",
    "coupling",
    "diffusion",
    "kernel",
    "surrogate",
    "hypothesis",
    "mechanism",
]
_INLINE = re.compile(r"<material [0-9a-f]{8}>(?!\n)([^\n]*?)</material [0-9a-f]{8}>")
_FENCES = re.compile(r"(</?material )[0-9a-f]{8}>")
_LABELS = re.compile(r"^\[?([PE]\d+)[\].]", re.MULTILINE)
_LABELLED = frozenset({
    "label", "closest", "earlier", "later", "evidence", "one", "other", "more", "misplaced"
})  # fmt: skip
"""Fields that name labelled texts of the question."""
_NUMBERS = re.compile(r"^(?:Seed|Pair|Attack) (\d+)\b", re.MULTILINE)


def plausible_answer(messages: Sequence[Mapping[str, Any]], schema: Mapping[str, Any] | None, seed: int = 0) -> str:
    """The text of an answer to `messages`: JSON that fits `schema`, or a sentence where there is none."""
    question = without_random_words("\n".join(str(message.get("content", "")) for message in messages))
    rng = random.Random(hashlib.blake2b(f"{seed} {question}".encode(), digest_size=8).digest())  # noqa: S311
    if schema is None:
        return _sentence(rng, 12)
    labels = list(dict.fromkeys(_LABELS.findall(question))) or ["P1"]
    numbers = list(dict.fromkeys(map(int, _NUMBERS.findall(question))))
    return json.dumps(_value(rng, _numbered(schema, numbers), "", labels))


def _numbered(schema: Mapping[str, Any], numbers: Sequence[int]) -> dict[str, Any]:
    """The schema of an answer whose lists of numbered items have one for each number in the question."""
    fields = {
        name: child | {"items": child["items"] | {"numbers": numbers}} if _items_are_numbered(child) else child
        for name, child in schema.get("properties", {}).items()
    }
    return {**schema, "properties": fields} if numbers else dict(schema)


def _items_are_numbered(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "array" and "number" in schema["items"].get("properties", {})


def without_random_words(text: str) -> str:
    """A request without the words that are drawn for each one: short quotations bare, passages between plain marks."""
    return _FENCES.sub(r"\1>", _INLINE.sub(r"\1", text))


def _value(rng: random.Random, schema: Mapping[str, Any], name: str, labels: Sequence[str]) -> Any:
    """One value that fits `schema`; `name` is the field it fills."""
    if "enum" in schema:
        return schema["enum"][0] if name in {"known", "contained"} else rng.choice(schema["enum"])
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return _value(rng, schema["anyOf"][0], name, labels)
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {})
            return _consistent({field: _value(rng, child, field, labels) for field, child in fields.items()})
        case "array":
            return _items(rng, schema, name, labels)
        case "boolean":
            return True
        case "integer" if name == "fit":
            return 3
        case "integer":
            return rng.randint(int(schema.get("minimum", 1)), int(schema.get("maximum", 10)))
        case "number":
            return round(rng.uniform(schema.get("minimum", 0.0), schema.get("maximum", 1.0)), 3)
        case _:
            return _string(rng, schema, name, labels)


def _consistent(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer with a utility that fits its decision, where it has both."""
    utility = answer.get("utility")
    if isinstance(utility, int) and (answer.get("decision") == "ACCEPT") != (utility >= 50):
        return answer | {"utility": 100 - utility}
    return answer


def _items(rng: random.Random, schema: Mapping[str, Any], name: str, labels: Sequence[str]) -> list[Any]:
    """As many items as the field allows, up to three; one for each label where the items are about labelled papers."""
    inner = schema["items"]
    fields = inner.get("properties", {})
    most = min(schema.get("maxItems", 3), 3)
    if "label" in fields:
        return [_value(rng, inner, name, [label]) for label in labels[: schema.get("maxItems", len(labels))]]
    if "numbers" in inner:
        return [_value(rng, inner, name, labels) | {"number": number} for number in inner["numbers"]]
    if {"earlier", "later"} <= fields.keys():
        return [
            _value(rng, inner, name, pair) | {"earlier": pair[0], "later": pair[1]} for pair in pairwise(labels)
        ] or [_value(rng, inner, name, labels)]
    if name in {"references", "other_works"}:
        return []
    return [_value(rng, inner, name, labels) for _ in range(max(most, schema.get("minItems", 0)))]


def _string(rng: random.Random, schema: Mapping[str, Any], name: str, labels: Sequence[str]) -> str:
    if name in _LABELLED:
        return rng.choice(labels)
    if name == "idea_flaw":
        return ""
    if "quer" in name:
        return " ".join(rng.sample(_WORDS, 4))
    longest = int(schema.get("maxLength", 400))
    words = 6 if name in {"title", "name"} else 24
    cited = f" as in [{rng.choice(labels)}]" if name in {"motivation", "novelty", "method", "answer"} else ""
    return (_sentence(rng, words).rstrip(".") + cited + ".")[:longest]


def _sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, k=words)).capitalize() + "."
