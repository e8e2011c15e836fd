"""The novelty check of a method, over real HTTP: further searches, recalled works, and drafts that it sends back."""

from __future__ import annotations

import pytest
from tests.methods.conftest import LINE
from tests.methods.test_chain_of_ideas import answering

from novum.core import Candidate, Idea, NoveltyCheck, Paper, shorten
from novum.literature import Entry, Library
from novum.methods.prior_work import finding_text, is_known

MORE = [(f"more{n}", f"Widgets and gadgets, part {n}", 2010, [], 1, "widgets gadgets learning") for n in range(20)]
PAPERS = [*LINE, *MORE]
"""So many that a comparison with twelve of them leaves out the one on soup."""
SOUP = "Cooking soup at altitude"


def on_widgets(answer, asked):
    queries = {"prior_work_queries": ["widgets and gadgets"]}
    return answer | {"title": "Widgets that plan", "summary": "widgets gadgets learning", "other_works": []} | queries


def checks(server):
    return [asked.text for asked in server.asked if asked.form == "Likeness"]


def sure(answer, asked):
    """An answer to the check that needs nothing more."""
    more = {"near_enough": True, "further_query": "", "recalled": [], "relevant": ["P1"]}
    return answer | {"known": "no", "closest": "P1"} | more


def likeness(*changes):
    """The answers to the first check, the second, and so on; the last one for all later ones."""
    left = list(changes)

    def answer(usual, asked):
        change = left.pop(0) if len(left) > 1 else left[0]
        return sure(usual, asked) | change if isinstance(change, dict) else change

    return answer


@pytest.fixture
def check(generate, serve):
    """Runs one branch with one draft; its best candidate and the texts of its checks."""

    def run(*changes, **options):
        server = serve(answering(Proposal=on_widgets, Likeness=likeness(*changes)))
        usual = {"papers": PAPERS, "branches": 1, "drafts": 1, "experiment": False}
        return generate(server, **usual | options), checks(server)

    return run


FAR = {"near_enough": False, "further_query": "soup cooking altitude", "closest": "none", "relevant": []}


def test_far_evidence_brings_one_more_search_and_one_more_question(check):
    ideation, (first, second) = check(FAR, {"comparison": "P1 cooks.", "difference": "It does not cook."})
    assert SOUP not in first
    assert SOUP in second
    assert "no further search will be made" in second
    (novelty,) = ideation.best.checks
    assert (novelty.distance, novelty.further_query) == ("near", "soup cooking altitude")
    titles = {paper.id: paper.title for paper in ideation.papers}
    compared = [titles[prior.paper_id] for prior in novelty.nearest]
    assert SOUP in compared
    assert len(compared) == len(set(compared)) > 12


def test_only_what_bears_on_the_idea_is_shown_again(check):
    _, (first, second) = check(FAR | {"relevant": ["P3", "P2"]}, {})
    shown = [line.partition(". ")[2] for line in first.splitlines() if line.startswith(("P2. ", "P3. "))]
    again = [line for line in second.splitlines() if line.startswith("P") and line[1].isdigit()]
    assert [line.partition(". ")[2] for line in again[:2]] == [shown[1], shown[0]]
    assert len(again) <= 2 + 4


def test_there_is_no_third_question(check):
    _, texts = check(FAR)
    assert len(texts) == 2


def test_near_evidence_needs_no_further_search(check):
    _, texts = check({"further_query": "soup cooking altitude"})
    assert len(texts) == 1


def test_a_recalled_work_that_the_library_has_is_compared_and_not_called_unverified(check):
    ideation, (first, second) = check({"recalled": ["cooking soup, at altitude", "A work nobody knows of"]}, {})
    assert SOUP not in first
    assert SOUP in second
    assert ideation.best.checks[0].recalled == ("A work nobody knows of",)


def test_a_recalled_work_that_only_the_second_answer_names_is_added_to_the_evidence(check):
    ideation, texts = check(FAR | {"further_query": "self-checking"}, {"recalled": [SOUP]})
    assert len(texts) == 2
    (novelty,) = ideation.best.checks
    titles = {paper.id: paper.title for paper in ideation.papers}
    assert titles[novelty.nearest[-1].paper_id] == SOUP
    assert novelty.recalled == ()


