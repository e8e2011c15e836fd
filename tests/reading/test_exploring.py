"""Exploring the literature: what is cut, what is read, when it ends, what an answer may cite."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import re
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Exploration, Paper
from novum.errors import BadInput, SourceError
from novum.lab import Workplace
from novum.literature import Entry, Library
from novum.llm.offline.interview import interview
from novum.llm.schema import schema_text
from novum.llm.wire import Asking, Reply
from novum.prompts import PromptBook
from novum.reading.exploring import ExploreOptions, Session, ask, cut, explore, explore_weakness
from novum.reading.exploring.answering import EvidenceAnswer, checked
from novum.reading.exploring.inquiry import WeaknessQuestion, WholeQuestion
from novum.reading.exploring.judging import Finding, verbatim
from novum.reading.exploring.prospects import Prospects
from novum.reading.exploring.queries import Sharper, new_queries
from novum.reading.exploring.sentences import sentences
from novum.settings import load_settings
from novum.testing import plausible

LIBRARY = [  # title, year, what it says
    ("Kites fly by lift", 2001, "Kites fly because wind makes lift. The tail keeps them steady. Paper tears in rain."),
    ("Kite tails and steadiness", 2005, "A longer kite tail damps swinging. Wind above 12 m/s breaks tails."),
    (
        "Silk kites in strong wind",
        2010,
        "Silk kites survive strong wind. Their lift is lower than that of paper kites.",
    ),
    (
        "Steering kites by two lines",
        2015,
        "Two lines steer a kite. The pilot feels the lift of the kite in both hands.",
    ),
    ("Kites that make power", 2021, "A kite on a drum makes power. Ground stations control its lift by the tether."),
    ("Soup at altitude", 2012, "Soup boils early on mountains. Salt does not change that very much at all."),
]
QUESTION = "Why do kites fly steadily in wind?"


def kite(title, year, text):
    return Entry(paper=Paper(title=title, year=year, authors=("Ada Smith",), abstract=text))


@pytest.fixture(scope="module")
def stocked(tmp_path_factory):
    """The small library, filled and indexed."""
    home = tmp_path_factory.mktemp("stocked")
    with Library.open(home / "library") as library:
        library.add(kite(*each) for each in LIBRARY)
        asyncio.run(library.index())
    return home


@pytest.fixture
def at_desk(stocked, tmp_path):
    """Runs a job with a lab on the small library. A second job in the same test takes up the run of the first."""
    home = shutil.copytree(stocked, tmp_path / "home")

    def run(server, job, *, papers=(), texts=None):
        settings = load_settings({"home": str(home), "writer": server.model}, environment={}, folder=tmp_path)

        async def inside():
            async with Workplace(settings) as place:
                place.library.add([kite(*each) for each in papers])
                for title, text in (texts or {}).items():
                    place.library.set_full_text(place.library.find(title).id, text)
                known = place.ledger.runs(limit=1)
                record = known[0] if known else place.ledger.start_run("explore", QUESTION, {})
                return await job(place.lab(record))

        return asyncio.run(inside())

    return run


def answering(**by_form):
    """A script: for some forms a function of the plausible answer and of what was asked; the others as they come."""

    def script(asked):
        change = by_form.get(asked.form)
        if change is None:
            return None
        answer = change(json.loads(plausible(asked.messages, asked.schema)), asked)
        return answer if isinstance(answer, str) else json.dumps(answer)

    return script


def material(asked):
    """What is quoted in a question about a passage: title, blank line, passage."""
    return re.search(r"<material \w{8}>\n(.*?)\n</material", asked.text, re.DOTALL)[1]


def finding(score_of):
    """A reader that scores by what is quoted and quotes the first sentence of the passage."""

    def read(answer, asked):
        passage = material(asked).split("\n\n", 1)[1]
        quote = passage.split(".")[0] + "."
        return {"summary": f"It says: {quote}", "quote": quote, "score": score_of(material(asked))}

    return read


def kites_count(text):
    return 8 if "ite" in text else 2


def searching(*rounds):
    """A reader that writes these queries, one round after the other."""
    left = list(rounds)
    return lambda answer, asked: {"missing": "the rest", "terms": [], "queries": left.pop(0) if left else []}


def few(**options):
    return ExploreOptions(**({"papers": 2, "passages": 2, "snippets": 3, "coverage": 3} | options))


# Texts become passages


TEXT = "Wind lifts kites, as Smith et al. show. " * 30
FULL = f"{TEXT}\n\n## Methods\n\n{TEXT}\n\n## Results\n\n" + "Tails damp swinging at 3.5 Hz. " * 40


def test_a_passage_says_where_it_stands():
    paper = Paper(title="Kites", year=2001)
    for passage in cut(paper, FULL, 600, 100):
        assert FULL[passage.start : passage.end] == passage.text
    assert list(dict.fromkeys(each.section for each in cut(paper, FULL, 600, 100))) == ["", "Methods", "Results"]


def test_passages_end_with_sentences_and_share_some():
    first, second, *_ = cut(Paper(title="Kites", year=2001), TEXT, 600, 100)
    assert first.text.endswith("show.")
    assert second.text.startswith("Wind lifts")
    assert 0 < first.end - second.start <= 100


def test_without_a_full_text_the_abstract_is_read_and_without_that_the_summary():
    paper = Paper(title="Kites", year=2001, abstract="Kites fly.", summary="About kites.")
    assert [(each.origin, each.text) for each in cut(paper, None, 600, 100)] == [("abstract", "Kites fly.")]
    assert [each.origin for each in cut(paper.but(abstract=""), "  ", 600, 100)] == ["summary"]
    assert cut(Paper(title="Kites", year=2001), None, 600, 100) == []


@given(st.text(alphabet="ab .\n#?é", max_size=2000), st.integers(200, 400), st.integers(0, 100))
def test_every_word_is_in_some_passage_and_none_is_longer_than_asked_for_by_much(text, characters, overlap):
    passages = cut(Paper(title="t", year=2001, abstract=text or "."), None, characters, overlap)
    told = [re.sub(r"#{2,}[^\n]*", "", text)] if "##" not in text else []
    covered = {at for passage in passages for at in range(passage.start, passage.end)}
    assert all(at in covered for whole in told for at, char in enumerate(whole) if not char.isspace())
    assert all(len(passage.text) <= characters * 1.25 for passage in passages)


def test_a_text_of_one_endless_word_is_cut_all_the_same():
    passages = cut(Paper(title="t", year=2001), "x" * 10_000_000, 1000, 200)
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
    server = serve(answering(Finding=finding(kites_count)))
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
    queries = searching(["silk strong wind"], ["power ground stations tether"])
    server = serve(answering(Finding=finding(kites_count), Sharper=queries))
    found = at_desk(server, lambda lab: explore(lab, "kite tails", few(snippets=4, coverage=4)))
    assert found.ending == "enough"
    assert [each.queries for each in found.rounds[:2]] == [("kite tails",), ("silk strong wind",)]
    assert {snippet.round for snippet in found.evidence} == set(range(1, len(found.rounds) + 1))
    assert {snippet.query for snippet in found.evidence} == {query for each in found.rounds for query in each.queries}
    told = next(asked.text for asked in server.asked if asked.form == "Sharper")
    assert "kite tails" in told
    assert "It says:" in told
    assert "more passages that count" in told


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


def test_before_a_day_nothing_later_is_found_or_asked_for(at_desk, serve):
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


def test_a_reader_without_usable_answers_costs_the_passage_and_is_told(at_desk, serve):
    server = serve(answering(Finding=lambda answer, asked: "I cannot say.", Sharper=searching()))
    found = at_desk(server, lambda lab: explore(lab, QUESTION))
    assert not found.evidence
    assert found.rounds[0].unreadable > 0
    assert "gave no usable answer" in found.notes[0]


def test_who_says_nothing_about_a_passage_finds_nothing_in_it(at_desk, serve):
    silent = {"summary": "", "quote": "", "score": 10}
    server = serve(answering(Finding=lambda answer, asked: silent, Sharper=searching()))
    found = at_desk(server, lambda lab: explore(lab, QUESTION))
    assert {snippet.score for snippet in found.passed_over} == {1}


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


def test_live_sources_are_asked_for_every_query_in_the_fields_words(at_desk, serve):
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
        "problems": [{"text": "Tails break.", "evidence": "E1, E2"}, {"text": "All is open.", "evidence": "E99"}],
        "concepts": [
            {"name": "Lift", "description": "A force.", "evidence": "[E1]"},
            {"name": "lift", "description": "Again.", "evidence": "E2"},
            {"name": "Kites that make power", "description": "Not known yet.", "evidence": "E1"},
        ],
    }
    server = serve(answering(Finding=finding(kites_count), Prospects=lambda answer, asked: told))
    options = ExploreOptions(prospects=True, before=dt.date(2018, 1, 1))
    found = at_desk(server, lambda lab: explore(lab, QUESTION, options))
    assert [(each.text, each.cites) for each in found.problems] == [("Tails break.", (1, 2))]
    assert [each.name for each in found.concepts] == ["Lift"]
    assert any("rest on no evidence" in note for note in found.notes)


def test_a_follow_up_is_told_whole_and_reuses_what_was_embedded(at_desk, serve):
    whole = "How do tails keep kites steady?"
    server = serve(answering(Finding=finding(kites_count), WholeQuestion=lambda answer, asked: {"question": whole}))

    async def talk(lab):
        session = Session(lab, ExploreOptions())
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


# Answers are checked


def test_every_sentence_says_what_it_rests_on_or_is_flagged(at_desk, serve):
    told = "Kites fly by lift [E1, E2]. Tails help. [E3] Everybody knows that. Silk is best [E44]; see [7]."
    answer = {"answer": told, "gaps": "Rain [E1]."}
    server = serve(answering(Finding=finding(kites_count), EvidenceAnswer=lambda _, asked: answer))
    found = at_desk(server, lambda lab: ask(Session(lab), QUESTION))
    assert isinstance(found, Exploration)
    assert [(each.cites, each.unknown, each.grounded) for each in found.reply.sentences] == [
        ((1, 2), (), True),
        ((3,), (), True),
        ((), (), False),
        ((), ("E44", "7"), False),
    ]
    assert found.reply.text.startswith("Kites fly by lift [1, 2]. Tails help [3]. Everybody knows that.")
    assert "[unresolved: E44]" in found.reply.text
    assert found.reply.gaps == "Rain [1]."


@pytest.mark.parametrize(
    ("told", "cites"),
    [
        ("It flies [E1–E3].", (1, 2, 3)),
        ("It flies [E2 and 3].", (2, 3)),
        ("It flies 【E1】.", (1,)),
        ("E1 is a gene.", ()),
    ],
)
def test_labels_are_read_however_they_are_written(told, cites):
    (sentence,) = checked(told, 5)
    assert sentence.cites == cites


@given(st.text(), st.integers(0, 20))
def test_no_answer_cites_what_is_not_there(text, known):
    assert all(1 <= place <= known for sentence in checked(text, known) for place in sentence.cites)


@given(st.text(alphabet="ab [E123,–and]", max_size=200))
def test_what_looks_like_our_citation_is_one(text):
    for sentence in checked(text, 3):
        shown = {
            int(place) for group in re.findall(r"\[(\d+(?:, \d+)*)\]", sentence.text) for place in group.split(", ")
        }
        assert shown <= set(sentence.cites)


def test_without_evidence_no_answer_is_asked_for(at_desk, serve):
    server = serve(answering(Finding=finding(lambda text: 1), Sharper=searching()))
    found = at_desk(server, lambda lab: ask(Session(lab), QUESTION))
    assert found.reply is None
    assert "EvidenceAnswer" not in server.forms()
    assert "no answer was written" in found.notes[-1]


@pytest.mark.parametrize(
    ("quote", "there"),
    [
        ("kites  FLY because wind makes lift", "Kites fly because wind makes lift."),
        ("“Kites fly, because wind makes lift.”", "Kites fly because wind makes lift."),
        ("Kites fly because of magic", ""),
        ("Kites", ""),
        ("", ""),
    ],
)
def test_a_quotation_stands_in_the_passage_or_is_dropped(quote, there):
    assert verbatim(quote, LIBRARY[0][2]) == there


def test_hostile_queries_become_plain_new_lines():
    given_queries = ['"kite" \n tail', "KITE tail!", "   ", "known one", "x" * 5000]
    assert [len(each) for each in new_queries(given_queries, ["Known One"])] == [9, 160]


# The short forms for a very small model


PAPER = Paper(title=LIBRARY[0][0], year=2001, authors=("Ada Smith",), abstract=LIBRARY[0][2])
SHOWN = [{"label": "E1", "paper": PAPER, "section": "", "summary": "It lifts.", "quote": "", "passage": PAPER.abstract}]
SHORT_FORMS = [
    ("judge_passage", Finding, {"question": QUESTION, "paper": PAPER, "section": "", "text": "x", "origin": "summary"}),
    ("next_queries", Sharper,
     {"question": QUESTION, "read": [], "asked": [], "least_score": 6, "lacking": "", "count": 2}),
    ("answer_from_evidence", EvidenceAnswer, {"question": QUESTION, "weakness": "", "evidence": SHOWN}),
    ("open_problems", Prospects, {"question": QUESTION, "evidence": SHOWN}),
    ("ask_about_weakness", WeaknessQuestion, {"idea": "A kite.", "weakness": "It swings.", "count": 2}),
    ("restate_question", WholeQuestion, {"talk": [{"question": QUESTION, "answer": "Lift."}], "asked": "And tails?"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "form", "needs"), SHORT_FORMS, ids=[each[0] for each in SHORT_FORMS])
def test_plain_answers_to_the_questions_of_a_short_form_make_its_typed_answer(name, form, needs):
    messages = PromptBook().get(name, small=True).render(needs).messages
    talk = interview(Asking(messages, 0.0, 600, 7, schema_text(form, "small"), form.__name__))
    said = iter(f"Answer number {number} is this." for number in range(50))
    words, question = {"score": "7", "evidence": '"E1"'}, next(talk)
    with pytest.raises(StopIteration) as done:
        while True:
            question = talk.send(Reply(words.get(question.schema_name, next(said)), "", "stop", "", 1, 1))
    answer = form.model_validate_json(done.value.value.content)
    assert "Answer number" in answer.model_dump_json()
    assert getattr(answer, "score", 7) == 7
    assert [each.evidence for each in getattr(answer, "problems", [])] == ["E1"] * (name == "open_problems")


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
