"""The report on an arena: its numbers, its plots, one page that nothing in it can turn, and its files."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import pairwise

import pytest

from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.report.agreement import agreement_study
from novum.benchmarks.arena.report.agreement_page import agreement_plots
from novum.benchmarks.arena.report.comparisons_by_topic import topic_views
from novum.benchmarks.arena.report.numbers import arena_report, family_of
from novum.benchmarks.arena.report.page import ratings_csv, render_arena_page, write_arena_report
from novum.benchmarks.arena.report.phrases import standing
from novum.benchmarks.arena.report.plots import plots
from novum.benchmarks.arena.report.records import ArenaReport
from novum.core.comparison import CRITERIA, Entrant
from novum.errors import BadInput
from novum.reports.charts.drawing import script_hash, svg
from novum.statistics.bradley_terry import bradley_terry
from novum.statistics.elo import elo
from novum.statistics.games import AVERAGE, games_of

from .arena_sample import FAILED, FAIR, SEATED, STRENGTHS, evil_run, said, sample_run
from .reading import Page

RUN = sample_run(4)
REPORT = arena_report(RUN, draws=40, equal_length=True)
IDEAS, PLANS = REPORT.boards
EMPTY = ArenaRun(name="empty", topics=(), entrants=(), judges=())


@cache
def the_plots():
    """Only who runs these tests should wait for them."""
    return {plot.name: plot for plot in plots(REPORT)}


@cache
def none_drawn():
    """In place of charts where it is not these that matter: drawing takes its time."""
    return dict.fromkeys(the_plots(), '<svg width="9" height="9"></svg>')


@cache
def the_html():
    return render_arena_page(REPORT, none_drawn())


@cache
def the_page():
    return Page(the_html())


# -- numbers ----------------------------------------------------------------------------------------------------------


def test_ratings_are_those_of_the_games_best_first():
    games = games_of(RUN.judged_pairs, "idea", AVERAGE, players=list(STRENGTHS)).games
    expected = {each.player: each for each in bradley_terry(games, draws=40).ratings}
    assert [each.entrant for each in IDEAS.standings] == sorted(expected, key=lambda name: expected[name].rank)
    assert all(each.rating == expected[each.entrant] for each in IDEAS.standings)
    assert IDEAS.standings[0].entrant == "chain"
    assert IDEAS.standings[-1].entrant == "one-shot"


def test_elo_as_published_stands_beside_them():
    games = [games_of(RUN.judged_pairs, "idea", name, players=list(STRENGTHS)).games for name in CRITERIA["idea"]]
    expected = {each.player: each for each in elo(*games).ratings}
    assert all(each.elo == expected[each.entrant] for each in IDEAS.standings)
    assert sum(each.elo.rating for each in IDEAS.standings) == pytest.approx(5000)


def test_points_are_against_the_first_entrant_or_the_one_named():
    first = {each.entrant: each for each in IDEAS.standings}
    assert (IDEAS.reference, first["chain"].points, first["chain"].mean_points) == ("chain", {}, None)
    named = {each.entrant: each for each in arena_report(RUN, draws=0, orders=1, reference="rag").boards[0].standings}
    assert named["rag"].points == {}
    assert named["chain"].points["novelty"].percent.value > 50 > first["rag"].points["novelty"].percent.value
    with pytest.raises(ValueError, match="did not take part"):
        arena_report(RUN, draws=0, reference="nobody")


def test_with_length_held_equal_the_shorter_ones_lose_what_length_had_cost_the_longer_ones():
    gained = {each.entrant: each.at_equal_length.rating.value - each.rating.rating.value for each in IDEAS.standings}
    assert IDEAS.length.points.value < 0
    assert gained["chain"] < 0 < gained["one-shot"]
    plain = arena_report(RUN, draws=0, orders=1).boards[0]
    assert plain.length is None
    assert all(each.at_equal_length is None for each in plain.standings)


def test_experiments_have_ratings_of_their_own_criteria():
    assert (PLANS.kind, PLANS.criteria) == ("experiment", CRITERIA["experiment"])
    assert set(PLANS.standings[0].by_criterion) == set(CRITERIA["experiment"])


def test_a_judge_that_likes_the_first_seat_is_seen_and_ties_by_the_order_are_counted():
    bias = {each.judge: each for each in IDEAS.bias}
    assert bias[SEATED].first_seat.share.value > 0.65
    assert bias[FAIR].first_seat.share.value < 0.56
    assert bias[SEATED].inconsistent > bias[FAIR].inconsistent
    assert IDEAS.tally.split > 0


def test_self_preference_needs_to_know_who_wrote_what():
    assert all(each.own_family.value is None for each in IDEAS.bias)
    told = arena_report(RUN, draws=0, orders=1, families={"rag": "claude", "one-shot": "claude"}).boards[0].bias
    assert [each.own_family.value is not None for each in told] == [True, False]


@pytest.mark.parametrize(
    ("model", "family"),
    [("openai:gpt-5.5", "gpt"), ("openrouter:openai/gpt-4.1", "gpt"), ("server:Llama-3@http://x", "llama"), ("7", "")],
)
def test_a_family_is_the_first_word_of_the_models_own_name(model, family):
    assert family_of(model) == family


def test_forfeits_and_topics_on_which_all_fail_are_reported_and_nobody_wins_by_them():
    assert REPORT.failed_topics == (FAILED,)
    assert {each.entrant: each.forfeits for each in REPORT.costs} == dict.fromkeys(STRENGTHS, 1) | {"rag": 2}
    assert not [each for each in topic_views(RUN) if each.topic == FAILED and each.comparisons]


def test_a_price_that_is_unknown_stays_unknown():
    cost = {each.entrant: each.cost for each in REPORT.costs}
    assert cost["one-shot"].usd_unknown > 0
    assert "at least" in the_page().words
    assert cost["chain"].calls == 12 * 4


def test_the_same_run_gives_the_same_report_and_the_report_can_be_read_back():
    assert arena_report(RUN, draws=40, equal_length=True) == REPORT
    assert ArenaReport.model_validate_json(REPORT.model_dump_json()) == REPORT


# -- topic by topic ---------------------------------------------------------------------------------------------------


def test_every_idea_and_every_pair_is_on_the_page_with_both_orders_of_each_judge():
    (first, *_) = topic_views(RUN)
    assert [each.entry.entrant for each in first.entries] == list(STRENGTHS)
    assert set(first.anchors) == set(STRENGTHS) - {"rag"}
    assert len(first.comparisons) == 2 * 6
    line = first.comparisons[0].lines[0]
    assert (line.judge, line.criterion, len(line.one_first), len(line.other_first)) == (FAIR, "novelty", 1, 1)
    assert "the one names what" in line.one_first[0].reason


def test_a_verdict_that_changes_with_the_order_is_marked():
    run = EMPTY.model_copy(
        update={
            "topics": ("t",),
            "entrants": (Entrant(name="a"), Entrant(name="b")),
            "judged_pairs": (said("a", "b", "first", "j"), said("b", "a", "first", "j")),
        }
    )
    ((comparison,),) = (each.comparisons for each in topic_views(run))
    assert comparison.score == (5, 5, 0)
    assert comparison.by_order == 5
    assert arena_report(run, draws=0).boards[0].tally.split == 5


def test_a_page_has_a_limit_each_topic_has_its_share_and_what_is_left_out_is_reported():
    small = list(topic_views(RUN, 4 * 9_000))
    assert [len(each.comparisons) < 12 and each.left_out > 0 for each in small] == [True, True, True, False]
    page = Page(render_arena_page(REPORT, none_drawn(), limit=4 * 3_000))
    assert page.faults == []
    assert "left out of this page" in page.words
    assert len(page.text) < len(the_page().text) / 2


# -- the page ---------------------------------------------------------------------------------------------------------


def test_the_page_loads_nothing_and_allows_its_own_script_alone():
    policy = next(text for text in the_page().values("content") if "default-src" in text)
    (script,) = re.findall(r"<script>(.*?)</script>", the_html(), re.DOTALL)
    assert f"script-src '{script_hash(script)}'" in policy
    assert all(address.startswith("data:image/svg+xml;base64,") for address in the_page().values("src"))
    assert {address[0] for address in the_page().values("href")} == {"#"}
    assert the_page().faults == []


def test_every_link_leads_somewhere_every_pair_to_its_ideas_and_no_place_has_two_things():
    ids = the_page().values("id")
    assert len(ids) == len(set(ids))
    assert {address[1:] for address in the_page().values("href")} <= set(ids)
    assert {*the_page().values("data-one"), *the_page().values("data-other")} <= set(ids)
    assert "More detail follows here. More detail follows here. More detail follows here. More" in the_page().text


def test_each_idea_stands_on_the_page_once():
    titles = [f"A study by {name} of {RUN.topics[1]}" for name in STRENGTHS]
    heads = [the_page().words.count(f"{name}: {title}") for name, title in zip(STRENGTHS, titles, strict=True)]
    assert heads == [1] * len(STRENGTHS)


def test_the_page_tells_the_protocol_with_its_numbers_and_what_went_wrong():
    for words in (
        "5 entrants on 4 topics",
        "No significant leader: chain is rated",
        "but 3 topics cannot show that this is more than chance; that takes at least 6.",
        "shared by entrants that cannot be distinguished",
        "K = 4, base 10, scale 400, from 1000, zero-sum; mean over 100 random orders of the games",
        "round robin: every pair on every topic",
        "2024-01-01",
        "95%, by 40 bootstrap samples of topics",
        "a prior with the weight of 1 game",
        "Twice the length is worth −",
        "rag forfeits 2 of 6 topics.",
        "no paper was found for",
        "no entrant has an idea",
        "unresolved: no such paper in the library",
        "chain-without-future: chain with length 0, future false",
        "the order decided",
        "Experiment design",
    ):
        assert words in the_page().words, words


def test_every_image_says_in_words_what_it_shows():
    alts = [attributes.get("alt", "") for tag, attributes in the_page().elements if tag == "img"]
    assert len(alts) == len(none_drawn())
    assert all(len(each) > 20 for each in alts)


def test_evil_names_ideas_and_reasons_cannot_act_on_the_page():
    report = arena_report(evil_run(), draws=0, orders=1)
    page = Page(render_arena_page(report, none_drawn()))
    assert page.faults == []
    assert page.tags.count("script") == 1
    assert not [name for name in page.attributes if name.startswith("on")]
    assert all(address.startswith("data:image/svg+xml;base64,") for address in page.values("src"))
    assert "\u202e" not in page.text
    assert page.text.count("{{ 7 * 7 }}") > 100
    assert 'chain</script><script>document.title="owned"</script>' in page.text


def test_an_arena_of_nothing_and_one_that_nobody_judged_still_give_pages():
    nothing = arena_report(EMPTY)
    assert plots(nothing) == ()
    assert "There was no entrant." in Page(render_arena_page(nothing)).words
    unjudged = arena_report(RUN.model_copy(update={"judged_pairs": (), "judges": ()}), draws=10, equal_length=True)
    page = Page(render_arena_page(unjudged))
    assert "There were no comparisons." in page.words
    assert "No judge was called." in page.words
    assert page.faults == []


def test_matches_of_others_without_any_texts_are_reported_too():
    bare = RUN.model_copy(update={"entries": (), "account": None, "began": "", "ended": ""})
    report = arena_report(bare, draws=0, orders=1, equal_length=True)
    page = Page(render_arena_page(report, none_drawn()))
    assert "The texts are not known, so length could not be held equal." in page.words
    assert [each.rating.rating.value for each in report.boards[0].standings] == [
        each.rating.rating.value for each in IDEAS.standings
    ]


def test_groups_that_never_met_are_distinguished():
    entrants = tuple(Entrant(name=name) for name in "abcd")
    judged_pairs = (said("a", "b", "first", "j"), said("c", "d", "first", "j"))
    run = EMPTY.model_copy(
        update={"topics": ("t",), "entrants": entrants, "judged_pairs": judged_pairs, "judges": ("j",)}
    )
    page = Page(render_arena_page(arena_report(run, draws=0), none_drawn()))
    assert "Ratings of these groups cannot be compared with each other: a, b; c, d." in page.words
    assert "won everything: only the prior keeps its rating finite" in page.words
    assert "Not all entrants are linked by comparisons, so there is no common ranking." in page.words
    assert "none requested" in page.words


def test_from_one_topic_nobody_can_say_how_sure_it_is():
    run = EMPTY.model_copy(
        update={
            "topics": ("t",),
            "entrants": (Entrant(name="a"), Entrant(name="b")),
            "judged_pairs": (said("a", "b", "first", "j"),),
        }
    )
    page = Page(render_arena_page(arena_report(run), none_drawn()))
    assert "points above b, and how certain that is, is not known from 1 topic." in page.words
    assert "none: they need 3 topics" in page.words


def arena_between(*winners: str) -> str:
    """The first sentence about an arena of a and b, in which the judge names these winners, topic by topic."""
    return standing(arena_report(evenly(winners), draws=400).boards[0])


def evenly(winners) -> ArenaRun:
    """An arena of a and b, judged on a topic for each of the winners."""
    topics = tuple(f"topic {number}" for number in range(len(winners)))
    judged_pairs = tuple(
        said("a", "b", "first" if winner == "a" else "second", "j", topic)
        for topic, winner in zip(topics, winners, strict=True)
    )
    entrants = (Entrant(name="a"), Entrant(name="b"))
    changed = {"topics": topics, "entrants": entrants, "judged_pairs": judged_pairs, "judges": ("j",)}
    return EMPTY.model_copy(update=changed)


def test_a_rating_that_is_higher_by_chance_is_not_called_a_lead():
    assert arena_between(*"aaabbbaab").startswith(
        "No significant leader: a and b cannot be distinguished on these topics. a is"
    )
    assert "points above b, and stronger in" in arena_between(*"aaabbbaab")


def test_five_topics_cannot_make_a_leader_however_they_end_and_six_can():
    assert arena_between(*"aaaaa").startswith("No significant leader: a is rated ")
    assert arena_between(*"aaaaaa").endswith("more than chance between topics explains.")


def test_the_same_verdicts_on_all_topics_give_no_interval_and_the_page_says_so():
    (board,) = arena_report(evenly("aaaaaa"), draws=50, orders=1).boards
    assert [each.rating.rating.low for each in board.standings] == [None, None]
    assert [each.shared_rank.best for each in board.standings] == [1, 2]
    page = Page(render_arena_page(arena_report(evenly("aaaaaa"), draws=50, orders=1), none_drawn()))
    assert "no interval" in page.words


def test_a_difference_beyond_chance_between_topics_is_stated():
    sentence = arena_between(*"aaaaaaabaaaaaaa")
    assert sentence.startswith("a is rated ")
    assert sentence.endswith("% of the bootstrap samples: more than chance between topics explains.")


# -- plots and files --------------------------------------------------------------------------------------------------


def test_every_plot_that_the_arena_has_numbers_for_is_there():
    ideas = ["ratings", "criteria", "matrix", "length", "preferences"]
    plans = [f"experiment-{name}" for name in ideas if name != "length"]
    assert list(none_drawn()) == [*ideas, *plans]


def test_the_ratings_are_drawn_with_their_intervals():
    plot = the_plots()["ratings"]
    drawn = [row for rows in plot.specification["datasets"].values() for row in rows if "95% interval" in str(row)]
    assert [(row["model"], row["low"], row["high"]) for row in drawn] == [
        (each.entrant, each.rating.rating.low, each.rating.rating.high) for each in IDEAS.standings
    ]


def test_the_matrix_holds_the_share_of_points_both_ways():
    plot = the_plots()["matrix"]
    cells = {
        (row["model"], row["against"]): row["share"] for rows in plot.specification["datasets"].values() for row in rows
    }
    assert len(cells) == 5 * 4
    assert all(share + cells[other, one] == pytest.approx(1) for (one, other), share in cells.items())


def test_with_very_many_entrants_the_plots_show_the_best_ones_and_say_so():
    names = [f"method {place}" for place in range(102)]
    judged_pairs = tuple(said(one, other, "first", "j") for one, other in pairwise(names))
    entrants = tuple(Entrant(name=name) for name in names)
    run = EMPTY.model_copy(
        update={"topics": ("t",), "entrants": entrants, "judged_pairs": judged_pairs, "judges": ("j",)}
    )
    found = {each.name: each for each in plots(arena_report(run, draws=0, orders=0))}
    assert "Only the 100 highest rated of 102 are shown." in found["ratings"].caption
    assert "Only the 40 highest rated of 102 are shown." in found["matrix"].caption


def test_ratings_as_csv_have_a_line_for_each_criterion_and_obey_no_formula():
    text = RUN.model_dump_json().replace('"one-shot"', '"=HYPERLINK(1)"')
    report = arena_report(ArenaRun.model_validate_json(text), draws=0, orders=1)
    rows = list(csv.DictReader(ratings_csv(report).splitlines()))
    assert len(rows) == 5 * 6 + 5 * 4
    assert {row["entrant"] for row in rows if "HYPERLINK" in row["entrant"]} == {"'=HYPERLINK(1)"}
    assert [row["rank"] for row in rows if row["criterion"] == "average" and row["kind"] == "idea"] == list("12345")


@pytest.mark.slow
def test_a_report_is_a_folder_with_page_numbers_ratings_and_charts(tmp_path):
    files = write_arena_report(REPORT, tmp_path / "new" / "report")
    assert ArenaReport.model_validate_json(files.json.read_bytes()) == REPORT
    assert files.html.read_text("utf-8").startswith("<!doctype html>")
    for name in none_drawn():
        assert (tmp_path / f"new/report/charts/{name}.png").read_bytes().startswith(b"\x89PNG")
    assert not list(tmp_path.rglob(".*"))


@pytest.mark.slow
def test_evil_names_cannot_act_in_a_chart():
    run = evil_run(3)
    found = [*plots(arena_report(run, draws=10, orders=1, equal_length=True)), *agreement_plots(agreement_study(run))]
    for plot in found:
        tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(svg(plot)).iter()}
        assert not tags & {"script", "foreignObject", "image", "img", "use"}


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(BadInput, match=r"cannot be written to .*taken.*no model call"):
        write_arena_report(arena_report(EMPTY), tmp_path / "taken")
