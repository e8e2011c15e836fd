"""From a topic to search queries, one for each perspective on it (Chain of Ideas, section 3.2, Table 8)."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from novum.core import Paper, Topic, normal_title
from novum.llm import Answer, Models, Question, listed, prose


class Perspective(Answer):
    """One way of looking at a topic."""

    aspect: str = prose(300, "what this perspective asks about, one sentence")
    query: str = Field(description="search query of 3 to 10 words in the terms of the field", min_length=3)


class Perspectives(Answer):
    """The answer to `perspectives`."""

    perspectives: list[Perspective] = listed(10, "as many as asked for", least=1)


async def perspectives(models: Models, topic: Topic, count: int, nearby: Sequence[Paper]) -> list[Perspective]:
    """At most `count` perspectives with different queries. `nearby`: papers that show which words the field uses."""
    question = Question(
        "perspectives", {"topic": topic.text, "count": count, "nearby": nearby}, Perspectives, role="reader"
    )
    answer = await models.ask(question)
    different = {normal_title(each.query): each for each in reversed(answer.perspectives)}
    return list(reversed(different.values()))[:count]
