"""What every prompt says, to the letter and in meaning: no word that turns a question round may slip in.

The table of meanings names what a prompt cannot do without, in the order in which it must come. The files of
`rendered/` hold every word: `python -m tests.prompts.rendered_prompts` writes them anew after a change on purpose.
"""

from __future__ import annotations

import asyncio
import re

import pytest
from tests.prompts.hostile import inside, outside
from tests.prompts.rendered_prompts import FOLDER, golden, names, rendered, values_of

from novum.core import Chain, FutureDirection, Idea, Link, NoveltyCheck, Paper, Topic
from novum.judges import experiment_pair, pair
from novum.methods.proposal import Proposal, ProposalContext, RejectedDraft, propose
from novum.prompts import builtin_prompts

BOOK = builtin_prompts()
FORM = (
    "Write these parts:",
    "Motivation: what is known, and the one problem that it leaves unsolved.",
    "Mechanism: the one central mechanism",
    "Novelty: how the idea differs from the two or three nearest earlier works.",
    "Method: four to eight numbered steps",
    "a case in which the mechanism decides wrongly",
    "It does not repeat the text of the other parts.",
    "Assumption: the one assumption on which everything else rests",
    "Check: the cheapest check that could refute this assumption before anything else is built",
    "Rival: the strongest rival that does without the mechanism.",
    "Unchecked: what you could not check",
    "Title: what is done to what, in at most 15 words",
    "Summary: the whole idea in one paragraph",
    "Other works: full titles",
    "Prior-work queries: two searches",
    "Write complete sentences with one thought in each.",
    "Introduce a special term in the sentence in which it first occurs",
    "Do not write in telegraphic style",
    "Say each thing once",
    'do not write "I" or "we"',
)
"""The parts of an idea in the common form, and how they are written."""
SKETCH = (
    "Title: what is done to what",
    "Problem: what is known, citing papers by label",
    "Approach: the one central mechanism",
    "one case in which the mechanism decides wrongly",
    "Difference: the nearest of the works above",
    "Check: the assumption on which everything rests, the cheapest check",
    "Rival: the strongest rival",
    "Summary: the idea in three sentences",
    "Query: 3 to 10 words",
    "Write complete sentences",
)
MEANS: dict[str, tuple[str, ...]] = {
    "propose_idea": (
        "Topic: topic", "The question that is asked of it here: aspect", "Terms of the field:", "entities.first.name",
        "The line of work, from early to late:", "papers.first.idea", "papers.second.idea",
        "Not every step of this line is a citation", "what was lost for the topic on the way:", "trends.first.text",
        "They stand beside the line", "accepted.first.paper.gist", "The direction in which this line seems to point:",
        "future.direction", "Reflection: future.reflection", "Analogy: future.analogy", "Deep dive: future.deep_dive",
        "Already in: sent_back.first.paper.title", "Do not return to a draft that is already known",
        "apart_from.first.mechanism", "Your proposal must rest on another central mechanism",
        "Work out the direction above or a better one",
        "The idea must answer the question above and remove a difficulty at the centre of the topic",
        "Choose one mechanism that a single concrete example explains", "Expect a large effect",
        *FORM,
    ),
    "future_direction": (
        "Topic: topic", "aspect", "entities.first.name", "papers.first.idea", "trends.first.text",
        "accepted.first.paper.title", "two findings that do not fit together", "lost for the topic",
        "the point at which the line breaks", "Reflection: describe a concrete situation in which one of the present",
        "Analogy: describe a problem of the same shape that has been solved elsewhere",
        "Deep dive: name one component of a present method that rests on a doubtful assumption",
        "Direction: state the research direction", "It must remove a difficulty at the centre of the topic",
        "answer the question above",
        "A limitation stated for one paper holds for that paper",
    ),
    "write_up": ("Topic: topic", "Papers that the notes cite:", "sections.first.text", "Write this idea up.", *FORM),
    "steer_idea": (
        "take the remark seriously and literally", "Topic: topic", "papers.first.paper.gist", "ideas.first.summary",
        "comment", "Write the idea anew so that it does what the researcher asks", *FORM,
    ),
    "plain_idea": ("Topic: topic", "two findings that do not fit together", "No papers are given", *FORM),
    "rag_idea": (
        "Topic: topic", "papers.first.paper.gist", "a limit that one of them states and no other removes",
        "two findings that do not fit together", "was lost for the topic", *FORM,
    ),
    "researcher_proposal": (
        "Topic: topic", "Problem: seed.problem", "papers.first.paper.gist", "the word Example", "the word Test", *FORM,
    ),
    "real_paper_idea": (
        "title", "text", "Motivation:", "Mechanism:", "Novelty:", "Method:", "Assumption, check, rival:", "Summary:",
        "Own names:", "Write complete sentences", "The text must be double-blind.", "figures of results",
    ),
    "evolution_seed": ("Topic: topic", "papers.first.paper.gist", "Begin with leads.first and leads.second", *SKETCH),
    "evolution_change": ("Topic: topic", "Gravest weakness:", "A change that was proposed:", *SKETCH),
    "team_proposal": ("The team's topic: topic", "said.first.text", "Propose one research idea.", *SKETCH),
    "compare_ideas": (
        "The order in which the two ideas are shown means nothing.", "Length means nothing either",
        "Topic: topic", "Idea A: a ", "Idea B: b ", "novelty: Is the problem or the approach new",
        "Is related work referenced adequately and correctly?", "significance: Is the problem important",
        "clarity: Is it clearly written and well organised?", "feasibility: Can it be carried out",
        "without an obvious error or an unreasonable part?", "effectiveness: How likely is the idea to work well",
        "Both ideas must serve the topic", "Then say which one is better: A, B, or \"tie\" if neither is.",
    ),
    "compare_experiments": (
        "Judge how well the plan tests its idea", "Topic: topic", "Plan A, and the idea that it tests: a ",
        "Plan B, and the idea that it tests: b ", "feasibility: Can the experiment be carried out",
        "free of obvious errors", "quality: Is there a reason for each step?",
        "Are baselines and measures chosen appropriately?", "support or refute what the idea claims?",
        "clarity: Is the plan clearly written", "Then say which one is better: A, B, or \"tie\" if neither is.",
    ),
    "check_novelty": ("idea", "papers.first.paper.title", '"yes"', '"partly"', '"no"'),
    "evolution_review": (
        "idea", "papers.first.paper.gist", 'Known: "yes" only if both the problem and the mechanism',
        '"partly" if one of them is, else "no"', "Strengths:", "Weaknesses: the most serious first.", "Mend:",
    ),
    "choose_winner": ("Topic: topic", "Idea A: a ", "Idea B: b ", "novelty:", "There is no tie", "the winner, A or B."),
    "mark_rubric": ("Topic: topic", "The plan: idea", "specific:", "satisfied is true only if no fault remains"),
    "researcher_grades": (
        "Topic: topic", "grades from 1 to 10", "Relevance: 10 if it works on the problem of the topic itself",
        "1 if it only shares words", "Empirical: 10 if", "1 if it only surveys", "Usefulness: 10 if", "1 if nothing",
    ),
    "judge_passage": (
        "Question: question", "Score from 1 to 10", "10: answers the question outright", "1: nothing.",
        "With 3 or less, leave summary and quote empty.", "At most 6: a claim.",
    ),
    "team_ballot": (
        "The team's topic: topic", "P1. ", "9 or 10: pursue it now.", "1 or 2: already done, wrong",
    ),
    "research_agent_review": ("Topic: topic", "draft", "Mark: 1: it fails", "5: nothing needs to be changed."),
    "graph_criticism": (
        "Topic: topic", "from 1 (worst) to 10 (best)", "Novelty: how far is it from what is known?",
        "Feasibility: can a small group carry it out",
    ),
    "scientist_idea": (
        "Topic: topic", "archive.first.title", "Marks from 1 to 10", "interestingness: would a positive",
        "feasibility: can a small group do it", "novelty: how far is it from the nearest work",
    ),
    "liveidea_judge": (
        "originality: does it open up", "feasibility: could it be carried out", "clarity: is it written so well",
        "1 to 3 is poor, 4 to 6 average, and 7 to 10 excellent", '"originality": <1 to 10>, "feasibility"',
    ),
    "liveidea_fluency": ("A. Different ideas for different problems.", "D. The same idea"),
    "referee_idea": ("Topic: topic", "idea", "Marks from 1 to 10", "2: it fails at its core.", "10: one of the few"),
    "decide_on_idea": (
        "idea", "ACCEPT if you would have somebody begin", "else REJECT",
        "10 worthless, 30 weak, 50 on the border, 70 good, 90 one in a hundred", "Above 50 if you accept",
    ),
    "extract_research_idea": (
        "paper.title", "Problem: the problem that the work addresses", "Approach: what is done",
        "Where this is a finding, state the finding in words", "No figures.", "Limitation: limits that the text states",
    ),
    "route_ideas": (
        "Group 1: groups.first.name", "groups.first.memory", "ideas.first.idea.contribution",
        "Group: the number of the group whose question they work on; 0 for a new group.", "Misplaced: labels",
    ),
    "relate_within_group": (
        "ideas.first.idea.contribution", "call the two ideas by their labels", "evolution:", "variant:", "refinement:",
    ),
    "relate_across_groups": (
        "Groups of research ideas", "call the two ideas by their labels",
        "integration:", "convergence:", "conflict:",
    ),
    "research_signals": ("ideas.first.idea.contribution", "How they are grouped and related", "labels of two ideas"),
    "next_idea_policy": (
        "Topic: topic", "context", "Title: what is done to what", "Problem:", "Idea:", "Approach:", "Novelty:",
    ),
    "next_idea_turn": ("comment", "between <idea> and </idea>, in the same five parts"),
    "comment_on_idea": (
        "never give a score", "Topic: topic", "context", "idea", "truth", "Does it serve the topic?", "Red flags:",
        "Advice:", "Sound:",
    ),
    "researcher_choice": ("Topic: topic", "Proposal A: a ", "Proposal B: b ", "which one was accepted", "no tie"),
}  # fmt: skip
"""By prompt, what it must say with all its variables filled, in this order."""
SMALL_MEANS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("propose_idea", "write_up", "plain_idea", "rag_idea", "researcher_proposal", "steer_idea"),
        ("title:", "motivation:", "novelty:", "method:", "mechanism:", "assumption:", "check:", "rival:", "summary:"),
    ),
    "check_novelty": ("closest:", "known: Does this paper already have the idea?"),
    "compare_ideas": ("Idea A: a", "Idea B: b", "novelty.reason:", "Which idea is better in novelty, A or B?"),
}


