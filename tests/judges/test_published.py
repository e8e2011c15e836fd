"""The published judges of Chain of Ideas: sent word for word, answers read strictly, both orders judged.

The prompts here are invented; the hashes of the real ones are checked in `tests/prompts/test_published.py`.
"""

from __future__ import annotations

import pytest

from novum.core import Experiment, Idea, Topic
from novum.errors import InvalidAnswer
from novum.judges.experiment_pair import PlanOfIdea
from novum.judges.published import IDEA_LINES, PLAN_LINES, published_protocol, read_choices
from novum.llm import ModelName

MODEL = ModelName.parse("server:judge@http://127.0.0.1:1/v1")
TEXTS = {
    "compare-ideas": "Two songs compete. One: {{idea0}}\nTwo: {{idea1}}\nThe theme: {{topic}}\n\n\nWho sings better?",
    "compare-experiments": "Two dances are: {{idea0}} / {{experiment0}}\nand {{idea1}} / {{experiment1}}\nWho leads?",
}
GOOD = """Your thinking process: idea0 is bolder, but Idea 1 is clearer.

Your choice:
Novelty: 0
Significance: 1
Feasibility: 2
Clarity: 1
Effectiveness: 0"""


def idea(title):
    return Idea(topic="t", title=title, motivation="m", novelty="n", method="x", summary=f"about {title}")


FIRST, SECOND = idea("Widgets"), idea("Gadgets")
PLANS = [
    PlanOfIdea(Experiment(idea_id=each.id, hypothesis=f"{each.title} learn", steps=("Try.",)), each)
    for each in (FIRST, SECOND)
]


def finish(protocol, reply):
    with pytest.raises(StopIteration) as end:
        protocol.send(reply)
    return end.value.value


def test_ideas_are_sent_in_the_published_words_in_both_orders():
    protocol = published_protocol(TEXTS)
    asked = next(protocol.ideas(Topic(text="tools"), FIRST, SECOND, MODEL))
    prompts = {each.name: each for each in protocol.prompts}
    sent = [prompts[each.prompt].render(each.needs).messages[0].content for each in asked]
    whole = TEXTS["compare-ideas"].replace("{{topic}}", "tools")
    assert sent == [
        whole.replace("{{idea0}}", a.text).replace("{{idea1}}", b.text) for a, b in ((FIRST, SECOND), (SECOND, FIRST))
    ]


def test_the_judge_of_experiments_sees_the_idea_of_each():
    protocol = published_protocol(TEXTS)
    there, back = next(protocol.plans(Topic(text="tools"), *PLANS, MODEL))
    assert (there.needs["idea0"], there.needs["experiment0"]) == (FIRST.text, PLANS[0].plan.text)
    assert (there.needs["idea1"], back.needs["idea0"]) == (SECOND.text, SECOND.text)
    assert "topic" not in there.needs


def test_zero_is_the_first_one_the_second_and_two_a_tie():
    judging = published_protocol(TEXTS).ideas(Topic(text="tools"), FIRST, SECOND, MODEL)
    next(judging)
    there, back = finish(judging, [GOOD, InvalidAnswer("prose", "I like both")])
    outcomes = {each.criterion: each.outcome for each in there.verdicts}
    assert outcomes == {
        "novelty": "first",
        "significance": "second",
        "feasibility": "tie",
        "clarity": "second",
        "effectiveness": "first",
    }
    assert "«Widgets» is bolder, but «Gadgets» is clearer" in there.verdicts[0].reason
    assert (back.first_id, back.verdicts, back.failure) == (SECOND.id, (), "prose")


@pytest.mark.parametrize(
    ("change", "readable"),
    [
        (("Novelty: 0", "**Novelty**: 0"), True),
        (("Novelty: 0", "- Novelty: **0**"), True),
        (("Your choice:", "**Your choice:**"), True),
        (("Your thinking process", "Your choice:\nNovelty: 2\n\nYour thinking process"), True),
        (("Novelty: 0", "Novelty: 0/1/2"), False),
        (("Novelty: 0", "Novelty: 3"), False),
        (("Novelty: 0", "Novelty: idea0"), False),
        (("Novelty: 0\n", ""), False),
        (("Novelty: 0", "Novelty: 0\nNovelty: 1"), False),
        (("Clarity: 1", "Beauty: 1"), False),
        (("Your choice:", "My choice:"), False),
    ],
)
def test_an_answer_counts_only_in_the_published_form(change, readable):
    assert change[0] in GOOD
    assert (read_choices(GOOD.replace(*change, 1), IDEA_LINES) is not None) is readable


def test_the_criteria_of_experiments_are_their_own():
    answer = "Your thinking process: fine.\nYour choice:\nFeasibility: 1\nQuality: 0\nClarity: 2"
    assert read_choices(answer, PLAN_LINES) == {"feasibility": "second", "quality": "first", "clarity": "tie"}
    assert read_choices(answer, IDEA_LINES) is None


def test_what_is_not_in_the_published_form_is_asked_for_again():
    protocol = published_protocol(TEXTS)
    question = next(protocol.ideas(Topic(text="tools"), FIRST, SECOND, MODEL))[0]
    assert protocol.readable(question, GOOD)
    assert not protocol.readable(question, GOOD.replace("Clarity: 1", "Clarity: good"))
