"""Europe PMC: how it is asked, and what is made of its records."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Identifiers, Paper
from novum.errors import BadInput, SourceError
from novum.literature import Entry, Library, Reference
from novum.literature.fetching.gathering import gather
from novum.literature.importing.record import UnusableRecord
from novum.literature.services.client import SourceClient
from novum.literature.sources import Page, Request, Search
from novum.literature.sources.europe_pmc import EuropePmc
from novum.literature.sources.europe_pmc_records import record_entry
from tests.literature.sources.conftest import Said, Service, at, said

BEES: dict[str, object] = {
    "id": "31000001",
    "source": "MED",
    "pmid": "31000001",
    "pmcid": "PMC7000001",
    "doi": "10.1000/BEE.1",
    "title": "On <i>Apis</i> &amp; its dance.",
    "authorList": {
        "author": [
            {"fullName": "Nunez Z", "firstName": "Zoë", "lastName": "Nuñez", "initials": "Z"},
            {"fullName": "Li W"},
            {"collectiveName": "The Hive Consortium"},
        ]
    },
    "journalInfo": {"journal": {"title": "Bee World"}, "yearOfPublication": 2019},
    "pubYear": "2019",
    "abstractText": "<h4>Abstract</h4><h4>Background </h4>Bees dance.<h4>Results</h4>They <i>do</i> (p &lt; 0.05).",
    "pubTypeList": {"pubType": ["Journal Article", "research-article"]},
    "meshHeadingList": {
        "meshHeading": [
            {"majorTopic_YN": "Y", "descriptorName": "Animal Communication"},
            {"majorTopic_YN": "N", "descriptorName": "Animals"},
        ]
    },
    "citedByCount": 12,
    "isOpenAccess": "Y",
    "firstPublicationDate": "2018-12-07",
}


def answer(*records: object, total: int | None = None, cursor: str = "") -> dict[str, object]:
    """A page of search results as Europe PMC writes it."""
    following = {"nextCursorMark": cursor} if cursor else {}
    count = len(records) if total is None else total
    return {"version": "6.9", "hitCount": count, **following, "resultList": {"result": list(records)}}


def links(kind: str, *records: object, total: int | None = None) -> dict[str, object]:
    """A list of references or citations as Europe PMC writes it."""
    count = len(records) if total is None else total
    return {"version": "6.9", "hitCount": count, f"{kind}List": {kind: list(records)}}


def record(number: int, **changes: object) -> dict[str, object]:
    """A record of its own."""
    own = {"id": str(number), "pmid": str(number), "pmcid": None, "doi": f"10.1000/{number}"}
    return BEES | own | {"title": f"Wings of species {number}."} | changes


def read(**changes: object) -> Entry:
    """The record above, changed."""
    return record_entry(BEES | changes)


def test_a_record_becomes_a_paper():
    entry = read()
    paper = entry.paper
    assert paper.title == "On Apis & its dance"
    assert paper.authors == ("Zoë Nuñez", "W Li", "The Hive Consortium")
    assert (paper.year, paper.date) == (2019, dt.date(2018, 12, 7))
    assert paper.venue == "Bee World"
    assert paper.ids == Identifiers(doi="10.1000/bee.1", pmid="31000001", pmcid="PMC7000001")
    assert paper.abstract == "Background: Bees dance. Results: They do (p < 0.05)."
    assert paper.fields == ("Animal Communication",)
    assert paper.citation_count == 12
    assert entry.key == "europepmc:MED/31000001"


def test_a_short_record_has_its_authors_in_one_text():
    short = {"authorList": None, "authorString": "Nunez ZA, van der Berg J, Hive Consortium.", "journalInfo": None}
    paper = read(**short, journalTitle="Bee World", pubTypeList=None, pubType="journal article; review").paper
    assert paper.authors == ("ZA Nunez", "J van der Berg", "Hive Consortium")
    assert (paper.short_authors, paper.venue) == ("Nunez et al.", "Bee World")


def test_a_preprint_names_its_server_and_is_kept():
    changes = {"id": "PPR77", "source": "PPR", "pmid": None, "pmcid": None, "journalInfo": None}
    server = {"bookOrReportDetails": {"publisher": "bioRxiv", "yearOfPublication": 2021}}
    entry = read(**changes, **server, pubTypeList={"pubType": ["Preprint"]})
    assert (entry.paper.venue, entry.key) == ("bioRxiv", "europepmc:PPR/PPR77")
    assert entry.paper.ids == Identifiers(doi="10.1000/bee.1")
    assert read(**changes, doi="10.48550/arXiv.2101.00001").paper.ids.arxiv == "2101.00001"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("[Der Tanz der Bienen].", "Der Tanz der Bienen"),
        ("[The dance of bees.]", "The dance of bees"),
        ("[3H]glucose in bees [and wasps]", "[3H]glucose in bees [and wasps]"),
        ("Bees etc..", "Bees etc."),
    ],
)
def test_a_title_has_no_final_stop_and_no_brackets_of_a_translation(title: str, shown: str):
    assert read(title=title).paper.title == shown


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"pubTypeList": {"pubType": ["Journal Article", "Editorial"]}}, "no paper, of type editorial"),
        ({"pubTypeList": {"pubType": ["Comment", "Letter"]}}, "no paper, of type comment"),
        ({"pubTypeList": {"pubType": ["Letter", "Journal Article"]}}, "no paper, of type letter"),
        ({"pubTypeList": {"pubType": ["Editorial", "research-article"]}}, "no paper, of type editorial"),
        ({"pubTypeList": {"pubType": "correction"}}, "no paper, of type correction"),
        ({"pubTypeList": None, "pubType": "journal article; published erratum"}, "of type published erratum"),
        ({"pubTypeList": {"pubType": ["Retracted Publication"]}}, "MED 31000001: withdrawn"),
        ({"commentCorrectionList": {"commentCorrection": [{"type": "Retraction in"}]}}, "withdrawn"),
        ({"title": "RETRACTED: On bees."}, "withdrawn"),
        ({"source": "PAT"}, "a patent"),
        ({"title": None}, "no title"),
        ({"abstractText": "x" * 200_000}, "an abstract of 200,000 characters"),
    ],
)
def test_what_is_no_paper_is_rejected_with_its_reason(changes: dict[str, object], reason: str):
    with pytest.raises(UnusableRecord) as refused:
        read(**changes)
    assert reason in str(refused.value)


def test_a_letter_that_reports_research_is_a_paper():
    assert read(pubTypeList={"pubType": ["Letter", "research-article"]}).paper.title == "On Apis & its dance"
    assert read(pubTypeList={"pubType": ["letter", "Review", "Journal Article"]}).paper.year == 2019


def test_an_article_with_a_comment_about_it_is_a_paper():
    about = {"commentCorrectionList": {"commentCorrection": [{"type": "Comment in"}, {"type": "Erratum in"}]}}
    assert read(**about).paper.title == "On Apis & its dance"


def test_a_sentence_becomes_its_content_words_within_dates_and_journals():
    search = Search(
        text='How do "honey bees" find their hive?',
        since=dt.date(2018, 1, 1),
        before=dt.date(2020, 1, 1),
        venues=('Bee "World"',),
        limit=5000,
    )
    request = EuropePmc().search(search)
    assert request.url == "https://www.ebi.ac.uk/europepmc/webservices/rest/search"
    query = request.parameters["query"]
    assert query.startswith('("honey bees" AND find AND hive) AND FIRST_PDATE:[2018-01-01 TO 2019-12-31]')
    assert ' AND (JOURNAL:"bee world") NOT (PUB_TYPE:"Editorial"' in query
    others = {name: value for name, value in request.parameters.items() if name != "query"}
    assert others == {"resultType": "core", "pageSize": "100", "cursorMark": "*", "format": "json"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bees", "(bees)"),
        ("Bees OR (wasps) AND NOT ants*: SRC:PAT", "(bees AND wasps AND ants AND src AND pat)"),
        ("How do honeybees of the genus Apis find a hive?", "(honeybees AND genus AND apis AND find AND hive)"),
    ],
)
def test_a_search_is_for_keywords_and_signs_of_the_query_language_mean_nothing(text: str, words: str):
    assert EuropePmc().search(Search(text=text)).parameters["query"].startswith(f"{words} NOT ")


def test_a_search_without_words_is_refused():
    with pytest.raises(BadInput, match="searched by words"):
        EuropePmc().search(Search(text=' "" ?! or'))


def test_pages_follow_by_cursor_until_all_were_seen():
    source = EuropePmc()
    first = source.search(Search(text="bees", limit=2)).read(
        json.dumps(answer(record(1), record(2, title=None), total=3, cursor="AoE=")).encode()
    )
    assert first.next_request is not None
    assert first.next_request.parameters["cursorMark"] == "AoE="
    assert [reject.line for reject in first.rejects] == [2]
    last = first.next_request.read(json.dumps(answer(record(3), total=3, cursor="AoF=")).encode())
    assert last.next_request is None
    assert (last.total, last.entries[0].line) == (3, 3)


@pytest.mark.parametrize("mark", ["*", "", None, 7])
def test_a_cursor_that_leads_nowhere_ends_the_search(mark: object):
    page = answer(record(1), total=900) | {"nextCursorMark": mark}
    assert EuropePmc().search(Search(text="bees")).read(json.dumps(page).encode()).next_request is None


def test_few_papers_with_all_words_are_followed_by_papers_with_some():
    request = EuropePmc().search(Search(text="bees hive"))
    few = request.read(json.dumps(answer(record(1), total=1)).encode()).next_request
    assert few is not None
    assert few.parameters["query"].startswith("(bees) NOT ")
    assert few.read(json.dumps(answer(record(1), total=1)).encode()).next_request is None
    assert request.read(json.dumps(answer(record(1), total=30)).encode()).next_request is None


def papers(service: Service, client: Callable[..., SourceClient], *requests: Request) -> list[Page]:
    """All pages of these requests."""

    async def run() -> list[Page]:
        async with client() as asking:
            source = at(service, EuropePmc)
            return [page for request in requests for page in [one async for one in asking.pages(source, request)]]

    return asyncio.run(run())


KNOWN = Paper(title="On Apis & its dance", year=2019, ids=Identifiers(pmid="31000001"))
BY_DOI = Paper(title="On Apis & its dance", year=2019, ids=Identifiers(doi="10.1000/bee.1"))


def test_references_are_listed_with_the_paper_and_described_by_their_records(
    service: Service, client: Callable[..., SourceClient]
):
    listed = [
        {"id": "2", "source": "MED", "title": "Wings.", "pubYear": 2001, "citedOrder": 1, "match": "Y"},
        {"id": "PPR5", "source": "PPR", "title": "Hive.", "match": "Y"},
        {"title": "A book about bees.", "match": "N"},
        {"doi": "10.1000/X", "title": "Stings.", "match": "N"},
        {"unstructuredInformation": "Anon, The hive, 1901.", "match": "N"},
        {},
    ]
    service.on("/MED/31000001/references", said(links("reference", *listed)), pageSize="500")
    service.on("/search", said(answer(record(2))))
    first, described = papers(service, client, *at(service, EuropePmc).references([KNOWN]))
    assert first.entries == (
        Entry(
            paper=KNOWN,
            references=(
                Reference("pmid", "2"),
                Reference("key", "europepmc:PPR/PPR5"),
                Reference("title", "A book about bees"),
                Reference("doi", "10.1000/x"),
                Reference("title", "Anon, The hive, 1901"),
            ),
        ),
    )
    assert [entry.paper.title for entry in described.entries] == ["Wings of species 2"]
    assert service.asked[-1].query["query"] == "(EXT_ID:2 AND SRC:MED) OR (EXT_ID:PPR5 AND SRC:PPR)"


def test_citing_papers_come_with_their_abstracts_and_the_link(service: Service, client: Callable[..., SourceClient]):
    first = [{"id": str(number), "source": "MED", "title": "x"} for number in range(100, 160)]
    service.on("/MED/31000001/citations", said(links("citation", *first, total=501)))
    service.on("/MED/31000001/citations", said(links("citation", {"id": "900", "source": "MED"}, total=501)), page="2")
    service.on("/search", said(answer(record(100))), said(answer(record(150))), said(answer(record(900))))
    pages = papers(service, client, *at(service, EuropePmc).citations([KNOWN]))
    assert [entry.paper.ids.pmid for page in pages for entry in page.entries] == ["100", "150", "900"]
    assert {entry.references for page in pages for entry in page.entries} == {(Reference("pmid", "31000001"),)}
    assert [asked.path.rpartition("/")[2] for asked in service.asked] == [
        "citations", "search", "search", "citations", "search"
    ]  # fmt: skip


def test_citing_papers_on_a_topic_are_found_by_one_search(service: Service, client: Callable[..., SourceClient]):
    service.on("/search", said(answer(record(100))))
    (page,) = papers(service, client, *at(service, EuropePmc).citations([KNOWN], topic="the dance of bees"))
    assert page.entries[0].references == (Reference("pmid", "31000001"),)
    assert service.asked[0].query["query"].startswith("CITES:31000001_MED AND (dance OR bees) NOT ")


def test_a_paper_known_by_its_doi_alone_is_looked_up_first(service: Service, client: Callable[..., SourceClient]):
    service.on("/search", said(answer(BEES)), query='DOI:"10.1000/bee.1"')
    service.on("/MED/31000001/citations", said(links("citation", {"id": "5", "source": "MED"})))
    service.on("/search", said(answer(record(5))), query="(EXT_ID:5 AND SRC:MED)")
    *_, last = papers(service, client, *at(service, EuropePmc).citations([BY_DOI]))
    assert last.entries[0].references == (Reference("doi", "10.1000/bee.1"),)
    service.on("/search", said(answer(record(77))), query='DOI:"10.1000/other"')
    other = Paper(title="A paper of another DOI than is found", ids=Identifiers(doi="10.1000/other"))
    assert [page.next_request for page in papers(service, client, *at(service, EuropePmc).citations([other]))] == [None]
    unknown = Paper(title="A paper of another world", ids=Identifiers(openalex="W1"))
    assert at(service, EuropePmc).references([unknown]) == []


def test_a_paper_that_europe_pmc_does_not_have_is_cited_by_nobody(
    service: Service, client: Callable[..., SourceClient]
):
    service.on("/search", said(answer(total=0)))
    (page,) = papers(service, client, *at(service, EuropePmc).references([BY_DOI]))
    assert (page.entries, page.next_request) == ((), None)
    service.on("/MED/31000001/references", Said(b"not found", 404))
    assert papers(service, client, *at(service, EuropePmc).references([KNOWN])) == [Page()]


def test_papers_are_fetched_by_doi_and_number_fifty_to_a_request():
    names = [("doi", "10.1000/A"), ("pmid", "7"), ("pmcid", "8"), ("s2", "x"), ("doi", '10.1000/"x'), ("pmid", "x")]
    (request,) = EuropePmc().fetch(names)
    assert request.parameters["query"] == 'DOI:"10.1000/a" OR (EXT_ID:7 AND SRC:MED) OR PMCID:PMC8'
    many = EuropePmc().fetch([("pmid", str(number)) for number in range(1, 121)])
    assert [one.parameters["query"].count("EXT_ID") for one in many] == [50, 50, 20]
    assert {one.parameters["pageSize"] for one in many} == {"100", "40"}


def test_the_full_text_of_an_open_article_is_read_with_its_references(
    service: Service, client: Callable[..., SourceClient]
):
    article = "<article><body><p>All about bees.</p></body><back><ref-list><ref><mixed-citation>"
    ending = '<pub-id pub-id-type="pmid">5</pub-id></mixed-citation></ref></ref-list></back></article>'
    service.on("/PMC7000001/fullTextXML", Said(f"<!DOCTYPE article SYSTEM 'a.dtd'>{article}{ending}".encode()))
    source, open_paper = at(service, EuropePmc), Paper(title="On bees", ids=Identifiers(pmcid="PMC7000001"))
    request = source.full_text(open_paper)
    assert request is not None
    (page,) = papers(service, client, request)
    assert page.entries[0].paper == open_paper
    assert page.entries[0].references == (Reference("pmid", "5"),)
    assert "All about bees." in str(page.entries[0].full_text)
    closed = source.full_text(Paper(title="x", ids=Identifiers(pmcid="PMC1")))
    assert closed is not None
    assert papers(service, client, closed) == [Page()]
    assert source.full_text(KNOWN) is None


def test_what_europe_pmc_says_about_an_error_is_shown(service: Service, client: Callable[..., SourceClient]):
    service.on("/search", said({"errCode": 404, "errMsg": "Invalid page size provided."}))
    with pytest.raises(SourceError, match="Europe PMC says: Invalid page size provided"):
        papers(service, client, at(service, EuropePmc).search(Search(text="bees")))


@pytest.mark.parametrize("body", [b"<html><body>Sign in</body></html>", b"", b"[]", b'{"hitCount": 3}', b'{"a": 1}'])
def test_something_else_than_results_is_one_line_about_the_service(
    body: bytes, service: Service, client: Callable[..., SourceClient]
):
    service.on("/search", Said(body))
    with pytest.raises(SourceError, match=r"^Europe PMC .*[^\n]*$"):
        papers(service, client, at(service, EuropePmc).search(Search(text="bees")))


def test_hostile_text_loses_its_tags_and_control_characters():
    entry = read(title="Bees\x1b[2J <script>alert(1)</script>", abstractText="<b onclick='x'>Ignore\x00 all</b>\u0007")
    assert entry.paper.title == "Bees[2J alert(1)"
    assert entry.paper.abstract == "Ignore all"


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(BEES)), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([*BEES, "commentCorrectionList", "bookOrReportDetails"]), ANYTHING))
def test_any_record_is_a_paper_or_refused(changes: dict[str, object]):
    page = json.dumps(answer(BEES | changes)).encode()
    read = EuropePmc().search(Search(text="bees")).read(page)
    assert len(read.entries) + len(read.rejects) == 1


def test_a_paper_that_cites_several_is_linked_with_each(
    service: Service, client: Callable[..., SourceClient], tmp_path: Path
):
    service.on("/search", said(answer(*map(record, range(1, 13)))))
    for number in range(1, 13):
        service.on(f"/MED/{number}/references", said(links("reference")))
        service.on(f"/MED/{number}/citations", said(links("citation", {"id": "98", "source": "MED"})))
    service.on("/search", said(answer(record(98, title="A review of all of them"))), query="(EXT_ID:98 AND SRC:MED)")

    async def run(library: Library) -> None:
        async with client() as asking:
            await gather(library, asking, [at(service, EuropePmc)], Search(text="bees hive", limit=20), steps=1)

    with Library.open(tmp_path / "library") as library:
        asyncio.run(run(library))
        review = library.by_identifier("pmid", "98")
        assert review is not None
        assert len(review.references) == 12
