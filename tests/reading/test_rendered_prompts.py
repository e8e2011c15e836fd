"""What the prompts of reading say, to the letter and in meaning: no word that turns a question round may slip in."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from tests.reading.rendered_prompts import ASPECT, CITED_CHAIN, FOLDER, TOPIC, VARIANTS, rendered, transitions

from novum.core import Paper
from novum.reading import Bibliography

RELEVANCE = [name for name in VARIANTS if name.startswith("relevance")]
ALONG_A_LINE = [name for name in RELEVANCE if "ward" in name]


def asked(name):
    """What the user's message says."""
    return rendered(name).split("[user]\n")[1]


def own_words(text):
    """A text without what is quoted in it."""
    return re.sub(r"<<.*?>>", " ", text, flags=re.DOTALL)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_prompt_is_as_it_was_read_and_accepted(name):
    """After a change: `python -m tests.reading.rendered_prompts`, then read the difference."""
    assert rendered(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_nothing_is_stored_that_is_not_compared():
    assert {file.stem for file in FOLDER.iterdir()} == set(VARIANTS)


@pytest.mark.parametrize("name", [each for each in VARIANTS if not each.startswith("small")])
def test_every_question_names_the_topic_and_those_of_a_perspective_its_question(name):
    assert asked(name).splitlines()[0].endswith(f"<<{TOPIC.text}>>")
    assert (ASPECT in asked(name)) == ("aspect" in VARIANTS[name][1])


@pytest.mark.parametrize("name", RELEVANCE)
def test_the_grades_go_from_the_best_to_the_useless(name):
    grades = dict(re.findall(r"^- (\d): (.*)$", asked(name), re.MULTILINE))
    assert list(grades) == ["3", "2", "1", "0"]
    assert re.search("very problem|something specific", grades["3"])
    assert re.search("belongs to such a line|same problem", grades["2"])
    assert "only related" in grades["1"]
    assert "of no use" in grades["0"]


@pytest.mark.parametrize("name", ALONG_A_LINE)
def test_the_paper_of_the_chain_is_the_earlier_work_going_forward_and_the_later_one_going_back(name):
    text = asked(name)
    forward = "forward" in name
    way, here, there, beside = (
        ("forward", "earlier", "later", "Paper Early") if forward else ("back", "later", "earlier", "Paper Last")
    )
    assert re.search(rf"traced {way}\. .*, the {here} work:\n<<\n{beside} ", text)
    assert re.search(rf"Each of the papers below is an? {there} work\b", text)
    assert "for the topic?" in own_words(text)
    assert ("does this later work build on the earlier work" in text) == (name == "relevance_forward_cited")
    assert ("does the later work build on this earlier work" in text) == (name == "relevance_backward_cited")


def test_only_papers_linked_by_a_citation_are_said_to_cite():
    cited = {"relevance_forward_cited", "relevance_backward_cited"}
    assert {name for name in ALONG_A_LINE if "A citation alone" in asked(name)} == cited
    assert {name for name in ALONG_A_LINE if re.search("No citation links|known to cite", asked(name))} == (
        set(ALONG_A_LINE) - cited
    )


def test_no_two_questions_about_relevance_are_the_same():
    assert all(asked(one) != asked(other) for one, other in combinations(RELEVANCE, 2))


def test_all_candidates_of_a_full_question_can_be_read_to_the_end():
    papers = [
        Paper(title=f"{number:02} {'long title ' * 18}", year=2000, authors=("Ada Smith",), abstract="word " * 400)
        for number in range(12)
    ]
    for name, count in (("relevance_forward_cited", 12), ("choose_anchor", 5)):
        prompt, values = VARIANTS[name]
        VARIANTS["full"] = (prompt, values | {"candidates": Bibliography(papers[:count]).entries})
        listed = re.findall(r"^P\d+\. Smith 2000: (\d\d) .*\n(.*)$", rendered("full"), re.MULTILINE)
        del VARIANTS["full"]
        assert [number for number, _ in listed] == [f"{number:02}" for number in range(count)]
        assert len(listed[-1][1]) > 500, "of the last one, too"


def test_a_choice_among_anchors_asks_for_the_best_and_the_second_best_with_the_reason_first():
    text = own_words(asked("choose_anchor"))
    assert text.index("most directly") < text.index("of its own") < text.index("in the middle of a development")
    assert text.index("Give the reason first") < text.index("the best paper") < text.index("the second best")


@pytest.mark.parametrize(("name", "count"), [("perspectives", 3), ("perspectives_two", 2), ("perspectives_one", 1)])
def test_the_first_perspective_is_the_whole_topic_and_the_others_are_aspects(name, count):
    text = asked(name)
    assert f"Give {count} perspective" in text
    assert "the topic as a whole" in text
    assert ("a different aspect" in text) == (count > 1)
    assert "question mark" in text
    assert "3 to 10 words" in text


def test_a_reading_covers_everything_that_later_steps_use():
    parts = re.findall(r"^- ([A-Z][a-z ]+): (.*)$", asked("read_paper"), re.MULTILINE)
    assert [name for name, _ in parts] == [
        "Background", "Novelty", "Contribution", "Rationale", "Limitation", "Experiment", "For the topic", "Entities",
        "References",
    ]  # fmt: skip
    said = dict(parts)
    assert "compared with" in said["Novelty"]
    assert all(word in said["Experiment"] for word in ("data", "settings", "baselines", "measures", "outcome"))
    assert "not in the paper" in said["For the topic"]
    assert all(word in said["References"] for word in ("method", "same task", "baselines", "newer one first"))
    assert "Do not name this paper itself" in said["References"]
    assert "Leave the list empty" in asked("read_paper_without_references")


def test_trends_ask_for_each_step_what_was_taken_over_changed_and_lost_and_where_the_line_breaks():
    text = own_words(asked("trends"))
    assert "(P1 to P2, then P2 to P3, and so on: 3 in all)" in text
    order = ["took over from the earlier one", "does differently", "which difficulty", "what got lost for the topic"]
    assert [text.index(each) for each in order] == sorted(text.index(each) for each in order)
    assert "where the line breaks" in text
    assert "from early to late" in text


def test_steps_without_a_citation_are_named_as_such_and_only_they():
    cited, uncited = asked("trends"), asked("trends_uncited")
    assert re.findall(r"^Link: (.*)$", cited, re.MULTILINE) == [f"it cites [P{number}]." for number in (1, 2, 3)]
    assert re.findall(r"^Link: (.*)$", uncited, re.MULTILINE) == [
        "it cites [P1].",
        "no citation between it and [P2] is known; other papers cite the two together.",
        "no citation between it and [P3] is known; the two are similar in content.",
    ]
    assert "Not every step of this line is a citation" not in cited
    assert "Where no citation is known, do not write that the later paper builds on" in own_words(uncited)


def test_a_chain_stored_by_an_earlier_version_says_nothing_about_its_links():
    links = [link.model_copy(update={"linked_by": ""}) for link in CITED_CHAIN.links]
    stored = CITED_CHAIN.but(links=tuple(links))
    assert {paper["linked_by"] for paper in transitions(stored)["papers"]} == {""}
