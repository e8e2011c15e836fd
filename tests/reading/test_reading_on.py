"""Reading on in papers held in full, and when an exploration has enough."""

from __future__ import annotations

import re

import pytest
from tests.reading.conftest import (
    PAPER,
    QUESTION,
    answering,
    few,
    finding,
    kites_count,
    searching,
)

from novum.core import Paper, Snippet
from novum.literature import Entry
from novum.reading.exploration import ExplorationSession, ask, explore, split_paper
from novum.reading.exploration.criteria import criterion_state
from novum.reading.exploration.further_reading import available_sections, next_passages, promise
from novum.reading.exploration.passage_index import NearPassage
from novum.reading.exploration.selection import SelectedPassage, select_passages

METHOD = "Kites fly steadily in wind by their tails, we argue. "
OUTCOME = "The swing fell from nine degrees to two on every day. "
IN_FULL = (
    f"## Method\n\n{METHOD * 40}\n\n## 5 Results\n\n{OUTCOME * 40}\n\n## Thanks\n\n" + "We thank all who helped. " * 20
)
WHOLE = {"Kites fly by lift": IN_FULL}


def test_a_paper_that_proved_to_the_point_is_read_on_in_its_results(at_desk, serve):
    server = serve(answering(Finding=finding(kites_count), Sharper=searching([], ["soup"])))
    found = at_desk(server, lambda lab: explore(lab, "tails", few(passages=4, snippets=9)), texts=WHOLE)
    first, second = found.rounds[:2]
    assert (first.read_on, second.read_on) == (0, 1)
    (read_on,) = [each for each in (*found.evidence, *found.passed_over) if each.round == 2 and not each.query]
    assert (read_on.section, read_on.origin) == ("5 Results", "full text")
    assert sum(not each.query for each in (*found.evidence, *found.passed_over)) == sum(
        each.read_on for each in found.rounds
    )


def test_the_reader_is_told_what_is_at_hand_and_chooses_where_to_read_on(at_desk, serve):
    def thanks(answer, asked):
        at_hand = re.search(r"(S\d+): Thanks", asked.text)
        labels = [at_hand[1], "S99"] if at_hand else []
        return answer | {"missing": "who helped", "read_on": labels, "queries": []}

    server = serve(answering(Finding=finding(kites_count), Sharper=thanks))
    found = at_desk(server, lambda lab: explore(lab, "tails", few(passages=4, rounds=2)), texts=WHOLE)
    assert [each.section for each in (*found.evidence, *found.passed_over) if each.round == 2] == ["Thanks"]
    told = [asked.text for asked in server.asked if asked.form == "Sharper"][1]
    assert told.index("5 Results") < told.index(": Thanks")


def test_sections_on_outcomes_that_were_not_read_are_named(at_desk, serve):
    server = serve(answering(Finding=finding(kites_count)))
    options = few(snippets=1, coverage=1, passages=1)
    found = at_desk(server, lambda lab: ask(ExplorationSession(lab, options), METHOD), texts=WHOLE)
    assert [each.section for each in found.unread] == ["5 Results"]
    asked = next(asked.text for asked in server.asked if asked.form == "EvidenceAnswer")
    assert "Kites fly by lift: 5 Results" in asked


@pytest.mark.parametrize(
    ("heading", "promised"),
    [
        ("5 Results", 2), ("Error analysis", 2), ("LIMITATIONS", 2), ("4 Experiments", 1), ("A test framework", 0),
        ("4.1 Experimental setup", 0), ("2 Model", 0),
    ],
)  # fmt: skip
def test_a_heading_promises_outcomes_or_not(heading, promised):
    (passage,) = split_paper(PAPER, f"## {heading}\n\nIt flew.", 600, 100)
    assert promise(passage) == promised


def test_a_part_of_the_results_is_results_whatever_its_heading():
    text = "## 5 Results\n\nAll fly.\n\n### 5.1 Tails\n\nLong.\n\n### 5.2 Metrics\n\nTwo.\n\n## 6 Kites\n\nEnd."
    told = [(each.section, promise(each)) for each in split_paper(PAPER, text, 600, 100)]
    assert told == [("5 Results", 2), ("5.1 Tails", 2), ("5.2 Metrics", 0), ("6 Kites", 0)]


