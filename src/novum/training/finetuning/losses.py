"""How probable a model finds completions: nats a token, of the completions alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from novum.training.finetuning.tokens import HeldOutRow

Forward = Callable[..., Any]
"""A causal language model's call."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Of one row: nats in all, and over how many tokens."""

    nats: float
    tokens: int


def completion_losses(
    forward: Forward, rows: Sequence[HeldOutRow], batch: int, padding: int, device: Any
) -> list[Loss]:
    """In the order of `rows`. Rows of like length are computed together."""
    found: dict[int, Loss] = {}
    order = sorted(range(len(rows)), key=lambda place: len(rows[place].tokens))
    with torch.no_grad():
        for start in range(0, len(order), batch):
            places = order[start : start + batch]
            losses = _batch_losses(forward, [rows[place] for place in places], padding, device)
            found.update(zip(places, losses, strict=True))
    return [found[place] for place in range(len(rows))]


def _batch_losses(forward: Forward, rows: Sequence[HeldOutRow], padding: int, device: Any) -> list[Loss]:
    # Padded on the left, all completions end together, and logits are computed for that stretch only.
    batch = left_padded([row.tokens for row in rows], padding, device)
    longest = max(len(row.tokens) - row.prompt for row in rows)
    logits = forward(**batch, use_cache=False, logits_to_keep=longest + 1).logits[:, :-1].float()
    wanted = batch["input_ids"][:, -longest:]
    nats = torch.nn.functional.cross_entropy(logits.transpose(1, 2), wanted, reduction="none")
    own = [len(row.tokens) - row.prompt for row in rows]
    return [Loss(float(line[longest - many :].sum()), many) for line, many in zip(nats, own, strict=True)]


def left_padded(rows: Sequence[Sequence[int]], padding: int, device: Any) -> dict[str, Any]:
    """Rows of tokens as a model's input, with the places that they had before padding."""
    width = max(map(len, rows))
    tokens = torch.tensor([[padding] * (width - len(row)) + list(row) for row in rows], device=device)
    mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in rows], device=device)
    return {"input_ids": tokens, "attention_mask": mask, "position_ids": (mask.cumsum(1) - 1).clamp(min=0)}
