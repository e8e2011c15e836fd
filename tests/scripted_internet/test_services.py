"""The scripted services are read by Novum's own sources: searches, names, citations, pages to the end, gaps."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from novum.literature.sources.arxiv import Arxiv
from novum.literature.sources.crossref import Crossref
from novum.literature.sources.europe_pmc import EuropePmc
from novum.literature.sources.openalex import OpenAlex
from novum.literature.sources.semantic_scholar import SemanticScholar
from novum.literature.sources.source import Search
from tests.scripted_internet import QUERIES

SOURCES = {
    "openalex": (OpenAlex, "trade guilds in Flanders", "openalex"),
    "crossref": (Crossref, "trade guilds in Flanders", "doi"),
    "europe-pmc": (EuropePmc, "tuberculosis drug resistance", "pmid"),
    "arxiv": (Arxiv, "neutron star mergers equation of state", "arxiv"),
    "semantic-scholar": (SemanticScholar, "trade guilds in Flanders", "s2"),
}


def source(internet, name):
    return SOURCES[name][0](internet.address(name))


def numbers(internet, pages):
    """The papers of the corpus that the entries of some pages are."""
    named = [entry.paper.ids.items() for page in pages for entry in page.entries]
    known = [[internet.corpus.number_of(*name) for name in names] for names in named]
    return [next(number for number in each if number is not None) for each in known]


@pytest.mark.parametrize("name", SOURCES)
def test_a_search_finds_papers_of_its_topic(internet, all_pages, name):
    _, topic, _ = SOURCES[name]
    asked = source(internet, name)
    found = numbers(internet, all_pages(asked, asked.search(Search(text=topic, limit=10)), most=1))
    assert len(found) > 4
    assert np.mean([internet.corpus.topic_of(paper).name == topic for paper in found]) > 0.7
    assert internet.log[0].service == name
    assert internet.log[0].kind == "search"
    assert internet.log[0].words


@pytest.mark.parametrize("name", SOURCES)
def test_papers_are_fetched_by_their_names(internet, all_pages, name):
    corpus, scheme = internet.corpus, SOURCES[name][2]
    served = {"openalex": corpus.in_openalex, "crossref": corpus.in_crossref, "semantic-scholar": corpus.in_s2}
    usable = np.flatnonzero(served.get(name, corpus.notice < 0) & ~corpus.retracted & (corpus.notice < 0))
    known = [paper for paper in usable.tolist() if scheme in dict(corpus.names(paper))]
    wanted = known[-5:]
    requests = source(internet, name).fetch([(scheme, dict(corpus.names(paper))[scheme]) for paper in wanted])
    pages = [page for request in requests for page in all_pages(source(internet, name), request)]
    assert sorted(numbers(internet, pages)) == wanted
    titles = {entry.paper.title for page in pages for entry in page.entries}
    assert all(corpus.title(paper) in titles for paper in wanted)
    assert sorted(paper for one in internet.log for paper in one.about) == wanted


@pytest.mark.parametrize("scheme", ["openalex", "doi", "pmid"])
def test_single_works_of_openalex_are_found_by_every_name(internet, all_pages, scheme):
    corpus = internet.corpus
    paper = int(np.flatnonzero(corpus.in_openalex & corpus.has_pmid & corpus.has_doi & (corpus.notice < 0))[-1])
    (request,) = source(internet, "openalex").fetch_free([(scheme, dict(corpus.names(paper))[scheme])])
    assert numbers(internet, all_pages(source(internet, "openalex"), request)) == [paper]
    assert [(one.kind, one.cost) for one in internet.log] == [("single", 0)]


@pytest.mark.parametrize("name", ["openalex", "crossref", "semantic-scholar", "arxiv"])
def test_pages_lead_to_the_end(internet, all_pages, name):
    word = "resistance" if name != "arxiv" else "the evidence"
    request = source(internet, name).search(Search(text=word, limit=20))
    pages = all_pages(source(internet, name), request, most=60)
    found = [entry.paper.id for page in pages for entry in page.entries]
    assert len(pages) > 1
    assert pages[-1].next_request is None
    assert len(found) == len(set(found))
    assert sum(len(page.entries) + len(page.rejects) for page in pages) == pages[0].total


def test_europe_pmc_leads_to_the_end_by_its_cursor(internet, all_pages):
    pages = all_pages(
        source(internet, "europe-pmc"), source(internet, "europe-pmc").search(Search(text="patients", limit=20))
    )
    assert len(pages) > 1
    assert len({entry.paper.id for page in pages for entry in page.entries}) > 20


@pytest.mark.parametrize("name", ["openalex", "europe-pmc", "semantic-scholar"])
def test_citing_papers_are_those_of_the_graph(internet, all_pages, name):
    paper, record = cited_paper(internet, all_pages, name)
    pages = [
        page
        for request in source(internet, name).citations([record])
        for page in all_pages(source(internet, name), request)
    ]
    found = set(numbers(internet, pages)) - {paper}
    assert len(found) > 3
    assert found <= set(internet.corpus.citations(paper).tolist())
    assert any(paper in one.about and one.kind in ("citations", "search") for one in internet.log)


@pytest.mark.parametrize("name", ["europe-pmc", "semantic-scholar"])
def test_references_are_those_of_the_graph(internet, all_pages, name):
    paper, record = cited_paper(internet, all_pages, name)
    pages = [
        page
        for request in source(internet, name).references([record])
        for page in all_pages(source(internet, name), request)
    ]
    found = set(numbers(internet, pages)) - {paper}
    assert found
    assert found <= set(internet.corpus.references(paper).tolist())


@pytest.mark.parametrize(("name", "scheme"), [("openalex", "openalex"), ("crossref", "doi")])
def test_references_come_with_the_papers(internet, all_pages, name, scheme):
    _, topic, _ = SOURCES[name]
    pages = all_pages(source(internet, name), source(internet, name).search(Search(text=topic, limit=30)), most=1)
    linked = 0
    for page in pages:
        for entry in page.entries:
            paper = internet.corpus.number_of(*next(iter(entry.paper.ids.items())))
            cited = [
                internet.corpus.number_of(one.scheme, one.value) for one in entry.references if one.scheme == scheme
            ]
            assert set(cited) <= set(internet.corpus.references(paper).tolist())
            linked += len(cited)
    assert linked > 30


def test_days_limit_a_search(internet, all_pages):
    limits = {"since": dt.date(2010, 1, 1), "before": dt.date(2015, 1, 1), "limit": 20}
    for name, (_, topic, _) in SOURCES.items():
        request = source(internet, name).search(Search(text=topic, **limits))
        found = numbers(internet, all_pages(source(internet, name), request, most=1))
        assert all(2010 <= internet.corpus.year[paper] < 2015 for paper in found), name


def test_what_is_no_paper_is_among_the_rejects(internet, all_pages):
    corpus = internet.corpus
    notices = np.flatnonzero(corpus.in_openalex & (corpus.notice >= 0)).tolist()[:20]
    (request,) = source(internet, "openalex").fetch([("openalex", corpus.openalex(paper)) for paper in notices])
    (page,) = all_pages(source(internet, "openalex"), request)
    assert not page.entries
    assert len(page.rejects) == len(notices)


def test_the_same_paper_has_the_same_title_everywhere(internet, all_pages):
    corpus = internet.corpus
    everywhere = corpus.in_openalex & corpus.in_crossref & corpus.in_s2 & (corpus.notice < 0) & ~corpus.retracted
    paper = int(np.flatnonzero(everywhere)[-1])
    for name in ("openalex", "crossref", "semantic-scholar"):
        (request,) = source(internet, name).fetch([("doi", corpus.doi(paper))])
        (page,) = all_pages(source(internet, name), request)
        assert page.entries[0].paper.title == corpus.title(paper)


def test_every_topic_of_the_benchmark_has_words_that_find_it(internet):
    literature = internet.literature
    places = [topic.name for topic in literature.corpus.topics]
    for topic, queries in QUERIES.items():
        assert queries[-1].endswith("?")
        found = literature.with_all(topic, literature.texts)
        assert len(found) > 20
        assert (literature.corpus.topic[found] == places.index(topic)).mean() > 0.9


def cited_paper(internet, all_pages, name):
    """A much cited paper that this service has, as the service describes it."""
    corpus = internet.corpus
    served = {"openalex": corpus.in_openalex, "europe-pmc": corpus.in_europe_pmc, "semantic-scholar": corpus.in_s2}
    fitting = np.flatnonzero(served[name] & (corpus.notice < 0) & ~corpus.retracted & (np.arange(corpus.size) > 500))
    paper = int(fitting[np.argmax(corpus.citation_count[fitting])])
    scheme = SOURCES[name][2]
    (request,) = source(internet, name).fetch([(scheme, dict(corpus.names(paper))[scheme])])
    (page,) = all_pages(source(internet, name), request)
    internet.log.clear()
    return paper, page.entries[0].paper
