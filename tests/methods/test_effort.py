"""Effort: one word that sets the options of a method, and the table of what it costs."""

from __future__ import annotations

import pytest

from novum.errors import BadInput
from novum.llm import ModelName, PriceTable
from novum.llm.prices import Price
from novum.llm.settings import ModelRoles
from novum.methods import get_method, method_names
from novum.methods.effort import LEVELS, TARGET_CALLS, effort_options, methods_with_effort, with_effort
from novum.methods.effort_costs import cost_table, estimate_run

NOT_MEASURED = {"real-paper", "topic-prompt"}
"""One takes its idea from a paper of a later time, which the starter library does not have; one is a single request."""
MODEL = ModelName.parse("openai:gpt-unheard-of")


PROMISED = {
    ("portfolio", "low"): {
        "seeds": 12,
        "batches": 1,
        "screened": 12,
        "tournament_rounds": 1,
        "drafts": 0,
        "attack_rounds": 0,
        "refinements": 0,
    },
    ("portfolio", "medium"): {
        "sources": ["chain", "opportunity", "concepts", "analogy", "assumption", "plain"],
        "seeds": 24,
        "chains": 2,
        "batches": 1,
        "nearest": 4,
        "screened": 6,
        "contenders": 12,
        "developed": 3,
        "critics": 1,
        "attack_rounds": 2,
    },
    ("portfolio", "high"): {
        "sources": ["chain", "opportunity", "concepts", "analogy", "assumption", "plain"],
        "seeds": 40,
        "chains": 4,
        "chain_length": 5,
        "batches": 2,
        "guide": "auto",
        "nearest": 6,
        "screened": 5,
        "contenders": 24,
        "tournament_rounds": 3,
        "developed": 4,
        "critics": 3,
        "attack_rounds": 3,
        "refinements": 2,
    },
    ("chain-of-ideas", "low"): {"branches": 1, "length": 3, "rounds": 2, "entities": False, "refinements": 0},
    ("chain-of-ideas", "medium"): {"length": 4},
    ("chain-of-ideas", "high"): {"branches": 6, "rounds": 4, "refinements": 2},
    ("ai-scientist", "low"): {"ideas": 2},
    ("ai-scientist", "medium"): {"ideas": 7},
    ("ai-scientist", "high"): {"ideas": 15, "reflections": 4, "searches": 3, "refinements": 2},
    ("ai-researcher", "low"): {"searches": 1, "seeds": 10, "proposals": 3, "rounds": 1, "refinements": 0},
    ("ai-researcher", "medium"): {"rounds": 4},
    ("ai-researcher", "high"): {"searches": 3, "seeds": 60, "proposals": 16, "rounds": 6, "refinements": 2},
    ("evolution", "low"): {"population": 3, "generations": 1, "offspring": 1, "tournament_rounds": 1, "refinements": 0},
    ("evolution", "medium"): {"population": 6, "generations": 1, "offspring": 3, "tournament_rounds": 2},
    ("evolution", "high"): {"population": 8, "generations": 3, "offspring": 4, "tournament_rounds": 3},
    ("spark", "low"): {"ideas": 2, "judge": "similarity", "fixes": 0, "comparison_rounds": 1},
    ("spark", "medium"): {"ideas": 5, "judge": "similarity", "fixes": 2},
    ("spark", "high"): {"ideas": 7, "fixes": 2, "comparison_rounds": 4, "refinements": 2},
    ("deep-innovator", "low"): {"papers": 4, "nearest": 2, "rounds": 1, "refinements": 0},
    ("deep-innovator", "medium"): {"papers": 16},
    ("deep-innovator", "high"): {"papers": 40, "nearest": 8, "rounds": 5, "ideas": 3, "refinements": 2},
    ("sci-agents", "low"): {"ideas": 1},
    ("sci-agents", "medium"): {"ideas": 4},
    ("sci-agents", "high"): {"ideas": 10, "refinements": 4},
    ("virtual-team", "low"): {"members": 3, "rounds": 1, "refinements": 0},
    ("virtual-team", "medium"): {"members": 6, "rounds": 4},
    ("virtual-team", "high"): {"members": 8, "rounds": 6, "refinements": 3},
    ("plain-best-of-n", "low"): {"drafts": 6, "comparisons": 3},
    ("plain-best-of-n", "medium"): {"drafts": 17, "comparisons": 15},
    ("plain-best-of-n", "high"): {"drafts": 50, "comparisons": 48},
    ("plain", "low"): {"drafts": 6, "comparisons": 3},
    ("plain", "medium"): {"drafts": 17, "comparisons": 15},
    ("plain", "high"): {"drafts": 50, "comparisons": 48},
    ("rag", "low"): {"drafts": 6, "comparisons": 3},
    ("rag", "medium"): {"drafts": 17, "comparisons": 15},
    ("rag", "high"): {"drafts": 50, "comparisons": 48},
    ("research-agent", "low"): {"rounds": 0, "refinements": 2},
    ("research-agent", "medium"): {"rounds": 2},
    ("research-agent", "high"): {"rounds": 8, "refinements": 3},
}
"""What each effort sets: a change of it changes what users pay."""
CANNOT_USE_MORE = {("virtual-team", "high")}
"""The largest team with the longest discussion that its options allow takes fewer calls."""


