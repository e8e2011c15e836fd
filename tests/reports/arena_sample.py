"""A whole arena in memory: generators of known strengths, a fair judge, one that likes the first seat, forfeits."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np

from novum.benchmarks.arena.records import ArenaRun
from novum.core import Account, Citation, Cost, Experiment, Idea, Spend, Verdict
from novum.core.comparison import CRITERIA, ArenaEntry, Entrant, JudgedPair

STRENGTHS = {"chain": 1.2, "chain-without-future": 0.5, "team": 0.2, "rag": -0.4, "one-shot": -1.5}
FAIR, SEATED = "openai:gpt-5.5", "server:seated"
FAILED = "subject nobody could do"
_OTHER = {"first": "second", "second": "first", "tie": "tie"}
_SAID = "Both meet the need, and **the one** names what would be measured, where the other one stays with generalities."


EVIL = (
    '</script><script>document.title="owned"</script><img src="https://evil.example/x.png" onerror=alert(1)>'
    "\u202e{{ 7 * 7 }}"
)


def sample_run(topics: int = 6, *, experiments: bool = True, seed: int = 0) -> ArenaRun:
    """The last of the topics is one on which everybody fails; `rag` forfeits the first one too."""
    rng = np.random.default_rng(seed)
    names = [*(f"subject {number}: how proteins fold in crowded cells" for number in range(topics - 1)), FAILED]
    entries = [_entry(topic, name, place, experiments) for topic in names for place, name in enumerate(STRENGTHS)]
    there = {(each.topic, each.entrant) for each in entries if each.idea is not None}
    kinds = ("idea", "experiment") if experiments else ("idea",)
    judged_pairs = [
        judged
        for topic in names
        for kind in kinds
        for one, other in combinations(STRENGTHS, 2)
        if {(topic, one), (topic, other)} <= there
        for judge in (FAIR, SEATED)
        for judged in _asked(rng, topic, kind, one, other, judge)
    ]
    return ArenaRun(
        name="20261122-sample",
        topics=tuple(names),
        papers={names[1]: "paper-1"},
        entrants=tuple(Entrant(name=name, method=name.partition("-")[0], options=_options(name)) for name in STRENGTHS),
        judges=(FAIR, SEATED),
        kinds=kinds,
        before="2024-01-01",
        began="2026-11-22T05:00:00+00:00",
        ended="2026-11-22T05:30:00+00:00",
        entries=tuple(entries),
        judged_pairs=tuple(judged_pairs),
        notes=("rag forfeits 2 of 6 topics.",),
        account=Account(
            run_id="20261122-sample", novum_version="0.1.0", started="2026-11-22T05:00:00+00:00", seconds=1800,
            models={"writer": "openai:gpt-5.5-mini", "judges": f"{FAIR}, {SEATED}"},
            spend=Spend(calls=900, prompt_tokens=900_000, completion_tokens=120_000, usd=3.2),
        ),
    )  # fmt: skip


def evil_run(topics: int = 2) -> ArenaRun:
    """A small sample with poison in every name and text of it."""
    text = sample_run(topics).model_dump_json()
    poison = json.dumps(EVIL)[1:-1]
    for clean in (*STRENGTHS, FAIR, SEATED, FAILED, "chain", "one", "Purify.", "PDB", "An unknown work"):
        text = text.replace(f'"{clean}"', f'"{clean}{poison}"')
    for clean in ("how proteins fold", "Both meet the need", "nobody", "refused", "no paper was found", "A study by"):
        text = text.replace(clean, f"{clean}{poison}")
    return ArenaRun.model_validate_json(text)


def said(first: str, second: str, outcome: str, judge: str, topic: str = "t") -> JudgedPair:
    verdicts = tuple(Verdict(criterion=name, outcome=outcome, reason="So.") for name in CRITERIA["idea"])
    return JudgedPair(topic=topic, first=first, second=second, judge=judge, verdicts=verdicts)


def people_of(run: ArenaRun, people=("Ada", "Bo"), seed: int = 5) -> list[JudgedPair]:
    """What people say of every pair, in one order, mostly in accord with the strengths."""
    rng = np.random.default_rng(seed)
    seen = dict.fromkeys(
        (each.topic, *sorted((each.first, each.second))) for each in run.judged_pairs if each.kind == "idea"
    )
    return [_asked(rng, topic, "idea", one, other, name)[0] for topic, one, other in seen for name in people]


def _options(name: str) -> dict[str, object]:
    return {"length": 0, "future": False} if "-" in name else {}


def _entry(topic: str, name: str, place: int, experiments: bool) -> ArenaEntry:
    paid = Cost(calls=12 - place, prompt_tokens=9000 * (5 - place), completion_tokens=1500, usd=0.05 * (5 - place))
    if topic == FAILED or (name == "rag" and topic.startswith("subject 0")):
        return ArenaEntry(topic=topic, entrant=name, forfeit=f"no paper was found for «{topic}»", cost=paid, seconds=3)
    idea = Idea(
        topic=topic,
        title=f"A study by {name} of {topic}",
        motivation="Crowding changes folding, and **nobody** has measured by how much.",
        novelty="It couples crowding to kinetics, which earlier work kept apart.",
        method="1. Express the protein.\n2. Add crowders.\n3. Follow it by single-molecule FRET.",
        summary="We will follow folding in crowded droplets. " + "More detail follows here. " * (3 + 4 * place),
        citations=(Citation(name="Folding in cells", paper_id="paper-1"), Citation(name="An unknown work")),
        generator=name,
    )
    plan = Experiment(
        idea_id=idea.id,
        hypothesis="Crowding speeds folding.",
        steps=("Purify.", "Measure."),
        datasets=("PDB",),
        metrics=("rate",),
    )
    if name == "one-shot":
        paid = paid.model_copy(update={"usd": 0.0, "usd_unknown": paid.calls})
    return ArenaEntry(
        topic=topic, entrant=name, idea=idea, experiment=plan if experiments else None, cost=paid, seconds=40 + place
    )


def _asked(rng, topic: str, kind: str, one: str, other: str, judge: str) -> list[JudgedPair]:
    """Both orders of one pair; the seated judge often says that the first seat is better."""
    if rng.random() < 0.02:
        return [
            JudgedPair(topic=topic, kind=kind, first=one, second=other, judge=judge, failure="refused: I cannot judge.")
        ]
    forth = {name: _outcome(rng, STRENGTHS[one] - STRENGTHS[other]) for name in CRITERIA[kind]}
    back = {name: _OTHER[said] if rng.random() < 0.85 else "tie" for name, said in forth.items()}
    orders = []
    for first, second, fair in ((one, other, forth), (other, one, back)):
        seated = 0.4 if judge == SEATED else 0.0
        said = {name: "first" if rng.random() < seated else each for name, each in fair.items()}
        verdicts = tuple(Verdict(criterion=name, outcome=each, reason=_SAID) for name, each in said.items())
        orders.append(JudgedPair(topic=topic, kind=kind, first=first, second=second, judge=judge, verdicts=verdicts))
    return orders


def _outcome(rng, apart: float) -> str:
    chance = 1 / (1 + np.exp(-1.6 * apart))
    return "tie" if rng.random() < 0.15 else "first" if rng.random() < chance else "second"
