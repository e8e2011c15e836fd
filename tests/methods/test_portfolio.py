"""Portfolio: seeds from several sources, screened, compared, developed, attacked and revised."""

from __future__ import annotations

import asyncio
import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.conftest import LINE, entry
from tests.methods.openings_lab import LEDGERS, SOUP, openings, taken_up
from tests.methods.test_chain_of_ideas import answering

from novum.core import Ideation, NoveltyCheck, Topic
from novum.core.seed_origin import WHOLE_DRAFT
from novum.lab import Workplace
from novum.methods import get_method
from novum.methods.effort import effort_options
from novum.methods.portfolio.development import STANCES, _finding_as_attack
from novum.methods.portfolio.options import SOURCES, PortfolioOptions
from novum.methods.portfolio.seeds import seeds_per_request
from novum.reports.ideation.origins import origin_in_words
from novum.runs.engine import start
from novum.runs.ideation import IDEATION, IdeationTask
from novum.settings import load_settings
from novum.testing import ScriptedAnswer

METHOD = "portfolio"
QUICK = {
    "method": METHOD,
    "sources": "assumption,plain",
    "seeds": 4,
    "chains": 2,
    "batches": 1,
    "nearest": 4,
    "screened": 5,
    "contenders": 12,
    "developed": 2,
    "drafts": 0,
    "critics": 1,
    "attack_rounds": 1,
    "compare_revisions": False,
    "tournament_rounds": 1,
    "similarity": 1,
    "experiment": False,
}
INVERTS = "turns one of these assumptions around"
NONE_KNOWN = {"known": "no", "closest": "none"}


def asked_as(server, form):
    return [asked.text for asked in server.asked if asked.form == form]


WORDS = """
harbour violin glacier enzyme tariff orchid turbine sonnet magnet beetle pension lantern comet quarry vaccine
chess monsoon ledger falcon syntax pottery reef tribunal yeast canyon zipper opera sulphur compass mortgage
walrus tapestry diesel almond verdict tundra piston lullaby kidney fresco ballast pigeon basalt auction cactus
sermon axle plankton throne gypsum dialect saddle nebula broth lattice cavalry tulip furnace anthem otter
ransom pulley willow quartz census mosaic kettle stadium larynx peat veto trumpet gravel dolphin parchment
thistle cobalt jury lagoon sparrow ceramic plough vinegar meteor corset algae bishop dynamo freckle hinge
iceberg jigsaw kelp limestone mascot nectar oboe pendulum quiver rudder sapphire tornado umbrella vortex
wigwam
""".split()  # noqa: SIM905  a list would take a page


def seed(title, **parts):
    """A seed whose words no other seed has, or few of them."""
    words = random.Random(title).sample(WORDS, 24)
    given = {
        "problem": f"Problem of {title}: {' '.join(words[:12])}.",
        "mechanism": f"Mechanism of {title}: {' '.join(words[12:])}.",
    }
    return {"title": title, "test": f"Test of {title}.", "nearest": "", "query": "widget learning"} | given | parts


def numbered(answer, asked):
    """Seeds that are all different, and named by the request and their place in it."""
    count = int(re.search(r"Write (\d+) research idea", asked.text)[1])
    return {"observations": [], "seeds": [seed(f"Seed {asked.number} {place}") for place in range(count)]}


def of_sources(**seeds):
    """Seeds by the source whose prompt asks for them."""
    marks = {
        "assumption": "turns one of these assumptions around",
        "plain": "wide knowledge of science",
        "chain": "in a line of work",
    }

    def written(answer, asked):
        named = next(name for name, mark in marks.items() if mark in asked.text)
        return {"observations": [], "seeds": seeds.get(named, [])}

    return written


def scripted(**by_form):
    return answering(**{"WrittenSeeds": numbered} | by_form)


def verdicts(**changes):
    """A screening that says the same of every seed."""

    def screen(answer, asked):
        said = {"comparison": "It shares the widgets.", "closest": "none", "contained": "no", "promise": 3} | changes
        numbers = re.findall(r"^Seed (\d+)\.", asked.text, re.MULTILINE)
        return {"verdicts": [{"number": int(number)} | said for number in numbers]}

    return screen


def prefers(wins):
    """A judge of pairs: `wins` decides from the titles in positions A and B."""

    def choose(answer, asked):
        pairs = re.findall(r"^Pair (\d+)\.\s+Idea A: (.*)\n(?:.*\n)*?Idea B: (.*)", asked.text, re.MULTILINE)
        return {
            "choices": [{"number": int(number), "reason": "by title", "better": wins(a, b)} for number, a, b in pairs]
        }

    return choose


# -- the whole ---------------------------------------------------------------------------------------------------------


