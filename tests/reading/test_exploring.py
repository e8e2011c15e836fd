"""Exploring the literature: what is cut, what is read, when it ends, what an answer may cite."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reading.conftest import (
    LIBRARY,
    QUESTION,
    answering,
    few,
    finding,
    kite,
    kites_count,
    material,
    searching,
)

from novum.core import Paper
from novum.core.sentences import sentences
from novum.errors import BadInput, SourceError
from novum.reading.exploration import ExplorationSession, ExploreOptions, ask, explore, explore_weakness, split_paper
from novum.reading.exploration.passage_index import NearPassage
from novum.reading.exploration.selection import rank_passages

# Texts become passages


TEXT = "Wind lifts kites, as Smith et al. show. " * 30
FULL = f"{TEXT}\n\n## Methods\n\n{TEXT}\n\n## Results\n\n" + "Tails damp swinging at 3.5 Hz. " * 40


def test_a_passage_says_where_it_stands():
    paper = Paper(title="Kites", year=2001)
    for passage in split_paper(paper, FULL, 600, 100):
        assert FULL[passage.start : passage.end] == passage.text
    assert list(dict.fromkeys(each.section for each in split_paper(paper, FULL, 600, 100))) == [
        "",
        "Methods",
        "Results",
    ]


def test_passages_end_with_sentences_and_share_some():
    first, second, *_ = split_paper(Paper(title="Kites", year=2001), TEXT, 600, 100)
    assert first.text.endswith("show.")
    assert second.text.startswith("Wind lifts")
    assert 0 < first.end - second.start <= 100


def test_without_a_full_text_the_abstract_is_read_and_without_that_the_summary():
    paper = Paper(title="Kites", year=2001, abstract="Kites fly.", summary="About kites.")
    assert [(each.origin, each.text) for each in split_paper(paper, None, 600, 100)] == [("abstract", "Kites fly.")]
    assert [each.origin for each in split_paper(paper.but(abstract=""), "  ", 600, 100)] == ["summary"]
    assert split_paper(Paper(title="Kites", year=2001), None, 600, 100) == []


def test_an_abstract_a_little_longer_than_a_passage_is_read_whole():
    paper = Paper(title="Kites", year=2001, abstract="Wind lifts kites. " * 60)
    assert [each.text for each in split_paper(paper, None, 600, 100)] == [paper.abstract.strip()]
    assert len(split_paper(paper, None, 300, 100)) > 1
    assert len(split_paper(paper, paper.abstract, 600, 100)) > 1, "what is a full text is cut"


@given(st.text(alphabet="ab .\n#?é", max_size=2000), st.integers(200, 400), st.integers(0, 100))
def test_every_word_is_in_some_passage_and_none_is_much_longer_than_requested(text, characters, overlap):
    passages = split_paper(Paper(title="t", year=2001), text or ".", characters, overlap)
    told = [re.sub(r"#{2,}[^\n]*", "", text)] if "##" not in text else []
    covered = {at for passage in passages for at in range(passage.start, passage.end)}
    assert all(at in covered for whole in told for at, char in enumerate(whole) if not char.isspace())
    assert all(len(passage.text) <= characters * 1.25 for passage in passages)


def test_a_text_of_one_endless_word_is_cut_all_the_same():
    passages = split_paper(Paper(title="t", year=2001), "x" * 10_000_000, 1000, 200)
    assert 190 <= len(passages) <= 260


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Wei et al. show it. It holds.", 2),
        ("It grows (see Fig. 3) by 3.5 %. E. coli does not!", 2),
        ("One\n\nTwo", 2),
        ("“It works.” He left. 它行。好", 4),
        ("", 0),
    ],
)
def test_sentences_end_where_a_reader_would_say(text, count):
    assert len(sentences(text)) == count


# The loop


def test_what_is_found_keeps_where_it_stands_and_what_found_it(at_desk, serve):
    server = serve(answering(Finding=finding(kites_count), Sharper=searching()))
    found = at_desk(server, lambda lab: explore(lab, QUESTION))
    papers = {paper.id: paper for paper in found.papers}
    assert len(found.evidence) == 5
    for snippet in found.evidence:
        text = papers[snippet.paper_id].abstract
        assert text[snippet.start : snippet.end] == snippet.passage
        assert snippet.quote in snippet.passage
        assert (snippet.origin, snippet.score, snippet.query, snippet.round) == ("abstract", 8, QUESTION, 1)
        assert -1 <= snippet.similarity <= 1
    assert [snippet.score for snippet in found.passed_over] == [2]
    assert found.ending == "enough"


def test_sections_of_full_texts_are_kept(at_desk, serve):
    server = serve(answering(Finding=finding(lambda text: 9)))
    text = f"{'Kites fly in wind. ' * 80}\n\n## Results\n\n{'Tails of kites damp swinging. ' * 60}"
    found = at_desk(server, lambda lab: explore(lab, QUESTION), texts={"Kites fly by lift": text})
    assert {"", "Results"} <= {snippet.section for snippet in found.evidence if snippet.origin == "full text"}


def test_rounds_go_on_with_sharper_queries_until_there_is_enough(at_desk, serve):
    queries = searching([], ["silk strong wind"], ["power ground stations tether"])
    server = serve(answering(Finding=finding(kites_count), Sharper=queries))
    found = at_desk(server, lambda lab: explore(lab, "kite tails", few(snippets=4, coverage=4)))
    assert found.ending == "enough"
    assert [each.queries for each in found.rounds[:2]] == [("kite tails",), ("silk strong wind",)]
    assert {snippet.round for snippet in found.evidence} == set(range(1, len(found.rounds) + 1))
    assert {snippet.query for snippet in found.evidence} == {query for each in found.rounds for query in each.queries}
    told = [asked.text for asked in server.asked if asked.form == "Sharper"][1]
    assert "kite tails" in told
    assert "It says:" in told
    assert "more passages that are evidence; evidence from other papers" in told


@pytest.mark.parametrize(
    ("queries", "options", "ending"),
    [
        ([["soup"], ["salt"], ["mountains"]], {"rounds": 2}, "rounds"),
        ([], {}, "no query"),
        ([[QUESTION.upper()]], {}, "no query"),
        ([["kites"], ["more kites"], ["other kites"]], {"papers": 10, "passages": 12, "rounds": 9}, "nothing new"),
    ],
)
def test_it_ends_and_says_by_which_criterion(at_desk, serve, queries, options, ending):
    server = serve(answering(Finding=finding(lambda text: 3), Sharper=searching(*queries)))
    found = at_desk(server, lambda lab: explore(lab, QUESTION, few(**options)))
    assert found.ending == ending
    assert "0 snippets of score 6 or more from 0 papers (wanted were 3 from 3)" in found.ended
    assert not found.evidence


def test_a_question_in_another_language_is_searched_for_in_the_words_of_the_literature(at_desk, serve):
    server = serve(answering(Finding=finding(kites_count), Sharper=searching(["kite tail steadiness"])))
    found = at_desk(server, lambda lab: explore(lab, "Warum fliegt ein Drachen ruhig?", few(rounds=1)))
    assert found.rounds[0].queries == ("Warum fliegt ein Drachen ruhig?", "kite tail steadiness")
    assert "kite tail steadiness" in {snippet.query for snippet in found.evidence}
    assert "in the language of the literature" in next(each.text for each in server.asked if each.form == "Sharper")


def test_what_a_search_found_first_is_read_early_though_its_vector_lies_elsewhere():
    papers = [Paper(title=f"Kites {number}", year=2001, abstract="Kites fly.") for number in range(9)]
    nearest = [
        NearPassage(split_paper(paper, None, 600, 100)[0], 0.9 - number / 10) for number, paper in enumerate(papers)
    ]
    named = papers[6]
    order = [near.passage.paper for near in rank_passages(nearest, [named, papers[0], papers[5]])]
    assert order[:3] == [papers[0], named, papers[5]]
    assert rank_passages(nearest, []) == nearest, "where the search found nothing, cosines decide"


def test_no_passage_is_read_twice_for_one_question(at_desk, serve):
    server = serve(answering(Finding=finding(lambda text: 2), Sharper=searching(["kites"], ["kites wind"])))
    at_desk(server, lambda lab: explore(lab, QUESTION, few(rounds=3)))
    read = [material(asked) for asked in server.asked if asked.form == "Finding"]
    assert len(read) == len(set(read)) > 2


def test_one_paper_alone_cannot_fill_a_round(at_desk, serve):
    server = serve(answering(Finding=finding(lambda text: 9)))
    long_text = "Kites fly steadily in wind. " * 900
    found = at_desk(server, lambda lab: explore(lab, QUESTION), texts={"Kites fly by lift": long_text})
    assert sum(snippet.origin == "full text" for snippet in found.evidence) == 4


def test_before_a_day_nothing_later_is_found_or_requested(at_desk, serve):
    seen = []

    async def live(query, before):
        seen.append((query, before))

    day = dt.date(2011, 1, 1)
    later = ["Kites that make power", "Steering kites by two lines", "lift of kites"]
    server = serve(
        answering(Finding=finding(lambda text: 2), Sharper=lambda answer, asked: answer | {"queries": later})
    )
    found = at_desk(server, lambda lab: explore(lab, QUESTION, few(before=day, papers=10), live=live))
    assert {paper.year for paper in found.papers} <= {2001, 2005, 2010}
    assert not any(title in query for title in later[:2] for each in found.rounds for query in each.queries)
    assert {before for _, before in seen} == {day}
    assert "make power" not in "".join(asked.text for asked in server.asked)


def test_a_reader_without_usable_answers_costs_the_passage_and_is_reported(at_desk, serve):
    server = serve(answering(Finding=lambda answer, asked: "I cannot say.", Sharper=searching()))
    found = at_desk(server, lambda lab: explore(lab, QUESTION))
    assert not found.evidence
    assert found.rounds[0].unreadable > 0
    assert "gave no usable answer" in found.notes[0]


def test_an_answer_without_a_summary_finds_nothing_in_a_passage(at_desk, serve):
    silent = {"summary": "", "quote": "", "kind": "result", "score": 10}
    server = serve(answering(Finding=lambda answer, asked: silent, Sharper=searching()))
    found = at_desk(server, lambda lab: explore(lab, QUESTION))
    assert {snippet.score for snippet in found.passed_over} == {3}


def test_similarity_alone_asks_no_model_and_says_so(at_desk, serve):
    server = serve()
    found = at_desk(server, lambda lab: explore(lab, QUESTION, few(judge="similarity", score=3)))
    assert server.forms() == []
    assert found.judge == "similarity"
    assert found.evidence
    assert all(snippet.summary in snippet.passage for snippet in found.evidence)
    assert "No model read" in found.notes[0]


def test_evidence_that_says_the_same_again_comes_later(at_desk, serve):
    twin = ("Kites fly by lift, once more", 2002, LIBRARY[0][2])
    server = serve(answering(Finding=finding(lambda text: 9)))
    found = at_desk(server, lambda lab: explore(lab, QUESTION, few(papers=9, passages=9, balance=0.3)), papers=[twin])
    titles = {paper.id: paper.title for paper in found.papers}
    order = [titles[snippet.paper_id] for snippet in found.evidence]
    assert abs(order.index(twin[0]) - order.index(LIBRARY[0][0])) > 3


# Live sources, resuming


def test_live_sources_get_every_query_in_the_words_of_the_field(at_desk, serve):
    asked = []

    def job(lab):
        async def live(query, before):
            asked.append(query)
            lab.library.add([kite(f"Fresh kites about {query}", 2020, f"Kites and {query} hold steadily in wind.")])

        return explore(lab, QUESTION, few(), live=live)

    server = serve(answering(Finding=finding(kites_count), Sharper=searching(["kite stability"])))
    found = at_desk(server, job)
    assert asked[:2] == [QUESTION, "kite stability"]
    assert any(paper.title.startswith("Fresh kites") for paper in found.papers)


def test_a_source_that_refuses_leaves_the_library_and_a_note(at_desk, serve):
    async def live(query, before):
        raise SourceError("arXiv refused: 429 three times in a row.")

    server = serve(answering(Finding=finding(kites_count)))
    found = at_desk(server, lambda lab: explore(lab, QUESTION, live=live))
    assert found.evidence
    assert any("arXiv refused" in note for note in found.notes)


def test_taken_up_again_it_finds_the_same_and_asks_nothing_twice(at_desk, serve):
    searched = []

    def job(lab):
        async def live(query, before):
            searched.append(query)
            lab.library.add([kite(f"Fresh {len(searched)} kites", 2020, f"Kites number {len(searched)} fly in wind.")])

        return explore(lab, QUESTION, few(), live=live)

    server = serve(answering(Finding=finding(kites_count), Sharper=searching(["kite stability"], ["kite wind"])))
    first = at_desk(server, job)
    answered, looked_up = server.answered, list(searched)
    again = at_desk(server, job)
    assert again == first
    assert (server.answered, searched) == (answered, looked_up)


# The doors


def test_a_weak_point_becomes_a_question_and_evidence_for_it(at_desk, serve):
    asks = {"question": "How are kites kept steady?", "queries": ["kite tail damping"]}
    server = serve(answering(Finding=finding(kites_count), WeaknessQuestion=lambda answer, asked: asks))
    found = at_desk(server, lambda lab: explore_weakness(lab, "A kite with a camera.", "It swings too much."))
    assert (found.question, found.weakness) == ("How are kites kept steady?", "It swings too much.")
    assert found.rounds[0].queries == ("How are kites kept steady?", "kite tail damping")
    assert "A kite with a camera." in server.asked[0].text


def test_without_a_usable_question_the_weak_point_itself_is_searched_for(at_desk, serve):
    server = serve(answering(WeaknessQuestion=lambda answer, asked: "No."))
    found = at_desk(server, lambda lab: explore_weakness(lab, "A kite.", "It swings in wind."))
    assert found.question == "It swings in wind."


def test_problems_and_concepts_rest_on_evidence_or_are_left_out(at_desk, serve):
    told = {
        "problems": [
            {"text": "Nobody says so.", "basis": "stated", "evidence": "E1", "quote": "Kites are quite unsolved."},
            {"text": "Tails break.", "basis": "measured", "evidence": "E99", "quote": "wind above 12 m/s breaks tails"},
            {"text": "All is open.", "basis": "stated", "evidence": "E99", "quote": ""},
        ],
        "concepts": [
            {"name": "Lift", "description": "A force.", "evidence": "[E1]"},
            {"name": "lift", "description": "Again.", "evidence": "E2"},
            {"name": "Kites that make power", "description": "Not known yet.", "evidence": "E1"},
        ],
    }
    server = serve(answering(Finding=finding(kites_count), Prospects=lambda answer, asked: told))
    options = ExploreOptions(prospects=True, before=dt.date(2018, 1, 1))
    found = at_desk(server, lambda lab: explore(lab, QUESTION, options))
    quoted, bare = found.problems
    assert (quoted.text, quoted.quote, quoted.basis) == ("Tails break.", "Wind above 12 m/s breaks tails.", "measured")
    assert "breaks tails" in found.evidence[quoted.cites[0] - 1].passage, "the words lead to the passage that has them"
    assert (bare.text, bare.cites, bare.quote) == ("Nobody says so.", (1,), "")
    assert [each.name for each in found.concepts] == ["Lift"]
    assert "1 of the problems and concepts named rest on no evidence and were left out." in found.notes
    assert "Problems or concepts cited what no passage is labelled: E99." in found.notes


def test_a_follow_up_is_a_whole_question_and_reuses_embeddings(at_desk, serve):
    whole = "How do tails keep kites steady?"
    server = serve(answering(Finding=finding(kites_count), WholeQuestion=lambda answer, asked: {"question": whole}))

    async def talk(lab):
        session = ExplorationSession(lab, ExploreOptions())
        first = await ask(session, QUESTION)
        held = len(session.index.passages)
        second = await ask(session, "And their tails?")
        return first, second, held, len(session.index.passages)

    first, second, held, then = at_desk(server, talk)
    assert (second.question, second.asked) == (whole, "And their tails?")
    assert held == then > 0
    told = next(asked.text for asked in server.asked if asked.form == "WholeQuestion")
    assert QUESTION in told
    assert first.reply.text[:40] in told
    assert second.evidence[0].query == whole


# Options


@pytest.mark.parametrize(
    ("given_options", "complaint"),
    [
        ({"round": 2}, "Did you mean rounds"),
        ({"overlap": 900}, "at most half of characters"),
        ({"score": 11}, "option score"),
        ({"balance": "much"}, "option balance"),
    ],
)
def test_an_option_that_cannot_be_is_named(given_options, complaint):
    with pytest.raises(BadInput, match=complaint):
        ExploreOptions.from_given(given_options)
