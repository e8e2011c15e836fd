"""What a model wrote, taken apart: its thoughts are separated from its answer, and a refusal is recognised. Pure
functions."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPENS, _CLOSES = (
    r"<\s*(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning|analysis|scratchpad)(?:\s[^<>]{0,80})?>|\[THINK\]|[◁◀]think[▷▶]"
    r"|<\|(?:start_thinking|begin_of_thought)\|>|<\|channel\|>(?:analysis|commentary)[^<]{0,80}<\|message\|>",
    r"<\s*/\s*(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning|analysis|scratchpad)\s*>|\[/THINK\]|[◁◀]/think[▷▶]"
    r"|<\|(?:end_thinking|end_of_thought)\|>|<\|end\|>|(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>",
)
"""Marks of thoughts: of DeepSeek, Qwen and most others; of Seed-OSS, Magistral, Kimi, Command A, Sky-T1, gpt-oss."""
_THINK = re.compile(rf"\s*(?:{_OPENS})(.*?)(?:{_CLOSES}|\Z)", re.DOTALL | re.IGNORECASE)
"""At the beginning only: an idea may well speak of `<think>` tokens."""
_THINK_CLOSED_ONLY = re.compile(
    r"(?!\s*(?:```|\{))(.*?)(?:</(?:seed:)?(?:think|thinking|reasoning)>|\[/THINK\]|[◁◀]/think[▷▶]"
    r"|<\|(?:end_thinking|end_of_thought)\|>)",
    re.DOTALL | re.IGNORECASE,
)
_ANSWER_MARK = re.compile(r"\s*(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>", re.IGNORECASE)
"""By which gpt-oss begins its answer."""
_THOUGHT_MARK = re.compile(rf"(?<!`)(?:(?P<opens>{_OPENS})|{_CLOSES})", re.IGNORECASE)
"""In backticks the mark is spoken of."""
_DECLINES = re.compile(
    r"\A\W*(?:i(?:['’]m| am) (?:very |truly )?sorry\b[^.\n]{0,80}?\b(?:can(?:no|['’])t|can not|unable|not able)"
    r"|i (?:can(?:no|['’])t|can not|won['’]t|will not|am unable to|am not able to)\b "
    r"(?:help|assist|provide|comply|create|answer|do|discuss|engage|fulfil+)"
    r"|(?:sorry|unfortunately|apologies),? (?:but )?i (?:can(?:no|['’])t|can not|am unable)"
    r"|as an ai\b[^.\n]{0,60}\bi (?:can(?:no|['’])t|can not|am unable))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SplitAnswer:
    """What a model wrote: `text` is the answer, `reasoning` what came before it."""

    text: str
    reasoning: str


def split_reasoning(content: str, reasoning: str = "") -> SplitAnswer:
    """Moves thoughts, such as `<think>…</think>` (also one that was never opened or closed), from the answer to the
    reasoning."""
    thoughts, begin = [], 0
    while opening := _THINK.match(content, begin):
        thoughts.append(opening[1].strip())
        begin = opening.end()
    if mark := _ANSWER_MARK.match(content, begin):
        begin = mark.end()
    if orphan := _THINK_CLOSED_ONLY.match(content, begin):
        thoughts.append(orphan[1].strip())
        begin = orphan.end()
    return SplitAnswer(content[begin:].strip(), "\n\n".join(part for part in (reasoning.strip(), *thoughts) if part))


def without_unclosed_thoughts(text: str) -> str:
    """The text up to thoughts that begin somewhere in it and do not end."""
    end: int | None = None
    for mark in _THOUGHT_MARK.finditer(text):
        end = (mark.start() if end is None else end) if mark["opens"] else None
    return text[:end]


def is_refusal(text: str) -> bool:
    """Whether an answer opens by declining. Only its beginning counts: an idea may well say what «AI cannot» do."""
    return _DECLINES.match(text[:300]) is not None
