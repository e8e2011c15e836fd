"""Contexts: ideas in groups, typed relations, signals that name their basis, and a text within the limit."""

from __future__ import annotations

import pytest

from novum.core.research_context import IdeaGroup, ResearchContext
from novum.errors import EmptyAnswer
from novum.literature import StaticEmbedder
from novum.prompts import builtin_prompts
from novum.reading.research_context.encoding import SHARES, encode_context, short_names, tokens_by_characters
from novum.reading.research_context.grouping import GroupRouting, group_ideas
from novum.reading.research_context.labels import IdeaLabels
from novum.reading.research_context.relations import (
    CrossRelation,
    CrossRelations,
    InnerRelation,
    InnerRelations,
    relate_ideas,
)
from novum.reading.research_context.signals import Signal, Signals, find_signals
from tests.training.next_idea.conftest import idea


class Answering:
    """Models that answer by a function of the question."""

    def __init__(self, answer):
        self.answer, self.asked = answer, []

    async def ask(self, question):
        self.asked.append(question)
        value = self.answer(question)
        if value is None:
            raise EmptyAnswer("nothing")
        return value


def routing(group=0, misplaced=(), name="a group"):
    return GroupRouting(reason="r", group=group, name=name, memory="m", misplaced=list(misplaced))


def grouped(answer, count=7):
    import asyncio

    models = Answering(answer)
    ideas = [idea(number, problem=f"{'fish' if number % 2 else 'stars'} {number}") for number in range(count)]
    return asyncio.run(group_ideas(models, StaticEmbedder(), ideas)), models, ideas


def test_every_idea_is_in_exactly_one_group():
    grouping, _, ideas = grouped(lambda question: routing())
    placed = [each for group in grouping.groups for each in group.paper_ids]
    assert sorted(placed) == sorted(each.paper_id for each in ideas)


def test_a_cluster_joins_the_group_that_the_model_names_and_brings_its_memory_up_to_date():
    grouping, models, _ = grouped(lambda question: routing(group=1 if question.needs["groups"] else 0, name="both"), 12)
    assert len(models.asked) > 1
    assert [group.name for group in grouping.groups] == ["both"]
    assert models.asked[-1].needs["groups"][0].memory == "m"


def test_a_group_that_does_not_exist_starts_a_new_one_and_is_noted():
    grouping, _, _ = grouped(lambda question: routing(group=9))
    assert grouping.groups
    assert "a group 9 that does not exist" in grouping.notes[0]


def test_misplaced_ideas_are_routed_once_more_by_themselves():
    def answer(question):
        return routing(misplaced=["P1"] if len(question.needs["ideas"]) > 1 else ())

    grouping, models, ideas = grouped(answer, 5)
    assert [len(each.needs["ideas"]) for each in models.asked] == [5, 1]
    assert grouping.groups[1].paper_ids == (ideas[0].paper_id,)


def test_without_a_usable_answer_the_cluster_is_a_group_of_its_own():
    grouping, _, ideas = grouped(lambda question: None, 4)
    assert grouping.groups[0].name == ideas[0].title
    assert "No usable answer" in grouping.notes[0]


async def related(context, inner=(), cross=()):
    def answer(question):
        return InnerRelations(relations=list(inner)) if question.returns is InnerRelations else CrossRelations(
            relations=list(cross)
        )  # fmt: skip

    return await relate_ideas(Answering(answer), context.ideas, context.groups)


def run(coroutine):
    import asyncio

    return asyncio.run(coroutine)


def test_relations_are_kept_where_their_ideas_lie_in_one_group_or_in_two(context):
    inner = [InnerRelation(reason="P2 is faster than P1", one="P1", other="P2", kind="evolution")]
    cross = [CrossRelation(reason="they clash", one="P2", other="P3", kind="conflict")]
    found = run(related(context, inner, cross))
    assert {(each.kind, each.source_id, each.target_id) for each in found.found} == {
        ("evolution", "paper-0", "paper-1"),
        ("evolution", "paper-2", "paper-3"),
        ("conflict", "paper-1", "paper-2"),
    }
    assert found.found[0].reason == "The latter is faster than the former"
    assert found.dropped == 0


@pytest.mark.parametrize("labels", [("P1", "P1"), ("P1", "P2"), ("P1", "P77"), ("", "P3")])
def test_a_relation_between_groups_with_wrong_labels_is_dropped_and_counted(context, labels):
    cross = [CrossRelation(reason="r", one=labels[0], other=labels[1], kind="integration")]
    found = run(related(context, (), cross))
    assert not found.found
    assert found.dropped == 1


