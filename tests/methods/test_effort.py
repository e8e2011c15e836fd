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

NOT_MEASURED = {"real-paper"}
"""It takes its idea from a paper of a later time, which the starter library does not have."""
MODEL = ModelName.parse("openai:gpt-unheard-of")


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
