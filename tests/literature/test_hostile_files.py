"""Files that are broken or meant to do harm: each costs itself at most, in bounded time and memory, and is told of."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novum.core import Paper
from novum.errors import BadInput, LibraryError
from novum.literature import Entry, Library, Reject, import_file, read_file
from novum.literature.importing.dblp import dblp_entry
from novum.literature.importing.inverted_abstract import rebuild_abstract
from novum.literature.importing.readers import entries_of
from novum.literature.importing.record import UnusableRecord

GOOD = b'{"title": "A good engine", "year": 2020, "references": []}'
MIB = 1 << 20


def put(folder: Path, text: bytes, name: str = "hostile.jsonl") -> Path:
    path = folder / name
    path.write_bytes(text)
    return path


@contextmanager
def at_most(megabytes: int) -> Iterator[None]:
    """Memory that may be held at any moment inside."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < megabytes * MIB
    finally:
        tracemalloc.stop()


def test_a_packed_bomb_is_left_alone(library: Library, tmp_path: Path) -> None:
    with gzip.open(tmp_path / "bomb.jsonl.gz", "wb") as packed:
        packed.write(GOOD + b"\n")
        for _ in range(60):
            packed.write(bytes(MIB))
    with at_most(100):
        report = import_file(library, tmp_path / "bomb.jsonl.gz")
    assert report.added == 1
    assert "unpacks to more than 50 times its size" in report.rejects[-1].reason


def test_a_bomb_of_empty_lines_is_left_alone_too(library: Library, tmp_path: Path) -> None:
    with gzip.open(tmp_path / "bomb.jsonl.gz", "wb") as packed:
        for _ in range(50):
            packed.write(b"\n" * MIB)
    report = import_file(library, tmp_path / "bomb.jsonl.gz")
    assert (report.added, report.rejected) == (0, 1)


@pytest.mark.parametrize("name", ["long.jsonl", "long.json"])
def test_an_endless_line_is_not_read_into_memory(library: Library, tmp_path: Path, name: str) -> None:
    with (tmp_path / name).open("wb") as file:
        file.write(b'{"title": "')
        file.seek(100 * MIB)  # zeros, which take no room on disk
        file.write(b'"}\n' + GOOD + b"\n")
    with at_most(120):
        report = import_file(library, tmp_path / name)
    assert (report.added, report.rejected) == (1, 1)
    assert report.rejects[0].reason == "a record of over 16,000,000 bytes"
    assert report.rejects_file is not None
    assert json.loads(report.rejects_file.read_bytes())["record"].startswith('{"title": "')


def test_an_enormous_abstract_is_rejected(library: Library, tmp_path: Path) -> None:
    record = json.dumps({"title": "Verbose", "abstract": "x" * 10_000_000}).encode()
    report = import_file(library, put(tmp_path, record + b"\n" + GOOD + b"\n"))
    assert report.added == 1
    assert [reject.reason for reject in report.rejects] == ["an abstract of 10,000,000 characters"]


def test_of_a_hundred_thousand_references_twenty_thousand_are_kept(library: Library, tmp_path: Path) -> None:
    record = {"id": 7, "title": "Cites all", "fos": [], "n_citation": 1, "references": list(range(10, 100_010))}
    report = import_file(library, put(tmp_path, json.dumps(record).encode() + b"\n"))
    assert (report.added, report.waiting, report.rejected, report.repaired) == (1, 20_000, 0, 1)
    assert report.rejects_file is not None
    told = json.loads(report.rejects_file.read_bytes())
    assert (told["outcome"], told["reason"]) == ("repaired", "only the first 20,000 references were kept")


@pytest.mark.parametrize(
    ("line", "title", "year"),
    [
        (b'{"title": "No year", "year": NaN}', "No year", None),
        (b'{"title": "No year", "year": -Infinity}', "No year", None),
        (b'{"title": "NaN is a bread", "year": 2001, "n_citation": NaN}', "NaN is a bread", 2001),
        (b'{"title": "Bad \xff byte", "year": 2001}', "Bad \ufffd byte", 2001),
        (b'{"title": "Half \\ud800 a sign", "year": 2001}', "Half a sign", 2001),
        (b'{"title": "A tab\there", "year": 2001}', "A tab here", 2001),
    ],
)
def test_what_is_nearly_json_is_repaired_and_told(
    library: Library, tmp_path: Path, line: bytes, title: str, year: int | None
) -> None:
    report = import_file(library, put(tmp_path, line + b"\n" + GOOD + b"\n"))
    assert (report.added, report.rejected, report.repaired) == (2, 0, 1)
    assert {(paper.title, paper.year) for paper in library.papers()} == {(title, year), ("A good engine", 2020)}
    assert report.rejects_file is not None
    assert json.loads(report.rejects_file.read_bytes())["line"] == 1


