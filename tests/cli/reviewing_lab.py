"""A panel that reviews by the level in an idea's title, and ideas of a level."""

from __future__ import annotations

import json
import re

from novum.core import Idea
from novum.testing.server import ScriptedAnswer

LEVEL = re.compile(r"(?:Title|title): Level (\d+)")


def idea_of(level, topic="proteins"):
    """Level 1 is poor, 9 is good."""
    return Idea(
        topic=topic,
        title=f"Level {level}",
        motivation="Nobody looked.",
        novelty="",
        method="",
        summary=f"We look at the turn number {level} of every chain.",
    )


def table(place, *levels):
    rows = [idea_of(level).model_dump(mode="json") | {"entrant": "ours"} for level in levels]
    place.write_text("".join(json.dumps(row) + "\n" for row in rows))


def written(level):
    """The report of a reviewer model: its rating is a tenth of the level."""
    return (
        "SUMMARY:\nThe turn of a chain is looked at.\n\nSTRENGTHS:\n- It looks.\n\nWEAKNESSES:\n- One turn is few.\n"
        f"- That it is “the turn number {level} of every chain” is left without a reason.\n\n"
        f"QUESTIONS:\n1. Why this turn?\n\nLIMITATIONS:\nN/A\n\nRating: 0.{level}0"
    )


def panel(asked):
    """Utility is ten times the level; accepted from 6. The writer adds 2, up to 8. `mute` never answers in form."""
    found = LEVEL.search(asked.text)
    if found is None or asked.model == "mute":
        return ScriptedAnswer(refusal="No.")
    level = int(found[1])
    if not asked.form:
        return written(level)
    answers = {
        "Report": {
            "summary": "A look.",
            "strengths": ["It looks."],
            "criticisms": [
                {"quote": f"the turn number {level} of every chain", "point": "One turn is few.", "papers": ["P1"],
                 "severity": "major", "suggestion": "Look at more."},
                {"quote": "a sentence of another idea", "point": "Odd.", "papers": [], "severity": "minor",
                 "suggestion": ""},
            ],
            "marks": dict.fromkeys(("soundness", "novelty", "significance", "feasibility"), 5) | {"overall": level},
            "confidence": 3,
        },
        "Verdict": {
            "weighed": [{"criticism": "R1.1", "why": "it holds", "standing": "decides"}],
            "reasoning": "R1.1 decides.",
            "decision": "ACCEPT" if level >= 6 else "REJECT",
            "utility": 10 * level,
        },
        "Revised": {
            "changes": [{"criticism": "R1.1", "done": True, "what": "more turns"}],
            "title": f"Level {min(level + 2, 8)}",
            "motivation": "Nobody looked.", "novelty": "", "method": "",
            "summary": f"We look at the turn number {min(level + 2, 8)} of every chain. Again {level}.",
        },
    }  # fmt: skip
    return json.dumps(answers[asked.form])
