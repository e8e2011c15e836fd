"""The rating that a model expects, computed from its probabilities instead of from a sampled answer.

Each possible rating is scored as the beginning of the answer, such as `Rating: 0.56`. The expected rating is the mean
of all of them, weighted by their probabilities. It is exact, does not depend on sampling, and costs little more than
reading the prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from novum.training.finetuning.losses import Forward, left_padded
from novum.training.reviews.tasks import Turns
from novum.training.weights.base import Base

BATCH = 4


def expected_ratings(
    base: Base, conversations: Sequence[Turns], values: Sequence[float], batch: int = BATCH
) -> list[float]:
    """Expected ratings, 0 to 1, one for each conversation.

    Each is the mean of `values` weighted by the probability of the value as the first line of the answer. Raises
    ValueError without values.
    """
    model, tokenizer = base.model, base.tokenizer
    prompts = [_tokens(tokenizer, turns) for turns in conversations]
    was_training = model.training
    model.eval()
    try:
        return expected_ratings_of_tokens(model, tokenizer, prompts, values, batch, model.device)
    finally:
        model.train(was_training)


def expected_ratings_of_tokens(
    forward: Forward, tokenizer: Any, prompts: Sequence[Sequence[int]], values: Sequence[float], batch: int, device: Any
) -> list[float]:
    """Expected ratings of prompts given as tokens, in their order. Raises ValueError without values."""
    if not values:
        raise ValueError("there must be ratings to choose from")
    prefix, tails = candidates(tokenizer, values)
    order = sorted(range(len(prompts)), key=lambda place: len(prompts[place]))
    by_prompt: dict[int, float] = {}
    weights = torch.tensor(values, dtype=torch.float64)
    with torch.no_grad():
        for start in range(0, len(order), batch):
            places = order[start : start + batch]
            opened = [[*prompts[place], *prefix] for place in places]
            scores = _scores(forward, opened, tails, tokenizer.pad_token_id or 0, device)
            expected = (torch.softmax(scores, dim=1) * weights).sum(dim=1)
            by_prompt.update(zip(places, expected.tolist(), strict=True))
    return [by_prompt[place] for place in range(len(prompts))]


def candidates(tokenizer: Any, values: Sequence[float]) -> tuple[list[int], list[list[int]]]:
    """The tokens that all rating lines begin with, and for each value the tokens that follow."""
    lines = [list(tokenizer(f"Rating: {value:.2f}", add_special_tokens=False)["input_ids"]) for value in values]
    shared = 0
    while shared < min(map(len, lines)) - 1 and len({line[shared] for line in lines}) == 1:
        shared += 1
    return lines[0][:shared], [line[shared:] for line in lines]


def _scores(
    forward: Forward, opened: Sequence[Sequence[int]], tails: Sequence[Sequence[int]], padding: int, device: Any
) -> torch.Tensor:
    """Log-probabilities of the tails, shape (prompts, tails), in double precision on the CPU."""
    batch = left_padded(opened, padding, device)
    first = forward(**batch, use_cache=True, logits_to_keep=1)
    scores = _at(first.logits[:, -1], [tail[0] for tail in tails])
    longest = max(map(len, tails))
    if longest == 1:
        return scores
    cache = first.past_key_values
    cache.batch_repeat_interleave(len(tails))
    fed = [list(tail[:-1]) + [padding] * (longest - len(tail)) for tail in tails]
    tokens = torch.tensor(fed * len(opened), device=device)
    reading = batch["attention_mask"].repeat_interleave(len(tails), 0)
    mask = torch.cat([reading, torch.ones_like(tokens)], dim=1)
    places = (reading.sum(1, keepdim=True) + torch.arange(longest - 1, device=device)).long()
    output = forward(input_ids=tokens, attention_mask=mask, position_ids=places, past_key_values=cache, use_cache=True)
    log_probabilities = (
        torch.log_softmax(output.logits.double(), dim=-1).cpu().reshape(len(opened), len(tails), longest - 1, -1)
    )
    for number, tail in enumerate(tails):
        for place, token in enumerate(tail[1:]):
            scores[:, number] += log_probabilities[:, number, place, token]
    return scores


def _at(logits: torch.Tensor, tokens: Sequence[int]) -> torch.Tensor:
    return torch.log_softmax(logits.double(), dim=-1).cpu()[:, list(tokens)]


def _tokens(tokenizer: Any, turns: Turns) -> list[int]:
    text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    tokens: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return tokens
