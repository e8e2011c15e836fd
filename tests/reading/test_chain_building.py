"""How chains grow along citations, what they do when they stay short, and how chains that grow together differ."""

from __future__ import annotations

import asyncio
import datetime as dt
import random
from itertools import combinations

import pytest

from novum.core import Paper, Topic
from novum.literature import Entry, Filters, Library, Reference
from novum.reading import ChainBuilder, ChainLimits, PaperReservations, RelevanceQuery, Relevant, rank_anchors
from novum.reading.reservations import PaperRequest

TOPIC = Topic(text="bridges that mend themselves")
SEARCH = RelevanceQuery(TOPIC, "How do bridges mend themselves?")
ABOUT = "bridges mend themselves concrete cracks healing"
ELSEWHERE = "tax law of medieval monasteries and vineyards"


class ScriptedGuide:
    """A guide that accepts papers by a word of the title, reads none, and notes what it was asked. `wait`: how often
    it gives way to others before each answer."""

    notice = ""

    def __init__(self, accepted=("",), wait=lambda: 0):
        self._accepted = accepted
        self._wait = wait
        self.asked = []

    async def relevant(self, search, candidates, purpose, beside=None, linked_by="cited"):
        for _ in range(self._wait()):
            await asyncio.sleep(0)
        self.asked.append((purpose, linked_by, [paper.title for paper in candidates]))
        return [Relevant(each, "by title") for each in candidates if any(word in each.title for word in self._accepted)]

    async def choose_anchor(self, search, equal):
        self.asked.append(("choice", "", [each.paper.title for each in equal]))
        return list(reversed(equal))

    async def read(self, topic, paper):
        return None


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def fill(library):
    """Adds papers, each given as `title, year, titles that it cites` and, where it matters, its text."""

    def add(*papers):
        library.add(
            Entry(
                paper=Paper(title=title, year=year, authors=("Ada Smith",), summary=about[0] if about else ABOUT),
                key=f"key/{title}",
                references=tuple(Reference(scheme="key", value=f"key/{each}") for each in cites),
            )
            for title, year, cites, *about in papers
        )
        return library

    return add


def relevant(library, *titles):
    return [Relevant(library.find(title), "given") for title in titles]


def built(library, guide, first, *others, **limits):
    anchor, *rest = relevant(library, first, *others)
    return asyncio.run(ChainBuilder(guide, library, SEARCH, ChainLimits(**limits)).build("bridges", anchor, rest))


def build_together(library, guide, anchors, **limits):
    """Chains of several branches, each from its own anchor."""
    bounds = ChainLimits(**limits)
    reservations = PaperReservations(len(anchors), bounds.least)
    chosen = relevant(library, *anchors)
    for number, anchor in enumerate(chosen):
        reservations.reserve(number, anchor.paper.id)

    async def inside():
        return await asyncio.gather(
            *(
                ChainBuilder(guide, library, SEARCH, bounds, reservations, number).build("bridges", anchor)
                for number, anchor in enumerate(chosen)
            )
        )

    return asyncio.run(inside())


def titles(chain):
    return [paper.title for paper in chain.papers]


def linkages(chain):
    return [link.linked_by for link in chain.links]


def test_papers_that_cite_each_other_are_linked_by_citation(fill):
    library = fill(("Root", 2001, []), ("Anchor", 2005, ["Root"]), ("Newer", 2010, ["Anchor"]))
    chain = built(library, ScriptedGuide(), "Anchor")
    assert titles(chain) == ["Root", "Anchor", "Newer"]
    assert linkages(chain) == ["cited", "", "cited"]
    assert chain.linkages == ("cited", "cited")
    assert chain.aspect == SEARCH.aspect


# -- A chain that stays short ------------------------------------------------------------------------------------------


def test_a_chain_that_stays_short_starts_from_the_next_anchor(fill):
    library = fill(("Alone", 2003, []), ("Root", 2001, []), ("Second", 2005, ["Root"]), ("Newer", 2010, ["Second"]))
    chain = built(library, ScriptedGuide(), "Alone", "Second")
    assert titles(chain) == ["Root", "Second", "Newer"]
    assert [link.direction for link in chain.links] == ["backward", "anchor", "forward"]


