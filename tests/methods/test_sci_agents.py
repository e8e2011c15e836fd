"""SciAgents: a way through a graph of concepts, and a team that makes a hypothesis of it."""

from __future__ import annotations

import random

from tests.methods.test_chain_of_ideas import answering

from novum.methods.sci_agents.paths import random_end
from novum.testing import ScriptedAnswer

METHOD = "sci-agents"
CRAFTS = [  # key, title, year, cites, citations, what it is about
    # kites – wind – sails – ropes – knots, and from the wind also: wind – mills – flour – bread
    ("a", "Kites and wind", 2001, [], 1, "Kites. Wind"),
    ("b", "Wind and kites", 2002, [], 1, "Wind. Kites"),
    ("c", "Wind and sails", 2003, [], 1, "Wind. Sails"),
    ("d", "Sails and ropes", 2004, [], 1, "Sails. Ropes"),
    ("e", "Ropes and knots", 2005, [], 1, "Ropes. Knots"),
    ("f", "Knots and ropes", 2019, [], 1, "Knots. Ropes"),
    ("g", "Wind and mills", 1990, [], 1, "Wind. Mills"),
    ("h", "Mills and flour", 1991, [], 1, "Mills. Flour"),
    ("i", "Flour and bread", 1992, [], 1, "Flour. Bread"),
    ("j", "Bread and flour", 1993, [], 1, "Bread. Flour"),
]


def asked_as(server, form):
    return [asked.text for asked in server.asked if asked.form == form]


def way_in(text):
    """The concepts of the way that a prompt shows."""
    steps = [line.split(" (together")[0].split(". ", 1)[1] for line in text.splitlines() if "(together in" in line]
    return [step.split(" – ")[0] for step in steps] + [steps[-1].split(" – ")[1]]


def test_a_way_becomes_an_idea_by_the_whole_team(generate, serve):
    server = serve()
    ideation = generate(server, papers=CRAFTS, method=METHOD, ideas=1)
    assert ideation.notes == ()
    assert ideation.best.checks[-1].nearest
    assert ideation.experiment.idea_id == ideation.best.idea.id
    team = ["Ontology", "Hypothesis", *["Expansion"] * 6, "Criticism", "Proposal", "Likeness"]
    assert server.forms() == [*team, "Design", "Critique", "Revision"]


def test_a_way_given_by_both_ends_is_walked_step_by_step_with_papers_that_show_each(generate, serve):
    server = serve()
    generate(server, papers=CRAFTS, method=METHOD, ideas=1, start="Kites", end="knots", waypoints=0, experiment=False)
    (told,) = asked_as(server, "Hypothesis")
    assert way_in(told) == ["kites", "wind", "sails", "ropes", "knots"]
    for title in ("Wind and sails", "Sails and ropes"):
        assert title in told


def test_a_way_begins_at_the_concept_nearest_to_the_topic_and_ends_where_the_lot_falls(generate, serve):
    server = serve()
    generate(server, "the knots of sailors", papers=CRAFTS, method=METHOD, ideas=3, waypoints=0, experiment=False)
    ways = [way_in(text) for text in asked_as(server, "Hypothesis")]
    assert ways
    assert {way[0] for way in ways} == {"knots"}
    assert {way[-1] for way in ways} <= {"wind", "kites", "mills", "flour", "bread"}, "three steps away or more"


def test_a_way_begins_where_there_is_somewhere_to_go(generate, serve):
    island = [("k", "Pearls and oysters", 2001, [], 1, "Pearls. Oysters"), ("l", "Oysters and pearls", 2002, [], 1, "")]
    server = serve()
    generate(server, "pearls", papers=[*CRAFTS, *island], method=METHOD, ideas=1, experiment=False)
    assert "pearls" not in way_in(asked_as(server, "Hypothesis")[0])


def test_a_concept_that_no_paper_has_is_replaced_by_the_nearest_and_that_is_reported(generate, serve):
    ideation = generate(
        serve(), papers=CRAFTS, method=METHOD, ideas=1, start="rope", end="kites", waypoints=0, experiment=False
    )
    assert ideation.best is not None
    assert ideation.notes[0] == "The graph has no concept «rope»: the nearest one, «ropes», was used."


def test_ways_that_are_the_same_are_walked_once(generate, serve):
    ideation = generate(
        serve(), papers=CRAFTS, method=METHOD, ideas=3, start="kites", end="knots", waypoints=0, experiment=False
    )
    assert len(ideation.candidates) == 1
    assert ideation.notes == ("2 of 3 paths through the graph were identical to another one.",)


def test_papers_without_a_concept_in_common_make_no_graph_and_a_note_says_so(generate, serve):
    papers = [("a", "Kites", 2001, [], 1, "wind"), ("b", "Knots", 2002, [], 1, "ropes")]
    server = serve()
    ideation = generate(server, papers=papers, method=METHOD)
    assert ideation.candidates == ()
    assert "share no concepts" in ideation.notes[0]
    assert server.asked == []