def plain_text(text: str) -> str:
    """Without marks, on one line."""
    return re.sub(r"\s+", " ", re.sub(r"</?material>", " ", text))


def assert_in_order(text: str, phrases: tuple[str, ...]) -> None:
    at = 0
    for phrase in phrases:
        found = text.find(phrase, at)
        assert found >= 0, f"{phrase!r} is missing, or comes before what it must follow"
        at = found + len(phrase)


@pytest.mark.parametrize("name", names())
def test_every_prompt_says_to_the_letter_what_it_said(name):
    """If the change is on purpose: `python -m tests.prompts.rendered_prompts`."""
    assert golden(name) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_no_file_is_left_of_a_prompt_that_is_gone():
    assert sorted(file.stem for file in FOLDER.glob("*.txt")) == names()


@pytest.mark.parametrize("name", MEANS)
def test_every_prompt_says_what_it_cannot_do_without(name):
    prompt = BOOK.get(name)
    assert_in_order(plain_text(rendered(prompt, values_of(prompt, full=True))), MEANS[name])


@pytest.mark.parametrize("name", SMALL_MEANS)
def test_every_short_form_asks_for_the_parts_that_it_cannot_do_without(name):
    prompt = BOOK.get(name, small=True)
    assert_in_order(plain_text(rendered(prompt, values_of(prompt, full=True))), SMALL_MEANS[name])


