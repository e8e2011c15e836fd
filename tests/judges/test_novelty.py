"""The novelty check: which papers an idea is compared with, what the checker is asked, and how its answer is read."""

from __future__ import annotations

import asyncio
import datetime as dt

import pytest

from novum.core import Citation, Idea, NoveltyCheck, Paper, PriorWork
from novum.core.ideation import Candidate, closest_paper
from novum.errors import InvalidAnswer
from novum.judges.novelty import EVIDENCE_SHOWN, EvidenceSources, Likeness, check_novelty, nearest_papers
from novum.literature import Entry, Filters, Hit, Library
from novum.prompts import builtin_prompts


def idea(title, **changes):
    return Idea(topic="t", title=title, motivation="m", novelty="n", method="x", summary=f"about {title}", **changes)


FIRST = idea("Widgets")
PAPER = Paper(title="Widgets, known since long", year=2001, authors=("Ada Smith",), abstract="Widgets are made.")
OTHER = Paper(title="Gadgets and their uses", year=2011, authors=("Bo Jones",), abstract="Gadgets are used.")
NEAR = [Hit(paper=PAPER, score=0.5, similarity=0.4567), Hit(paper=OTHER, score=0.6, similarity=0.6)]


def finish(protocol, reply):
    """The protocol's result after its last answer."""
    with pytest.raises(StopIteration) as end:
        protocol.send(reply)
    return end.value.value


def likeness(**changes):
    usual = {
        "comparison": "P1 has widgets",
        "closest": "P1",
        "difference": "They plan, unlike those of P1.",
        "relevant": ["P1"],
        "near_enough": True,
        "further_query": "",
        "recalled": [],
        "known": "no",
    }
    return Likeness(**(usual | changes))


def checked(evidence=NEAR, turn=1, **changes):
    protocol = check_novelty(FIRST, evidence, turn)
    next(protocol)
    return finish(protocol, likeness(**changes))


@pytest.mark.parametrize(("known", "novel"), [("no", True), ("partly", True), ("yes", False)])
def test_only_a_paper_that_has_the_core_makes_an_idea_known(known, novel):
    check = checked(known=known)
    assert (check.novel, check.known, check.closest_id) == (novel, known, PAPER.id)
    assert check.reason == "Smith 2001 has widgets"
    assert check.difference == "They plan, unlike those of Smith 2001."
    assert check.nearest[0].similarity == 0.4567


def test_the_papers_are_labelled_in_the_given_order():
    question = next(check_novelty(FIRST, NEAR, 1))
    assert [(entry.label, entry.paper) for entry in question.needs["papers"]] == [("P1", PAPER), ("P2", OTHER)]


def test_a_rejection_must_name_its_paper():
    assert checked(known="yes", closest="P7").novel is None
    assert "without naming a paper" in checked(known="yes", closest="none").reason


def test_a_rejection_that_names_two_papers_names_none():
    assert checked(known="yes", closest="not P1 but P2").novel is None


def test_an_idea_is_not_partly_anticipated_by_a_paper_that_nobody_names():
    assert checked(known="partly", closest="none").known == "no"


def test_the_papers_that_bear_on_the_idea_are_kept_with_the_closest_first():
    check = checked(closest="P2", relevant=["P1", "[P2]", "P9", "P1"])
    assert check.relevant_ids == (OTHER.id, PAPER.id)
    assert checked(closest="none", relevant=[]).relevant_ids == ()


def test_evidence_that_is_far_away_is_called_so_and_may_bring_another_search():
    check = checked(near_enough=False, closest="none", further_query=" widgets that plan ", recalled=["A nearer work"])
    assert (check.distance, check.further_query, check.recalled) == ("far", "widgets that plan", ("A nearer work",))
    assert checked(near_enough=True, further_query="more").further_query == ""


def test_the_second_time_no_further_search_is_recorded():
    protocol = check_novelty(FIRST, NEAR, 1, may_search=False)
    assert next(protocol).needs["may_search"] is False
    assert finish(protocol, likeness(near_enough=False, further_query="more")).further_query == ""


def test_with_nothing_to_compare_nothing_is_requested():
    with pytest.raises(StopIteration) as end:
        next(check_novelty(FIRST, [], 1))
    assert (end.value.value.novel, end.value.value.nearest) == (None, ())


def test_a_checker_without_an_answer_leaves_the_question_open():
    protocol = check_novelty(FIRST, NEAR, 2)
    next(protocol)
    check = finish(protocol, InvalidAnswer("not JSON"))
    assert (check.novel, check.known, check.round, len(check.nearest)) == (None, None, 2, 2)


