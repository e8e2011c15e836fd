"""One form for all ideas of a study, so that judges recognise no method by its layout, and length wins nothing.

All ideas have the same parts: title, motivation, novelty and method, without references. In the form `cut` each part is
cut at the end of a sentence, so that all ideas have the same number of words at most. In the form `restated` one model
writes every idea anew in these parts, from the text alone, and what is too long is cut after that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from novum.core import Idea
from novum.core.idea import DETAILS
from novum.core.sentences import sentences
from novum.llm import Answer, ModelName, Models, Question, prose
from novum.llm.settings import Role

PARTS: Mapping[str, float] = {"motivation": 0.25, "novelty": 0.25, "method": 0.5}
"""The parts that judges see below the title, and the share of the words that each may have."""
TITLE_WORDS = 20
PROMPT = "restate_idea"
_WORD = re.compile(r"\S+")


class RestatedIdea(Answer):
    """The answer to `restate_idea`."""

    title: str = prose(160, "a title of at most fifteen words that names the central mechanism")
    motivation: str = prose(1200, "which problem there is, why it matters, and why it is still open")
    novelty: str = prose(1200, "what is new, and how it differs from the works that the text names")
    method: str = prose(2400, "how it works, step by step, and how it would be tested")


def cut_to_words(idea: Idea, words: int) -> Idea:
    """The idea in the common form with at most `words` words below the title, which has at most twenty.

    What stands in other fields goes into the method: the details, and the summary where an idea has nothing else. A
    part that needs less than its share leaves the rest to the others.
    """
    texts = {"motivation": idea.motivation, "novelty": idea.novelty, "method": _method(idea)}
    shares = _shares({name: len(text.split()) for name, text in texts.items()}, words)
    parts = {name: first_words(text, shares[name]) for name, text in texts.items()}
    title = " ".join(idea.title.split()[:TITLE_WORDS])
    return Idea(topic=idea.topic, title=title, summary="", generator=idea.generator, **parts)


async def restate(models: Models, idea: Idea, words: int, role: Role | ModelName = "writer") -> Idea:
    """The idea restated by a model in at most `words` words. Raises NoUsableAnswer, and what `Models.ask` raises."""
    needs = {"topic": idea.topic, "idea": idea.text, "words": words}
    said = await models.ask(Question(PROMPT, needs, RestatedIdea, role=role, temperature=0))
    restated = Idea(topic=idea.topic, summary="", generator=idea.generator, **said.model_dump())
    return cut_to_words(restated, words)


def first_words(text: str, words: int) -> str:
    """The first whole sentences of a text with at most `words` words; of a longer first sentence, its first words."""
    found = list(_WORD.finditer(text))
    if len(found) <= words:
        return text.strip()
    if words <= 0:
        return ""
    last = found[words - 1].end()
    whole = [each.end for each in sentences(text) if each.end <= last]  # "et al." ends no sentence
    return text[: whole[-1]].strip() if whole else f"{text[:last].strip()} …"


def _method(idea: Idea) -> str:
    details = [getattr(idea, name) for name in DETAILS]
    whole = "" if idea.motivation or idea.novelty or idea.method else idea.summary
    return "\n\n".join(text.strip() for text in (idea.method, whole, *details) if text.strip())


def _shares(needed: Mapping[str, int], words: int) -> dict[str, int]:
    """How many words each part may have: its share of `words`, and of what the other parts leave."""
    shares = {name: min(needed[name], int(share * words)) for name, share in PARTS.items()}
    left = words - sum(shares.values())
    for name in reversed(tuple(PARTS)):  # the method first
        more = min(left, needed[name] - shares[name])
        shares[name] += more
        left -= more
    return shares