def test_an_idea_that_a_paper_contains_needs_no_further_search(check):
    ideation, texts = check(FAR | {"known": "yes", "closest": "P1", "recalled": [SOUP]}, rounds=1)
    assert len(texts) == 1
    assert is_known(ideation.best)


def test_a_second_question_without_an_answer_leaves_the_first_verdict(check):
    ideation, texts = check(FAR, "I cannot say.")
    assert len(texts) > 1
    assert ideation.best.checks[0].novel is True
    assert ideation.best.checks[0].distance == "far"


def test_what_must_not_be_known_is_neither_compared_nor_named(check):
    ideation, texts = check(FAR | {"recalled": [SOUP]}, {}, before="2018-06-01")
    assert all(SOUP not in text for text in texts)
    assert ideation.best.checks[0].recalled == ()


# Partly anticipated


def drafts(server):
    return [asked.text for asked in server.asked if asked.form == "Proposal"]


def numbered(answer, asked):
    """Proposals with different titles: `Draft 1`, `Draft 2` of the first ones, `Draft 3` after a check, and so on."""
    earlier = asked.text.count("Draft: Draft")
    number = earlier + 2 if earlier else 1 + ("Other writers" in asked.text)
    return on_widgets(answer, asked) | {"title": f"Draft {number}", "mechanism": f"Mechanism {number}."}


@pytest.mark.parametrize("second", ["partly", "no"])
def test_a_partly_anticipated_idea_is_written_once_more_to_state_its_difference(generate, serve, second):
    told = {"known": "partly", "closest": "P1", "comparison": "P1 has half.", "difference": "The other half is new."}
    server = serve(answering(Proposal=numbered, Likeness=likeness(told, told | {"known": second})))
    candidate = generate(server, branches=1, drafts=1, experiment=False).best
    first, again = drafts(server)
    assert "The other half is new." not in first
    assert "Anticipated in part by" in again
    assert "The other half is new." in again
    assert [check.known for check in candidate.checks] == ["partly", second]
    assert candidate.idea.title == "Draft 3"
    assert [idea.title for idea in candidate.earlier_drafts] == ["Draft 1"]


def test_a_new_draft_that_a_paper_contains_loses_to_the_partly_anticipated_one(generate, serve):
    partly, yes = {"known": "partly", "closest": "P1"}, {"known": "yes", "closest": "P1"}
    server = serve(answering(Proposal=numbered, Likeness=likeness(partly, yes)))
    candidate = generate(server, branches=1, drafts=1, rounds=2, experiment=False).best
    assert candidate.idea.title == "Draft 1"
    assert [idea.title for idea in candidate.earlier_drafts] == ["Draft 3"]
    assert candidate.final_check.known == "partly"
    assert candidate.final_check.verdict.startswith("partly anticipated by “")
    assert not is_known(candidate)


def test_one_round_is_one_draft_however_partly_it_is_anticipated(generate, serve):
    server = serve(answering(Proposal=numbered, Likeness=likeness({"known": "partly", "closest": "P1"})))
    generate(server, branches=1, drafts=1, rounds=1, experiment=False)
    assert len(drafts(server)) == 1


# Two drafts


def preferring(title):
    """A judge of all criteria that prefers the idea of this title, wherever it stands; None: neither."""

    def compare(answer, asked):
        first = min(("Draft 1", "Draft 2"), key=asked.text.index)
        better = "tie" if title is None else ("A" if first == title else "B")
        return {name: {"reason": "it does", "better": better} for name in answer}

    return compare


@pytest.mark.parametrize(("preferred", "taken"), [("Draft 1", "Draft 1"), ("Draft 2", "Draft 2"), (None, "Draft 1")])
def test_of_two_drafts_the_better_one_is_checked_and_the_other_is_kept(generate, serve, preferred, taken):
    server = serve(answering(Proposal=numbered, Comparison=preferring(preferred), Likeness=sure))
    candidate = generate(server, branches=1, experiment=False).best
    assert candidate.idea.title == taken
    assert [idea.title for idea in candidate.earlier_drafts] == [{"Draft 1", "Draft 2"}.difference({taken}).pop()]
    assert server.forms().count("Comparison") == 2
    assert len(checks(server)) == 1
    assert f"Title: {taken}" in checks(server)[0]