@pytest.mark.parametrize("name", ["propose_idea", "write_up", "plain_idea", "rag_idea", "researcher_proposal"])
def test_every_field_of_the_common_form_has_its_line(name):
    prompt = BOOK.get(name)
    lines = [line.split(":")[0].casefold() for line in rendered(prompt, values_of(prompt, full=True)).splitlines()]
    wanted = [field.replace("prior_work_", "prior-work_").replace("_", " ") for field in Proposal.model_fields]
    positions = [lines.index(field) for field in wanted]
    assert positions == sorted(positions), "in the order of the fields"


def test_a_draft_that_is_anticipated_in_part_asks_for_the_difference():
    prompt = BOOK.get("propose_idea")

    idea = Idea(topic="t", title="A map", motivation="", novelty="", method="", summary="A map of gadgets.")
    check = NoveltyCheck(
        idea_id=idea.id, round=1, novel=True, known="partly", reason="It draws maps.", difference="It asks no path."
    )
    draft = RejectedDraft(idea, check, Paper(title="Maps", year=2020))
    text = plain_text(rendered(prompt, values_of(prompt, full=True) | {"sent_back": [draft]}))
    assert_in_order(
        text, ("Anticipated in part by: Maps (2020)", "What the paper does not have: It asks no path.",
               "state exactly what the idea does or shows that the paper does not"),
    )  # fmt: skip
    assert "Do not return to a draft" not in text