def test_results_come_before_what_stands_beside_a_passage_and_both_only_of_opened_papers():
    first, *others = split_paper(PAPER, IN_FULL, 600, 100)
    opened = snippet(PAPER.id, start=first.start, end=first.end)
    read = {first.key: opened}
    stranger = split_paper(Paper(title="Soup", year=2001), IN_FULL, 600, 100)
    everything = [NearPassage(passage, 0.5) for passage in (*stranger, first, *others)]
    at_hand = available_sections([near.passage for near in everything], read, {first.key})
    told = [near.passage for near in next_passages(everything, (), at_hand, read)]
    results = [passage for passage in others if passage.section == "5 Results"]
    assert told == [*results, others[0]]
    assert available_sections(everything[0:0], read, ()) == []


def test_reading_on_takes_a_third_of_a_round_at_most_and_no_paper_more_than_its_share():
    passages = split_paper(PAPER, IN_FULL, 300, 0)
    others = [split_paper(Paper(title=f"Kites {number}", year=2001), IN_FULL, 300, 0)[0] for number in range(9)]
    by_query = [[SelectedPassage(NearPassage(passage, 0.5), "kites") for passage in (*passages, *others)]]
    chosen = select_passages(
        [NearPassage(passage, 0.5) for passage in passages], by_query, set(), few(passages=9, coverage=2)
    )
    assert [each.query for each in chosen] == [""] * 3 + ["kites"] * 6
    assert sum(each.near.passage.paper == PAPER for each in chosen) == 5


# What is enough


@pytest.mark.parametrize(
    ("kind", "outcome", "rounds"), [("limitation", True, 1), ("claim", False, 1), ("claim", True, 2)]
)
def test_claims_alone_are_enough_only_when_one_more_round_brings_no_outcome(at_desk, serve, kind, outcome, rounds):
    server = serve(answering(Finding=finding(kites_count, lambda text: kind), Sharper=searching(["kites"], ["lift"])))
    options = few(passages=3, papers=9, outcome=outcome)
    found = at_desk(server, lambda lab: explore(lab, "kites in wind", options))
    assert (found.ending, len(found.rounds)) == ("enough", rounds)
    assert ("None of them tells a result or a limitation." in found.ended) is (rounds == 2)
    assert any("an outcome:" in asked.text for asked in server.asked if asked.form == "Sharper") is (rounds == 2)


def snippet(number, origin="full text", start=0, end=1000):
    return Snippet(
        paper_id=str(number), origin=origin, start=start, end=end, passage="x", summary="x", kind="result", score=8,
        similarity=0.5, query="q", round=1,
    )  # fmt: skip


def test_an_account_by_somebody_else_counts_half_where_papers_own_words_are_at_hand():
    evidence = [snippet(1), snippet(2, "summary"), snippet(3, "summary")]
    assert criterion_state(evidence, own_words=True).depth == 2
    assert criterion_state(evidence, own_words=False).depth == 3
    assert criterion_state(evidence, own_words=True).papers == 3
    assert criterion_state(evidence[1:], own_words=False).outcome
    assert not criterion_state(evidence[1:], own_words=True).outcome


def test_passages_with_more_than_a_third_in_common_count_once():
    assert criterion_state([snippet(1), snippet(1, start=600, end=1600)], own_words=True).depth == 1
    assert criterion_state([snippet(1), snippet(1, start=800, end=1800)], own_words=True).depth == 2
    assert criterion_state([snippet(1), snippet(2, start=600, end=1600)], own_words=True).depth == 2


def test_it_says_what_was_there_to_be_searched(at_desk, serve):
    server = serve(answering(Finding=finding(kites_count)))
    found = at_desk(server, lambda lab: explore(lab, QUESTION), texts=WHOLE)
    assert (found.scope.papers, found.scope.full_texts, found.scope.live) == (6, 1, False)


def test_accounts_are_named_as_such_to_whoever_writes_from_them(at_desk, serve):
    account = Entry(paper=Paper(title="Kites in snow", year=2003, summary="Somebody tells of kites in snow."))

    async def job(lab):
        lab.library.add([account])
        return await ask(ExplorationSession(lab, few(papers=9, passages=9, prospects=True)), "kites in snow")

    server = serve(answering(Finding=finding(kites_count)))
    at_desk(server, job)
    asked = {asked.form: asked.text for asked in server.asked}
    told = "A summary by somebody else; the paper itself was not read: Somebody tells of kites in snow."
    assert told in asked["EvidenceAnswer"]
    assert "Of 1 paper only a summary" in asked["Prospects"]
