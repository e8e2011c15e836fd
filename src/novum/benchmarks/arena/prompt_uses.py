"""Which prompts an arena used, with their hashes, and how often each model was asked with them."""

from __future__ import annotations

from collections import Counter

from novum.core.record import Value
from novum.ledger import Ledger
from novum.llm import ModelName


class PromptUse(Value):
    """One version of a prompt, with one model."""

    prompt: str
    version: int
    digest: str
    """Hash of the text of the prompt (BLAKE2b, 8 bytes), as the ledger stores it."""
    model: str
    """Without the address of its server."""
    calls: int
    """Answers that the run used, those of other runs included."""


def prompts_used(ledger: Ledger, run_id: str) -> tuple[PromptUse, ...]:
    """The prompts of a run, by name."""
    calls = Counter(
        (call.prompt, call.prompt_version, call.prompt_digest, ModelName.parse(call.model).short)
        for call in ledger.used_calls(run_id)
    )
    return tuple(
        PromptUse(prompt=prompt, version=version, digest=digest, model=model, calls=number)
        for (prompt, version, digest, model), number in sorted(calls.items())
    )
