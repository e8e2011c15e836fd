"""Which venues, or fields, are seldom brought together."""

from __future__ import annotations

import asyncio
from itertools import combinations

import numpy as np
import pytest

from novum.core import Paper, Subject
from novum.errors import BadInput
from novum.files.arrays import ModelState
from novum.idea_metrics.reference_combinations import ReferenceCombinations, atypical_combinations
from novum.idea_metrics.report.novelty import atypicality_lines
from novum.literature import Entry, Library, Reference
from tests.idea_metrics.made_up import corpus_of, made_up_papers

PAPERS = made_up_papers(200)
"""Each cites only papers of its own field; every field has three venues."""
CORPUS = corpus_of(PAPERS)
FIELDS = ReferenceCombinations.fit(CORPUS, "field")
VENUES = ReferenceCombinations.fit(CORPUS)


def citing(*fields: str) -> Subject:
    """An idea that refers to one paper of each of these fields."""
    shelves = {field: [each.id for each in PAPERS if each.fields == (field,)] for field in fields}
    return Subject(title="An idea", references=tuple(shelves[field].pop() for field in fields))


def test_an_idea_across_fields_is_less_usual_than_one_within() -> None:
    within, across = FIELDS.measure([citing("graphs", "graphs", "graphs"), citing("graphs", "speech", "graphs")])
    assert within.tail is not None
    assert across.tail is not None
    assert across.tail < 0 < within.tail
    assert (within.references, within.known, within.pairs) == (3, 3, 3)
    assert {across.rarest[0].one, across.rarest[0].other} == {"graphs", "speech"}
    assert across.rarest[0].observed == 0 < across.rarest[0].expected


def test_tail_and_median_are_those_of_z_over_all_pairs_of_references() -> None:
    """z by counting in the reference lists; mean and variance by the formulas that shuffles confirm elsewhere."""
    subject = Subject(title="An idea", references=tuple(each.id for each in PAPERS[100:109]))
    (found,) = VENUES.measure([subject])
    by_id = {paper.id: paper for paper in PAPERS}
    lists = [[by_id[each].venue for each in paper.references] for paper in PAPERS if len(paper.references) > 1]
    numbers = {name: number for number, name in enumerate(VENUES.names)}
    scores = []
    for one, other in combinations([by_id[each].venue for each in subject.references], 2):
        met = sum({a, b} == {one, other} for each in lists for a, b in combinations(each, 2))
        pair = np.array(numbers[one]), np.array(numbers[other])
        expected, variance = VENUES.pairs.expected(*pair), VENUES.pairs.variance(*pair)
        scores.append((met - expected) / np.sqrt(variance))
    assert found.tail == pytest.approx(np.percentile(scores, 10))
    assert found.median == pytest.approx(np.median(scores))


def test_it_says_how_much_it_rests_on() -> None:
    (found,) = FIELDS.measure([citing("graphs", "speech")])
    references = sum(len(each.references) for each in PAPERS if len(each.references) > 1)
    assert f"against {references:,} references of {FIELDS.papers:,} papers" in found.why
    assert "1 pairs of 2 of its 2 references by field" in found.why


@pytest.mark.parametrize(
    "references", [(), ("paper-unknown",), (PAPERS[0].id,), (PAPERS[0].id, PAPERS[0].id, "paper-unknown")]
)
def test_fewer_than_two_known_references_say_nothing(references: tuple[str, ...]) -> None:
    (found,) = FIELDS.measure([Subject(title="An idea", references=references)])
    assert (found.tail, found.median) == (None, None)
    assert "a pair needs two" in found.why


def test_the_order_of_references_does_not_matter() -> None:
    subject = citing("graphs", "speech", "climate", "graphs")
    turned = subject.model_copy(update={"references": subject.references[::-1]})
    one, other = FIELDS.measure([subject, turned])
    assert (one.tail, one.median) == pytest.approx((other.tail, other.median))


def test_names_of_a_venue_that_differ_in_case_are_one() -> None:
    papers = [paper.model_copy(update={"venue": paper.venue.upper()}) for paper in PAPERS[::2]] + PAPERS[1::2]
    assert len(ReferenceCombinations.fit(corpus_of(papers)).names) == len(VENUES.names)


def test_rare_venues_are_unknown() -> None:
    """A venue with one reference is met with any other never, or surprisingly often."""
    odd = Paper(title="Odd", abstract="odd words", venue="Odd Letters", year=2009)
    citing_it = Paper(title="Citing", abstract="more words", year=2019, references=(odd.id, PAPERS[0].id))
    fitted = ReferenceCombinations.fit(corpus_of([odd, *PAPERS, citing_it]))
    (found,) = fitted.measure([Subject.of_paper(citing_it)])
    assert (found.references, found.known, found.tail) == (2, 1, None)


def test_where_all_is_of_one_venue_nothing_can_be_said() -> None:
    papers = [paper.model_copy(update={"venue": "Letters"}) for paper in PAPERS]
    (found,) = ReferenceCombinations.fit(corpus_of(papers)).measure([Subject.of_paper(PAPERS[-1])])
    assert found.tail is None
    assert "references of the training papers are of one venue" in found.why


def test_a_library_without_reference_lists_is_refused() -> None:
    with pytest.raises(BadInput, match="add papers with references"):
        ReferenceCombinations.fit(corpus_of([paper.model_copy(update={"references": ()}) for paper in PAPERS]))


def test_what_was_fitted_can_be_stored_and_read_again() -> None:
    subjects = [citing("graphs", "speech"), Subject(title="None")]
    state = VENUES.state()
    assert ReferenceCombinations.of_state(state).measure(subjects) == VENUES.measure(subjects)
    for damaged in (
        ModelState(state.arrays, state.facts, {"papers.txt": b"paper-1"}),
        ModelState(state.arrays, {**state.facts, "kind": "person"}, state.files),
        ModelState({**state.arrays, "numbers": state.arrays["numbers"] + 99}, state.facts, state.files),  # type: ignore[operator]
    ):
        with pytest.raises(ValueError, match="pairs of references"):
            ReferenceCombinations.of_state(damaged)


def test_a_whole_library_can_be_asked_and_reads_as_lines(tmp_path) -> None:
    def entry(paper: Paper) -> Entry:
        cited = tuple(Reference(scheme="key", value=each) for each in paper.references)
        return Entry(paper=paper.model_copy(update={"references": ()}), key=paper.id, references=cited)

    subjects = [citing("graphs", "speech"), Subject(title="None")]
    with Library.open(tmp_path / "library") as library:
        library.add(entry(paper) for paper in PAPERS)
        found = asyncio.run(atypical_combinations(library, subjects, "field"))
    assert found == FIELDS.measure(subjects)
    lines = atypicality_lines(found[0])
    assert lines[1].startswith("  tail (10th percentile): −")
    assert lines[3] == f"  {found[0].why}"
    assert atypicality_lines(found[1])[0].endswith("a pair needs two)")


def test_a_hostile_list_of_references_costs_no_more_than_a_thousand() -> None:
    many = tuple(f"paper-{number}" for number in range(200_000))
    (found,) = VENUES.measure([Subject(title="Hostile", references=many)])
    assert (found.references, found.known) == (200_000, 0)
