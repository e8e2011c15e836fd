"""A pair as trainers read it, and what is known of it beside its texts.

Trainers of preferences read conversations: what was asked, and two ways in which it could be answered. The question is
one turn of the user, since not every chat template knows the role of the system.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from novum.idea_metrics.readability import count_text
from novum.prompts import Prompt
from novum.training.preferences.building import Preferences
from novum.training.preferences.pool import candidate_text
from novum.training.preferences.records import PreferencePair, Preferred

PROMPT = "propose_on_topic"
"""Name of the prompt in which a topic is put."""
Turns = list[dict[str, str]]


def conversations(made: Preferences, split: int, prompt: Prompt) -> Iterator[Mapping[str, Turns]]:
    """The rows of a split: `prompt`, `chosen` and `rejected`, each a list of turns."""
    for pair in made.chosen.splits[split]:
        asked = prompt.render({"topic": made.topics.names[int(made.topics.of[pair.chosen])]}).messages
        yield {
            "prompt": [{"role": turn.role, "content": _writable(turn.content)} for turn in asked],
            "chosen": _answered(made, pair.chosen),
            "rejected": _answered(made, pair.rejected),
        }


def _answered(made: Preferences, row: int) -> Turns:
    return [{"role": "assistant", "content": _writable(candidate_text(made.pool.candidates[row].subject))}]


def _writable(text: str) -> str:
    """Half surrogate pairs, which UTF-8 cannot hold, become question marks."""
    return text.encode("utf-8", "replace").decode()


def records(made: Preferences, split: int) -> Iterator[PreferencePair]:
    """What is known of the pairs of a split, in the order of its rows."""
    for row, pair in enumerate(made.chosen.splits[split]):
        yield PreferencePair(
            row=row,
            topic=made.topics.names[int(made.topics.of[pair.chosen])],
            chosen=side(made, pair.chosen),
            rejected=side(made, pair.rejected),
            similarity=round(pair.similarity, 4),
            overlap=round(pair.overlap, 4),
        )


def side(made: Preferences, row: int) -> Preferred:
    """One idea of a pair, as it is told of."""
    one = made.pool.candidates[row]
    count = count_text(one.subject.text)
    return Preferred(
        id=one.id,
        kind="idea" if one.generated else "paper",
        title=one.subject.title,
        year=one.year,
        venue=one.subject.venue,
        fields=one.subject.fields,
        words=int(made.pool.words[row]),
        creativity=float(made.scores.creativity[row]),
        satisfaction=float(made.scores.satisfaction[row]),
        citations=one.citations,
        readability=None if count is None else round(count.ease, 2),
    )


def record_json(pair: PreferencePair) -> dict[str, Any]:
    """A record as a row."""
    return pair.model_dump(mode="json")
