"""`novum library update`, `searches` and `embed`: keeping a library up to date, and turning it to another embedder."""

from __future__ import annotations

import datetime as dt
import importlib.util
import json
import re

import pytest

import novum.cli.library.add
import novum.cli.library.embed
import novum.cli.library.update  # noqa: F401  once loaded, a command does not announce itself on stderr
from novum.literature import Library
from novum.literature.fetching.saved_searches import save_search, saved_searches
from novum.literature.fetching.updating import OVERLAP
from novum.literature.sources import Search
from tests.cli.test_library_add import asked, service, work, works
from tests.local_service import Said

__all__ = ["service"]
LAST = dt.date(2026, 3, 1)


@pytest.fixture
def library(home):
    with Library.open(home / "library") as opened:
        yield opened


@pytest.fixture
def remembered(library):
    """A library that was filled by two searches, the second of another service."""
    save_search(library, Search(text="folding sheets", limit=50), 0, {"openalex": LAST})
    save_search(library, Search(text="paper birds", venues=("Origami",)), 1, {"arxiv": LAST})
    return library


# What is new


def today():
    """Another day at the end of a test than at its beginning, now and then."""
    return dt.datetime.now(dt.UTC).date()


def test_what_was_added_is_remembered_with_its_day(here, service):
    service.on("/works", works(work(1)))
    begun = today()
    here("library", "add", "folding sheets", "--source", "openalex", "--limit", "7")
    (one,) = json.loads(here("library", "searches", "--json").out)
    assert (one["search"]["text"], one["search"]["limit"]) == ("folding sheets", 7)
    assert begun.isoformat() <= one["asked"]["openalex"] <= today().isoformat()


def test_an_update_asks_for_what_is_new_and_moves_the_day_on(here, service, remembered):
    service.on("/works", works(work(1)))
    begun = today()
    ended = here("library", "update", "--source", "openalex")
    assert '"folding sheets", since 2026-02-15' in ended.out
    assert "OpenAlex: 1 added" in ended.out
    (question,) = asked(service)
    assert f"from_publication_date:{LAST - OVERLAP}" in question.query["filter"]
    days = [one.asked for one in saved_searches(remembered)]
    assert {"arxiv": LAST} in days
    assert any(begun <= asked["openalex"] <= today() for asked in days if "openalex" in asked)


def test_an_update_of_a_service_that_was_never_asked_is_told(here, service, remembered):
    ended = here("library", "update", "--source", "crossref")
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert "`novum library searches`" in ended.err


def test_an_update_without_any_search_is_told(here, service):
    ended = here("library", "update")
    assert ended.code == 2
    assert "has no saved search" in ended.err


def test_a_service_that_fails_is_named_and_asked_from_its_old_day_next_time(here, service, remembered):
    service.on("/works", Said(status=401))
    assert here("library", "update", "--source", "openalex").code == 2
    assert {"openalex": LAST} in [one.asked for one in saved_searches(remembered)]


def test_searches_are_listed_and_can_be_forgotten(here, remembered):
    told = here("library", "searches").out
    assert '"paper birds", venue Origami' in told
    number = next(line.split()[0] for line in told.splitlines() if "paper birds" in line)
    left = here("library", "searches", "--forget", number).out
    assert "paper birds" not in left
    assert [one.search.text for one in saved_searches(remembered)] == ["folding sheets"]
    assert "no search 2" in here("library", "searches", "--forget", "2").err


# Another embedder


def embedder_of(library):
    return library.stats().embedder


def test_the_whole_library_turns_to_another_embedder(here, serve, library, monkeypatch):
    model = serve().model
    ended = here("library", "embed", "--embedder", model)
    assert ended.code == 0
    assert f"8 papers were embedded with {model}; " in ended.out
    assert f'embedder = "{model}"' in ended.out
    assert embedder_of(library) == model
    refused = here("library", "search", "proteins")
    assert refused.code == 2
    assert f"use {model} (setting `embedder`)" in refused.err
    monkeypatch.setenv("NOVUM_EMBEDDER", model)
    assert "folding proteins" in here("library", "search", "folding proteins", "-k", "1").out


def test_what_it_will_cost_is_told_before_and_what_it_cost_after(here, serve, home):
    (home / "novum.toml").write_text('[prices."server:scripted"]\ninput_per_million = 10000\noutput_per_million = 0\n')
    ended = here("library", "embed", "--embedder", serve().model)
    assert re.search(r"8 papers go to server:scripted: about \d+ tokens, for about \$\d\.\d\d\.", ended.err)
    assert re.search(r"; \d+ tokens, about \$\d\.\d{4}\.", ended.out)


def test_a_price_that_nobody_knows_is_said_to_be_unknown(here, serve):
    ended = here("library", "embed", "--embedder", serve().model)
    assert "at a price that is not known" in ended.err
    assert "price unknown" in ended.out


def test_a_budget_of_tokens_says_what_it_would_take(here, serve, library):
    ended = here("library", "embed", "--embedder", serve().model, "--budget-tokens", "10")
    assert ended.code == 3
    assert "0 of 10 tokens used" in ended.err
    assert embedder_of(library) in {None, "wordllama-256"}


def test_an_embedder_on_this_machine_costs_nothing(here):
    ended = here("library", "embed", "--embedder", "static")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "0 papers were embedded with wordllama-256.\n"


def test_old_vectors_that_were_kept_are_there_when_one_turns_back(here, serve, library):
    here("library", "embed", "--embedder", serve().model, "--keep")
    assert "0 papers were embedded with wordllama-256" in here("library", "embed", "--embedder", "static").out
    assert embedder_of(library) == "wordllama-256"


def test_old_vectors_that_were_not_kept_are_made_anew(here, serve):
    here("library", "embed", "--embedder", serve().model)
    assert "8 papers were embedded with wordllama-256" in here("library", "embed", "--embedder", "wordllama-256").out


def test_a_local_model_needs_an_extra_and_says_which(here):
    if importlib.util.find_spec("sentence_transformers"):
        return
    ended = here("library", "embed", "--embedder", "local:allenai/specter2_base")
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert "[embed]" in ended.err


def test_an_embedder_that_is_asked_over_the_network_is_not_for_a_cluster(here, serve, library):
    server = serve()
    ended = here("library", "embed", "--embedder", server.model, "--ray", "local")
    assert (ended.code, server.asked) == (2, [])
    assert "leave --ray out" in ended.lines[-1]


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_told_in_a_line(here):
    for address in ("127.0.0.1:1", "127.0.0.1:99999"):
        ended = here("library", "embed", "--ray", address)
        assert ended.code == 2
        assert "127.0.0.1" in ended.lines[-1] or "[ray]" in ended.lines[-1]


def test_a_server_without_embeddings_changes_nothing(here, library, service):
    service.on("/v1/embeddings", Said(b'{"choices": []}'))
    ended = here("library", "embed", "--embedder", f"server:chat@{service.address}/v1")
    assert ended.code == 2
    assert "not like an embedding model" in ended.err
    assert embedder_of(library) == "wordllama-256"
