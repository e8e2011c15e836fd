"""Conversations as tokens, by the chat template of a base; the training rows on disk."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets import Dataset, Features, load_from_disk
from datasets import Sequence as Listed
from datasets import Value as Number
from jinja2 import TemplateError

from novum.errors import BadInput
from novum.training.finetuning.conversations import ConversationSet
from novum.training.finetuning.trimming import DoesNotFit, Fitted, Fitter, Render, RowCuts
from novum.training.recipes.recipe import Lengths
from novum.training.reviews.tasks import Turns

_PROBE: Turns = [
    {"role": "system", "content": "You reviewer."},
    {"role": "user", "content": "Bees dance."},
    {"role": "assistant", "content": "Rating: 0.50"},
]
IGNORED_LABEL = -100
"""Label of tokens that the loss ignores."""


def fitter_for(tokenizer: Any, lengths: Lengths, *, system_turn: bool = True) -> Fitter:
    """A fitter that uses this tokenizer. `system_turn`: whether rows begin with a system turn.

    Raises BadInput if its chat template cannot be used for such rows.
    """

    def render(turns: Turns, opened: bool) -> list[int]:
        text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=opened)
        tokens: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
        return tokens

    def spans(text: str) -> Sequence[tuple[int, int]]:
        encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        offsets: Sequence[tuple[int, int]] = encoded["offset_mapping"]
        return offsets

    _check_template(render, _PROBE if system_turn else _PROBE[1:])
    return Fitter(render, spans, lengths)


def _check_template(render: Render, probe: Turns) -> None:
    """Check that a prompt is a prefix of its conversation; otherwise the loss would cover tokens of the prompt."""
    try:
        prompt, whole = render(probe[:-1], True), render(probe, False)
    except TemplateError as error:
        raise BadInput(
            f"The chat template of this base cannot write the rows of the data set ({error}), as where it has no "
            "system turn: choose another base."
        ) from error
    if whole[: len(prompt)] != prompt:
        raise BadInput(
            "The chat template of this base begins an answer differently from how it writes one, as for models that "
            "write out their reasoning: choose another base."
        )


@dataclass(frozen=True, slots=True)
class HeldOutRow:
    """A row for evaluation."""

    task: str
    tokens: list[int]
    prompt: int
    """Number of tokens that are the prompt; the loss is over the others."""


def fitted_rows(
    reviews: ConversationSet, split: str, rows: Sequence[int], fitter: Fitter, counts: Counter[str]
) -> Iterator[tuple[int, Fitted]]:
    """Yield the selected rows of a split, cut to length, with their numbers. `counts` is updated."""
    for number, row in reviews.conversations(split, rows):
        try:
            fitted = fitter.row(row)
        except DoesNotFit:
            counts["left_out"] += 1
            continue
        counts["rows"] += 1
        counts["prompts"] += fitted.prompt_cut
        counts["completions"] += fitted.completion_cut
        yield number, fitted


def write_tokens(reviews: ConversationSet, rows: Sequence[int], fitter: Fitter, place: Path) -> RowCuts:
    """Write the training rows as a table of `datasets` to `place`, complete or not at all.

    Returns how many rows were cut. Raises BadInput if no row fits, OSError if the disk is full.
    """
    counts: Counter[str] = Counter()

    def token_rows() -> Iterator[dict[str, list[int]]]:
        for _, row in fitted_rows(reviews, "train", rows, fitter, counts):
            completion = row.tokens[row.prompt :]
            yield {"input_ids": row.tokens, "labels": [IGNORED_LABEL] * row.prompt + completion}

    ids = Listed(Number("int32"))
    features = Features({"input_ids": ids, "labels": ids})
    cache = place.with_name(f"{place.name}.cache")
    shutil.rmtree(cache, ignore_errors=True)
    try:
        table = Dataset.from_generator(token_rows, features=features, cache_dir=str(cache), keep_in_memory=False)
        save_table(table, place, complete=bool(counts["rows"]))
    except (ValueError, StopIteration) as error:  # `datasets` cannot make a table without rows
        raise _no_rows() from error
    finally:
        shutil.rmtree(cache, ignore_errors=True)
    if not counts["rows"]:
        raise _no_rows()
    return RowCuts(
        rows=counts["rows"],
        prompts=counts["prompts"],
        completions=counts["completions"],
        left_out=counts["left_out"],
    )


def save_table(table: Any, place: Path, *, complete: bool = True) -> None:
    """Write a table of `datasets` to the folder `place`, complete or not at all. Raises OSError."""
    draft = place.with_name(f"{place.name}.draft")
    for folder in (draft, place):
        shutil.rmtree(folder, ignore_errors=True)
    if complete:
        table.save_to_disk(str(draft))
        draft.replace(place)


def read_tokens(place: Path) -> Any:
    """Open the table of `write_tokens`. Rows are read from disk when they are needed."""
    return load_from_disk(str(place))


def _no_rows() -> BadInput:
    return BadInput(
        "No training row of the recipe's tasks fits its lengths, so there is nothing to train on. Increase "
        "lengths.sequence and lengths.prompt, or choose other rows.tasks."
    )
