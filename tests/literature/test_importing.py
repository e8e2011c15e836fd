"""Files in: what is good comes in, what is broken is listed with its line, and nothing else is lost."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Identifiers
from novum.errors import BadInput
from novum.literature import Entry, Library, Reject, export, import_file, read_file
from novum.literature.importing.bibtex import read_bibtex
from novum.literature.importing.line_blocks import line_blocks
from novum.literature.importing.text_stream import open_text
from tests.literature.conftest import ATTENTION, FOLDING, paper


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_json_lines_come_in_with_links_between_them(library: Library, tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "papers.jsonl",
        lines(
            {"id": "b", "title": "Second", "year": 2020, "references": ["a", "arxiv:1706.03762", "doi:10.1/none"]},
            {"id": "a", "title": "First", "year": 2019, "authors": [{"name": "Ada Lovelace"}], "n_citation": 7},
            {"key": "x", "title": "Third", "year": "2017", "ids": {"arxiv": "https://arxiv.org/abs/1706.03762v5"}},
        ),
    )
    report = import_file(library, path)
    assert (report.added, report.links, report.waiting, report.rejects) == (3, 2, 1, ())
    second = library.find("Second", 2020)
    assert second is not None
    assert {one.title for one in library.references(second.id)} == {"First", "Third"}
    first = library.find("First", 2019)
    assert first is not None
    assert (first.citation_count, first.authors) == (7, ("Ada Lovelace",))
    again = import_file(library, path)
    assert (again.added, again.unchanged, again.links) == (0, 3, 0)


def test_an_arxiv_id_vouches_for_the_end_of_its_month(library: Library, tmp_path: Path) -> None:
    import_file(library, write(tmp_path, "one.jsonl", lines({"title": "Dated", "year": 2017, "arxiv": "1706.03762"})))
    found = library.by_identifier("arxiv", "1706.03762")
    assert found is not None
    assert found.date == dt.date(2017, 6, 30)


def test_bad_lines_are_listed_and_cost_no_other(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "mixed.jsonl"
    good = lines({"title": "Good", "year": 2020}).encode()
    bad = [b"{broken\n", b"[1, 2]\n", b'{"year": 2020}\n', b'{"title": "\xff"}\n', b'{"title": "..."}\n']
    path.write_bytes(b"\n" + b"".join(bad) + lines({"title": "T" * 2000}).encode() + good)
    report = import_file(library, path)
    assert report.added == 1
    assert [reject.line for reject in report.rejects] == [2, 3, 4, 5, 6, 7]
    assert str(report.rejects[1]) == "mixed.jsonl:3: not a JSON object"
    assert report.read == 7


@pytest.mark.parametrize(
    "record",
    [
        {"title": "Odd", "year": "NaN", "authors": "Ada", "ids": [], "references": "none", "fields": None},
        {"title": "Odd", "year": 10**30, "authors": [None, 3, {"name": 4}], "date": "2020-99-99"},
        {"title": "Odd\ud800\x00", "n_citation": -5, "references": [None, {}, {"title": ""}, 7]},
        {"title": "<i>Odd</i>", "abstract": "<jats:p>Text</jats:p>", "citation_count": 1e300, "year": True},
    ],
)
def test_odd_values_become_gaps_and_never_a_crash(library: Library, tmp_path: Path, record: dict[str, object]) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps(record) + "\n", "utf-8")
    report = import_file(library, path)
    assert report.added + len(report.rejects) == 1


def test_a_gzipped_file_that_is_cut_off_gives_what_it_holds(library: Library, tmp_path: Path) -> None:
    records = ({"title": f"Paper {n} {'x' * (n * 37 % 91)}", "year": 2020} for n in range(3000))
    whole = gzip.compress(lines(*records).encode())
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(whole[: len(whole) // 2])
    report = import_file(library, path)
    assert 100 < report.added < 3000
    assert "damaged or cut off" in report.rejects[-1].reason


BIBTEX = r"""
% a comment
@string{nips = "Advances in " # {NeurIPS}}
@article{muller2020,
  title = {{On} the {\"O}konomie of B{\'e}zier \& Friends},
  author = {M{\"u}ller, J{\"o}rg and van der Berg, Anna and {The {DeepMind} and Friends Team}},
  year = 2020, journal = nips, doi = {https://doi.org/10.1000/ABC},
}
@article{broken,
  title = {Unbalanced {brace,
  author = {Nobody}, year = 2019
}
@inproceedings{good,
  title = "Quoted {"}Title{"}", author = "Ada Lovelace", year = "2021",
  booktitle = {ACL}, url = {https://aclanthology.org/P02-1040/} }
@article{nokey title = {x}}
@misc{notitle, author = {Ada Lovelace}, year = 2001}
@misc{preprint, title={A Preprint}, author={Lovelace, Ada and others}, eprint={2201.11903}, archivePrefix={arXiv},
  year={2022}, month=jan}
@comment{ignored, title={No}}
text between entries, and an address: someone@example.org
@article(parens, title = {In Parentheses}, year = {1999})
@article{last, title = {Cut off at the end
"""


def test_bibtex_gives_its_good_entries_and_lists_the_bad_ones_by_line(library: Library, tmp_path: Path) -> None:
    report = import_file(library, write(tmp_path, "refs.bib", BIBTEX))
    assert report.added == 4
    assert [reject.line for reject in report.rejects] == [9, 16, 17, 23]
    muller = library.by_identifier("doi", "10.1000/abc")
    assert muller is not None
    assert muller.title == "On the Ökonomie of Bézier & Friends"
    assert muller.authors == ("Jörg Müller", "Anna van der Berg", "The DeepMind and Friends Team")
    assert muller.venue == "Advances in NeurIPS"
    preprint = library.by_identifier("arxiv", "2201.11903")
    assert preprint is not None
    assert preprint.authors == ("Ada Lovelace",)
    assert library.by_identifier("acl", "P02-1040") is not None
    assert library.find("In Parentheses") is not None


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='@{}(),="#\\ab1\n %', max_size=120))
def test_no_bibtex_text_breaks_the_reader_or_the_entry_after_it(noise: str) -> None:
    good = "\n@misc{good, title={A Good Entry}, year={2020}}\n"
    read = list(read_bibtex(noise + good, "noise.bib", "scope"))
    assert all(isinstance(one, (Entry, Reject)) for one in read)
    assert any(isinstance(one, Entry) and one.paper.title == "A Good Entry" for one in read)


def test_csl_json_comes_in(library: Library, tmp_path: Path) -> None:
    items = [
        {
            "id": "lovelace", "type": "article-journal", "title": "Notes on <i>Engines</i>", "DOI": "10.1000/Notes",
            "author": [{"family": "Lovelace", "given": "Ada"}, {"literal": "The Club"}],
            "issued": {"date-parts": [["1843", 9, 1]]}, "container-title": "Memoirs",
        },
        {"id": 7, "title": "Year Only", "issued": {"raw": "circa 1850"}},
        {"id": "x"},
        "nonsense",
    ]  # fmt: skip
    report = import_file(library, write(tmp_path, "zotero.json", json.dumps(items, indent=1)))
    assert report.added == 2
    assert [reject.reason for reject in report.rejects] == ["no title", "not a JSON object"]
    notes = library.by_identifier("doi", "10.1000/notes")
    assert notes is not None
    assert (notes.title, notes.date, notes.venue) == ("Notes on Engines", dt.date(1843, 9, 1), "Memoirs")
    assert notes.authors == ("Ada Lovelace", "The Club")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("notes.txt", "Dear diary", "neither JSONL, BibTeX, RIS, NBIB nor CSL-JSON"),
        ("broken.json", "[{]", "not valid JSON"),
        ("missing.bib", None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_line(
    library: Library, tmp_path: Path, name: str, content: str | None, said: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    with pytest.raises(BadInput, match=said):
        import_file(library, path)


@pytest.mark.slow
@pytest.mark.parametrize("line", ["x", '{"a": 1}', "[1, 2]"])
def test_a_long_file_without_a_paper_is_refused_soon(library: Library, tmp_path: Path, line: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(f"{line}\n" * 1_000_000)
    with pytest.raises(BadInput, match=r"is no list of papers: its first 1[01]\d,\d{3} records hold none.*\.$"):
        import_file(library, file)


def test_many_bad_lines_after_a_paper_are_counted_and_cost_no_other(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("novum.literature.importing.file_reader._MOST_UNUSABLE", 5_000)
    file = tmp_path / "mixed.jsonl"
    file.write_text('{"title": "Widgets that learn"}\n' + "x\n" * 25_000 + '{"title": "Gadgets that plan"}\n')
    report = import_file(library, file)
    assert (report.added, report.rejected) == (2, 25_000)


def test_short_lines_come_in_small_blocks_that_know_where_they_end(tmp_path: Path) -> None:
    text = "".join(f"{number}\n" for number in range(35_000)) + "the end"
    (tmp_path / "lines").write_text(text)
    with open_text(tmp_path / "lines") as stream:
        blocks = list(line_blocks(stream))
    assert max(len(block.records) for block in blocks) <= 10_000
    assert [block.first for block in blocks] == [1, 10_001, 20_001, 30_001, 35_001]
    lines = text.split("\n")
    for block in blocks[:-1]:
        assert block.end == sum(len(line) + 1 for line in lines[: block.next_record - 1])
    assert blocks[-1].end == len(text)


def test_the_format_is_told_by_content_when_the_name_does_not(tmp_path: Path) -> None:
    texts = [
        '{"title": "A"}\n',
        '[{"title": "A"}]',
        "@misc{a, title={A}}",
        "TY  - JOUR\nTI  - A\n",
        "PMID- 1\nTI  - A\n",
    ]
    for text in texts:
        read = list(read_file(write(tmp_path, "unnamed", text)))
        assert [one.paper.title for one in read if isinstance(one, Entry)] == ["A"]


@pytest.mark.parametrize("form", ["jsonl", "bibtex", "ris", "csl"])
def test_what_is_exported_can_be_imported_again(tmp_path: Path, form: str) -> None:
    nasty = paper(
        r"50% of {Braces} & $dollars_ \are# tricky~^", 2020, "Ada Lovelace", "Müller and Sons", venue="J. of A & B",
        ids=Identifiers(doi="10.1000/a_b"), abstract="100% plain.",
    )  # fmt: skip
    path = tmp_path / f"out.{ {'jsonl': 'jsonl', 'bibtex': 'bib', 'ris': 'ris', 'csl': 'csljson'}[form] }"
    path.write_text("".join(export([nasty, ATTENTION, FOLDING], form)), "utf-8")
    read = [one.paper for one in read_file(path) if isinstance(one, Entry)]
    assert [one.id for one in read] == [nasty.id, ATTENTION.id, FOLDING.id]
    assert [one.authors for one in read] == [nasty.authors, ATTENTION.authors, FOLDING.authors]
    assert read[0].ids == nasty.ids
    assert read[0].abstract == nasty.abstract


def test_an_exported_library_comes_back_whole(shelf: Library, tmp_path: Path) -> None:
    path = write(tmp_path, "all.jsonl", "".join(export(shelf.papers(), "jsonl")))
    with Library.open(tmp_path / "copy") as copy:
        import_file(copy, path)
        assert {one.id: one for one in copy.papers()} == {one.id: one for one in shelf.papers()}


def test_citation_keys_are_unique(tmp_path: Path) -> None:
    twins = [paper(f"Engines part {n}", 2020, "Ada Lovelace") for n in range(30)]
    keys = [text.partition("{")[2].partition(",")[0] for text in export(twins, "bibtex")]
    assert keys[:3] == ["lovelace2020engines", "lovelace2020enginesa", "lovelace2020enginesb"]
    assert len(set(keys)) == 30


def test_an_unknown_form_of_export_is_refused() -> None:
    with pytest.raises(BadInput, match="choose one of jsonl, bibtex, ris, csl"):
        export([], "docx")
