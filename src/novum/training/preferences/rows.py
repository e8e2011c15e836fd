"""Pairs as rows for trainers, and the records beside them.

Preference trainers read conversations: a prompt and two responses. The prompt is one user turn, since some chat
templates have no system role.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from novum.idea_metrics.readability import count_text
from novum.prompts import FENCE, Prompt
from novum.training.preferences.building import Preferences
from novum.training.preferences.pool import candidate_text
from novum.training.preferences.records import PreferencePair, Preferred

PROMPT = "propose_on_topic"
"""Name of the prompt that asks for an idea on a topic."""
Turns = list[dict[str, str]]


def conversations(built: Preferences, split: int, prompt: Prompt) -> Iterator[Mapping[str, Turns]]:
    """The rows of a split: `prompt`, `chosen` and `rejected`, each a list of turns."""
    for pair in built.chosen.splits[split]:
        topic = built.topics.names[int(built.topics.of[pair.chosen])]
        messages, fence = prompt.render({"topic": topic}).messages, _fence_of(topic)
        yield {
            "prompt": [
                {"role": turn.role, "content": _writable(turn.content.replace(FENCE, fence))} for turn in messages
            ],
            "chosen": _response(built, pair.chosen),
            "rejected": _response(built, pair.rejected),
        }


def _fence_of(topic: str) -> str:
    """8 hex digits: rows of one topic have the same mark, and the same data give the same rows."""
    return hashlib.blake2b(topic.encode("utf-8", "replace"), digest_size=4).hexdigest()


def _response(built: Preferences, row: int) -> Turns:
    return [{"role": "assistant", "content": _writable(candidate_text(built.pool.candidates[row].subject))}]


def _writable(text: str) -> str:
    """`text` with lone surrogates, which UTF-8 cannot hold, as question marks."""
    return text.encode("utf-8", "replace").decode()


def records(built: Preferences, split: int) -> Iterator[PreferencePair]:
    """The records of the pairs of a split, in the order of its rows."""
    for row, pair in enumerate(built.chosen.splits[split]):
        yield PreferencePair(
            row=row,
            topic=built.topics.names[int(built.topics.of[pair.chosen])],
            chosen=side(built, pair.chosen),
            rejected=side(built, pair.rejected),
            similarity=round(pair.similarity, 4),
            overlap=round(pair.overlap, 4),
        )


def side(built: Preferences, row: int) -> Preferred:
    """The record of one idea of a pair."""
    one = built.pool.candidates[row]
    count = count_text(one.subject.text)
    return Preferred(
        id=one.id,
        kind="idea" if one.generated else "paper",
        title=one.subject.title,
        year=one.year,
        venue=one.subject.venue,
        fields=one.subject.fields,
        words=int(built.pool.words[row]),
        creativity=_known(built.scores.creativity[row]),
        satisfaction=_known(built.scores.satisfaction[row]),
        rating=_known(built.scores.rating[row]),
        reviewed=_known(built.human.scores[row]),
        citations=one.citations,
        readability=None if count is None else round(count.ease, 2),
    )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def record_json(pair: PreferencePair) -> dict[str, Any]:
    """A record as a JSON row."""
    return pair.model_dump(mode="json")