def calls(method, effort):
    return sum(role.get("calls", 0) for role in cost_table()[method][effort]["roles"].values())


@pytest.mark.parametrize("name", methods_with_effort())
@pytest.mark.parametrize("effort", LEVELS)
def test_the_measured_calls_of_an_effort_are_about_those_that_it_promises(name, effort):
    least = 0.5 if (name, effort) in CANNOT_USE_MORE else 0.7
    assert least * TARGET_CALLS[effort] <= calls(name, effort) <= 1.3 * TARGET_CALLS[effort]


@pytest.mark.parametrize("name", methods_with_effort())
def test_an_effort_sets_options_that_the_method_has(name):
    method = get_method(name)
    for effort in LEVELS:
        options = method.options_from({"effort": effort})
        chosen = options.model_dump()
        for option, value in effort_options(name, effort).items():
            assert chosen[option] == (tuple(value) if isinstance(value, list) else value)


def test_a_given_option_wins_over_the_effort():
    options = get_method("chain-of-ideas").options_from({"effort": "low", "branches": 5})
    assert options.branches == 5
    assert options.length == effort_options("chain-of-ideas", "low")["length"]


def test_an_effort_among_the_options_wins_over_the_setting():
    given = with_effort("chain-of-ideas", "high", {"effort": "low"})
    assert get_method("chain-of-ideas").options_from(given).branches == 1


def test_an_unknown_effort_is_refused_with_those_that_exist():
    with pytest.raises(BadInput, match="portfolio: effort is low, medium or high, not 'huge'"):
        get_method("portfolio").options_from({"effort": "huge"})


def test_a_method_without_levels_refuses_the_option_in_one_line():
    with pytest.raises(BadInput, match=r"^real-paper has no levels of effort and runs with its own options\. Methods"):
        get_method("real-paper").options_from({"effort": "low"})


def test_a_setting_of_effort_leaves_such_a_method_as_it_is():
    assert with_effort("real-paper", "low", {"paper": "x"}) == {"paper": "x"}
    assert with_effort("portfolio", "", {"seeds": 5}) == {"seeds": 5}


def test_the_run_of_a_method_at_low_effort_takes_about_as_many_calls_as_it_promises(generate, serve):
    server = serve()
    ideation = generate(server, method="portfolio", effort="low", similarity=1)
    assert ideation.candidates
    assert len(server.asked) == pytest.approx(15, rel=0.3)


def test_every_method_was_measured():
    own = {name for name in method_names() if get_method(name).generate.__module__.startswith("novum.")}
    assert cost_table().keys() >= own - NOT_MEASURED
    for name, rows in cost_table().items():
        expected = {"default", *LEVELS} if name in methods_with_effort() else {"default"}
        assert set(rows) == expected, name


def test_an_estimate_counts_every_judge_and_says_which_price_is_unknown():
    priced, unpriced = ModelName.parse("openai:priced"), MODEL
    prices = PriceTable({"openai:priced": Price(1.0, 10.0)})
    roles = ModelRoles(writer=priced, reader=priced, judges=(priced, unpriced))
    run = estimate_run("portfolio", "low", roles, prices)
    row = cost_table()["portfolio"]["low"]["roles"]
    judges = [each for each in run.roles if each.role == "judge"]
    assert [each.calls for each in judges] == 2 * [row["judge"]["calls"]]
    assert [each.usd is None for each in judges] == [False, True]
    assert run.unpriced == (unpriced.short,)
    writer = row["writer"]
    of_writer = next(each for each in run.roles if each.role == "writer")
    assert of_writer.usd == pytest.approx((writer["prompt_tokens"] + 10 * writer["answer_tokens"]) / 1e6)
    assert run.calls == sum(each.calls for each in run.roles)
    assert run.seconds > run.steps


def test_nothing_is_estimated_for_a_method_that_was_not_measured():
    roles = ModelRoles(writer=MODEL, reader=MODEL, judges=(MODEL,))
    assert estimate_run("real-paper", "", roles, PriceTable()) is None
    assert estimate_run("chain-of-ideas", "", roles, PriceTable()).effort == ""


def test_an_effort_sets_what_it_always_set():
    found = {(name, level): dict(effort_options(name, level)) for name in methods_with_effort() for level in LEVELS}
    assert found == PROMISED
