"""arXiv: how it is asked, and what is made of its feeds."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Identifiers, Paper
from novum.errors import BadInput, SourceError
from novum.literature.services.client import SourceClient
from novum.literature.sources import Search, sources
from novum.literature.sources.arxiv import Arxiv, read_feed, search_query
from novum.literature.sources.arxiv_categories import CATEGORIES, codes_of, field_names
from novum.literature.sources.source import TooManyRequests
from tests.literature.sources.conftest import Said, Service, Time, at, recorded

_HEAD = (
    "<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom' "
    "xmlns:opensearch='http://a9.com/-/spec/opensearch/1.1/' xmlns:arxiv='http://arxiv.org/schemas/atom'>"
)


def feed(*entries: str, total: int | str | None = None) -> bytes:
    """A feed as arXiv writes it."""
    count = len(entries) if total is None else total
    return f"{_HEAD}<opensearch:totalResults>{count}</opensearch:totalResults>{''.join(entries)}</feed>".encode()


def entry(number: str = "2101.00001v1", title: str = "On Bees", **more: str) -> str:
    """An entry; `more`: comment, doi, journal_ref, summary, published."""
    fields = {"summary": "Bees dance.", "published": "2021-01-03T18:00:00Z"} | more
    own = "".join(f"<{name}>{escape(fields[name])}</{name}>" for name in ("summary", "published"))
    arxiv = "".join(
        f"<arxiv:{name}>{escape(fields[name])}</arxiv:{name}>"
        for name in fields
        if name not in ("summary", "published")
    )
    return (
        f"<entry><id>http://arxiv.org/abs/{number}</id><title>{escape(title)}</title>{own}{arxiv}"
        "<author><name>Ada  Müller</name><arxiv:affiliation>Ulm</arxiv:affiliation></author>"
        "<author><name>Bo Li</name></author><arxiv:primary_category term='q-bio.PE'/>"
        "<category term='cs.MA'/><category term='68T50; I.2.7'/><category term='q-bio.PE'/></entry>"
    )


def only(answer: bytes) -> Paper:
    """The one paper of a feed."""
    (found,) = read_feed(answer).entries
    return found.paper


def test_an_entry_becomes_a_paper_dated_by_its_first_version():
    paper = only(feed(entry("2101.00001v3", doi="10.1000/BEE 10.1000/other", journal_ref="Bee World 7 (2022)")))
    assert paper.title == "On Bees"
    assert paper.authors == ("Ada Müller", "Bo Li")
    assert (paper.year, paper.date) == (2021, dt.date(2021, 1, 3))
    assert paper.ids == Identifiers(arxiv="2101.00001", doi="10.1000/bee")
    assert paper.venue == "Bee World 7 (2022)"
    assert paper.fields == ("Populations and Evolution", "Multiagent Systems")


def test_an_address_in_place_of_a_journal_is_no_venue():
    assert only(feed(entry(journal_ref="https://journal.example/7/1"))).venue == "arXiv"


def test_versions_of_one_paper_are_that_paper_with_the_newest_text():
    answer = feed(entry("2101.00001v2", "Newer"), entry("2101.00001v10", "Newest"), entry("2101.00001v1", "Oldest"))
    assert only(answer).title == "Newest"


def test_numbers_from_before_2007_are_understood():
    assert only(feed(entry("math/0309136v2"))).ids.arxiv == "math/0309136"


@pytest.mark.parametrize(
    ("more", "withdrawn"),
    [
        ({"comment": "This paper has been withdrawn by the author due to an error in Lemma 2"}, True),
        ({"comment": "Withdrawn: superseded by a later paper"}, True),
        ({"summary": "This submission was temporarily withdrawn by arXiv administrators."}, True),
        ({"comment": "12 pages; withdrawn from ICML, now at a journal"}, False),
        ({"summary": "We study when ants have withdrawn from a nest."}, False),
    ],
)
def test_a_withdrawn_paper_is_told_apart_from_one_that_speaks_of_withdrawal(more: dict[str, str], withdrawn: bool):
    page = read_feed(feed(entry(**more)))
    assert len(page.rejects) == withdrawn
    assert len(page.entries) == (not withdrawn)
    assert all(reject.reason.startswith("2101.00001: withdrawn: ") for reject in page.rejects)


def test_what_cannot_be_a_paper_is_told_and_costs_no_other():
    page = read_feed(feed("<entry/>", entry("cats/meow"), entry(title=" "), entry("2101.00002v1")))
    assert [reject.line for reject in page.rejects] == [1, 2, 3]
    assert [found.key for found in page.entries] == ["arxiv:2101.00002"]


def test_an_error_is_said_in_arxivs_words():
    error = "<entry><id>https://arxiv.org/api/errors#x</id><title>Error</title><summary>incorrect id</summary></entry>"
    with pytest.raises(ValueError, match="arXiv says: incorrect id"):
        read_feed(feed(error))


def test_a_feed_without_papers_is_an_empty_page():
    page = read_feed(feed(total=0))
    assert (page.entries, page.total) == ((), 0)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("BERT", "all:bert"),
        ("graph neural networks", "(all:graph AND all:neural AND all:networks)"),
        ('"attention is all you need" for bee-dance', '(all:"attention is all you need" AND all:bee AND all:dance)'),
        ("How do large models generate chemical hypotheses from published papers about metals?",
         "(all:large AND all:models AND all:generate AND all:chemical AND all:hypotheses AND all:metals)"),
        ('cat:cs.* OR ti:"xs") ANDNOT (', "(all:xs AND all:cat AND all:cs AND all:ti AND all:andnot)"),
        ("Théorie générale des équations", "(all:theorie AND all:generale AND all:equations)"),
    ],
)  # fmt: skip
def test_words_are_asked_for_without_letting_them_become_commands(text: str, query: str):
    assert search_query(Search(text=text)) == query


def test_half_of_the_words_follow_where_all_find_next_to_nothing():
    request = Arxiv().search(Search(text="dances of honey bees in rainy Malta", limit=20, fields=("q-bio.PE",)))
    assert request.parameters["search_query"].startswith("(all:dances AND all:honey AND all:bees AND all:rainy AND")
    following = request.read(feed(entry(), total=4)).next_request
    assert following
    assert following.parameters["search_query"] == "(all:dances AND all:honey AND all:malta) AND (cat:q-bio.PE)"
    assert following.read(feed(total=0)).next_request is None
    assert request.read(feed(entry(), total=5)).next_request is None
    assert Arxiv().search(Search(text="bees of Malta")).read(feed(total=0)).next_request is None


@pytest.mark.parametrize("answer", [b"Rate exceeded.", b"\nrate limit exceeded", b"Rate exceeded. Try later."])
def test_a_refusal_with_status_200_is_a_refusal(answer: bytes):
    with pytest.raises(TooManyRequests, match=r"(?i)^rate .*exceeded"):
        read_feed(answer)


def test_arxiv_is_asked_again_after_a_refusal_with_status_200(
    service: Service, client: Callable[..., SourceClient], time: Time
):
    service.on("/api/query", Said(b"Rate exceeded."), Said(feed(entry())))
    source = at(service, Arxiv)

    async def ask(patience: float | None) -> list[str]:
        async with client(patience=patience) as asking:
            page = await asking.page(source, source.search(Search(text="bees")))
            return [found.paper.title for found in page.entries]

    assert asyncio.run(ask(12.0)) == ["On Bees"]
    assert time.slept
    service.on("/api/query", Said(b"Rate exceeded."))
    source = Arxiv(service.address)
    with pytest.raises(SourceError, match=r"arXiv refused us \d times \(429: Rate exceeded\): try again later"):
        asyncio.run(ask_other(client(patience=12.0), source))


async def ask_other(asking: SourceClient, source: Arxiv) -> None:
    async with asking:
        await asking.page(source, source.search(Search(text="wasps")))


def test_days_and_fields_narrow_a_search():
    search = Search(text="bees", since=dt.date(2020, 2, 1), before=dt.date(2021, 1, 1), fields=("cs.CL", "Statistics"))
    assert search_query(search) == (
        "all:bees AND (cat:cs.CL OR cat:stat OR cat:stat.*) AND submittedDate:[202002010000 TO 202012312359]"
    )


@pytest.mark.parametrize("search", [Search(text=" ?! "), Search(text="bees", fields=("Apiculture",))])
def test_a_search_that_arxiv_cannot_answer_is_refused_in_one_line(search: Search):
    with pytest.raises(BadInput, match=r"^arXiv .*: give "):
        Arxiv().search(search)


def test_fields_have_names_and_names_have_fields():
    assert codes_of("machine  learning") == ["cs.LG", "stat.ML"]
    assert field_names(["cs.CL", "cs.XX", "68T50", "cs.CL"]) == ("Computation and Language", "Computer Science")
    assert len(CATEGORIES) > 180


def test_papers_are_fetched_by_number_whatever_the_version_and_by_arxivs_own_dois():
    names = [("arxiv", "2101.00001v2"), ("doi", "10.48550/arXiv.2101.00002"), ("arxiv", "no number"), ("doi", "10.1/x")]
    (request,) = Arxiv().fetch(names)
    assert request.parameters["id_list"] == "2101.00001,2101.00002"
    many = Arxiv().fetch([("arxiv", f"2101.{number:05}") for number in range(250)])
    assert [request.parameters["max_results"] for request in many] == ["100", "100", "50"]


def test_the_pdf_of_a_paper_is_at_arxiv_only_if_the_paper_is():
    arxiv = Arxiv()
    assert arxiv.pdf_url(only(feed(entry()))) == "https://export.arxiv.org/pdf/2101.00001"
    assert arxiv.pdf_url(Paper(title="Elsewhere")) is None
    assert arxiv.pdf_url(Paper(title="Trick", ids=Identifiers(arxiv="../../etc/passwd"))) is None


def test_arxiv_is_asked_every_three_seconds_with_or_without_a_key():
    rate_limits = sources.get("arxiv").rate_limits
    assert (rate_limits.pause, rate_limits.pause_with_key, rate_limits.at_once) == (3.0, 3.0, 1)


_BOMB = "<!DOCTYPE f [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>"


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile",
    [
        _BOMB.encode() + feed(entry(title="&b;")),
        f"<?xml version='1.0' encoding='utf-16'?>{_BOMB}<feed/>".encode("utf-16"),
        b"<!DOCTYPE f [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><f>&x;</f>",
        b"<a>" * 2_000_000,
        b"<f>" + b"<a/>" * 600_000 + b"</f>",
        b"<f a='" + b"x" * 20_000_000,
        b"<f>" + b" " * 25_000_000 + b"</f>",
        b"<f>\xff\xfe</f>",
        b"",
        b"<html><body>503</body></html>",
        feed(entry())[:-20],
    ],
    ids=["bomb", "bomb in UTF-16", "file", "deep", "many", "endless", "large", "bytes", "empty", "html", "cut"],
)
def test_hostile_xml_is_refused_however_large(hostile: bytes):
    with pytest.raises(ValueError, match=r"XML|Atom"):
        read_feed(hostile)


_TAGS = st.sampled_from(["entry", "id", "title", "summary", "published", "author", "name", "category", "x", "link"])
_TREES = st.recursive(
    st.text(max_size=20).map(escape),
    lambda inner: st.builds(lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", _TAGS, st.lists(inner, max_size=5)),
    max_leaves=30,
)


@given(_TREES | st.text(max_size=200), st.text(max_size=10).map(escape))
def test_any_xml_is_a_page_or_an_error_that_says_so(inside: str, total: str):
    try:
        page = read_feed(feed(inside, total=total))
    except ValueError as error:
        assert str(error)
    else:
        assert all(reject.reason for reject in page.rejects)


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_in_words(answer: bytes):
    with pytest.raises(ValueError, match=r"."):
        read_feed(answer)


def test_recorded_feeds_are_read_whole():
    for call in recorded("arxiv"):
        answer = str(call["body"]).encode()
        if call["status"] == 400:
            with pytest.raises(ValueError, match="incorrect id format for abc"):
                read_feed(answer)
            continue
        page = read_feed(answer)
        assert len(page.entries) == answer.count(b"<entry>")
        assert not page.rejects
        papers = [found.paper for found in page.entries]
        assert all(paper.abstract and paper.authors and paper.fields and paper.date for paper in papers)


def test_a_search_walks_from_page_to_page_at_arxivs_pace(
    service: Service, client: Callable[..., SourceClient], time: Time
):
    calls = (
        str(call["body"]).encode() for call in recorded("arxiv") if str(call["uri"]).endswith("&start=0&max_results=10")
    )
    first = next(calls, feed(*(entry(f"2101.{number:05}v1", f"Bee {number}") for number in range(10)), total=1000))
    total = read_feed(first).total
    pages = [first, feed(total=total), feed(entry("2102.00001v1"), entry("2102.00002v1"), total=total)]
    service.on("/api/query", Said(pages[0]), start="0")
    service.on("/api/query", Said(pages[1]), Said(pages[2]), start="10")
    source = at(service, Arxiv)

    async def walk() -> list[int]:
        async with client() as asking:
            found = []
            async for page in asking.pages(source, source.search(Search(text="testing", limit=10))):
                found.append(len(page.entries))
                if len(found) == 2:
                    break
            return found

    assert asyncio.run(walk()) == [10, 2]
    assert [asked.query["start"] for asked in service.asked] == ["0", "10", "10"], "an empty page was asked for again"
    assert len(time.slept) >= 2
    assert all(seconds >= 2.5 for seconds in time.slept)