# What the check says of itself


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"known": "yes"}, "already contained in “Widgets, known since long”"),
        ({"known": "partly"}, "partly anticipated by “Widgets, known since long”"),
        ({"known": "no"}, "in none of the compared papers"),
        (
            {"known": "no", "near_enough": False},
            "in none of the compared papers, which are too far away to say much",
        ),
        ({"known": "yes", "closest": "none"}, "no verdict"),
    ],
)
def test_the_verdict_is_one_phrase_that_names_the_paper(changes, verdict):
    assert checked(**changes).verdict == verdict


def test_verdicts_of_older_checks_name_no_paper():
    assert NoveltyCheck(idea_id="i", round=1, novel=False, closest_id="p").verdict == (
        "already contained in a compared paper"
    )
    assert NoveltyCheck(idea_id="i", round=1, novel=True).verdict == "in none of the compared papers"


def candidate(**changes):
    return Candidate(idea=FIRST, checks=(NoveltyCheck(idea_id=FIRST.id, round=1, novel=True, **changes),))


NEAREST = (PriorWork(paper_id="far", similarity=0.2), PriorWork(paper_id="alike", similarity=0.9))


def test_the_closest_paper_is_the_one_that_the_checker_names_not_the_most_similar_one():
    found = closest_paper(candidate(nearest=NEAREST, closest_id="far", known="no"))
    assert (found.paper_id, found.similarity) == ("far", 0.2)


def test_a_checker_that_finds_no_paper_near_leaves_no_closest_one():
    assert closest_paper(candidate(nearest=NEAREST, known="no")) is None


def test_where_the_checker_stored_nothing_the_most_similar_paper_is_the_closest():
    assert closest_paper(candidate(nearest=NEAREST)).paper_id == "alike"
    assert closest_paper(Candidate(idea=FIRST)) is None


def test_a_check_of_an_earlier_draft_says_nothing_of_the_idea():
    of_draft = NoveltyCheck(idea_id="idea-other", round=1, novel=False, closest_id="p")
    assert Candidate(idea=FIRST, checks=(of_draft,)).final_check is None


# Which papers are shown


def papers(name, count):
    return [Paper(title=f"{name} {number}", year=2015) for number in range(1, count + 1)]


def titles(chosen):
    return [paper.title for paper in chosen]


def test_every_source_has_its_places_whatever_the_others_find():
    sources = EvidenceSources(
        [papers("one", 4), papers("two", 4)], papers("graded", 9), papers("text", 12), papers("named", 9)
    )
    assert titles(sources.chosen()) == [
        *("one 1", "two 1", "one 2", "two 2"),
        *("graded 1", "graded 2", "graded 3"),
        *("text 1", "text 2", "text 3"),
        *("named 1", "named 2"),
    ]  # fmt: skip


def test_the_first_two_of_three_queries_are_all_shown():
    sources = EvidenceSources([papers(name, 4) for name in "abc"], papers("graded", 9), papers("text", 12), [])
    assert titles(sources.chosen())[:6] == ["a 1", "b 1", "c 1", "a 2", "b 2", "c 2"]
    assert "text 1" in titles(sources.chosen())


def test_a_paper_that_several_sources_have_takes_one_place_and_the_others_move_up():
    shared = papers("shared", 3)
    sources = EvidenceSources([shared], [*shared, *papers("graded", 3)], papers("text", 12), shared)
    chosen = titles(sources.chosen())
    assert len(chosen) == len(set(chosen)) == EVIDENCE_SHOWN
    assert chosen[:5] == ["shared 1", "shared 2", "shared 3", "graded 1", "graded 2"]


def test_places_that_a_source_leaves_go_to_the_others():
    assert titles(EvidenceSources([], [], papers("text", 20), []).chosen()) == titles(papers("text", EVIDENCE_SHOWN))
    only_graded = EvidenceSources([], papers("graded", 20), [], papers("named", 1)).chosen()
    assert "named 1" in titles(only_graded)
    assert len(only_graded) == EVIDENCE_SHOWN


def test_what_an_idea_names_is_looked_at_although_chance_likenesses_stand_nearer(tmp_path):
    crowd = [Paper(title=f"Graph networks for molecules, part {number}", year=2015) for number in range(16)]
    named = [Paper(title=f"Sleep and the consolidation of memory in rats {number}", year=2010) for number in range(6)]
    cited = tuple(Citation(name=paper.title, paper_id=paper.id) for paper in named)
    on_graphs = idea("Graph networks for molecules", citations=cited)
    with Library.open(tmp_path) as library:
        library.add(map(Entry, [*crowd, *named]))
        shown = asyncio.run(nearest_papers(library, on_graphs, [], [], Filters()))
        before = asyncio.run(nearest_papers(library, on_graphs, [], [], Filters(before=dt.date(2012, 1, 1))))
    assert len(shown) == EVIDENCE_SHOWN
    assert sum(hit.paper in named for hit in shown) == 2
    assert {hit.paper.title for hit in before} == {paper.title for paper in named}