def test_the_next_anchor_is_not_tried_when_the_chain_is_long_enough(fill):
    library = fill(("Root", 2001, []), ("Anchor", 2005, ["Root"]), ("Newer", 2010, ["Anchor"]), ("Other", 2011, []))
    chain = built(library, ScriptedGuide(), "Anchor", "Other")
    assert "Other" not in titles(chain)


def test_the_first_anchor_stays_when_the_next_one_gives_no_longer_chain(fill):
    library = fill(
        ("Root", 2001, []), ("Anchor", 2005, ["Root"]), ("Other", 2011, ["Base"]),
        ("Base", 1999, [], ELSEWHERE),
    )  # fmt: skip
    chain = built(library, ScriptedGuide(("Root", "Base")), "Anchor", "Other")
    assert titles(chain) == ["Root", "Anchor"]


def test_a_next_anchor_without_citations_is_not_even_read(fill):
    read = []

    class Reading(ScriptedGuide):
        async def read(self, topic, paper):
            read.append(paper.title)

    library = fill(("Anchor", 2005, []), ("Other", 2011, []))
    built(library, Reading(()), "Anchor", "Other")
    assert read == ["Anchor"]


def cited_together(*years):
    """Two papers that cite neither each other nor anything, and surveys of these years that cite both."""
    pair = [("Anchor", 2005, []), ("Partner", 2007, [])]
    return [*pair, *((f"Overview of {year}", year, ["Anchor", "Partner"]) for year in years)]


def test_a_short_chain_is_completed_by_papers_cited_together_with_its_end(fill):
    library = fill(*cited_together(2010, 2011))
    guide = ScriptedGuide(("Partner",))
    chain = built(library, guide, "Anchor", least=2)
    assert titles(chain) == ["Anchor", "Partner"]
    assert linkages(chain) == ["", "co-cited"]
    assert ("forward", "co-cited", ["Partner"]) in guide.asked
    assert chain.ends[-1] == "citations alone gave 1 of its 2 papers"


def test_one_paper_that_cites_both_does_not_make_them_co_cited(fill):
    guide = ScriptedGuide(("Partner",))
    built(fill(*cited_together(2010)), guide, "Anchor", least=2)
    assert not any(linked_by == "co-cited" for _, linked_by, _ in guide.asked)


def test_before_a_day_only_citations_of_that_time_make_papers_co_cited(fill):
    library = fill(*cited_together(2010, 2020))
    guide = ScriptedGuide(("Partner",))
    built(library, guide, "Anchor", least=2, before=dt.date(2015, 1, 1))
    assert not any(linked_by == "co-cited" for _, linked_by, _ in guide.asked)


@pytest.mark.parametrize(("shared", "found"), [(2, False), (3, True)])
def test_papers_that_share_three_references_complete_a_chain(fill, shared, found):
    roots = [f"Root {number}" for number in range(3)]
    library = fill(
        *((root, 1990, [], ELSEWHERE) for root in roots),
        ("Anchor", 2005, roots),
        ("Sibling", 2004, roots[:shared], ELSEWHERE),
    )
    chain = built(library, ScriptedGuide(("Sibling",)), "Anchor", least=2)
    assert titles(chain) == (["Sibling", "Anchor"] if found else ["Anchor"])
    assert chain.linkages == (("shares references",) if found else ())


def test_similar_earlier_and_later_papers_come_last_and_say_that_they_are_not_cited(fill):
    library = fill(("Anchor", 2005, []), ("Earlier", 1999, []), ("Later", 2012, []), ("Taxes", 2013, [], ELSEWHERE))
    guide = ScriptedGuide()
    chain = built(library, guide, "Anchor")
    assert titles(chain) == ["Earlier", "Anchor", "Later"]
    assert chain.linkages == ("similar, not cited", "similar, not cited")
    assert [direction for direction, linked_by, _ in guide.asked if linked_by == "similar, not cited"] == [
        "forward",
        "backward",
    ]
    assert not any("Taxes" in candidates for _, _, candidates in guide.asked), "below the least similarity"


@pytest.mark.parametrize(("refused", "other"), [("forward", "Later"), ("backward", "Earlier")])
def test_a_similar_paper_stands_only_on_its_side_of_the_anchor(fill, refused, other):
    class OneSided(ScriptedGuide):
        async def relevant(self, search, candidates, purpose, beside=None, linked_by="cited"):
            found = await super().relevant(search, candidates, purpose, beside, linked_by)
            return [] if purpose == refused else found

    library = fill(("Anchor", 2005, []), ("Earlier", 1999, []), ("Later", 2012, []))
    guide = OneSided()
    chain = built(library, guide, "Anchor")
    assert other not in titles(chain)
    assert len(titles(chain)) == 2
    assert [purpose for purpose, _, candidates in guide.asked if other in candidates] == [refused]