def test_a_topic_becomes_developed_ideas_and_every_seed_keeps_its_source(generate, serve):
    server = serve(scripted())
    ideation = generate(server, method=METHOD, similarity=1, effort="medium")
    assert len(ideation.candidates) == 4
    assert ideation.experiment.idea_id == ideation.best.idea.id
    assert {each.source for each in ideation.origins} == {"chain", "concepts", "assumption", "plain", WHOLE_DRAFT}
    assert [each.source for each in ideation.origins].count(WHOLE_DRAFT) == 1
    assert len(ideation.origins) == 25
    developed = [each for each in ideation.origins if each.fate == "developed"]
    assert {each.idea_id for each in developed} == {candidate.idea.id for candidate in ideation.candidates}
    assert all(len(each.objections) == (0 if each.source == WHOLE_DRAFT else 2) for each in developed)
    assert {paper_id for each in ideation.origins for paper_id in each.paper_ids} <= {p.id for p in ideation.papers}
    assert all(each.promise for each in ideation.origins if each.source != WHOLE_DRAFT)
    assert sum(each.win_rate is not None for each in ideation.origins) == 12


def of_the_topic_alone(asked):
    """Whether a proposal is asked for without a seed."""
    return asked.form == "Proposal" and "from what you know" in asked.text


@pytest.mark.parametrize("preferred", ["A whole draft", "A seed"])
def test_a_whole_draft_joins_the_final_comparison(generate, serve, preferred):
    def titled(answer, asked):
        return answer | {"title": "A whole draft" if of_the_topic_alone(asked) else "A seed"}

    other = {"A whole draft": "A seed", "A seed": "A whole draft"}[preferred]
    script = scripted(Proposal=titled, Comparison=better_titled(preferred, other), Likeness=lambda a, _: a | NONE_KNOWN)
    server = serve(script)
    ideation = generate(server, **QUICK | {"developed": 1, "attack_rounds": 0, "drafts": 1})
    assert len([asked for asked in server.asked if of_the_topic_alone(asked)]) == 1
    assert {each.idea.title for each in ideation.candidates} == {"A whole draft", "A seed"}
    assert ideation.best.idea.title == preferred
    assert all(each.checks for each in ideation.candidates)
    (origin,) = [each for each in ideation.origins if each.source == WHOLE_DRAFT]
    assert (origin.fate, origin.title) == ("developed", "A whole draft")
    assert "1 whole draft; it comes from" in origin_in_words(ideation, ideation.best)


def test_a_whole_draft_that_a_paper_contains_comes_last(generate, serve):
    def titled(answer, asked):
        return answer | {"title": "A whole draft" if of_the_topic_alone(asked) else "A seed"}

    def known(answer, asked):
        return answer | ({"known": "yes", "closest": "P1"} if "A whole draft" in asked.text else NONE_KNOWN)

    script = scripted(Proposal=titled, Comparison=better_titled("A whole draft", "A seed"), Likeness=known)
    ideation = generate(serve(script), **QUICK | {"developed": 1, "attack_rounds": 0, "drafts": 1})
    assert [each.idea.title for each in ideation.candidates] == ["A seed", "A whole draft"]


def test_without_a_usable_whole_draft_the_seeds_compete_alone(generate, serve):
    def refused(asked):
        return ScriptedAnswer("No.") if of_the_topic_alone(asked) else same(asked)

    same = scripted()
    ideation = generate(serve(refused), **QUICK | {"drafts": 2})
    assert WHOLE_DRAFT not in {each.source for each in ideation.origins}
    assert len(ideation.candidates) == 2
    assert "2 of 2 whole drafts were not usable." in ideation.notes


def test_the_outcome_is_read_back_as_it_was_written(generate, serve):
    ideation = generate(serve(scripted()), **QUICK)
    assert Ideation.model_validate_json(ideation.model_dump_json()) == ideation
    assert ideation.origins[0].objections or ideation.origins[1:]


def test_the_order_in_which_answers_come_in_changes_nothing(generate, serve):
    rng = random.Random(0)

    def dawdling(asked):
        if rng.random() < 0.2:
            return ScriptedAnswer(status=503, headers={"retry-after-ms": str(rng.randint(1, 20))})
        return same(asked)

    same = scripted(WrittenSeeds=of_sources(plain=[seed("One"), seed("Two")], assumption=[seed("Three")]))
    assert generate(serve(dawdling), **QUICK) == generate(serve(same), **QUICK)


def test_the_same_command_asks_nothing_again(serve, tmp_path):
    server = serve(scripted())
    settings = load_settings({"home": str(tmp_path), "writer": server.model}, environment={}, folder=tmp_path)

    async def carry_out():
        async with Workplace(settings) as workplace:
            workplace.library.add([entry(*each) for each in LINE])
            task = IdeationTask(topic="widgets", method=METHOD, options={"developed": 2})
            return (await start(IDEATION, workplace, task)).ideation

    first, asked = asyncio.run(carry_out()), len(server.asked)
    assert asyncio.run(carry_out()) == first
    assert len(server.asked) == asked


