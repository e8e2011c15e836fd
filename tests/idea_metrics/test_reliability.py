"""Reliability: what a model was sure of, and what the people behind a paper had done before."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Idea, Paper, Subject, normal_title
from novum.files.arrays import ModelState
from novum.idea_metrics.confidence import Confidence, agreement
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.past_performance import EPSILON, PastPerformance
from novum.idea_metrics.publication_history import DatedCounts
from novum.idea_metrics.token_probabilities import token_probability_of
from tests.idea_metrics.made_up import corpus_of, made_up_papers

D = 8


def batch(subjects, vectors=None, samples=None):
    """Subjects without embeddings, unless given."""
    n = len(subjects)
    none = np.zeros((n, D), dtype=np.float32)
    given = [np.zeros((0, D), dtype=np.float32)] * n if samples is None else samples
    return SubjectBatch(subjects, none if vectors is None else vectors, none, given)


def directions(*rows):
    made = np.asarray(rows, dtype=np.float64)
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def value(part, subject, **known):
    """Raw number and explanation of one subject."""
    one = batch([subject], **known)
    raw = float(part.measure(one)[0])
    return raw, part.explain(one, 0, raw)


# -- past performance -----------------------------------------------------------------------------------------------

PAPERS = made_up_papers(80)
CORPUS = corpus_of(PAPERS)
PART = PastPerformance.fit(CORPUS)


def by_hand(papers, subject):
    """Equation 4 in plain loops."""
    day = math.inf if subject.year is None else subject.year
    citing = [(paper.year, reference) for paper in papers for reference in paper.references if paper.year is not None]
    times = {paper.id: sum(year < day for year, cited in citing if cited == paper.id) for paper in papers}
    if subject.authors:
        written = [
            paper.id
            for author in {normal_title(each) for each in subject.authors}
            for paper in papers
            if paper.year is not None and author in {normal_title(each) for each in paper.authors}
        ]
        year_of = {paper.id: paper.year for paper in papers}
        publications = sum(year_of[each] < day for each in written)
        return sum(times[each] for each in written) / (publications + EPSILON)
    known = [each for each in set(subject.references) if each in times]
    return sum(times[each] for each in known) / (len(known) + EPSILON) if known else math.nan


def test_equation_4_is_what_loops_over_the_library_make_of_it():
    subjects = CORPUS.subjects(range(len(CORPUS)))
    expected = [by_hand(CORPUS.papers, subject) for subject in subjects]
    assert PART.measure(batch(subjects)) == pytest.approx(expected)
    assert max(expected) > 1


def test_an_idea_is_measured_by_the_papers_that_it_builds_on():
    ideas = [
        Subject(title="An idea", references=tuple(paper.id for paper in PAPERS[begin : begin + 5]), year=year)
        for begin in (0, 20, 60)
        for year in (None, 2014, 2000)
    ]
    assert PART.measure(batch(ideas)) == pytest.approx([by_hand(PAPERS, idea) for idea in ideas])


def test_a_small_library_worked_by_hand():
    first = Paper(title="First", year=2000, authors=("Ada Byron",))
    second = Paper(title="Second", year=2001, authors=("Ada Byron", "Bo Li"), references=(first.id,))
    third = Paper(title="Third", year=2002, authors=("Cy Ng",), references=(first.id, second.id))
    part = PastPerformance.fit(corpus_of([first, second, third]))
    by = {
        year: value(part, Subject(title="New", authors=("ada  BYRON",), year=year)) for year in (2000, 2001, 2002, 2003)
    }
    assert [raw for raw, _ in by.values()] == pytest.approx([0, 0, 1 / 2, 3 / 2], abs=1e-5)
    assert by[2003][1] == "3 citations of 2 papers of its 1 author before (identified by name only)"
    raw, why = value(part, Subject(title="Idea", references=(first.id, second.id, "paper-unknown")))
    assert raw == pytest.approx(3 / 2, abs=1e-5)
    assert why == "3 citations of 2 papers that it builds on"


def test_what_comes_later_changes_nothing():
    later = made_up_papers(30, seed=1, first_year=2025, years=2, authors=("Author 1", "Author 2"))
    later = [paper.model_copy(update={"references": tuple(each.id for each in PAPERS[:9])}) for paper in later]
    subjects = CORPUS.subjects(range(len(CORPUS)))
    grown = PastPerformance.fit(corpus_of([*PAPERS, *later]))
    assert grown.measure(batch(subjects)) == pytest.approx(PART.measure(batch(subjects)))


@settings(max_examples=15)
@given(st.permutations(range(6)), st.randoms(use_true_random=False))
def test_the_order_of_authors_references_and_subjects_does_not_matter(order, random):
    subjects = CORPUS.subjects([3, 20, 41, 55, 60, 79])
    mixed = [
        each.model_copy(
            update={
                "authors": tuple(random.sample(each.authors, len(each.authors))) + each.authors[:1],
                "references": tuple(random.sample(each.references, len(each.references))),
            }
        )
        for each in subjects
    ]
    measured = PART.measure(batch([mixed[place] for place in order]))
    assert measured == pytest.approx(PART.measure(batch(subjects))[list(order)])


@pytest.mark.parametrize(
    ("part", "subject", "why"),
    [
        (PART, Subject(title="Alone"), "neither its authors nor papers"),
        (PART, Subject(title="Alone", references=("paper-unknown",)), "neither its authors nor papers"),
        (PART, Subject(title="Alone", authors=("?!", "")), "neither its authors nor papers"),
        (
            PastPerformance.fit(corpus_of(made_up_papers(8, references=()))),
            Subject(title="New", authors=("Author 1",), year=2030),
            "the library has no dated citations between its papers",
        ),
        (
            PastPerformance.fit(corpus_of(made_up_papers(8, year=None))),
            Subject(title="New", authors=("Author 1",), year=2030),
            "the library has no dated citations between its papers",
        ),
    ],
)
def test_what_is_not_known_is_missing_and_said(part, subject, why):
    raw, output = value(part, subject)
    assert math.isnan(raw)
    assert output.startswith(why)


def test_a_newcomer_has_no_past_and_equation_4_makes_nothing_of_it():
    raw, why = value(PART, Subject(title="New", authors=("Nobody Yet",), year=2019))
    assert (raw, why[:30]) == (0.0, "0 citations of 0 papers of its")


def test_past_performance_comes_back_from_what_was_stored():
    subjects = CORPUS.subjects(range(0, 80, 7))
    again = PastPerformance.of_state(PART.state())
    assert again.measure(batch(subjects)).tolist() == PART.measure(batch(subjects)).tolist()


@pytest.mark.parametrize("name", ["papers", "years", "cited_keys", "published_totals"])
def test_a_damaged_table_is_refused(name):
    arrays = dict(PART.state().arrays)
    arrays[name] = arrays[name][1:]
    with pytest.raises(ValueError, match=r"differ|damaged"):
        PastPerformance.of_state(ModelState(arrays))
    with pytest.raises(KeyError):
        PastPerformance.of_state(ModelState({key: array for key, array in arrays.items() if key != name}))


EVENTS = st.lists(st.tuples(st.integers(0, 5), st.one_of(st.just(math.nan), st.integers(1900, 2030))), max_size=40)


@settings(max_examples=50)
@given(EVENTS, st.integers(-1, 5), st.integers(1890, 2040))
def test_counts_before_a_year_are_those_that_counting_finds(events, thing, year):
    counts = DatedCounts.of([which for which, _ in events], [when for _, when in events])
    found = int(counts.before([thing], [year])[0])
    assert found == sum(which == thing and when < year for which, when in events)
    assert found <= int(counts.before([thing], [year + 1])[0]) <= int(counts.before([thing], [math.inf])[0])


# -- confidence -----------------------------------------------------------------------------------------------------

CONFIDENCE = Confidence()


def test_token_probability_comes_before_agreement():
    subject = Subject(title="Sure", token_probability=0.42, samples=("a",))
    raw, why = value(CONFIDENCE, subject, vectors=directions([1] * D), samples=[directions([-1] * D)])
    assert raw == 0.42
    assert "length-normalised" in why


@settings(max_examples=50)
@given(st.lists(st.lists(st.integers(-5, 5), min_size=D, max_size=D).filter(any), min_size=2, max_size=6))
def test_agreement_is_the_mean_cosine_of_all_pairs(rows):
    vectors = directions(*rows)
    pairs = [float(a.astype(float) @ b.astype(float)) for a, b in itertools.combinations(vectors, 2)]
    assert agreement(vectors) == pytest.approx(np.mean(pairs), abs=1e-5)
    assert -1 <= agreement(vectors) <= 1
    assert agreement(vectors[::-1]) == pytest.approx(agreement(vectors))


def test_who_says_the_same_again_is_sure_and_who_says_otherwise_is_less_so():
    subject, here = Subject(title="Sure", samples=("a", "b")), directions([1, 1, 0, 0, 0, 0, 0, 0])
    same, why = value(CONFIDENCE, subject, vectors=here, samples=[np.repeat(here, 2, axis=0)])
    other, _ = value(
        CONFIDENCE, subject, vectors=here, samples=[np.vstack([here, directions([0, 0, 1, 0, 0, 0, 0, 0])])]
    )
    assert same == pytest.approx(1)
    assert other == pytest.approx(1 / 3)
    assert why == "agreement of 3 answers to the same request (mean pairwise cosine)"


@pytest.mark.parametrize(
    ("subject", "samples", "why"),
    [
        (Subject(title="Unasked"), np.zeros((0, D)), "token probabilities are unknown"),
        (Subject(title="Mute", samples=("…", "?")), np.zeros((2, D)), "have a text that can be compared"),
    ],
)
def test_confidence_that_nobody_knows_is_missing_and_said(subject, samples, why):
    raw, output = value(CONFIDENCE, subject, samples=[samples.astype(np.float32)])
    assert math.isnan(raw)
    assert why in output


def test_confidence_has_nothing_to_keep():
    again = Confidence.of_state(Confidence.fit(CORPUS).state())
    assert again.measure(batch([Subject(title="Sure", token_probability=0.5), Subject(title="?")]))[0] == 0.5


# -- which answer was the idea's -----------------------------------------------------------------------------------

IDEA = Idea(
    topic="t", title="Sparse “Graphs”", motivation="", novelty="", method="", summary="Prune edges.\nThen learn."
)


def answer(title=IDEA.title, summary=IDEA.summary, **more):
    return json.dumps({"ideas": [{"title": title, "summary": summary}], **more})


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        ([(answer(), 0.5)], 0.5),
        ([("Sure! ```json\n" + answer() + "\n```", 0.5)], 0.5),
        ([("Title: sparse  “graphs”\n\nPrune edges. Then learn.", 0.5)], 0.5),
        ([(answer(), 0.3), (answer(reason="better"), 0.6), (answer(title="Another"), 0.9)], 0.6),
        ([(answer(), 0.3), (answer(), None)], None),
        ([(answer(summary="Something else."), 0.9)], None),
        ([("{" * 5000, 0.9), ("[" * 100_000 + "{}", 0.9)], None),
        ([], None),
    ],
)
def test_the_last_answer_that_holds_the_idea_tells_how_probable_it_was(calls, found):
    assert token_probability_of(IDEA, calls) == found


def test_an_idea_without_words_is_nobodys_answer():
    assert token_probability_of(IDEA.model_copy(update={"title": " ", "summary": ""}), [(answer(), 0.5)]) is None
