"""Crossref: how it is asked, and what is made of its works."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.errors import BadInput
from novum.literature import Entry, Reference
from novum.literature.importing.record import UnusableRecord
from novum.literature.services.client import SourceClient
from novum.literature.sources import Search
from novum.literature.sources.crossref import Crossref, read_work, read_works, work_entry
from tests.literature.sources.conftest import Service, at, recorded, said

BEES: dict[str, object] = {
    "DOI": "10.1000/BEE.1",
    "type": "journal-article",
    "title": ["On Bees"],
    "subtitle": ["A Dance"],
    "author": [
        {"given": "Zoë", "family": "Nuñez", "suffix": "Jr."},
        {"name": "The Hive Consortium"},
        {"family": "Li"},
        {"affiliation": []},
    ],
    "container-title": ["Bee World"],
    "abstract": "<jats:title>Abstract</jats:title><jats:p>Bees <jats:italic>dance</jats:italic> &amp; sing.</jats:p>",
    "published-print": {"date-parts": [[2019, 4]]},
    "published-online": {"date-parts": [[2018, 12, 7]]},
    "issued": {"date-parts": [[2018, 12, 7]]},
    "is-referenced-by-count": 12,
    "reference": [
        {"key": "a", "DOI": "10.1000/A", "unstructured": "A. Anon (1999)."},
        {"key": "b", "unstructured": "B. Anon, see https://doi.org/10.1000/b."},
        {"key": "c", "unstructured": "C. Anon. arXiv:1706.03762 (2017)."},
        {"key": "d", "article-title": "Wings of the honey bee", "year": "1956"},
        {"key": "e", "unstructured": "E. Anon, The hive, 1901"},
        {"key": "f", "author": "F. Anon"},
    ],
}


def works(*items: object, total: int | None = None) -> bytes:
    """A list as Crossref writes it."""
    message = {"total-results": len(items) if total is None else total, "items": items}
    return json.dumps({"status": "ok", "message": message}).encode()


def read(**changes: object) -> Entry:
    """The work above, changed."""
    return work_entry(BEES | changes)


def test_a_work_becomes_a_paper():
    paper = read().paper
    assert paper.title == "On Bees: A Dance"
    assert paper.authors == ("Zoë Nuñez Jr.", "The Hive Consortium", "Li")
    assert (paper.year, paper.date) == (2018, dt.date(2018, 12, 7))
    assert paper.venue == "Bee World"
    assert paper.ids.doi == "10.1000/bee.1"
    assert paper.abstract == "Bees dance & sing."
    assert paper.citation_count == 12


def test_references_are_named_by_doi_by_preprint_by_title_or_as_they_stand():
    assert read().references == (
        Reference(scheme="doi", value="10.1000/a"),
        Reference(scheme="doi", value="10.1000/b"),
        Reference(scheme="arxiv", value="1706.03762"),
        Reference(scheme="title", value="Wings of the honey bee"),
        Reference(scheme="title", value="E. Anon, The hive, 1901"),
    )


@pytest.mark.parametrize(
    ("dates", "year", "day"),
    [
        ({"issued": {"date-parts": [[2017, 3, 9]]}}, 2017, dt.date(2017, 3, 9)),
        ({"issued": {"date-parts": [[2017, 3]]}}, 2017, None),
        ({"issued": {"date-parts": [[2017]]}}, 2017, None),
        ({"issued": {"date-parts": [[None]]}}, None, None),
        ({"issued": {"date-parts": [[2017]]}, "posted": {"date-parts": [[2016, 11, 30]]}}, 2017, dt.date(2016, 11, 30)),
        ({"issued": {"date-parts": [[2017, 2, 30]]}}, 2017, None),
        ({"issued": {"date-parts": [["2017", "3", "9"]]}}, 2017, None),
        ({}, None, None),
    ],
)
def test_a_day_is_known_only_when_it_is_given_in_full(dates: dict[str, object], year: int | None, day: dt.date | None):
    bare = {name: value for name, value in BEES.items() if not name.startswith(("published", "issued"))}
    paper = work_entry(bare | dates).paper
    assert (paper.year, paper.date) == (year, day)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"type": "journal"}, "no paper, of type journal"),
        ({"type": "component"}, "no paper, of type component"),
        ({"update-to": [{"type": "retraction", "DOI": "10.1000/old"}]}, "notice (retraction) about 10.1000/old"),
        ({"update-to": [{"type": "erratum"}]}, "notice (erratum) about another work"),
        ({"updated-by": [{"type": "retraction", "DOI": "10.1000/why"}]}, "withdrawn (retraction)"),
        ({"title": ["RETRACTED ARTICLE: On Bees"]}, "withdrawn: 'RETRACTED ARTICLE: On Bees'"),
        ({"title": []}, "no title"),
        ({"abstract": "x" * 200_000}, "an abstract of 200,000 characters"),
    ],
)
def test_what_is_no_paper_is_rejected_with_its_reason(changes: dict[str, object], reason: str):
    with pytest.raises(UnusableRecord) as refused:
        read(**changes)
    assert reason in str(refused.value)


def test_a_new_version_and_a_corrected_paper_are_papers():
    assert read(**{"update-to": [{"type": "new_version", "DOI": "10.1000/v1"}]}).paper.title == "On Bees: A Dance"
    assert read(**{"updated-by": [{"type": "erratum", "DOI": "10.1000/e"}]}).paper.title == "On Bees: A Dance"


def test_a_subtitle_is_not_said_twice_and_a_preprint_names_its_server():
    twice = {"title": ["On Bees: a dance"], "type": "posted-content", "container-title": []}
    paper = read(**twice, institution=[{"name": "bioRxiv"}]).paper
    assert (paper.title, paper.venue) == ("On Bees: a dance", "bioRxiv")


def test_a_search_names_words_days_and_pages():
    search = Search(
        text="honey bees", since=dt.date(2018, 1, 1), before=dt.date(2020, 1, 1), limit=5000, venues=("Bee",)
    )
    request = Crossref().search(search)
    assert request.url == "https://api.crossref.org/works"
    assert request.parameters == {
        "query.bibliographic": "honey bees",
        "query.container-title": "Bee",
        "filter": "from-pub-date:2018-01-01,until-pub-date:2019-12-31",
        "rows": "200",
        "offset": "0",
    }
    with pytest.raises(BadInput, match="searched by words"):
        Crossref().search(Search(text=" "))


def test_a_sentence_is_sent_as_it_stands_and_of_a_long_text_the_keywords():
    sentence = "How do honey bees find their way home?"
    assert Crossref().search(Search(text=sentence)).parameters["query.bibliographic"] == sentence
    text = "We ask how " + " ".join(f"{letter}word" for letter in "abcdefghijklmnopqrstuvwxyz") + " are related."
    words = Crossref().search(Search(text=text)).parameters["query.bibliographic"].split()
    assert len(words) == 20
    assert "we" not in words


def test_who_gives_an_address_is_served_at_a_quicker_pace():
    limits = Crossref.rate_limits
    assert limits.pace(key=False, contact=True) < limits.pace(key=False, contact=False) == 1.0
    assert limits.width(contact=True) == 3


def test_pages_follow_each_other_until_all_were_seen():
    first = Crossref().search(Search(text="bees")).read(works(BEES, {"type": "journal"}, total=3))
    assert first.next_request
    assert first.next_request.parameters["offset"] == "2"
    assert [reject.line for reject in first.rejects] == [2]
    assert first.next_request.read(works(BEES, total=3)).next_request is None
    assert first.next_request.read(works(total=3)).next_request is None


def test_what_lies_beyond_the_last_place_that_can_be_asked_for_is_told():
    source = Crossref()
    last = source._works({"rows": "200"}, 9_900)
    assert last.parameters == {"rows": "100", "offset": "9900"}
    page = last.read(works(*[BEES] * 100, total=12_345))
    assert page.next_request is None
    assert page.rejects[-1].reason == "more than the first 10,000 cannot be fetched"


def test_dois_are_fetched_alone_or_together_and_arxivs_are_left_to_arxiv():
    (alone,) = Crossref().fetch([("doi", "https://doi.org/10.1000/A(1)"), ("doi", "10.48550/arxiv.1706.03762")])
    assert alone.url == "https://api.crossref.org/works/10.1000%2Fa%281%29"
    together, odd = Crossref().fetch(
        [("doi", "10.1000/a"), ("doi", "10.1000/b"), ("doi", "10.1000/x,y"), ("s2", "f" * 40)]
    )
    assert together.parameters == {"filter": "doi:10.1000/a,doi:10.1000/b", "rows": "2"}
    assert odd.url.endswith("/works/10.1000%2Fx%2Cy")


def test_an_address_and_a_key_are_told_to_crossref_only_when_there_are_any():
    assert Crossref().credentials("", "ada@example.org") == {"mailto": "ada@example.org"}
    assert Crossref().credentials("", "") == {}
    assert Crossref().headers("k") == {"Crossref-Plus-API-Token": "Bearer k"}
    assert Crossref().headers("") == {}


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=15,
)
_RECORDS = st.fixed_dictionaries({}, optional=dict.fromkeys(BEES, _JSON) | {"update-to": _JSON, "posted": _JSON})


@settings(max_examples=50)
@given(_RECORDS, st.sampled_from(sorted(BEES)))
def test_any_record_is_an_entry_or_a_reject(record: dict[str, object], kept: str):
    page = read_works(orjson.dumps({"message": {"items": [record | {kept: BEES[kept]}]}}))
    assert len(page.entries) + len(page.rejects) == 1


@given(_JSON | st.fixed_dictionaries({"message": _JSON}))
def test_any_answer_is_a_page_or_an_error_that_says_so(value: object):
    for reading in (read_work, read_works, Crossref().search(Search(text="x")).read):
        try:
            page = reading(json.dumps(value).encode())
        except ValueError as error:
            assert str(error)
        else:
            assert all(reject.reason for reject in page.rejects)


@pytest.mark.parametrize("answer", [b"", b"<html/>", b'{"message": {"items": [', b"[" * 100_000, b"\xff\xfe", b"null"])
def test_what_is_no_answer_is_refused(answer: bytes):
    with pytest.raises(ValueError, match="JSON"):
        read_works(answer)


def _recorded_works() -> list[tuple[str, bytes]]:
    calls = [call for call in recorded("crossref") if call["status"] == 200 and "/transform/" not in str(call["uri"])]
    return [(str(call["uri"]), str(call["body"]).encode()) for call in calls]


def test_recorded_works_are_read_whole():
    for address, answer in _recorded_works():
        page = (read_works if "query" in address else read_work)(answer)
        assert not page.rejects
        for found in page.entries:
            assert found.paper.title
            assert found.paper.ids.doi
            record = orjson.loads(answer)["message"]
            listed = (record.get("items") or [record])[0].get("reference", [])
            assert len(found.references) <= len(listed)
            assert (
                len([one for one in found.references if one.scheme == "doi"])
                >= sum("DOI" in one for one in listed) * 0.9
            )


def test_a_search_brings_pages_over_http(service: Service, client: Callable[..., SourceClient]):
    service.on("/works", said(orjson.loads(works(BEES, total=2))), offset="0")
    service.on("/works", said(orjson.loads(works(BEES | {"DOI": "10.1000/2"}, total=2))), offset="1")
    service.on("/works/10.1000%2Fbee.1", said({"message": BEES}))
    source = at(service, Crossref)

    async def walk() -> list[str | None]:
        async with client(contact="ada@example.org") as asking:
            pages = [page async for page in asking.pages(source, source.search(Search(text="bees")))]
            pages.append(await asking.page(source, source.fetch([("doi", "10.1000/bee.1")])[0]))
            pages.append(await asking.page(source, source.fetch([("doi", "10.1000/nobody")])[0]))
            return [found.paper.ids.doi for page in pages for found in page.entries]

    assert asyncio.run(walk()) == ["10.1000/bee.1", "10.1000/2", "10.1000/bee.1"]
    assert {asked.query["mailto"] for asked in service.asked} == {"ada@example.org"}