def test_before_a_date_nothing_later_is_shown_or_cited(generate, serve):
    later = "Widget learners that plan"
    hidden = {"nearest": later, "query": "planning widget learners"}
    server = serve(
        scripted(
            WrittenSeeds=lambda answer, asked: {"observations": [], "seeds": [seed(f"Seed {asked.number}", **hidden)]},
            Proposal=lambda answer, asked: answer | {"other_works": [later]},
        )
    )
    ideation = generate(server, before="2018-06-01", **QUICK)
    shown = "".join(asked.text for asked in server.asked)
    assert later not in shown
    assert "Self-checking widget learners" not in shown
    assert later not in ideation.model_dump_json()


# -- sources -----------------------------------------------------------------------------------------------------------


def prompt_of(generate, serve, source, **options):
    server = serve(scripted())
    generate(server, **QUICK | {"sources": source} | options)
    return next(iter(asked_as(server, "WrittenSeeds")))


def test_a_seed_is_asked_for_with_all_its_parts(generate, serve):
    for source in ("chain", "concepts", "assumption", "plain"):
        text = prompt_of(generate, serve, source, chains=1)
        assert "widgets and gadgets that learn" in text
        assert "Write 4 research ideas in short form" in text
        for part in ("Title:", "Problem:", "Mechanism:", "Test:", "Nearest:", "Query:"):
            assert part in text, (source, part)
        assert "why this should work where present methods do not" in text
        assert "the outcome that would refute the idea" in text
        assert "No two ideas may share their mechanism" in text


def test_chains_are_shown_from_early_to_late_with_three_ways_to_look_at_them(generate, serve):
    text = prompt_of(generate, serve, "chain", chains=1)
    for way in ("1. Tension: two findings that do not fit together", "2. Loss: something that an earlier paper had",
                "3. Break: a case in which the mechanism that the line relies on decides wrongly"):  # fmt: skip
        assert way in text
    years = [int(year) for year in re.findall(r"^P\d+\. \w+ (\d{4}): ", text, re.MULTILINE)]
    assert len(years) >= 2
    assert years == sorted(years)


def test_a_seed_of_a_chain_leads_to_an_idea_with_this_chain(generate, serve):
    ideation = generate(serve(scripted()), **QUICK | {"sources": "chain", "chains": 1})
    assert len(ideation.best.chain.papers) >= 2


def test_problems_come_with_random_concepts_and_the_passages_that_show_them(generate, serve):
    server = serve(scripted())
    generate(server, **QUICK | {"sources": "concepts"})
    text = asked_as(server, "WrittenSeeds")[0]
    assert "Prospects" in server.forms(), "open problems are asked for, and not only guessed from passages"
    assert re.search(r"^Problem 1, from P\d+", text, re.MULTILINE)
    assert "- Concept, from P" in text
    assert "Passage" in text or "An account by somebody else" in text


def test_the_assumption_source_shows_papers_and_asks_for_what_all_of_them_share(generate, serve):
    text = prompt_of(generate, serve, "assumption")
    assert "Deep widget learning" in text
    assert "assumptions that all or nearly all of these papers share and that none of them tests" in text
    assert "turns one of these assumptions around" in text


def test_the_plain_source_shows_no_paper(generate, serve):
    text = prompt_of(generate, serve, "plain")
    assert not any(title in text for _, title, *_ in LINE)
    assert "[P1]" not in text


FAR = [(f"far{n}", f"Siphons of deep aquifers {n}", 1990 + n, [], 1, f"groundwater siphons {n}") for n in range(4)]
NEAR = [(f"near{n}", f"Widget gadget learner {n}", 2015, [], 1, "widgets gadgets that learn") for n in range(40)]
ELSEWHERE = {
    "structure": "Something flows uphill.",
    "elsewhere": [{"field": "hydrology", "query": "siphons of deep aquifers"}],
}


def test_analogies_come_from_papers_that_the_writers_queries_find_in_other_fields(generate, serve):
    server = serve(scripted(ProblemStructure=lambda answer, asked: ELSEWHERE))
    ideation = generate(server, papers=[*NEAR, *FAR], **QUICK | {"sources": "analogy"})
    (structure,) = asked_as(server, "ProblemStructure")
    assert "in words that belong to no field" in structure
    assert "The query must not contain words of the topic" in structure
    (text,) = asked_as(server, "WrittenSeeds")
    assert "Something flows uphill." in text
    assert "- hydrology" in text
    assert "Siphons of deep aquifers 1" in text
    assert "Widget gadget learner" not in text, "papers on the topic itself are no analogy"
    assert "return an empty list" in text
    assert ideation.origins[0].source == "analogy"


@pytest.mark.parametrize(
    "given", ["assumption,plain", "assumption+plain", " assumption , plain ", ["assumption", "plain"]]
)
def test_sources_are_named_in_a_row(given):
    assert PortfolioOptions(sources=given).sources == ("assumption", "plain")