def test_before_a_date_nothing_later_is_in_the_graph_shown_or_cited(generate, serve):
    later = "Knots and ropes"
    server = serve(
        answering(
            Proposal=lambda answer, asked: answer | {"other_works": [later]},
            Likeness=lambda answer, asked: answer | {"recalled": [later]},
        )
    )
    ideation = generate(server, papers=CRAFTS, method=METHOD, ideas=2, before="2005-06-01")
    assert all(paper.year < 2005 for paper in ideation.papers)
    assert later not in ideation.model_dump_json()
    assert "Ropes and knots" not in "".join(asked.text for asked in server.asked)
    assert all("knots" not in way_in(text) for text in asked_as(server, "Hypothesis"))


def test_found_known_comes_last_and_the_critics_marks_order_the_rest(generate, serve):
    known = []

    def likeness(answer, asked):
        known.append(asked.text) if not known else None
        return answer | {"known": "yes" if asked.text == known[0] else "no", "closest": "P1"}

    server = serve(answering(Likeness=likeness))
    ideation = generate(server, papers=CRAFTS, method=METHOD, ideas=3, expand=False, experiment=False)
    novel = [candidate.checks[-1].novel for candidate in ideation.candidates]
    assert len(novel) > 1
    assert novel == [True] * (len(novel) - 1) + [False]


def test_the_critics_marks_put_ideas_in_order(generate, serve):
    def criticism(answer, asked):
        mark = asked.number % 10 + 1
        return answer | {"novelty": mark, "feasibility": mark, "settled": f"Worth {mark:02}."}

    def proposal(answer, asked):
        return answer | {"title": "Worth " + asked.text.split("Worth ")[1][:2]}

    server = serve(answering(Criticism=criticism, Proposal=proposal))
    ideation = generate(server, papers=CRAFTS, method=METHOD, ideas=3, expand=False, experiment=False)
    worth = [candidate.idea.title for candidate in ideation.candidates]
    assert len(worth) > 1
    assert worth == sorted(worth, reverse=True)


def test_without_expansion_the_parts_stay_as_the_scientist_wrote_them(generate, serve):
    server = serve()
    generate(server, papers=CRAFTS, method=METHOD, ideas=1, expand=False, experiment=False)
    assert "Hypothesis" in server.forms()
    assert "Expansion" not in server.forms()


def test_a_library_too_small_for_concepts_in_two_papers_is_walked_by_those_in_one(generate, serve):
    server = serve()
    ideation = generate(server, method=METHOD, ideas=1, expand=False, experiment=False)
    assert ideation.best is not None
    assert len(way_in(asked_as(server, "Hypothesis")[0])) > 1


def test_members_of_the_team_without_an_answer_are_reported_and_the_others_continue(generate, serve):
    def silent(answer, asked):
        return "Hm."

    server = serve(answering(Ontology=silent, Expansion=silent, Criticism=silent))
    ideation = generate(server, papers=CRAFTS, method=METHOD, ideas=1, experiment=False)
    assert ideation.best is not None
    told = [note.partition("): ")[2] for note in ideation.notes]
    assert told[:2] == [
        "the ontologist gave no usable definitions.",
        "the outcome could not be worked out further.",
    ]
    assert told[-1] == "the critic gave nothing usable."
    assert len(told) == 8


def test_a_silent_scientist_leaves_no_idea_and_a_note_for_each_way(generate, serve):
    server = serve(answering(Hypothesis=lambda answer, asked: "Hm."))
    ideation = generate(server, papers=CRAFTS, method=METHOD, ideas=1)
    assert ideation.candidates == ()
    (note,) = ideation.notes
    assert note.startswith("Way 1 (")
    assert note.endswith("the writer gave no usable idea.")


def test_the_order_in_which_answers_come_in_changes_nothing(generate, serve):
    rng = random.Random(0)

    def dawdling(asked):
        return (
            ScriptedAnswer(status=503, headers={"retry-after-ms": str(rng.randint(1, 20))})
            if rng.random() < 0.2
            else None
        )

    quiet = generate(serve(), papers=CRAFTS, method=METHOD, ideas=2)
    assert len(quiet.candidates) == 2
    assert generate(serve(dawdling), papers=CRAFTS, method=METHOD, ideas=2) == quiet


def test_an_end_drawn_by_lot_is_as_far_away_as_there_is_one_up_to_three_steps():
    rng = random.Random(0)
    assert random_end({"near": 1, "far": 2}, rng) == "far"
    assert {random_end({"near": 1, "far": 3, "farther": 5}, rng) for _ in range(20)} == {"far", "farther"}