def test_similar_papers_must_be_relevant_too(fill):
    library = fill(("Anchor", 2005, []), ("Earlier", 1999, []), ("Later", 2012, []))
    assert titles(built(library, ScriptedGuide(()), "Anchor")) == ["Anchor"]


def test_no_similar_paper_is_of_the_day_or_later(fill):
    library = fill(("Anchor", 2005, []), ("Later", 2012, []), ("Much later", 2021, []))
    chain = built(library, ScriptedGuide(), "Anchor", before=dt.date(2015, 1, 1))
    assert titles(chain) == ["Anchor", "Later"]


def test_a_chain_that_citations_make_long_enough_has_no_other_papers(fill):
    library = fill(("Root", 2001, []), ("Anchor", 2005, ["Root"]), ("Newer", 2010, ["Anchor"]), ("Similar", 2020, []))
    guide = ScriptedGuide()
    assert titles(built(library, guide, "Anchor")) == ["Root", "Anchor", "Newer"]
    assert {linked_by for _, linked_by, _ in guide.asked} == {"cited"}


# -- Chains that grow together -----------------------------------------------------------------------------------------


def a_dense_literature(count=14):
    """Each paper cites the four before it, so that every chain could have the papers of every other one."""
    names = [f"Paper {number:02}" for number in range(count)]
    return [(name, 2000 + at, names[max(0, at - 4) : at]) for at, name in enumerate(names)]


def shared(one, other):
    return {paper.id for paper in one.papers} & {paper.id for paper in other.papers}


def test_chains_that_grow_together_differ_in_most_of_their_papers(fill):
    chains = build_together(fill(*a_dense_literature()), ScriptedGuide(), ["Paper 06", "Paper 07", "Paper 08"])
    assert [len(chain.links) for chain in chains] == [5, 5, 5]
    for one, other in combinations(chains, 2):
        assert len(shared(one, other)) <= 2
        assert one.papers[-1] != other.papers[-1]


def test_a_paper_of_another_chain_is_taken_only_where_nothing_else_is_relevant(fill):
    papers = [("Root", 2001, []), ("Side", 2000, []), ("One", 2005, ["Root"]), ("Two", 2006, ["Root", "Side"])]
    with_side, without = (
        build_together(fill(*papers), ScriptedGuide(words), ["One", "Two"], least=1) for words in ([""], ["Root"])
    )
    assert [titles(chain) for chain in with_side] == [["Root", "One"], ["Side", "Two"]]
    assert [titles(chain) for chain in without] == [["Root", "One"], ["Two"]], "one of two papers would be too many"


def test_two_chains_may_share_a_root_when_they_are_long_enough(fill):
    library = fill(
        ("Root", 2001, []),
        ("One", 2005, ["Root"]), ("One more", 2010, ["One"]),
        ("Two", 2006, ["Root"]), ("Two more", 2011, ["Two"]),
    )  # fmt: skip
    one, other = build_together(library, ScriptedGuide(), ["One", "Two"])
    assert titles(one) == ["Root", "One", "One more"]
    assert titles(other) == ["Root", "Two", "Two more"]


def test_no_paper_ends_two_chains(fill):
    library = fill(("One", 2005, []), ("Two", 2006, []), ("Newest", 2010, ["One", "Two"]))
    one, other = build_together(library, ScriptedGuide(), ["One", "Two"], least=1)
    assert titles(one) == ["One", "Newest"]
    assert titles(other) == ["Two"]
    assert other.ends[-1] == "no further paper in the library cites Smith 2006, Two (1 more in other branches)"


def given_out(reservations, *turns):
    """What each chain gets in one round; a turn is the requests of a chain, and what it gives up."""

    async def inside():
        return await asyncio.gather(
            *(reservations.take(chain, requests, dropped) for chain, (requests, *dropped) in enumerate(turns))
        )

    return asyncio.run(inside())