def test_sources_without_anything_to_offer_are_skipped_with_a_note(generate, serve):
    def nothing(answer, asked):
        return {"observations": [], "seeds": []} if INVERTS in asked.text else numbered(answer, asked)

    ideation = generate(serve(scripted(WrittenSeeds=nothing)), **QUICK | {"sources": ",".join(SOURCES)})
    notes = [each for each in ideation.notes if "had nothing to offer" in each]
    assert [each.split(" had")[0] for each in notes] == [
        "The source opportunity",
        "The source analogy",
        "The source assumption",
    ]
    assert "a library of at least 200 papers" in notes[0]
    assert {each.source for each in ideation.origins} == {"chain", "concepts", "plain"}


def test_opportunities_are_shown_with_their_reasons_and_papers(serve, tmp_path, shelf):
    server = serve(scripted())
    report = taken_up(server, tmp_path / "home", shelf, openings(SOUP, LEDGERS), **QUICK | {"sources": "opportunity"})
    (text,) = asked_as(server, "WrittenSeeds")
    assert "Pair 1: planning and altitude" in text
    assert "- both gained papers" in text
    assert "Pair 2: gadget priors and accounting ledgers" in text
    assert "Widget learners that plan" in text
    assert "a forced combination is worth less than none" in text
    assert {each.source for each in report.ideation.origins} == {"opportunity"}


@given(st.integers(2, 60), st.lists(st.integers(1, 4), min_size=1, max_size=12))
def test_seeds_are_spread_by_weight(total, weights):
    counts = seeds_per_request(total, weights)
    assert all(1 <= each <= 8 for each in counts)
    if len(weights) <= total and max(total * each / sum(weights) for each in weights) <= 8:
        assert all(abs(each - max(total * of / sum(weights), 1)) <= 1 for each, of in zip(counts, weights, strict=True))
    assert seeds_per_request(24, [4, 4, 3, 3, 3, 3, 3]) == [5, 4, 3, 3, 3, 3, 3]


# -- near-duplicates and screening -------------------------------------------------------------------------------------


def test_near_duplicates_are_dropped_and_say_what_they_repeat(generate, serve):
    again = seed("Turning widgets")
    server = serve(scripted(WrittenSeeds=of_sources(assumption=[again, seed("Folding")], plain=[again])))
    ideation = generate(server, **QUICK)
    (dropped,) = [each for each in ideation.origins if each.fate == "near-duplicate"]
    assert (dropped.source, dropped.like) == ("plain", "Turning widgets")
    assert "1 of 3 seeds were dropped as near-duplicates of another one." in ideation.notes


def test_seeds_in_other_words_are_dropped_by_their_embedding(generate, serve):
    one = seed("Widgets", problem="Widgets fail on gadgets.", mechanism="Deep widget learning with gadget priors.")
    other = seed("Gadgets", problem="On gadgets widgets fail.", mechanism="With gadget priors, widget learning, deep.")
    script = scripted(WrittenSeeds=of_sources(plain=[one, other]))
    fates = [each.fate for each in generate(serve(script), **QUICK | {"sources": "plain", "similarity": 0.9}).origins]
    assert fates == ["developed", "near-duplicate"]


@pytest.mark.parametrize(
    ("said", "fate"),
    [
        ({"contained": "yes", "closest": "P1"}, "anticipated"),
        ({"contained": "yes", "closest": "none"}, "developed"),
        ({"contained": "yes", "closest": "P99"}, "developed"),
        ({"contained": "partly", "closest": "P1"}, "developed"),
        ({"contained": "no", "closest": "P1"}, "developed"),
    ],
)
def test_only_a_named_paper_that_contains_a_seed_removes_it(generate, serve, said, fate):
    ideation = generate(serve(scripted(Screening=verdicts(**said))), **QUICK | {"developed": 4})
    assert {each.fate for each in ideation.origins} == {fate}
    assert len(ideation.candidates) == (0 if fate == "anticipated" else 4)
    if said["closest"] == "P1":
        assert {each.closest_id for each in ideation.origins} <= {paper.id for paper in ideation.papers}


def test_a_screening_shows_each_seed_with_its_nearest_papers_and_what_counts(generate, serve):
    named = seed("Plans", query="cooking soup", nearest="Deep widget learning")
    server = serve(scripted(WrittenSeeds=of_sources(plain=[named])))
    generate(server, **QUICK | {"nearest": 3})
    (text,) = asked_as(server, "Screening")
    assert "Seed 1. Plans" in text
    assert "Nearest papers found: P1, P2, P3" in text
    assert re.search(r"^P1\. .*Deep widget learning$", text, re.MULTILINE), "the work that its writer names comes first"
    assert "Cooking soup" in text
    assert '"yes" only if this one paper already contains both the problem and the mechanism' in text
    assert "That a paper is near an idea is information about the idea, and no fault of it." in text
    assert "5: it removes a difficulty at the centre of the topic" in text