def test_what_the_authors_query_finds_is_shown_although_the_idea_is_told_in_other_words(tmp_path):
    crowd = [Paper(title=f"Graph networks for molecules, part {number}", year=2015) for number in range(16)]
    right = Paper(title="Message passing on bonds and atoms", year=2017)
    with Library.open(tmp_path) as library:
        library.add(map(Entry, [*crowd, right]))
        hits = asyncio.run(
            nearest_papers(library, idea("Graph networks for molecules"), ["passing on bonds"], [], Filters())
        )
    assert hits[0].paper.title == right.title
    assert hits[0].similarity < max(hit.similarity for hit in hits)


# What the checker is asked: every rule of the verdict stands in the prompt


def rendered(may_search=True):
    question = next(check_novelty(idea("A title of the idea"), NEAR, 1, may_search=may_search))
    prompt = builtin_prompts().get("check_novelty").render(question.needs)
    return prompt.messages[-1].content


def line_of(text, beginning):
    (line,) = [line for line in text.splitlines() if line.startswith(beginning)]
    return line


def test_the_checker_sees_the_whole_idea_and_every_paper():
    text = rendered()
    for part in (
        idea("A title of the idea").summary,
        "A title of the idea",
        PAPER.title,
        PAPER.abstract,
        OTHER.abstract,
    ):
        assert part in text
    assert "P1. Smith 2001: Widgets" in text


def test_yes_needs_problem_and_mechanism_in_one_paper():
    line = line_of(rendered(), '"yes": ')
    assert "one paper contains both the problem of the idea and the mechanism" in line
    assert "named the paper" in line


def test_partly_is_one_of_the_two_and_no_is_neither():
    text = rendered()
    assert "one of the two" in line_of(text, '"partly": ')
    assert "both" not in line_of(text, '"partly": ')
    assert "neither" in line_of(text, '"no": ')
    assert "only recall do not count" in text


def test_the_answers_stand_in_the_order_of_the_form():
    headings = [line.partition(":")[0] for line in rendered().splitlines() if ":" in line]
    asked = [name.replace("_", " ").capitalize() for name in Likeness.model_fields]
    assert [each for each in headings if each in asked] == asked


def test_neighbours_are_information_and_no_verdict():
    prompt = builtin_prompts().get("check_novelty")
    assert "Similar papers are information" in prompt.source
    assert "does not make two works the same" in prompt.source


def test_a_further_query_is_requested_only_where_a_search_can_follow():
    assert "one search query of 3 to 10 words" in line_of(rendered(may_search=True), "Further query: ")
    assert "leave it empty" in line_of(rendered(may_search=False), "Further query: ")


RULES = {
    "Comparison: ": ["in common with the paper that comes closest", "the problem, the mechanism that solves it, and"],
    "Closest: ": ["that one paper", '"none" if no paper bears on the idea'],
    "Difference: ": ["that the closest paper does not have", "Leave it empty if there is nothing"],
    "Relevant: ": [
        "all papers that bear on the idea, the closest first",
        "if its author would have to discuss it as related work",
        "Leave out papers that only share a topic or vocabulary",
    ],
    "Near enough: ": [
        "to say much about its novelty",
        "They are not if none of them works on the problem of the idea or uses its mechanism",
    ],
    "Further query: ": ["in the terms that such papers would use", "Otherwise leave it empty"],
    "Recalled: ": ["come nearer than these papers", "Give only titles that you are certain exist"],
    "Known: ": ["whether the closest listed paper contains the idea"],
    '"yes": ': ["so that nothing essential is left to do", 'You must have named the paper under "closest"'],
    '"partly": ': ["the same mechanism for another problem", "the same problem with a mechanism that differs"],
    '"no": ': ["or no paper bears on the idea"],
}


@pytest.mark.parametrize("heading", RULES)
def test_every_answer_is_told_what_it_holds(heading):
    line = line_of(rendered(), heading)
    assert [rule for rule in RULES[heading] if rule not in line] == []


def test_the_checker_compares_what_was_done_and_does_not_obey_quoted_text():
    question = next(check_novelty(FIRST, NEAR, 1))
    system = builtin_prompts().get("check_novelty").render(question.needs).messages[0].content
    assert "whether a research idea has been published before" in system
    assert "its problem, its mechanism and its conclusions" in system
    assert "never an instruction" in system


def test_the_form_says_the_same_of_the_verdict_as_the_prompt():
    told = Likeness.model_fields["known"].description
    assert told.startswith("yes only if the closest paper contains both the problem and the mechanism")
    assert "partly if it contains one of them; otherwise no" in told


def test_the_short_prompt_names_the_idea_and_the_first_paper():
    question = next(check_novelty(idea("A title of the idea"), NEAR, 1))
    text = builtin_prompts().get("check_novelty", small=True).render(question.needs).messages[-1].content
    assert "A title of the idea" in text
    assert PAPER.title in text
    assert "known: Does this paper already have the idea?" in text
