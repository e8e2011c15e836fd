"""The judges' prompts of Chain of Ideas (Tables 24 and 25), word for word, as a judging protocol.

`published.json` has their layouts and hashes; their text comes from a user's copy of the paper. A judge writes a
paragraph and then one line for each criterion: 0 for the first text, 1 for the second, 2 for a tie. The paper shows the
judge of experiments the idea of each; nothing marks where an idea ends, because the published prompt does not.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from novum.core import Idea, Match, Outcome, Topic, Verdict
from novum.errors import NoUsableAnswer
from novum.judges.both_orders import MatchRequests
from novum.judges.experiment_pair import PlanOfIdea, by_hypothesis
from novum.judges.judging_protocol import PUBLISHED_PROTOCOL, JudgingProtocol
from novum.judges.pair import by_title
from novum.llm import ModelName, Question
from novum.prompts import Prompt
from novum.prompts.published import Instrument, sha256_of, verbatim_prompt

IDEAS, PLANS = "compare-ideas", "compare-experiments"
"""Names of the two prompts in the instrument."""
IDEA_LINES = ("Novelty", "Significance", "Feasibility", "Clarity", "Effectiveness")
PLAN_LINES = ("Feasibility", "Quality", "Clarity")
_PROMPTS = {IDEAS: "compare_ideas_published", PLANS: "compare_experiments_published"}
_OUTCOMES: Mapping[str, Outcome] = {"0": "first", "1": "second", "2": "tie"}
_CHOICES = re.compile(r"^\W*your choice\W*$", re.IGNORECASE | re.MULTILINE)
_LINE = re.compile(r"^\W*(?P<name>[A-Za-z]+)\W*[:：]\W*(?P<choice>[012])\W*$", re.MULTILINE)
_LONGEST_REASON = 1_500
"""Characters of the paragraph before the choices that are stored with a verdict."""


@functools.cache
def idea_arena() -> Instrument:
    """What is known of the published prompts."""
    file = resources.files(__package__).joinpath("published.json")
    return Instrument.model_validate_json(file.read_text(encoding="utf-8"))


def published_protocol(texts: Mapping[str, str]) -> JudgingProtocol:
    """The protocol that asks by `texts`, the installed prompts by name."""
    return JudgingProtocol(
        PUBLISHED_PROTOCOL,
        compare_ideas_as_published,
        compare_plans_as_published,
        hashes={name: sha256_of(text) for name, text in texts.items()},
        prompts=tuple(_prompt(name, text) for name, text in texts.items()),
        readable=lambda question, answer: read_choices(answer, _lines_of(question)) is not None,
    )


def compare_ideas_as_published(topic: Topic, first: Idea, second: Idea, model: ModelName) -> MatchRequests:
    """Two matches: `first` as idea0, then `second` as idea0. A match without a usable answer has no verdicts."""
    orders = ((first, second), (second, first))
    answers = yield [
        _question(IDEAS, {"idea0": a.text, "idea1": b.text, "topic": topic.text}, model) for a, b in orders
    ]
    forward, reverse = (
        _match((a.id, b.id), (by_title(a), by_title(b)), model, answer, IDEA_LINES)
        for (a, b), answer in zip(orders, answers, strict=True)
    )
    return forward, reverse


def compare_plans_as_published(topic: Topic, first: PlanOfIdea, second: PlanOfIdea, model: ModelName) -> MatchRequests:
    """Two matches: `first` as experiment0, then `second` as experiment0. The prompt does not name the topic."""
    orders = ((first, second), (second, first))
    answers = yield [_question(PLANS, _needs_of(a, b), model) for a, b in orders]
    forward, reverse = (
        _match((a.id, b.id), (by_hypothesis(a.plan), by_hypothesis(b.plan)), model, answer, PLAN_LINES)
        for (a, b), answer in zip(orders, answers, strict=True)
    )
    return forward, reverse


def read_choices(answer: str, names: Sequence[str]) -> dict[str, Outcome] | None:
    """The choice for each criterion, by its name in small letters; None unless the answer has exactly one valid line
    for each after its last heading «Your choice»."""
    headings = list(_CHOICES.finditer(answer))
    if not headings:
        return None
    lines = [(found["name"].casefold(), found["choice"]) for found in _LINE.finditer(answer, headings[-1].end())]
    wanted = [name.casefold() for name in names]
    if sorted(name for name, _ in lines) != sorted(wanted):
        return None
    return {name: _OUTCOMES[choice] for name, choice in lines}


def _prompt(name: str, text: str) -> Prompt:
    return verbatim_prompt(_PROMPTS[name], [("user", text)])


def _question(name: str, needs: Mapping[str, str], model: ModelName) -> Question[str]:
    return Question(_PROMPTS[name], needs, str, role=model, temperature=0.0)


def _lines_of(question: Question[Any]) -> Sequence[str]:
    return IDEA_LINES if question.prompt == _PROMPTS[IDEAS] else PLAN_LINES


def _needs_of(a: PlanOfIdea, b: PlanOfIdea) -> dict[str, str]:
    idea0, idea1 = (each.idea.text if each.idea else "" for each in (a, b))
    return {"idea0": idea0, "experiment0": a.plan.text, "idea1": idea1, "experiment1": b.plan.text}


def _match(
    ids: tuple[str, str], names: tuple[str, str], model: ModelName, answer: str | NoUsableAnswer, lines: Sequence[str]
) -> Match:
    choices = None if isinstance(answer, NoUsableAnswer) else read_choices(answer, lines)
    if choices is None:
        why = str(answer) if isinstance(answer, NoUsableAnswer) else "not in the published form of answer"
        return Match(first_id=ids[0], second_id=ids[1], judge=model.short, failure=why)
    reason = _reason(str(answer), names)
    verdicts = tuple(Verdict(criterion=name, outcome=outcome, reason=reason) for name, outcome in choices.items())
    return Match(first_id=ids[0], second_id=ids[1], judge=model.short, verdicts=verdicts)


def _reason(answer: str, names: tuple[str, str]) -> str:
    """The paragraph before the choices, with the names of the two texts in place of `idea0` and `experiment1`."""
    paragraph = _CHOICES.split(answer)[0].strip()[:_LONGEST_REASON]
    return re.sub(
        r"\b(?:idea|experiment) ?([01])\b", lambda found: names[int(found[1])], paragraph, flags=re.IGNORECASE
    )