def test_what_the_screening_found_reaches_the_tournament_and_the_writer(generate, serve):
    found = verdicts(comparison="It lacks the crank of P1.", closest="P1")
    server = serve(scripted(Screening=found))
    ideation = generate(server, **QUICK)
    citation = re.search(r"It lacks the crank of (\w+ \d{4})", ideation.origins[0].finding)[1]
    for form in ("SeedChoices", "Proposal"):
        assert all(f"It lacks the crank of {citation}" in text for text in asked_as(server, form)), form


def test_seeds_with_the_same_words_are_dropped_whatever_their_titles(generate, serve):
    words = {"problem": "Widgets fail on wet gadgets.", "mechanism": "A lever turns every gadget around."}
    half = {"problem": "Widgets fail on monastic ledgers.", "mechanism": "Sulphur vineyards tax every gadget."}
    given = [seed("Levers", **words), seed("Turning", **words), seed("Vineyards", **half), seed("levers!")]
    ideation = generate(
        serve(scripted(WrittenSeeds=of_sources(plain=given))), **QUICK | {"sources": "plain", "developed": 4}
    )
    assert [(each.title, each.fate, each.like) for each in ideation.origins] == [
        ("Levers", "developed", ""),
        ("Turning", "near-duplicate", "Levers"),
        ("Vineyards", "developed", ""),
        ("levers!", "near-duplicate", "Levers"),
    ]


@pytest.mark.parametrize(
    ("said", "lost"),
    [
        (lambda answer, asked: "No.", 4),
        (lambda answer, asked: {"verdicts": verdicts(promise=2)(answer, asked)["verdicts"][1:]}, 1),
    ],
)
def test_seeds_without_a_usable_screening_go_on_and_a_note_counts_them(generate, serve, said, lost):
    ideation = generate(serve(scripted(Screening=said)), **QUICK | {"developed": 4})
    assert {each.fate for each in ideation.origins} == {"developed"}
    assert [each.promise for each in ideation.origins].count(None) == lost
    assert f"{lost} of 4 seeds were not screened, since there was no usable answer on them." in ideation.notes


def test_two_verdicts_on_a_seed_that_differ_are_asked_for_again(generate, serve):
    def twice(answer, asked):
        once = verdicts(promise=5)(answer, asked)["verdicts"]
        again = verdicts(promise=1)(answer, asked)["verdicts"]
        return {"verdicts": once if "two entries that differ" in asked.text else once + again}

    server = serve(scripted(Screening=twice))
    ideation = generate(server, **QUICK)
    assert {each.promise for each in ideation.origins} == {5}
    assert "number 1 has two entries that differ: give it one" in asked_as(server, "Screening")[1]


def test_two_choices_for_a_pair_that_differ_are_asked_for_again(generate, serve):
    def twice(answer, asked):
        pair = {"number": 1, "reason": "r"}
        again = [pair | {"better": "B"}] if "two entries that differ" not in asked.text else []
        return {"choices": [pair | {"better": "A"}, *again]}

    server = serve(scripted(SeedChoices=twice))
    generate(server, **QUICK)
    assert any("number 1 has two entries that differ" in text for text in asked_as(server, "SeedChoices"))


def test_the_same_verdict_twice_does_no_harm(generate, serve):
    def twice(answer, asked):
        return {"verdicts": 2 * verdicts(promise=5)(answer, asked)["verdicts"][:4]}

    ideation = generate(serve(scripted(Screening=twice)), **QUICK)
    assert {each.promise for each in ideation.origins} == {5}
    assert not any("not screened" in note for note in ideation.notes)


def test_seeds_are_screened_so_many_at_a_time_and_each_keeps_its_verdict(generate, serve):
    def by_title(answer, asked):
        listed = re.findall(r"^Seed (\d+)\. Worth (\d)$", asked.text, re.MULTILINE)
        said = {"comparison": "c", "closest": "none", "contained": "no"}
        return {"verdicts": [said | {"number": int(number), "promise": int(worth)} for number, worth in listed]}

    seeds = of_sources(plain=[seed(f"Worth {n}") for n in range(1, 6)])
    server = serve(scripted(WrittenSeeds=seeds, Screening=by_title))
    ideation = generate(server, **QUICK | {"sources": "plain", "seeds": 5, "screened": 2})
    assert [text.count("\nSeed ") for text in asked_as(server, "Screening")] == [2, 2, 1]
    assert all("widgets and gadgets that learn" in text for text in asked_as(server, "Screening"))
    assert {each.title: each.promise for each in ideation.origins} == {f"Worth {n}": n for n in range(1, 6)}


