"""A scripted model that knows the invented topics: its queries, titles and summaries are of their vocabulary.

with ScriptedServer(reader_of("trade guilds in Flanders")) as server:
    … --model server:scripted@{server.base_url} …
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from novum.testing import ReceivedRequest, Script, plausible_answer
from tests.scripted_internet.lexicon import QUERIES, Topic, topics

_PROSE = 4
"""A text of so many words is rewritten; shorter ones are labels and names of choices."""
_QUERY_WORDS = 3


def reader_of(topic: str) -> Script:
    """Answers for one topic: perspectives have its hand-made queries, everything else words of its vocabulary."""
    known = next(each for each in topics() if each.name == topic)

    def answer(received: ReceivedRequest) -> str:
        said = plausible_answer(received.messages, received.schema, received.body.get("seed", 0))
        if received.schema is None:
            return _in_words_of(known, said)
        value = json.loads(said)
        if received.form == "Perspectives":
            for place, perspective in enumerate(value["perspectives"]):
                queries = QUERIES[topic]
                perspective["query"] = queries[place % len(queries)]
        else:
            value = _rewritten(value, "", known)
        return json.dumps(value)

    return answer


def _rewritten(value: Any, name: str, topic: Topic) -> Any:
    """The same value with queries and prose of a topic."""
    if isinstance(value, dict):
        return {field: _rewritten(each, field, topic) for field, each in value.items()}
    if isinstance(value, list):
        return [_rewritten(each, name, topic) for each in value]
    if not isinstance(value, str):
        return value
    if "quer" in name:
        return f"{topic.subject.name} {' '.join(_words(topic, value)(_QUERY_WORDS - 1))}"
    return _in_words_of(topic, value) if len(value.split()) >= _PROSE else value


def _in_words_of(topic: Topic, text: str) -> str:
    """A text of about the same length, with its references to papers."""
    draw = _words(topic, text)
    words = text.split()
    fresh = [word if "[" in word else draw(1)[0] for word in words]
    return f"{topic.subject.name.capitalize()} {' '.join(fresh)}."[: max(len(text), 20)]


def _words(topic: Topic, text: str) -> Callable[[int], list[str]]:
    """Draws from the vocabulary of a topic, the same for the same text."""
    rng = random.Random(blake2b(text.encode(), digest_size=8).digest())
    pool = [*topic.subject.words, *topic.aspect.words, *topic.field.words]
    return lambda count: rng.choices(pool, k=count)
