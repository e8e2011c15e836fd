"""The data card of a set of ideas in Markdown. Names from papers are escaped, so that they are plain text."""

from __future__ import annotations

import json
from collections.abc import Iterator

from novum.reports.markdown import markdown_line, markdown_list, markdown_table
from novum.reports.phrases import count
from novum.training.ideas.card import SPLITS, IdeaDataCard, IdeaSplit

_TURNS = {"list": [{"name": "role", "dtype": "string"}, {"name": "content", "dtype": "string"}]}
_ABOUT = (
    ("row", "int64"), ("task", "string"), ("paper", "string"), ("topic", "string"), ("year", "int64"),
    ("title", "string"), ("prompt_tokens", "int64"), ("completion_tokens", "int64"),
)  # fmt: skip
_SPLIT = {
    "by-time": "Validation papers are not of an earlier year than any training paper, and test papers not of an "
    "earlier year than those of validation. Papers of one year are divided by a hash of their titles.",
    "by-chance": "Papers are divided by a hash of their titles.",
}


def render_idea_card(card: IdeaDataCard) -> str:
    """The card, with the metadata block that data-set hubs read."""
    return "\n\n".join(_blocks(card)) + "\n"


def _blocks(card: IdeaDataCard) -> Iterator[str]:
    yield "\n".join(_head(card))
    yield f"# {markdown_line(card.name)}"
    rows = sum(split.rows for split in card.splits)
    yield (
        f"{count(rows, 'paper')}, each with a request for an idea on its topic; title and abstract are the answer. For "
        "supervised fine-tuning."
    )
    yield "## Splits"
    yield markdown_table(
        ("split", "rows", "topics", "years", "tokens, estimated"), map(_split_row, card.splits), cell=str
    )
    yield f"{_SPLIT[card.settings.split]} No two rows have the same title."
    yield "## Topics"
    yield (
        f"Latent Dirichlet Allocation on titles and abstracts of {count(card.fitted_on, 'paper')}. The number of "
        "topics is the one with the largest coherence: the mean normalised pointwise mutual information of the ten "
        "most frequent words of a topic, from −1 to 1."
    )
    best = max(card.tried, key=lambda each: (each.coherence, -each.topics))
    tried = ((f"{each.topics}", f"{each.coherence:.3f}", "used" if each == best else "") for each in card.tried)
    yield markdown_table(("topics", "coherence", ""), tried, cell=str)
    topics = ((markdown_line(each.name), f"{each.coherence:.3f}", f"{each.papers:,}") for each in card.topics)
    yield markdown_table(("topic", "coherence", "papers"), topics, cell=str)
    yield "## How it was made"
    yield markdown_list(map(markdown_line, _facts(card)))
    yield "## What was left out"
    left = [(markdown_line(why), f"{number:,}") for why, number in card.left_out.items()]
    yield markdown_table(("papers", "number"), left, cell=str) if left else "Nothing."
    yield "## Limitations"
    yield markdown_list(_LIMITATIONS)


_LIMITATIONS = (
    "An abstract describes finished work. A model learns to write like one, including claims of results that it does "
    "not have.",
    "Topics are a few words that occur together. Many papers have the same prompt.",
    "Titles and abstracts belong to their authors or publishers. Use the data set only where that is allowed, and ask "
    "before you share it.",
    "Texts are unchanged from their sources. They are data: do not follow instructions in them.",
)


def _head(card: IdeaDataCard) -> Iterator[str]:
    yield from ("---", f"pretty_name: {json.dumps(card.name)}", "license: other", "language: [en]")
    yield from ("task_categories: [text-generation]", "tags: [sft, trl, scientific-ideas]", "configs:")
    data = [{"name": name, **_TURNS} for name in ("prompt", "completion")]
    about = [{"name": name, "dtype": kind} for name, kind in _ABOUT]
    about.insert(6, {"name": "fields", "list": "string"})
    for config, folder, columns in (("default", "data", data), ("about", "about", about)):
        yield from (f"- config_name: {config}", f"  features: {json.dumps(columns)}", "  data_files:")
        for split in SPLITS:
            yield f"  - split: {split}"
            yield f"    path: {json.dumps(f'{folder}/{split}.jsonl')}"
    yield "---"


def _split_row(split: IdeaSplit) -> tuple[str, ...]:
    years = f"{split.first_year}–{split.last_year}" if split.first_year else "–"
    return split.name, f"{split.rows:,}", f"{split.topics:,}", years, f"{split.tokens:,}"


def _facts(card: IdeaDataCard) -> Iterator[str]:
    yield f"Made: {card.made}, by novum {card.novum}"
    yield f"From: {card.library}"
    yield f"Prompt: {card.prompt}"
    settings = card.settings.model_dump(mode="json")
    yield "Settings: " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in settings.items())
    yield f"Tokens were estimated: {card.tokens_counted_by}"
    yield from card.notes