def test_a_seed_is_screened_against_two_papers_of_its_query_and_then_those_nearest_to_its_text(generate, serve):
    soups = [(f"s{n}", f"Cooking soup {n}", 2000, [], 1, "soup cooking salt kettle") for n in range(6)]
    levers = [(f"l{n}", f"Levers turning gadgets {n}", 2000, [], 1, "levers turning gadgets") for n in range(6)]
    own = seed("Levers", problem="Turning gadgets is slow.", mechanism="Levers turning gadgets.", query="cooking soup")
    server = serve(scripted(WrittenSeeds=of_sources(plain=[own | {"nearest": "Levers turning gadgets 5"}])))
    generate(server, papers=[*soups, *levers], **QUICK | {"sources": "plain", "nearest": 6, "developed": 1})
    (text,) = asked_as(server, "Screening")
    shown = re.findall(r"^P\d+\. \w+ \d{4}: (.*)$", text, re.MULTILINE)
    assert shown[0] == "Levers turning gadgets 5"
    assert [title.split()[0] for title in shown[1:]] == ["Cooking", "Cooking", "Levers", "Levers", "Levers"]


def test_the_writer_and_the_critics_see_the_papers_of_the_screening_first(generate, serve):
    server = serve(scripted())
    generate(server, **QUICK | {"sources": "plain", "developed": 1, "nearest": 6}, chosen={"papers": 2})

    def shown(text):
        return re.findall(r"^P\d+\. \w+ \d{4}: (.*)$", text, re.MULTILINE)

    (draft,) = asked_as(server, "Proposal")
    assert len(shown(draft)) >= 6
    for text in (*asked_as(server, "Attack"), *asked_as(server, "RevisedProposal")):
        assert shown(text)[:6] == shown(draft)[:6]


# -- tournament --------------------------------------------------------------------------------------------------------


def test_pairs_share_a_request_and_their_two_orders_do_not(generate, serve):
    server = serve(scripted())
    generate(server, **QUICK | {"seeds": 8, "pairs": 2, "tournament_rounds": 1})
    asked = asked_as(server, "SeedChoices")
    assert len(asked) == 4
    orders = [re.findall(r"^Idea [AB]: (.*)$", text, re.MULTILINE) for text in asked]
    assert all(len(titles) == 4 for titles in orders)
    for titles in orders:
        assert [titles[1], titles[0], titles[3], titles[2]] in orders
    assert "The order in which two ideas are shown means nothing" in asked[0]
    assert "Prefer the idea" in asked[0]


def test_the_tournament_decides_what_is_developed(generate, serve):
    best = prefers(lambda a, b: "A" if a > b else "B")
    seeds = of_sources(plain=[seed(f"Worth {n}") for n in range(6)])
    script = scripted(WrittenSeeds=seeds, SeedChoices=best)
    ideation = generate(
        serve(script), **QUICK | {"sources": "plain", "tournament_rounds": 5, "developed": 1, "seeds": 6}
    )
    (developed,) = [each.title for each in ideation.origins if each.fate == "developed"]
    assert developed == "Worth 5"
    rates = {each.title: each.win_rate for each in ideation.origins}
    assert rates["Worth 5"] == 1.0
    assert rates["Worth 0"] == 0.0


def test_a_judge_who_likes_the_first_position_decides_nothing(generate, serve):
    ideation = generate(serve(scripted(SeedChoices=prefers(lambda a, b: "A"))), **QUICK)
    assert {each.win_rate for each in ideation.origins} == {0.5}


def test_an_order_without_a_usable_answer_gives_no_result(generate, serve):
    ideation = generate(serve(scripted(SeedChoices=lambda answer, asked: "Both.")), **QUICK)
    assert {each.win_rate for each in ideation.origins} == {None}
    assert "2 comparisons between seeds had no usable answer." in ideation.notes
    assert len(ideation.candidates) == 2


def test_only_the_most_promising_seeds_enter_the_tournament(generate, serve):
    def by_title(answer, asked):
        titles = re.findall(r"^Seed (\d+)\. Worth (\d+)", asked.text, re.MULTILINE)
        said = {"comparison": "It shares the widgets.", "closest": "none", "contained": "no"}
        return {"verdicts": [{"number": int(n), "promise": 1 + int(worth)} | said for n, worth in titles]}

    seeds = of_sources(plain=[seed(f"Worth {n}") for n in range(5)])
    script = scripted(WrittenSeeds=seeds, Screening=by_title, SeedChoices=prefers(lambda a, b: "tie"))
    options = {"sources": "plain", "seeds": 5, "contenders": 2, "developed": 3, "tournament_rounds": 5}
    ideation = generate(serve(script), **QUICK | options)
    compared = {each.title for each in ideation.origins if each.win_rate is not None}
    assert compared == {"Worth 4", "Worth 3"}
    assert {each.title for each in ideation.origins if each.fate == "developed"} == compared | {"Worth 2"}


# -- development, attack and revision ----------------------------------------------------------------------------------


def test_the_writer_sees_seed_literature_and_the_common_form(generate, serve):
    server = serve(scripted())
    generate(server, **QUICK)
    for text in asked_as(server, "Proposal"):
        assert re.search(r"Mechanism: Mechanism of Seed \d+ \d:", text)
        assert re.search(r"First test: Test of Seed", text)
        assert "Deep widget learning" in text
        assert "one mechanism at its centre" in text
        for part in ("Motivation:", "Assumption:", "Check:", "Rival:", "Unchecked:", "Summary:"):
            assert f"\n{part}" in text


