"""Showing that questions are asked at once, on a machine of any speed."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from novum.testing import ReceivedRequest, Script, ScriptedAnswer, plausible_answer


def once_together(count: int, form: str = "", script: Script = lambda asked: None) -> Script:
    """`script`, but the questions of a form (without one: all) are answered only when `count` of them have come: who
    asks one after the other waits for ever."""
    all_here, come = asyncio.Event(), 0

    def held(asked: ReceivedRequest) -> ScriptedAnswer | str | None:
        nonlocal come
        told = script(asked)
        if form and asked.form != form:
            return told
        come += 1
        if come == count:
            all_here.set()
        if told is None:
            told = plausible_answer(asked.messages, asked.schema, asked.body.get("seed", 0))
        return replace(ScriptedAnswer(told) if isinstance(told, str) else told, after=all_here)

    return held
