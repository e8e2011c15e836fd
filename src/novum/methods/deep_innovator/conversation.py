"""What the policy sees of an episode: the context, its own ideas, and the comments. Never a reward, never the truth.

The same messages are used in training, in other trainers, and by the generator: a trained policy meets what it was
trained on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import zip_longest

from novum.methods.deep_innovator.episode import Episode
from novum.prompts import FENCE, Message, Prompt, PromptBook
from novum.prompts.untrusted import clean

POLICY, TURN = "next_idea_policy", "next_idea_turn"


def policy_messages(
    book: PromptBook, context: str, episode: Episode, *, topic: str = "", small: bool = False
) -> tuple[Message, ...]:
    """The conversation up to the policy's next turn. Marks of quoted text are placeholders. `small`: the short form for
    very small models."""
    opening = book.get(POLICY, small=small).render({"context": context, "topic": topic}).messages
    turns: list[Message] = []
    for idea, comment in zip_longest(episode.ideas, episode.comments):
        if idea is not None and comment is not None:
            turns += [
                Message("assistant", f"<idea>\n{clean(idea.text)}\n</idea>"),
                comment_message(book, comment, small=small),
            ]
    return (*opening, *turns)


def comment_message(book: PromptBook, comment: str, *, small: bool = False) -> Message:
    """The message with a comment, after which the policy writes an improved idea."""
    [message] = book.get(TURN, small=small).render({"comment": comment}).messages
    return message


def fenced(messages: Sequence[Message], word: str) -> list[dict[str, str]]:
    """The messages for a chat template, with `word` in their marks."""
    return [{"role": each.role, "content": each.content.replace(FENCE, word)} for each in messages]


def fence_word(seed: str) -> str:
    """A word for marks that differs from task to task, and is the same whenever a task is used again."""
    return hashlib.blake2b(seed.encode(), digest_size=4).hexdigest()


def conversation_prompt(messages: Sequence[Message]) -> Prompt:
    """A prompt that is this conversation, to be sent as one question."""
    source = "\n\n".join(f"[{each.role}]\n{each.content}" for each in messages)
    digest = hashlib.blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    parts = tuple((each.role, each) for each in messages)
    return Prompt(f"{POLICY}_{digest}", 1, frozenset(), "str", source, digest, parts)
