"""The invented literature: the same every time, in time order, with chains, texts of its topics, and gaps."""

from __future__ import annotations

import numpy as np

from tests.scripted_internet import QUERIES, Corpus, corpus_of
from tests.scripted_internet.lexicon import fields, topics
from tests.scripted_internet.literature import literature_of
from tests.scripted_internet.words import stems

SMALL = 2000


def test_the_vocabulary_has_forty_fields_of_fifty_topics():
    assert len(fields()) == 40
    assert len(topics()) == len({topic.name for topic in topics()}) == 2000
    assert [topic.name for topic in topics()[: len(QUERIES)]] != sorted(QUERIES)
    assert {topic.name for topic in topics()[: len(QUERIES)]} == set(QUERIES)


def test_the_same_seed_gives_the_same_papers_and_another_one_others():
    one, same, other = Corpus(300, 7), Corpus(300, 7), Corpus(300, 8)
    texts = [[corpus.title(paper) + corpus.abstract(paper) for paper in range(300)] for corpus in (one, same, other)]
    assert texts[0] == texts[1] != texts[2]
    assert (one.cited == same.cited).all()


def test_papers_cite_earlier_ones_and_mostly_of_their_own_topic():
    corpus = corpus_of(SMALL)
    citing = np.repeat(np.arange(SMALL), np.diff(corpus.cited_start))
    assert (corpus.cited < citing).all()
    assert 0.7 < (corpus.topic[citing] == corpus.topic[corpus.cited]).mean() < 0.95


def test_citations_are_references_the_other_way_round():
    corpus = corpus_of(SMALL)
    paper = int(np.argmax(corpus.citation_count))
    assert len(corpus.citations(paper)) == corpus.citation_count[paper] > 10
    assert all(paper in corpus.references(int(citing)) for citing in corpus.citations(paper))
    assert corpus.are_linked(paper, int(corpus.citations(paper)[0]))


def test_some_papers_are_cited_far_more_often_than_others():
    counts = np.sort(corpus_of(SMALL).citation_count)
    assert counts[-SMALL // 10 :].sum() > counts.sum() / 3


def test_what_is_no_article_cites_nothing_and_has_no_abstract():
    corpus = corpus_of(SMALL)
    notices = np.flatnonzero(corpus.notice >= 0)
    assert 20 < len(notices) < 120
    assert not any(len(corpus.references(int(paper))) or corpus.abstract(int(paper)) for paper in notices)


def test_identifiers_name_one_paper_each():
    corpus = corpus_of(SMALL)
    for paper in range(0, SMALL, 37):
        for scheme, value in corpus.names(paper):
            assert corpus.number_of(scheme, value.upper()) == paper


def test_every_service_lacks_some_papers_and_some_abstracts():
    corpus = corpus_of(SMALL)
    shares = [corpus.in_openalex, corpus.in_crossref, corpus.in_s2, corpus.abstract_openalex, corpus.abstract_crossref]
    assert all(0.1 < share.mean() < 0.99 for share in shares)
    groups = {corpus.field_of(int(paper)).group for paper in np.flatnonzero(corpus.has_pmid)}
    assert groups == {"life"}
    assert all(corpus.field_of(int(paper)).arxiv for paper in np.flatnonzero(corpus.has_arxiv))


def test_the_index_finds_the_papers_whose_texts_hold_a_word():
    literature = literature_of(SMALL, 1)
    corpus, texts = literature.corpus, [_words(literature.corpus, paper) for paper in range(SMALL)]
    for word in ("guilds", "mass", "evidence", "masters", "tone", stems(corpus.title(5))[0]):
        expected = [paper for paper in range(SMALL) if stems(word)[0] in texts[paper]]
        assert literature.texts.papers_with(word).tolist() == expected


def test_meaning_finds_a_topic_without_its_name():
    literature = literature_of(SMALL, 1)
    scores = literature.texts.similarity("how apprentices and masters lived under the statutes of Ghent and Bruges")
    best = np.argsort(-scores)[:10]
    assert {literature.corpus.topic_of(int(paper)).name for paper in best} == {"trade guilds in Flanders"}


def _words(corpus: Corpus, paper: int) -> set[str]:
    return set(stems(f"{corpus.title(paper)} {corpus.abstract(paper)}"))