def test_a_critic_sees_proposal_and_papers_and_must_name_four_things(generate, serve):
    server = serve(scripted(Proposal=lambda answer, asked: answer | {"title": "The crank", "summary": "It cranks."}))
    generate(server, **QUICK)
    for text in asked_as(server, "Attack"):
        assert "The crank" in text
        assert "It cranks." in text
        assert "Deep widget learning" in text
        assert STANCES["whole"] in text
        assert "Closest: the label of the paper above that comes closest" in text
        assert "Objection: the strongest objection" in text
        assert "Check: the cheapest check that would show who is right" in text
        assert "Rival: the strongest rival explanation" in text
        assert "must give different results" in text


def test_critics_look_at_different_things(generate, serve):
    server = serve(scripted())
    generate(server, **QUICK | {"critics": 4, "developed": 1})
    asked = asked_as(server, "Attack")
    assert len(asked) == 4
    assert [sum(stance in text for text in asked) for stance in STANCES.values()] == [1, 1, 1, 1]


ATTACK = {
    "closest": "P1",
    "overlap": "P1 has the crank but not the wheel.",
    "objection": "The crank slips.",
    "check": "Turn it once.",
    "rival": "A lever does it too.",
    "case": "Upside down they differ.",
}


def test_a_revision_answers_every_attack(generate, serve):
    def revised(answer, asked):
        replies = [{"number": 1, "reply": "It is glued now."}, {"number": 2, "reply": "It was glued before."}]
        return answer | {"replies": replies, "proposal": answer["proposal"] | {"title": "The glued crank"}}

    script = scripted(
        Attack=lambda answer, asked: ATTACK, RevisedProposal=revised, Likeness=lambda a, _: a | NONE_KNOWN
    )
    server = serve(script)
    ideation = generate(server, **QUICK | {"developed": 1, "critics": 2})
    (text,) = asked_as(server, "RevisedProposal")
    assert text.count("Objection: The crank slips.") == 2
    assert text.count("Cheapest check: Turn it once.") == 2
    assert text.count("Strongest rival: A lever does it too. Upside down they differ.") == 2
    assert len(re.findall(r"Closest paper P1: \w+ \d{4} has the crank but not the wheel", text)) == 2
    assert "first answer each attack" in text
    assert "Deep widget learning" in text
    assert ideation.best.idea.title == "The glued crank"
    assert len(ideation.best.earlier_drafts) == 1
    (origin,) = [each for each in ideation.origins if each.fate == "developed"]
    assert [each.reply for each in origin.objections] == ["It is glued now.", "It was glued before."]
    assert origin.objections[0].draft_id == ideation.best.earlier_drafts[0].id
    assert origin.idea_id == ideation.best.idea.id
    assert origin.objections[0].closest_id in {paper.id for paper in ideation.papers}


def test_each_round_attacks_the_revision_before(generate, serve):
    count = iter(range(1, 99))

    def revised(answer, asked):
        return answer | {"proposal": answer["proposal"] | {"title": f"Version {next(count)}"}}

    server = serve(scripted(RevisedProposal=revised))
    ideation = generate(server, **QUICK | {"developed": 1, "attack_rounds": 3})
    attacked = [re.search(r"^Title: (.*)$", text, re.MULTILINE)[1] for text in asked_as(server, "Attack")]
    assert attacked[1:] == ["Version 1", "Version 2"]
    assert ideation.best.idea.title == "Version 3"
    (attacked_seed,) = (each for each in ideation.origins if each.objections)
    assert [each.round for each in attacked_seed.objections] == [1, 2, 3]


OLD, NEW = "Turning widgets by a crank", "Turning widgets by a wheel"


def better_titled(*titles):
    """A judge of ideas who prefers the title that stands earlier in the list."""

    def judged(answer, asked):
        first, second = re.findall(r"^Title: (.*)$", asked.text, re.MULTILINE)
        better = "A" if titles.index(first) < titles.index(second) else "B"
        return {
            name: value | {"better": better} if isinstance(value, dict) else value for name, value in answer.items()
        }

    return judged


@pytest.mark.parametrize(("preferred", "kept"), [((NEW, OLD), NEW), ((OLD, NEW), OLD)])
def test_a_revision_replaces_its_draft_only_if_judges_prefer_it(generate, serve, preferred, kept):
    script = scripted(
        Proposal=lambda answer, asked: answer | {"title": OLD},
        RevisedProposal=lambda answer, asked: answer | {"proposal": answer["proposal"] | {"title": NEW}},
        Comparison=better_titled(*preferred),
        Likeness=lambda answer, asked: answer | NONE_KNOWN,
    )
    ideation = generate(serve(script), **QUICK | {"developed": 1, "compare_revisions": True})
    assert ideation.best.idea.title == kept
    (developed,) = (each for each in ideation.origins if each.fate == "developed")
    (objection,) = developed.objections
    assert bool(objection.reply) == (kept == NEW)
    stays = [
        note for note in ideation.notes if "the draft stays, since its revision in round 1 was preferred in 0%" in note
    ]
    assert len(stays) == (kept == OLD)


