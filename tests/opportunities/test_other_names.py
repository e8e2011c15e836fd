"""Pairs that papers join in other words: by initials, within a compound, or under a like name."""

from types import SimpleNamespace

import numpy as np
import pytest

from novum.opportunities.features.table import COLUMNS
from novum.opportunities.search.initials import ShortForms
from novum.opportunities.search.other_names import link_under_other_name
from novum.opportunities.tokens import FIRST, Lexicon


def concept_map(papers, holding, size=100):
    """A library of `papers`, each the words that it uses; `holding`: rows of the papers that hold each concept."""
    words = Lexicon()
    numbers = [[words.number(word) + FIRST for word in paper.split()] for paper in papers]
    flat = np.array([number for paper in numbers for number in paper], np.int32)
    tokens = SimpleNamespace(words=flat, words_to=np.cumsum([len(paper) for paper in numbers]))
    names = list(holding)
    rows = [np.array(each) for each in holding.values()]

    class Shelf(SimpleNamespace):
        def __len__(self):
            return len(papers)

    graph = SimpleNamespace(by_concept=SimpleNamespace(of=rows.__getitem__), dated=Shelf(tokens=tokens))
    return SimpleNamespace(
        names=names,
        place={name: at for at, name in enumerate(names)},
        words=words,
        stored=SimpleNamespace(graph=graph, used=np.bincount(flat)[FIRST:]),
        card=SimpleNamespace(papers=size),
    )


def pair(one=0, other=1, rows=()):
    return SimpleNamespace(pair=(one, other), rows=rows)


@pytest.mark.parametrize("text", ["llm", "llms", "llm-based"])
def test_a_paper_with_the_initials_of_the_other_side_links_the_two(text):
    papers = ["large language models llm llms llm-based", "reward models", f"reward models of {text}"]
    short = ShortForms(concept_map(papers, {"large language models": [0], "reward models": [1, 2]}))
    assert short.link(pair())
    assert not short.link(pair(rows=(2,)))  # nothing after what is known to join them


def test_initials_of_a_longer_name_speak_of_the_shorter_one_too():
    papers = ["large language models", "reward models of llms"]
    holding = {"language models": [0], "reward models": [1], "large language models": [0]}
    assert ShortForms(concept_map(papers, holding)).link(pair())


def test_initials_that_two_concepts_have_need_papers_that_use_them():
    papers = ["large language models", "latent linear maps", "reward models of llm"]
    holding = {"large language models": [0], "reward models": [2], "latent linear maps": [1]}
    assert not ShortForms(concept_map(papers, holding)).link(pair())
    assert not ShortForms(
        concept_map(papers[:1] + papers[2:], {"large language models": [0], "reward models": [1]}, 5000)
    ).link(pair())


def test_a_word_of_everybody_is_nobodys_initials():
    papers = ["optical imaging oi", "optical imaging oi", *["oi oi"] * 8, "stem cells oi"]
    assert not ShortForms(concept_map(papers, {"optical imaging": [0, 1], "stem cells": [10]}, 5000)).link(pair())


def test_a_compound_speaks_of_the_word_in_it():
    papers = ["rna", "cas9", "rna-guided cas9"]
    assert ShortForms(concept_map(papers, {"rna": [0], "cas9": [1, 2]})).link(pair())
    assert not ShortForms(concept_map(papers[:2], {"rna": [0], "cas9": [1]})).link(pair())


def scene_of(alike):
    """*genome editing* in paper 0, *t cells* in 1 and 2, *gene editing* in 2; names as alike as said."""
    rows = [np.array([0]), np.array([1, 2]), np.array([2])]
    table = np.zeros((1, len(COLUMNS)))
    table[0, COLUMNS.index("names_alike")] = alike
    beside = [np.array([], int), np.array([2]), np.array([1])]
    neighbourhood = SimpleNamespace(known=[SimpleNamespace(indices=each) for each in beside])
    features = SimpleNamespace(neighbourhood=neighbourhood, of=lambda one, other: table[: len(one)])
    graph = SimpleNamespace(by_concept=SimpleNamespace(of=rows.__getitem__))
    words = [frozenset(name.split()) for name in ("genome editing", "t cells", "gene editing")]
    return SimpleNamespace(
        map=SimpleNamespace(stored=SimpleNamespace(graph=graph), features=features), name_stems=words
    )


def test_papers_that_join_a_like_name_are_reported():
    text = link_under_other_name(scene_of(0.8), pair())
    assert (text.one, text.other, text.name, text.rows.tolist()) == (1, 0, 2, [2])
    assert link_under_other_name(scene_of(0.8), pair(rows=(2,))) is None  # not later than what is known to join them
    assert link_under_other_name(scene_of(0.3), pair()) is None
