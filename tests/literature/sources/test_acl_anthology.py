"""The ACL Anthology: its files as papers, and searching where there is no search."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Identifiers, Paper
from novum.errors import BadInput
from novum.literature import Entry
from novum.literature.services.client import SourceClient
from novum.literature.sources import Search
from novum.literature.sources.acl_anthology import AclAnthology, read_collection
from novum.literature.sources.acl_collections import MAIN_VENUES, collections_of
from tests.literature.sources.conftest import Said, Service, at

BEES = """<paper id="7">
  <title><fixed-case>B</fixed-case>ee<fixed-case>BERT</fixed-case>: Reading <tex-math>n^2</tex-math> dances</title>
  <author id="zoe-nunez"><first>Zoë</first><last>Nuñez</last><affiliation>Hive</affiliation></author>
  <author><first>Dawen</first><last>Chen</last>
    <variant script="hani"><first>大文</first><last>陳</last></variant></author>
  <author><last>Mausam</last></author>
  <abstract>We read <b>dances</b><br/>of <i>bees</i> &amp; wasps.</abstract>
  <url hash="12345678">2023.bee-main.7</url>
  <doi>10.18653/v1/2023.bee-main.7</doi>
  <bibkey>nunez-etal-2023-beebert</bibkey>
</paper>"""


def volume(*papers: str, name: str = "main", month: str = "May", **meta: str) -> str:
    """A volume with front matter."""
    fields = {
        "booktitle": "Proceedings of the <fixed-case>B</fixed-case>ee Workshop",
        "month": month,
        "year": "2023",
    } | meta
    inside = "".join(f"<{field}>{value}</{field}>" for field, value in fields.items())
    front = '<frontmatter><url hash="0">2023.bee-main.0</url><bibkey>bee-2023-bee</bibkey></frontmatter>'
    return f'<volume id="{name}" type="proceedings"><meta>{inside}</meta>{front}{"".join(papers)}</volume>'


def collection(*volumes: str, name: str = "2023.bee") -> bytes:
    """A file of the Anthology."""
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<collection id=\"{name}\">{''.join(volumes)}</collection>".encode()


def only(answer: bytes) -> Entry:
    """The one paper of a file."""
    (found,) = read_collection(answer).entries
    return found


def test_a_paper_is_read_with_its_markup_turned_into_text():
    paper = only(collection(volume(BEES))).paper
    assert paper.title == "BeeBERT: Reading $n^2$ dances"
    assert paper.authors == ("Zoë Nuñez", "Dawen Chen", "Mausam")
    assert paper.abstract == "We read dances of bees & wasps."
    assert paper.ids == Identifiers(acl="2023.bee-main.7", doi="10.18653/v1/2023.bee-main.7")
    assert paper.venue == "Proceedings of the Bee Workshop"
    assert (paper.year, paper.date) == (2023, dt.date(2023, 5, 31))


@pytest.mark.parametrize(
    ("month", "day"),
    [
        ("July 5-10", dt.date(2023, 7, 31)),
        ("26–30 June", dt.date(2023, 6, 30)),
        ("Jul–Aug", dt.date(2023, 8, 31)),
        ("December-January", None),
        ("spring", None),
        ("", None),
    ],
)
def test_a_paper_was_certainly_public_at_the_end_of_the_month(month: str, day: dt.date | None):
    assert only(collection(volume(BEES, month=month))).paper.date == day


def test_a_journal_goes_by_its_title():
    answer = collection(volume(BEES, **{"journal-title": "Computational Linguistics"}))
    assert only(answer).paper.venue == "Computational Linguistics"


@pytest.mark.parametrize(
    ("name", "part", "number", "acl"),
    [
        ("2020.lrec", "1", "12", "2020.lrec-1.12"),
        ("P19", "1", "1", "P19-1001"),
        ("W05", "1", "2", "W05-0102"),
        ("D19", "50", "3", "D19-5003"),
    ],
)
def test_a_paper_whose_address_leads_elsewhere_is_named_as_the_anthology_would(
    name: str, part: str, number: str, acl: str
):
    paper = f'<paper id="{number}"><title>On Bees</title><url>http://elsewhere.example/bees.pdf</url></paper>'
    found = only(collection(volume(paper, name=part), name=name))
    assert (found.paper.ids.acl, found.key) == (acl, f"acl:{acl}")


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        ('<title>A</title><retracted date="2022-05-06">Wrong data.</retracted>', "retracted 2022-05-06: Wrong data."),
        ('<title>A</title><removed date="2022-05-06"/>', "removed 2022-05-06: no reason given"),
        ("<author><last>Li</last></author>", "no title"),
        (f"<title>{'x' * 2000}</title>", "a title of 2,000 characters"),
    ],
)
def test_papers_taken_back_and_broken_ones_are_rejects_and_front_matter_is_nothing(inside: str, reason: str):
    page = read_collection(collection(volume(f'<paper id="1">{inside}</paper>', BEES)))
    assert [reject.reason for reject in page.rejects] == [f"2023.bee-main.1: {reason}"]
    assert len(page.entries) == 1


def test_the_files_of_a_search_follow_from_venues_and_years():
    assert collections_of(["acl", "eacl", "wmt"], range(2018, 2022)) == [
        "P18", "P19", "2020.acl", "2020.wmt", "2021.acl", "2021.eacl", "2021.wmt",
    ]  # fmt: skip
    assert collections_of(["P19", "2020.lrec"], []) == ["P19", "2020.lrec"]
    assert {"2023.findings", "2023.tacl"} <= set(collections_of(MAIN_VENUES, [2023]))
    with pytest.raises(BadInput, match="no venue 'Annual Meeting'"):
        collections_of(["Annual Meeting"], [2020])


def test_a_search_reads_one_file_after_the_other_for_papers_with_its_words():
    search = Search(text="dance of bees", since=dt.date(2023, 1, 1), before=dt.date(2024, 1, 1), venues=("acl", "eacl"))
    first = AclAnthology().search(search)
    assert first.url == f"{AclAnthology.home}/data/xml/2023.acl.xml"
    ants = '<paper id="8"><title>Ants</title></paper>'
    page = first.read(collection(volume(BEES, ants)))
    assert [found.key for found in page.entries] == ["acl:2023.bee-main.7"]
    assert page.next_request
    assert page.next_request.url.endswith("/2023.eacl.xml")
    assert page.next_request.read(collection(volume(BEES, month="December", year="2024"))).entries == ()


def test_a_search_without_a_first_day_reads_the_last_three_years_the_newest_first():
    request = AclAnthology().search(Search(text="bees", before=dt.date(2023, 1, 1), venues=("acl", "wmt")))
    read = []
    while request:
        read.append(request.url.rpartition("/")[2])
        request = request.read(collection()).next_request
    assert read == ["2022.acl.xml", "2022.wmt.xml", "2021.acl.xml", "2021.wmt.xml", "2020.acl.xml", "2020.wmt.xml"]
    newest = AclAnthology().search(Search(text="bees")).url
    assert newest.endswith(f"/{dt.date.today().year}.cl.xml")


def test_without_words_or_proceedings_there_is_nothing_to_read():
    with pytest.raises(BadInput, match="no proceedings"):
        AclAnthology().search(Search(text="bees", before=dt.date(1950, 1, 1)))
    with pytest.raises(BadInput, match="by words"):
        AclAnthology().search(Search(text=" ", venues=("P19",)))
    assert AclAnthology().search(Search(text="bees", venues=("P19",))).url.endswith("/P19.xml")


def test_papers_are_fetched_by_id_from_one_file_a_venue_and_year():
    names = [("acl", "2023.bee-main.7"), ("acl", "https://aclanthology.org/2023.bee-main.9/"), ("acl", "P19-1001")]
    bee, old = AclAnthology().fetch([*names, ("acl", "../../x-1"), ("doi", "10.1/x")])
    assert (bee.url[-12:], old.url[-7:]) == ("2023.bee.xml", "P19.xml")
    other = BEES.replace("2023.bee-main.7", "2023.bee-main.8")
    assert [found.key for found in bee.read(collection(volume(BEES, other))).entries] == ["acl:2023.bee-main.7"]


_TAGS = st.sampled_from(
    "volume meta year month booktitle paper title author first last abstract url fixed-case tex-math retracted".split()  # noqa: SIM905
)
_TREES = st.recursive(
    st.text(max_size=20).map(escape),
    lambda inner: st.builds(lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", _TAGS, st.lists(inner, max_size=5)),
    max_leaves=30,
)


@given(_TREES, _TREES)
def test_any_xml_is_a_page_or_an_error_that_says_so(meta: str, paper: str):
    answer = collection(f"<volume><meta>{meta}</meta><paper>{paper}</paper>{paper}</volume>")
    try:
        page = read_collection(answer)
    except ValueError as error:
        assert str(error)
    else:
        assert all(reject.reason for reject in page.rejects)
        assert all(isinstance(found.paper, Paper) for found in page.entries)


@pytest.mark.parametrize(
    "hostile", [b"", b"404: Not Found", b"<feed/>", b"<a>" * 100, b"<collection>\xff</collection>"]
)
def test_what_is_no_file_of_the_anthology_is_refused(hostile: bytes):
    with pytest.raises(ValueError, match=r"XML|collection"):
        read_collection(hostile)


def test_a_year_without_the_venue_does_not_end_the_walk(service: Service, client: Callable[..., SourceClient]):
    service.on("/data/xml/2022.bee.xml", Said(b"404: Not Found", status=404))
    service.on("/data/xml/2023.bee.xml", Said(collection(volume(BEES))))
    source = at(service, AclAnthology)
    search = Search(text="bees", venues=("2022.bee", "2023.bee"))

    async def walk() -> list[str]:
        async with client() as asking:
            return [found.key async for page in asking.pages(source, source.search(search)) for found in page.entries]

    assert asyncio.run(walk()) == ["acl:2023.bee-main.7"]


def test_a_search_walks_from_file_to_file_over_http(service: Service, client: Callable[..., SourceClient]):
    service.on("/data/xml/2023.bee.xml", Said(collection(volume(BEES))))
    service.on("/data/xml/2023.wasp.xml", Said(collection(volume(BEES.replace("bee-main", "wasp-main")))))
    source = at(service, AclAnthology)
    search = Search(text="bees", venues=("2023.bee", "2023.wasp"))

    async def walk() -> list[str]:
        async with client() as asking:
            return [found.key async for page in asking.pages(source, source.search(search)) for found in page.entries]

    assert asyncio.run(walk()) == ["acl:2023.bee-main.7", "acl:2023.wasp-main.7"]