@pytest.mark.parametrize(("module", "prompt"), [(pair, "compare_ideas"), (experiment_pair, "compare_experiments")])
def test_criteria_of_judges_stand_outside_the_marks_and_foreign_text_inside(module, prompt):
    told = BOOK.get(prompt)
    content = told.render(values_of(told, full=True)).messages[-1].content
    for name, meaning in module.CRITERIA.items():
        assert f"{name}: {meaning}" in outside(content)
    for foreign in ("topic", "a", "b"):
        assert foreign in inside(content).split()


def test_the_writer_sees_the_question_of_the_perspective_and_papers_beside_the_chain():
    first, second, beside = (Paper(title=f"Paper {n}", year=2000 + n, abstract=f"About {n}.") for n in (1, 2, 3))
    links = (
        Link(paper=first, direction="anchor", reason=""),
        Link(paper=second, direction="forward", reason="", linked_by="co-cited"),
    )
    future = FutureDirection(reflection="r1", analogy="a1", deep_dive="d1", direction="go there")
    chain = Chain(topic="t", query="the query", aspect="Where do widgets fail?", links=links, future=future)
    line = ProposalContext(Topic(text="t"), chain, accepted=(second, beside))
    asked = []

    class Models:
        async def ask(self, question):
            asked.append(question)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        asyncio.run(propose(Models(), line, (), lambda title: None, generator="g", sample=0))
    prompt = BOOK.get("propose_idea")
    text = plain_text(rendered(prompt, asked[0].needs))
    assert_in_order(
        text, ("Where do widgets fail?", "Paper 1", "Paper 2", "Not every step of this line is a citation",
               ": Paper 3", "About 3.", "go there", "r1", "a1", "d1"),
    )  # fmt: skip
    assert "the query" not in text


def test_revisions_and_choices_of_the_portfolio_prefer_what_is_central_large_and_simple():
    """Ideas that critics had made narrow and intricate lost blind comparisons."""
    seeds, compare, develop, revise = (
        " ".join((FOLDER / f"portfolio_{name}.txt").read_text("utf-8").split())
        for name in ("seeds_plain", "compare", "develop", "revise")
    )
    assert "at the centre of the topic" in seeds
    assert "why the effect should be large" in seeds
    assert "Leave out side issues" in seeds
    assert "a side issue counts against an idea" in compare
    assert "All four count the same." in compare
    assert "Add a part only if the mechanism cannot work without it." in develop
    assert "has no more steps than the present one" in revise
    assert "Do not meet an objection with a further component" in revise
    assert "Do not retreat to a narrower question" in revise