def test_papers_are_given_out_in_the_order_of_the_chains_and_what_is_dropped_is_free_at_once():
    reservations = PaperReservations(2)
    wanted = [PaperRequest(("a", "b"))]
    assert given_out(reservations, (wanted,), (wanted,)) == [["a"], ["b"]]
    assert given_out(reservations, (wanted,), (wanted,)) == [[None], [None]]
    assert given_out(reservations, ([PaperRequest(("b",))], "a"), ([PaperRequest(("a",))], "b")) == [["b"], ["a"]]


def test_a_chain_shares_two_of_five_papers_at_most_and_a_paper_is_in_two_chains_at_most():
    reservations = PaperReservations(3, least=3)
    for number in range(5):
        reservations.reserve(0, f"own {number}")
        reservations.reserve(1, f"other {number}")
    shared = [PaperRequest((f"own {number}",), shared=True) for number in range(3)]
    assert given_out(reservations, ([],), (shared,), ([],)) == [[], ["own 0", "own 1", None], []]
    assert not reservations.may_be_shared(2, "own 0"), "two chains have it already"
    assert not reservations.may_be_shared(2, "own 4"), "its chain has shared two of its papers"


def test_a_paper_of_two_chains_is_not_shared_although_both_could_share_more():
    reservations = PaperReservations(3, least=10)
    for number in range(2):
        reservations.reserve(number, "of both")
        reservations.reserve(number, f"of {number} alone")
    assert [reservations.may_be_shared(2, f"of {number} alone") for number in range(2)] == [True, True]
    assert not reservations.may_be_shared(2, "of both")
    assert not reservations.may_be_shared(0, "of 0 alone"), "it has the paper already"


@pytest.mark.parametrize("seed", range(5))
def test_which_answer_comes_first_decides_nothing(fill, seed):
    library = fill(*a_dense_literature())
    anchors = ["Paper 06", "Paper 07", "Paper 08"]
    rng = random.Random(seed)
    quiet = build_together(library, ScriptedGuide(), anchors)
    assert build_together(library, ScriptedGuide(wait=lambda: rng.randint(0, 9)), anchors) == quiet


def test_a_chain_that_fails_holds_up_no_other(fill):
    class Failing(ScriptedGuide):
        async def relevant(self, search, candidates, purpose, beside=None, linked_by="cited"):
            if beside is not None and beside.title == "Paper 07":
                raise OSError("out of paper")
            return await super().relevant(search, candidates, purpose, beside, linked_by)

    with pytest.raises(OSError, match="out of paper"):
        build_together(fill(*a_dense_literature()), Failing(), ["Paper 06", "Paper 07"])


# -- Anchors -----------------------------------------------------------------------------------------------------------


def anchors_in_order(library, guide, graded):
    accepted = [Relevant(library.find(title), "given", fit) for title, fit in graded]
    ranked = asyncio.run(rank_anchors(guide, library, SEARCH, accepted, Filters()))
    return [each.paper.title for each in ranked]


@pytest.fixture
def linked(fill):
    return fill(
        ("Root", 1999, []), ("Unlinked", 2003, []), ("One side", 2004, ["Root"]), ("Both sides", 2005, ["Root"]),
        ("Newest", 2010, ["Both sides"]),
    )  # fmt: skip


def test_an_anchor_with_links_on_both_sides_is_preferred_among_equal_grades(linked):
    order = anchors_in_order(linked, ScriptedGuide(), [("Unlinked", 3), ("One side", 3), ("Both sides", 3)])
    assert order == ["Both sides", "One side", "Unlinked"]


def test_a_better_grade_counts_more_than_a_second_side_and_any_link_more_than_a_grade(linked):
    order = anchors_in_order(linked, ScriptedGuide(), [("Unlinked", 3), ("One side", 3), ("Both sides", 2)])
    assert order == ["One side", "Both sides", "Unlinked"]


def test_only_equals_at_the_top_are_compared_directly(linked):
    guide = ScriptedGuide()
    assert anchors_in_order(linked, guide, [("Both sides", 3), ("One side", 3), ("Root", 3)])[0] == "Both sides"
    assert guide.asked == []
    order = anchors_in_order(linked, guide, [("One side", 3), ("Root", 3), ("Both sides", 2)])
    assert guide.asked == [("choice", "", ["One side", "Root"])]
    assert order == ["Root", "One side", "Both sides"], "the guide of this test prefers the last one"