def test_a_revision_that_no_judge_could_compare_does_not_replace_its_draft(generate, serve):
    script = scripted(Comparison=lambda answer, asked: "Both are fine.")
    ideation = generate(serve(script), **QUICK | {"developed": 1, "compare_revisions": True})
    assert ideation.best.earlier_drafts == ()
    assert any("its revision in round 1 was not compared" in note for note in ideation.notes)


def test_without_a_usable_attack_the_draft_stays_and_a_note_says_so(generate, serve):
    server = serve(scripted(Attack=lambda answer, asked: "No."))
    ideation = generate(server, **QUICK)
    assert asked_as(server, "RevisedProposal") == []
    assert len(ideation.candidates) == 2
    assert sum("1 of 1 critics gave no usable answer in round 1." in note for note in ideation.notes) == 2


def test_without_a_usable_revision_the_draft_stays_and_a_note_says_so(generate, serve):
    ideation = generate(serve(scripted(RevisedProposal=lambda answer, asked: "No.")), **QUICK)
    assert len(ideation.candidates) == 2
    assert sum("the writer gave no usable revision in round 1." in note for note in ideation.notes) == 2
    assert {one.reply for each in ideation.origins for one in each.objections} == {""}


def test_without_a_usable_draft_only_its_seed_is_lost(generate, serve):
    refused = []

    def proposal(answer, asked):
        title = re.search(r"Title: (Seed .*)", asked.text)[1]
        refused.append(title) if not refused else None
        return "No." if title == refused[0] else answer

    ideation = generate(serve(scripted(Proposal=proposal)), **QUICK)
    assert len(ideation.candidates) == 1
    assert [each.title for each in ideation.origins if each.fate == "not written up"] == refused
    assert f"The writer gave no usable draft for the seed «{refused[0]}»." in ideation.notes


def test_without_usable_seeds_there_is_no_idea_and_a_note_says_so(generate, serve):
    ideation = generate(serve(answering(WrittenSeeds=lambda answer, asked: "No.")), **QUICK)
    assert ideation.candidates == ()
    assert ideation.notes[-1] == "The writer gave no usable seeds."


@pytest.mark.parametrize(("known", "whole"), [("yes", "the problem and the mechanism"), ("partly", "a part of the")])
def test_an_idea_that_a_paper_contains_is_revised_once_more(generate, serve, known, whole):
    first = []

    def likeness(answer, asked):
        first.append(asked.number)
        verdict = {"known": known, "closest": "P1"} if len(first) == 1 else NONE_KNOWN
        return answer | verdict

    server = serve(scripted(Likeness=likeness))
    ideation = generate(server, **QUICK | {"developed": 1})
    last = asked_as(server, "RevisedProposal")[-1]
    assert len(asked_as(server, "RevisedProposal")) == 2
    assert f"A published paper already contains {whole}" in last
    assert "must state the difference" in last
    assert [each.novel for each in ideation.best.checks] == [known != "yes", True]
    assert [each.round for each in ideation.best.checks] == [1, 2]


def test_final_ideas_are_compared_in_both_orders_by_the_common_judge(generate, serve):
    server = serve(scripted())
    ideation = generate(server, **QUICK)
    assert len(asked_as(server, "Comparison")) == 2
    assert len(ideation.matches) == 2
    assert all(candidate.win_rate is not None for candidate in ideation.candidates)


def test_sources_are_read_from_text_and_checked():
    method = get_method(METHOD)
    assert method.options_from({"sources": "chain, plain"}).sources == ("chain", "plain")
    with pytest.raises(Exception, match="portfolio: option sources"):
        method.options_from({"sources": "dreams"})
    assert Topic(text="t")
    assert json.loads(method.options_from({}).model_dump_json())["sources"] == ["chain", "assumption", "plain"]
    assert set(effort_options(METHOD, "medium")["sources"]) == set(SOURCES)


@pytest.mark.parametrize(
    ("novel", "part"), [(False, "the problem and the mechanism"), (True, "a part of the proposal")]
)
def test_a_finding_against_the_literature_is_an_attack_with_what_is_shared_and_what_is_not(novel, part):
    check = NoveltyCheck(idea_id="i", round=1, novel=novel, reason="Both fold maps.", difference="Only it has wheels.")
    attack = _finding_as_attack(check, 2)
    assert part in attack.objection
    assert attack.overlap == "Both fold maps. Only it has wheels."
    assert (attack.draft_id, attack.round) == ("i", 2)