@pytest.mark.parametrize(
    "deep", [b'{"a":' + b"[" * 100_000, b'{"title":' * 100_000, b'{"a":' + b"[" * 2000 + b"]" * 2000 + b"}"]
)
def test_deep_nesting_is_a_reject(library: Library, tmp_path: Path, deep: bytes) -> None:
    report = import_file(library, put(tmp_path, deep + b"\n" + GOOD + b"\n"))
    assert (report.added, report.rejected) == (1, 1)
    assert report.rejects[0].reason.startswith("not JSON")


def test_circles_and_self_citations_are_only_links(library: Library, tmp_path: Path) -> None:
    cites = {1: [1, 2], 2: [3], 3: [1, 3]}
    records = [{"id": f"k:{n}", "title": f"Circle {n}", "references": [f"k:{m}" for m in cites[n]]} for n in cites]
    report = import_file(library, put(tmp_path, "\n".join(map(json.dumps, records)).encode()))
    assert (report.added, report.links, report.waiting) == (3, 3, 0)


def test_one_id_for_several_papers_merges_only_what_is_one_paper(library: Library, tmp_path: Path) -> None:
    records = [
        {"id": "k:1", "title": "A theory of engines", "year": 2000, "authors": ["Ada Lovelace"]},
        {"id": "k:1", "title": "A theory of engines", "year": 2000, "authors": ["Ada Lovelace"], "abstract": "More."},
        {"id": "k:1", "title": "Cooking with steam", "year": 2010, "authors": ["Anna Baker"]},
    ]
    report = import_file(library, put(tmp_path, "\n".join(map(json.dumps, records)).encode()))
    assert (report.added, report.merged, report.rejected) == (2, 1, 0)


@pytest.mark.parametrize(
    "index",
    [
        {"IndexLength": 10**12, "InvertedIndex": {"end": [10**15], "start": [0]}},
        {"IndexLength": 2, "InvertedIndex": {"start": [0, -1, None, "0", 1.5], "end": [3]}},
        {"IndexLength": 2, "InvertedIndex": {"start": [0], "middle": 7, "end": [5], "": {}}},
    ],
)
def test_an_index_with_impossible_places_gives_what_it_can(index: object) -> None:
    assert rebuild_abstract(index) == "start end"


def test_an_index_of_millions_of_words_is_refused() -> None:
    with pytest.raises(UnusableRecord, match="over 20,000 words"):
        rebuild_abstract({"InvertedIndex": {"again": list(range(1_000_000))}})


ARRAY = (
    b'[\n{"id": "%s", "title": "First engine", "n_citation": 1},\n'
    b'{"id": "%s", "title": "Second engine", "n_citation": 1}'
)
IDS = (b"53e99784b7602d9701f3ffdd", b"53e99784b7602d9701f3ffde")


@pytest.mark.parametrize("text", [ARRAY % IDS, (ARRAY % IDS).replace(b"{", b"{\n").replace(b"}", b"\n}")])
def test_an_array_that_is_never_closed_gives_what_it_holds(library: Library, tmp_path: Path, text: bytes) -> None:
    report = import_file(library, put(tmp_path, text, "dump.json"))
    assert (report.added, report.rejected) == (2, 1)
    assert "never closed" in report.rejects[0].reason
    cut = import_file(library, put(tmp_path, text[:-20], "cut.json"))
    assert (cut.unchanged, cut.rejected) == (1, 2)


def test_a_record_without_its_brace_costs_no_other(library: Library, tmp_path: Path) -> None:
    """In an array that is spread over lines, where braces alone tell records apart."""
    records = [{"id": f"53e99784b7602d97{n:08x}", "title": f"Engine {n}", "n_citation": n} for n in range(20)]
    text = ",\n".join(json.dumps(record, indent=2) for record in records)
    broken = text.replace('"n_citation": 7\n}', '"n_citation": 7\n')
    report = import_file(library, put(tmp_path, f"[\n{broken}\n]".encode(), "dump.json"))
    assert (report.added, report.rejected) == (19, 1)
    assert "not JSON" in report.rejects[0].reason


