"""Losses on completions: negative log-likelihood in nats, without the tokens of the prompts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from novum.training.finetuning.tokens import HeldOutRow

Forward = Callable[..., Any]
"""The call of a causal language model of transformers."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Loss of one row: the sum in nats, and the number of tokens that it is over."""

    nats: float
    tokens: int


def completion_losses(
    forward: Forward, rows: Sequence[HeldOutRow], batch: int, padding: int, device: Any
) -> list[Loss]:
    """Compute the losses of `rows`, in their order.

    Rows of similar length share a batch of at most `batch` rows. `padding` is the padding token.
    """
    by_row: dict[int, Loss] = {}
    order = sorted(range(len(rows)), key=lambda place: len(rows[place].tokens))
    with torch.no_grad():
        for start in range(0, len(order), batch):
            places = order[start : start + batch]
            losses = _batch_losses(forward, [rows[place] for place in places], padding, device)
            by_row.update(zip(places, losses, strict=True))
    return [by_row[place] for place in range(len(rows))]


def _batch_losses(forward: Forward, rows: Sequence[HeldOutRow], padding: int, device: Any) -> list[Loss]:
    # With left padding all completions end at the same position, so logits are only computed for the last positions.
    batch = left_padded([row.tokens for row in rows], padding, device)
    longest = max(len(row.tokens) - row.prompt for row in rows)
    logits = forward(**batch, use_cache=False, logits_to_keep=longest + 1).logits[:, :-1].float()
    wanted = batch["input_ids"][:, -longest:]
    nats = torch.nn.functional.cross_entropy(logits.transpose(1, 2), wanted, reduction="none")
    own = [len(row.tokens) - row.prompt for row in rows]
    return [Loss(float(line[longest - many :].sum()), many) for line, many in zip(nats, own, strict=True)]


def left_padded(rows: Sequence[Sequence[int]], padding: int, device: Any) -> dict[str, Any]:
    """Model input for rows of tokens: ids, attention mask and positions, padded on the left to the longest row."""
    width = max(map(len, rows))
    tokens = torch.tensor([[padding] * (width - len(row)) + list(row) for row in rows], device=device)
    mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in rows], device=device)
    return {"input_ids": tokens, "attention_mask": mask, "position_ids": (mask.cumsum(1) - 1).clamp(min=0)}
