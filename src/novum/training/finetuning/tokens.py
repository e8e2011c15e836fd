"""Conversations as tokens, by the chat template of a base's tokenizer; the rows of a training, on disk."""

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
from novum.training.finetuning.review_set import ReviewSet
from novum.training.finetuning.trimming import Cuts, DoesNotFit, Fitted, Fitter, Render
from novum.training.recipes.recipe import Lengths
from novum.training.reviews.tasks import Turns

_PROBE: Turns = [
    {"role": "system", "content": "You reviewer."},
    {"role": "user", "content": "Bees dance."},
    {"role": "assistant", "content": "Rating: 0.50"},
]
IGNORED_LABEL = -100
"""The label of a token that the loss passes over."""


def fitter_for(tokenizer: Any, lengths: Lengths) -> Fitter:
    """Fits rows by this tokenizer. Raises BadInput where its chat template does not suit reviewers."""

    def render(turns: Turns, opened: bool) -> list[int]:
        text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=opened)
        tokens: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
        return tokens

    def spans(text: str) -> Sequence[tuple[int, int]]:
        found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        offsets: Sequence[tuple[int, int]] = found["offset_mapping"]
        return offsets

    _check_template(render)
    return Fitter(render, spans, lengths)


def _check_template(render: Render) -> None:
    """What a base is asked for must be how its conversations go on, or others than completions would be learnt."""
    try:
        asked, whole = render(_PROBE[:2], True), render(_PROBE, False)
    except TemplateError as error:
        raise BadInput(
            f"The chat template of this base takes no system turn, which every row begins with ({error}): choose "
            "another base."
        ) from error
    if whole[: len(asked)] != asked:
        raise BadInput(
            "The chat template of this base opens an answer in another way than it writes one, as templates of models "
            "that think aloud do: choose another base."
        )


@dataclass(frozen=True, slots=True)
class HeldOutRow:
    """A row to be measured on."""

    task: str
    tokens: list[int]
    prompt: int
    """So many tokens of it are given, the others are asked for."""


def fitted_rows(
    reviews: ReviewSet, split: str, rows: Sequence[int], fitter: Fitter, counts: Counter[str]
) -> Iterator[tuple[int, Fitted]]:
    """The chosen rows of a split, cut where they are too long; counted on the way."""
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


def write_tokens(reviews: ReviewSet, rows: Sequence[int], fitter: Fitter, place: Path) -> Cuts:
    """The training rows as a table of `datasets` in `place`, which appears whole or not at all.

    Raises BadInput where no row fits, OSError where the disk is full.
    """
    counts: Counter[str] = Counter()

    def made() -> Iterator[dict[str, list[int]]]:
        for _, row in fitted_rows(reviews, "train", rows, fitter, counts):
            learnt = row.tokens[row.prompt :]
            yield {"input_ids": row.tokens, "labels": [IGNORED_LABEL] * row.prompt + learnt}

    draft = place.with_name(f"{place.name}.draft")
    for left in (draft, place):
        shutil.rmtree(left, ignore_errors=True)
    listed = Listed(Number("int32"))
    features = Features({"input_ids": listed, "labels": listed})
    cache = place.with_name(f"{place.name}.cache")
    shutil.rmtree(cache, ignore_errors=True)
    try:
        table = Dataset.from_generator(made, features=features, cache_dir=str(cache), keep_in_memory=False)
        table.save_to_disk(str(draft))
    except (ValueError, StopIteration) as error:  # `datasets` cannot make a table without rows
        raise _nothing() from error
    finally:
        shutil.rmtree(cache, ignore_errors=True)
    if not counts["rows"]:
        raise _nothing()
    draft.replace(place)
    return Cuts(
        rows=counts["rows"],
        prompts=counts["prompts"],
        completions=counts["completions"],
        left_out=counts["left_out"],
    )


def read_tokens(place: Path) -> Any:
    """The table of `write_tokens`, read from disk as it is needed."""
    return load_from_disk(str(place))


def _nothing() -> BadInput:
    return BadInput(
        "There is no row to learn from: no training row of the recipe's tasks fits its lengths. Give lengths.sequence "
        "and lengths.prompt more tokens, or other rows.tasks."
    )