def test_csl_items_before_a_break_are_read(library: Library, tmp_path: Path) -> None:
    text = b'[{"id": 1, "type": "book", "title": "Whole", "author": []}, {"id": 2, "title": "Cut'
    report = import_file(library, put(tmp_path, text, "zotero.json"))
    assert (report.added, report.rejected) == (1, 1)
    assert "the items that are whole were read" in report.rejects[0].reason


@pytest.mark.parametrize("part", ["9" * 5000, "99999999999", 99_999_999_999, "٣", None, 10**30, [], {}])
def test_numbers_that_are_no_dates_leave_a_gap(library: Library, tmp_path: Path, part: object) -> None:
    items = [
        {"type": "book", "title": f"Odd {n}", "author": [], "issued": {"date-parts": [parts]}}
        for n, parts in enumerate([[part], [2020, part], [2020, 1, part]])
    ]
    text = json.dumps([*items, {"type": "book", "title": "Good", "author": []}])
    report = import_file(library, put(tmp_path, text.encode(), "zotero.json"))
    assert (report.added, report.rejected) == (4, 0)


@pytest.mark.parametrize("name", [os.fsdecode(b"caf\xe9.jsonl"), "長" * 80 + ".jsonl"], ids=["latin", "long"])
def test_a_file_may_be_called_anything(library: Library, tmp_path: Path, name: str) -> None:
    """Also what is no Unicode, or too long for a date behind it."""
    folder = tmp_path / "data"
    folder.mkdir()
    path = put(folder, GOOD + b"\n{}\n", name)
    for given_path in (path, folder):
        report = import_file(library, given_path)
        assert (report.added + report.unchanged, report.rejected) == (1, 1)
        assert report.rejects_file is not None
        assert report.rejects_file.is_file()


def test_a_venue_of_megabytes_is_cut(library: Library, tmp_path: Path) -> None:
    dblp = {"id": 7, "title": "Two", "fos": [], "n_citation": 1, "venue": {"raw": "x" * 100_000}}
    import_file(library, put(tmp_path, json.dumps({"title": "One", "venue": "x" * 100_000}).encode()))
    import_file(library, put(tmp_path, json.dumps(dblp).encode(), "dblp.jsonl"))
    assert [len(paper.venue) for paper in library.papers()] == [500, 500]


def test_rejects_do_not_fill_the_disk(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("novum.literature.importing.rejects._LARGEST", 1000)
    path = put(tmp_path, b"{}\n" * 500)
    for _ in range(3):
        report = import_file(library, path)
        assert report.rejected == 500
        assert report.rejects_file is not None
        assert report.rejects_file.stat().st_size < 2000
    assert "more are not listed" in report.rejects_file.read_text().splitlines()[-1]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.bib"])
def test_byte_order_marks_are_understood(library: Library, tmp_path: Path, encoding: str, name: str) -> None:
    text = "@misc{a, title={Größe}}" if name == "a.bib" else '{"title": "Größe", "year": 2020}\n'
    report = import_file(library, put(tmp_path, text.encode(encoding), name))
    assert (report.added, report.rejected) == (1, 0)
    assert library.find("Größe") is not None


@pytest.mark.parametrize("name", ["empty.jsonl", "empty.json", "empty.bib", "empty.json.gz"])
def test_an_empty_file_is_told(library: Library, tmp_path: Path, name: str) -> None:
    report = import_file(library, put(tmp_path, gzip.compress(b"") if name.endswith("gz") else b" \n", name))
    assert [str(reject) for reject in report.rejects] == [f"{name}:1: the file is empty"]


def test_a_zip_archive_is_named_as_what_it_is(library: Library, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="unpack it"):
        import_file(library, put(tmp_path, b"PK\x03\x04 and so on", "dblp.v12.zip"))


@pytest.mark.parametrize(
    "text",
    [
        b"@misc{a, " + b"x={y}," * 100_000 + b"title={Fields without end}}",
        b"@misc{a, title={Spaces}, author={Ada" + b" " * 300_000 + b"Lovelace}}",
        b"@misc{a, title={" + b"{" * 20_000 + b"}" * 20_000 + b"}}",
        b"@misc{a, title={" * 20_000,
        b"@string{a = {xxxxxxxxxxxxxxxx}}" + b"@string{a = a # a # a # a}" * 30 + b"@misc{b, title=a}",
        b"@misc{a, title={" + b"\\frac" * 4000 + b"}}",
        b"@misc{a, title={\\begin{x}\\sqrt[\\verb|,andtitle,\\sqrt[\\a\\endmisc}}",
        b"@misc{a, title={T}, author={and\\item{A and B}]\\author}}",
    ],
    ids=["fields", "spaces", "braces", "never closed", "macros", "commands", "roots", "items"],
)
def test_bibtex_made_to_last_forever_does_not(library: Library, tmp_path: Path, text: bytes) -> None:
    good = b"\n@misc{good, title={A good engine}, year={2020}}\n"
    report = import_file(library, put(tmp_path, text + good, "hostile.bib"))
    assert library.find("A good engine", 2020) is not None
    assert report.added + report.rejected > 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=6,
)
NAMES = st.sampled_from(
    (
        *("id", "_id", "title", "abstract", "authors", "year", "venue", "references", "n_citation", "doi", "url"),
        *("fos", "keywords", "indexed_abstract", "corpusid"),
    )
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(NAMES, JSON))
def test_no_record_breaks_a_reader(record: dict[str, object]) -> None:
    line = json.dumps(record | {"title": record.get("title", "Some title")}).encode("utf-8", "replace")
    for reader in ("plain", "dblp", "openalex", "semantic-scholar", "semantic-scholar-abstracts"):
        found = entries_of([line], reader, "scope", 1)
        assert found
        assert all(isinstance(one, (Entry, Reject)) for one in found)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(NAMES.filter(lambda name: name != "title"), JSON))