def test_the_second_writer_is_told_which_mechanism_the_first_one_took(generate, serve):
    server = serve(answering(Proposal=numbered, Likeness=sure))
    generate(server, branches=1, experiment=False)
    first, second = drafts(server)
    assert "another central mechanism" not in first
    assert "Central mechanism: Mechanism 1." in second
    assert "must rest on another central mechanism" in second


def test_equal_drafts_are_one_and_nobody_compares_them(generate, serve):
    def same(answer, asked):
        return {name: "The same." if isinstance(text, str) else ["the same"] for name, text in answer.items()}

    server = serve(answering(Proposal=same, Likeness=sure))
    candidate = generate(server, branches=1, experiment=False).best
    assert len(drafts(server)) == 2
    assert candidate.earlier_drafts == ()
    assert "Comparison" not in server.forms()


def test_a_first_draft_that_cannot_be_used_leaves_the_second(generate, serve):
    def writer(answer, asked):
        return numbered(answer, asked) if asked.number > spoilt[0] else "No."

    spoilt = [0]

    def first_is_spoilt(answer, asked):
        if not spoilt[0]:
            spoilt[0] = asked.number + 2  # the request and two repairs
        return writer(answer, asked)

    server = serve(answering(Proposal=first_is_spoilt, Likeness=sure))
    candidate = generate(server, branches=1, experiment=False).best
    assert candidate.idea.title == "Draft 1"
    assert candidate.earlier_drafts == ()


# The finding as a text


PAPER = Paper(title="Widgets, known since long", year=2001, authors=("Ada Smith",), abstract="Widgets are made.")
IDEA = Idea(topic="t", title="Widgets", motivation="m", novelty="n", method="x", summary="s")


def test_the_finding_tells_the_verdict_the_closest_paper_and_the_difference(tmp_path):
    with Library.open(tmp_path) as library:
        library.add([Entry(paper=PAPER)])
        (stored,) = library.papers()
        found = {"closest_id": stored.id, "closest_title": stored.title, "known": "partly"}
        novelty = NoveltyCheck(
            idea_id=IDEA.id, round=1, novel=True, reason="Both make.", difference="It plans.", **found
        )
        text = finding_text(Candidate(idea=IDEA, checks=(novelty,)), library)
        unchecked = finding_text(Candidate(idea=IDEA), library)
    assert text.splitlines() == [
        "Result: partly anticipated by “Widgets, known since long”",
        "Closest paper: Smith 2001: Widgets, known since long. Widgets are made.",
        "What they share: Both make.",
        "What the idea adds: It plans.",
    ]
    assert unchecked == ""


def test_the_designer_of_the_experiment_sees_the_finding(generate, serve):
    told = {"known": "partly", "closest": "P1", "difference": "Only this one plans."}
    server = serve(answering(Proposal=on_widgets, Likeness=likeness(told)))
    ideation = generate(server, branches=1, drafts=1, rounds=1, refinements=0)
    (design,) = [asked.text for asked in server.asked if asked.form == "Design"]
    assert f"partly anticipated by “{ideation.best.checks[0].closest_title}”" in design
    assert "What the idea adds: Only this one plans." in design
    assert "its method is a baseline" in design


def test_the_abstract_of_the_closest_paper_is_shown_up_to_three_hundred_characters(tmp_path):
    with Library.open(tmp_path) as library:
        library.add([Entry(paper=PAPER.model_copy(update={"abstract": "Abcdefghi " * 60}))])
        (stored,) = library.papers()
        check = NoveltyCheck(idea_id=IDEA.id, round=1, novel=True, closest_id=stored.id, closest_title=stored.title)
        text = finding_text(Candidate(idea=IDEA, checks=(check,)), library)
    shown = text.partition("known since long. ")[2].splitlines()[0]
    assert shown == shorten("Abcdefghi " * 60, 300)
