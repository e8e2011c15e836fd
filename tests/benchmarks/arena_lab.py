"""A small arena on a scripted server: generators whose ideas have a level, judges that read it, one call to compete."""

from __future__ import annotations

import asyncio
import json
import re

from novum.benchmarks.arena.durable import ARENA
from novum.benchmarks.arena.task import ArenaTask
from novum.core import Candidate, Experiment, ExperimentDraft, Idea, Ideation, Paper
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
from novum.errors import EmptyAnswer
from novum.lab import Workplace
from novum.literature import Entry as Shelved
from novum.llm import ModelName, Question
from novum.methods import Method, MethodOptions
from novum.methods.method import _methods
from novum.runs.engine import replay, resume, start
from novum.settings import load_settings

LEVEL = re.compile(r"reaches level (\d)")


class SketchOptions(MethodOptions):
    level: int = 5
    fails_on: str = ""
    """Topics with this word: nothing usable is said."""
    empty_on: str = ""
    """Topics with this word: there is no candidate."""
    experiment: bool = True


async def sketch(lab, topic, options):
    """One question, one idea of a stated level."""
    if options.fails_on and options.fails_on in topic.text:
        raise EmptyAnswer("the writer said nothing")
    if options.empty_on and options.empty_on in topic.text:
        return Ideation(topic=topic.text, method="sketch", notes=("No paper was found for it.",))
    needs = {"keyword": topic.text, "academic": False, "marked": False}
    said = await lab.models.ask(Question("liveidea_idea", needs, str, sample=options.level))
    idea = idea_of(topic.text, options.level, said)
    plan = Experiment(idea_id=idea.id, hypothesis=f"It reaches level {options.level}", steps=("Try it.",))
    drafts = (ExperimentDraft(experiment=plan),) if options.experiment else ()
    return Ideation(topic=topic.text, method="sketch", candidates=(Candidate(idea=idea),), drafts=drafts)


def idea_of(topic, level, more=""):
    said = {"motivation": "m", "novelty": "n", "method": "x"}
    return Idea(topic=topic, title=f"Idea {level}", summary=f"A study of {topic} reaches level {level}. {more}", **said)


def register(monkeypatch, generate=sketch):
    """Makes `sketch`, or another in its place, known for one test."""
    monkeypatch.setitem(_methods._things, "sketch", Method("sketch", SketchOptions, generate))


def sketching(name, level, **options):
    return Entrant(name=name, method="sketch", options={"level": level, **options})


LOW, MIDDLE, HIGH = sketching("low", 1), sketching("middle", 5), sketching("high", 9)


def by_level(asked):
    """Judges compare levels; whatever else is asked is answered as usual."""
    if asked.form not in {"Comparison", "ExperimentComparison"}:
        return None
    levels = [int(level) for level in LEVEL.findall(asked.text)]  # of a plan and of its idea, where both are shown
    first, second = levels[0], levels[len(levels) // 2]
    return choosing(asked, "tie" if first == second else "A" if first > second else "B")


def choosing(asked, seat):
    reason = "idea A and plan A are told differently from the other; the idea a judge likes is another matter"
    return json.dumps({name: {"reason": reason, "better": seat} for name in asked.schema["properties"]})


def judging(**ways):
    """A script where some judges, by name, answer in another way: a function of what is asked."""

    def script(asked):
        if asked.model in ways and asked.form in {"Comparison", "ExperimentComparison"}:
            return ways[asked.model](asked)
        return by_level(asked)

    return script


def assignment(server, *, entrants=(LOW, MIDDLE, HIGH), judges=("judge",), topics=3, **more):
    """`topics`: how many, or which."""
    if isinstance(topics, int):
        topics = tuple(f"subject {number}" for number in range(topics))
    return ArenaTask(
        topics=tuple(ArenaTopic(topic=each) for each in topics),
        entrants=entrants,
        judges=tuple(str(ModelName.parse(f"server:{judge}@{server.base_url}")) for judge in judges),
        **more,
    )


def brought(levels, topics):
    """Ideas that others made: entrants and entries. `levels` by entrant."""
    entries = [
        ArenaEntry(topic=topic, entrant=name, idea=idea_of(topic, level, name))
        for topic in topics
        for name, level in levels.items()
    ]
    return {"entrants": tuple(Entrant(name=name) for name in levels), "given": tuple(entries), "topics": tuple(topics)}


def working(home, server, job, **settings):
    """What `job(place)` brings in a workplace of its own, with one paper in its library."""

    async def work():
        given = {"home": str(home), "deadline_seconds": 60, "writer": server.model, **settings}
        async with Workplace(load_settings(given, environment={}, folder=home)) as place:
            if place.library.is_empty():
                place.library.add([Shelved(paper=Paper(title="A paper", year=2020, abstract="About."), key="p")])
            return await job(place)

    return asyncio.run(work())


def competed(home, server, what, **settings):
    return working(home, server, lambda place: start(ARENA, place, what), **settings)


def resumed(home, server, run_id, **settings):
    return working(home, server, lambda place: resume(ARENA, place, run_id), **settings)


def recalled(home, server, run_id, **settings):
    return working(home, server, lambda place: replay(ARENA, place, run_id), **settings)