def test_what_the_quick_reader_makes_is_valid(record: dict[str, object]) -> None:
    paper = dblp_entry({"title": "Some title", **record}).paper
    assert Paper.model_validate(paper.model_dump()) == paper


@settings(max_examples=100)
@given(st.binary(max_size=60) | st.text('[]{}",:a1 \n\\', max_size=60).map(str.encode))
def test_no_bytes_break_the_reading(tmp_path_factory: pytest.TempPathFactory, noise: bytes) -> None:
    path = put(tmp_path_factory.mktemp("noise"), b" " + noise + b"\n" + GOOD + b"\n")
    found = list(read_file(path))
    assert any(isinstance(one, Entry) for one in found)
    assert all(isinstance(one, (Entry, Reject)) for one in found)


@pytest.mark.parametrize("name", ["deep.json", "deep.jsonl"])
def test_brackets_without_a_record_are_a_reject_with_its_reason(library: Library, tmp_path: Path, name: str) -> None:
    report = import_file(library, put(tmp_path, b"[" * 100_000 + b"]" * 100_000, name))
    assert (report.added, report.rejected) == (0, 1)
    assert "brackets inside brackets and no record in them" in report.rejects[0].reason


@pytest.mark.parametrize(
    ("magic", "kind"),
    [(b"\xfd7zXZ\0", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"BZh9", "bzip2"), (b"7z\xbc\xaf\x27\x1c", "7z")],
)
def test_other_archives_are_to_be_unpacked_first(library: Library, tmp_path: Path, magic: bytes, kind: str) -> None:
    with pytest.raises(BadInput, match=f"{kind}.*: unpack it"):
        import_file(library, put(tmp_path, magic + bytes(100), "papers.jsonl"))


def test_of_very_many_rejects_the_first_are_listed_and_the_others_counted(library: Library, tmp_path: Path) -> None:
    report = import_file(library, put(tmp_path, b"no paper\n" * 30_000))
    assert report.rejected == 30_000
    assert report.rejects_file
    lines = report.rejects_file.read_text().splitlines()
    assert len(lines) == 10_001
    assert "20,000 more are not listed" in lines[-1]


def test_the_list_of_rejects_is_not_written_through_a_link(library: Library, tmp_path: Path) -> None:
    first = import_file(library, put(tmp_path, b"no paper\n"))
    assert first.rejects_file
    first.rejects_file.unlink()
    (tmp_path / "mine").write_text("mine")
    first.rejects_file.symlink_to(tmp_path / "mine")
    with pytest.raises(LibraryError, match="rejects"):
        import_file(library, put(tmp_path, b"no paper\n"))
    assert (tmp_path / "mine").read_text() == "mine"