def signalled(context, basis, text="As P1 shows, noise matters."):
    one, other, *more = [*basis, "", ""]
    signals = Signals(signals=[Signal(one=one, other=other, more=more, text=text)])
    return run(find_signals(Answering(lambda _: signals), context.ideas, context.groups, context.relations))


def test_a_signal_of_each_kind_names_the_ideas_on_which_it_rests(context):
    found, dropped = signalled(context, ["P1", "[P3]"])
    assert [each.kind for each in found] == ["insight", "trend", "serendipity"]
    assert {each.paper_ids for each in found} == {("paper-0", "paper-2")}
    assert found[0].text == "As “Title 0” shows, noise matters."
    assert dropped == 0


@pytest.mark.parametrize("basis", [[], ["P1"], ["P1", "P1"], ["P1", "P40"]])
def test_a_signal_that_rests_on_fewer_than_two_ideas_is_dropped(context, basis):
    assert signalled(context, basis) == ((), 3)


def test_the_text_of_a_context_has_all_parts_within_the_limit(context):
    encoded = encode_context(context)
    for expected in ("Insight: all of them ignore noise", "first group (2 works)", "“Title 1” – conflict – “Title 2”",
                     "Problem: problem of 3"):  # fmt: skip
        assert expected in encoded.text
    assert encoded.tokens == tokens_by_characters(encoded.text)
    assert not encoded.left_out


@pytest.mark.parametrize("limit", [256, 600, 2000, 8192])
def test_a_context_over_its_budget_is_cut_to_it_and_says_what_is_left_out(limit):
    ideas = tuple(idea(number, approach="long words " * 200) for number in range(60))
    groups = tuple(
        IdeaGroup(name=f"g{n}", memory="m " * 300, paper_ids=(each.paper_id,)) for n, each in enumerate(ideas)
    )
    encoded = encode_context(ResearchContext(ideas=ideas, groups=groups), limit)
    assert encoded.tokens <= limit
    assert sum(encoded.by_part.values()) <= limit
    assert set(encoded.by_part) == set(SHARES)
    if limit < 8192:
        assert encoded.left_out


def test_what_one_part_leaves_unused_goes_to_the_next(context):
    rich = ResearchContext(ideas=tuple(idea(number, approach="word " * 250) for number in range(10)))
    encoded = encode_context(rich, 2400)
    assert encoded.by_part["ideas"] > SHARES["ideas"] * 2400


def test_papers_are_named_by_the_beginning_of_their_title_where_no_other_begins_so():
    ideas = [idea(0, title="Alpha: on graphs"), idea(1, title="Beta: one"), idea(2, title="Beta: two"), idea(3)]
    assert list(short_names(ideas).values()) == ["Alpha", "Beta: one", "Beta: two", "Title 3"]


def test_the_reason_of_a_relation_can_be_read_without_labels():
    labels = IdeaLabels([idea(0), idea(1), idea(2)])
    reason = "P1's filter is cheap. P2 needs one (P1), unlike P3 and P9."
    said = "The former's filter is cheap. The latter needs one the former, unlike “Title 2” and P9."
    assert labels.as_pair(reason, "paper-0", "paper-1") == said


def routed(**needs):
    [_, user] = builtin_prompts().get("route_ideas").render(needs).messages
    return user.content


def test_a_single_idea_is_routed_by_a_request_that_speaks_of_one_idea():
    group = IdeaGroup(name="g", memory="m", paper_ids=("paper-9",))
    text = routed(groups=[group], ideas=list(IdeaLabels([idea(0)]).entries))
    assert "One new idea:" in text
    assert "(1 idea)" in text
    assert "have in common" not in text
    assert "\nMisplaced: leave the list empty." in text


def test_the_parts_of_a_routing_request_begin_on_lines_of_their_own():
    text = routed(groups=[], ideas=list(IdeaLabels([idea(0), idea(1)]).entries))
    for part in ("Reason", "Group", "Name", "Memory", "Misplaced"):
        assert f"\n{part}: " in text


def test_labels_are_found_however_they_are_wrapped():
    labels = IdeaLabels([idea(0), idea(1)])
    assert labels.paper_ids(["[P1]", "idea P2", "P3", "none"]) == ("paper-0", "paper-1")
