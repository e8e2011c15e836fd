"""The options of every built-in method: their defaults, and the least and the greatest value that is accepted."""

from __future__ import annotations

import pytest

from novum.errors import BadInput
from novum.methods import get_method, method_names

COMMON = {"before": None, "experiment": True}
REFINEMENTS = {"refinements": (1, 0, 5)}
OPPORTUNITIES = {"from_opportunities": (0, 0, 10)}
DRAFTS = {"drafts": (1, 1, 100), "comparisons": (24, 0, 1000), "novelty": False, "check_best": False, "write_up": False}
SOURCES = ("chain", "assumption", "plain")
OPTIONS = {
    "ai-researcher": {
        "searches": (2, 1, 5), "kept_papers": (12, 1, 40), "seeds": (20, 1, 500), "batch": (5, 1, 10),
        "similarity": (0.8, 0, 1), "proposals": (8, 1, 100), "rounds": (5, 1, 20),
    },
    "ai-scientist": {
        "ideas": (3, 1, 20), "reflections": (2, 0, 10), "searches": (2, 0, 10), "start_papers": (6, 0, 20),
    },
    "chain-of-ideas": OPPORTUNITIES | {
        "branches": (3, 1, 10), "length": (5, 0, 12), "least": (3, 1, 12), "drafts": (2, 1, 4), "rounds": (3, 1, 10),
        "guide": "auto", "trends": True, "future": True, "entities": True,
    },
    "evolution": {
        "population": (6, 2, 20), "generations": (2, 0, 6), "offspring": (3, 1, 12), "tournament_rounds": (2, 1, 6),
        "start_papers": (10, 1, 30),
    },
    "gpt-researcher": {"questions": (4, 1, 8), "papers": (5, 1, 12)},
    "plain": DRAFTS,
    "plain-best-of-n": DRAFTS | {"drafts": (20, 1, 100), "check_best": True},
    "portfolio": OPPORTUNITIES | {
        "sources": SOURCES, "seeds": (20, 2, 60), "chains": (1, 1, 6),
        "chain_length": (4, 2, 8), "batches": (2, 1, 3), "guide": "library", "similarity": (0.8, 0, 1),
        "nearest": (3, 1, 8), "screened": (10, 1, 12), "tournament_rounds": (2, 0, 6), "pairs": (6, 1, 8),
        "developed": (2, 1, 6), "papers": (8, 2, 16), "critics": (1, 1, 4), "attack_rounds": (1, 0, 5),
        "contenders": (8, 2, 60), "drafts": (1, 0, 4),
        "compare_revisions": True,
    },
    "rag": DRAFTS | {"papers": (8, 1, 20), "diversity": (0.3, 0, 1)},
    "real-paper": {"refinements": (0, 0, 5), "paper": ""},
    "research-agent": {
        "related": (7, 0, 12), "entities": (10, 0, 30), "mined": (20_000, 1, None), "rounds": (3, 0, 10),
    },
    "deep-innovator": {
        "papers": (16, 2, 100), "nearest": (4, 1, 40), "rounds": (3, 0, 5), "ideas": (1, 1, 10),
        "tokens": (8192, 256, 100_000), "small_prompts": False, "write_up": True,
    },
    "sci-agents": OPPORTUNITIES | {
        "ideas": (3, 1, 10), "graph_papers": (300, 2, 3000), "concepts": (2000, 2, 5000), "start": "", "end": "",
        "waypoints": (2, 0, 5), "expand": True,
    },
    "spark": OPPORTUNITIES | {
        "ideas": (3, 1, 100), "concepts": (3, 0, 6), "field": "", "rounds": (2, 1, 10), "passages": (10, 1, 100),
        "snippets": (8, 1, 60), "judge": "auto", "fixes": (1, 0, 3), "similarity": (0.8, 0, 1),
        "comparison_rounds": (3, 0, 20),
    },
    "topic-prompt": {"ideas": (1, 1, 100), "experiment": False},
    "virtual-team": {"members": (4, 2, 8), "rounds": (2, 0, 6)},
}  # fmt: skip
"""By method: the default of an option; of a number the default, the least and the greatest value."""
NUMBERS = [
    (method, name, *told)
    for method, own in OPTIONS.items()
    for name, told in (REFINEMENTS | own).items()
    if isinstance(told, tuple) and told != SOURCES
]
TEXTS = [("sci-agents", "start"), ("sci-agents", "end"), ("spark", "field")]


def test_every_built_in_method_is_in_the_table():
    built_in = [name for name in method_names() if get_method(name).options.__module__.startswith("novum.")]
    assert built_in == sorted(OPTIONS)


@pytest.mark.parametrize("method", OPTIONS)
def test_options_that_nobody_chooses_have_their_defaults(method):
    numbers = {name: default for of, name, default, *_ in NUMBERS if of == method}
    assert dict(get_method(method).options_from({})) == COMMON | OPTIONS[method] | numbers


@pytest.mark.parametrize(("method", "name", "default", "least", "most"), NUMBERS)
def test_a_number_is_accepted_within_its_bounds_and_refused_beyond_them(method, name, default, least, most):
    kind = get_method(method)
    for value in (least, most or default):
        assert dict(kind.options_from({name: value}))[name] == value
    for value in (least - 1, *([most + 1] if most else [])):
        with pytest.raises(BadInput, match=f"{method}: option {name}: "):
            kind.options_from({name: value})


@pytest.mark.parametrize(("method", "name"), TEXTS)
def test_a_text_is_accepted_up_to_its_length(method, name):
    assert get_method(method).options_from({name: "x" * 200})
    with pytest.raises(BadInput, match=f"{method}: option {name}: "):
        get_method(method).options_from({name: "x" * 201})


@pytest.mark.parametrize("method", [name for name, own in OPTIONS.items() if "guide" in own])
def test_a_guide_is_one_of_three(method):
    for guide in ("auto", "reader", "library"):
        assert get_method(method).options_from({"guide": guide})
    with pytest.raises(BadInput, match=f"{method}: option guide: "):
        get_method(method).options_from({"guide": "nobody"})


def test_a_portfolio_needs_a_source():
    with pytest.raises(BadInput, match="portfolio: option sources: "):
        get_method("portfolio").options_from({"sources": ""})


@pytest.mark.parametrize("judge", ["auto", "reader", "similarity"])
def test_passages_are_judged_in_one_of_three_ways(judge):
    assert get_method("spark").options_from({"judge": judge})
