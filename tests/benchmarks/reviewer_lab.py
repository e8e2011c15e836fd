"""Papers whose fate is their level, and reviewers who know it, do not know it, or say nothing."""

from __future__ import annotations

import asyncio
import json
import random
import re

from novum.lab import Workplace
from novum.prompts import builtin_prompts
from novum.settings import load_settings
from novum.testing.server import ScriptedAnswer
from novum.training.reviews.building import BuildPlan, Sources, build_judge_data
from novum.training.reviews.lengths import ByCharacters
from novum.training.reviews.settings import JudgeDataSettings

LEVEL = re.compile(r"Title: Level (\d+)|Level (\d+) of")
WORDS = (
    "river", "bridge", "tunnel", "castle", "meadow", "orchard", "lantern", "compass", "harbour", "thunder", "marble",
    "copper", "willow", "saddle",
)  # fmt: skip
SECTIONS = (
    "SUMMARY:\nThe {about} of case {case} is looked at.\n\nSTRENGTHS:\n- It looks at {about}.\n\nWEAKNESSES:\n"
    "- Why the {about} and not the {other}, nobody learns.\n- Case {case} alone shows little of any {about}."
)


def record(case, year):
    """Levels 1 to 9 by turns; two referees are one step apart, about the level."""
    level, rng = 1 + case * 4 % 9, random.Random(case)
    about, other = rng.sample([f"{one}{two}" for one in WORDS for two in WORDS], 2)
    abstract = (
        f"We study the {about} of case {case}, {' '.join(rng.sample(WORDS, 12))}, and the {other} beside it. " * 2
    )
    text = SECTIONS.format(about=about, other=other, case=case)
    said = [{"rating": level + step, "text": f"{text} So says referee {step}."} for step in (0, 1)]
    decision = "Accept (poster)" if level >= 6 else "Reject"
    return {"title": f"Level {level} of case {case}", "abstract": abstract, "venue": "NeurIPS", "year": year,
            "decision": decision, "reviews": said}  # fmt: skip


def make_set(folder, *, train=20, test=12, **settings):
    """A set of papers of 2023 to learn from and of 2024 to be judged."""
    folder.mkdir(parents=True, exist_ok=True)
    records = [record(case, 2023 if case < train else 2024) for case in range(train + test)]
    source = folder / "reviews.jsonl"
    source.write_text("".join(json.dumps(each) + "\n" for each in records))
    chosen = JudgeDataSettings(cutoff="2024-01-01", validation=0.1, **settings)
    making = BuildPlan(chosen, builtin_prompts(), ByCharacters())
    asyncio.run(build_judge_data(Sources((source,)), making, folder / "set"))
    return folder / "set"


def reviewers(asked):
    """`knows` rates by the level, `coin` always the same, `mute` refuses. `mini` and `plain` write reports, the first
    by the level. `editor` prefers whichever report is shown first."""
    found = LEVEL.search(asked.text)
    if found is None or asked.model == "mute":
        return ScriptedAnswer(refusal="No.")
    level = int(found[1] or found[2]) if asked.model in {"knows", "mini"} else 5
    if not asked.form:
        return f"SUMMARY:\nA look.\n\nWEAKNESSES:\n- Nothing of any {WORDS[level]} is shown.\n\nRating: 0.{level}0"
    return json.dumps({"Report": _report(level), "Verdict": _verdict(level), "ReportComparison": _first()}[asked.form])


def _report(level):
    marks = dict.fromkeys(("soundness", "novelty", "significance", "feasibility"), 5) | {"overall": level}
    criticism = {"quote": "We study", "point": f"Of any {WORDS[level]} nothing is said.", "papers": [],
                 "severity": "major", "suggestion": "Say it."}  # fmt: skip
    return {
        "summary": "A look.",
        "strengths": ["It looks."],
        "criticisms": [criticism],
        "marks": marks,
        "confidence": 3,
    }


def _verdict(level):
    weighed = [{"criticism": "R1.1", "why": "it holds", "standing": "decides"}]
    decision = "ACCEPT" if level >= 6 else "REJECT"
    return {"weighed": weighed, "reasoning": "R1.1 decides.", "decision": decision, "utility": 10 * level}


def _first():
    choice = {"reason": "report A comes first", "better": "A"}
    return dict.fromkeys(("specific", "grounded", "weighty", "helpful", "overall"), choice)


def working(home, job, server=None, **settings):
    """What `job(place)` brings in a workplace at `home`."""

    async def work():
        async with Workplace(loaded(home, server, **settings)) as place:
            return await job(place)

    return asyncio.run(work())


def loaded(home, server=None, **settings):
    address = {"base_url": server.base_url} if server else {}
    return load_settings({"home": str(home), **address, **settings}, environment={}, folder=home)
