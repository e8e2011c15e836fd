"""Whole collections: every layout that they are published in, streamed, with an account of where the reading stands."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.errors import BadInput
from novum.literature import Entry, Library, Reject, import_file, read_file
from novum.literature.importing.cleaning import clean_text, clean_texts
from novum.literature.importing.dblp import dblp_entry
from novum.literature.importing.inverted_abstract import rebuild_abstract
from novum.literature.importing.readers import entries_of

REAL = sorted((Path(__file__).parents[3] / "shared" / "data").glob("dblp_*.jsonl"))


def v14(number: int, *cites: int, **more: object) -> dict[str, object]:
    """A record in the layout of V14."""
    return {
        "id": f"53e99784b7602d97{number:08x}", "title": f"Engine number {number}", "doi": f"10.1000/{number}",
        "keywords": ["engines"], "lang": "en", "venue": {"raw": "Engines"}, "year": 2000 + number % 20,
        "n_citation": number, "page_start": "", "abstract": f"What engine {number} does.",
        "authors": [{"id": "53f43776dabfaee0d9b6e75b", "name": f"Ada Lovelace {number}", "org": ""}],
        "references": [f"53e99784b7602d97{cited:08x}" for cited in cites], "doc_type": "Conference",
    } | more  # fmt: skip


V10 = {
    "abstract": "It is analytical.", "authors": ["Ada Lovelace", "Charles Babbage"], "n_citation": 50,
    "references": ["4f4f200c-0764-4fef-9718-b8bccf303dba"], "title": "A tenth engine", "venue": "Engines", "year": 2008,
    "id": "00127ee2-cb05-48ce-bc49-9de556b93346",
}  # fmt: skip
V11 = {
    "id": "100001334", "title": "An eleventh engine", "authors": [{"name": "Ada Lovelace", "id": "2702511795"}],
    "venue": {"raw": "Engines"}, "year": 2009, "n_citation": 1, "page_start": "1", "doc_type": "Journal",
    "references": ["2005687710"], "fos": [{"name": "Engineering", "w": 0.4}],
    "indexed_abstract": {"IndexLength": 3, "InvertedIndex": {"turns.": [2], "The": [0], "wheel": [1]}},
}  # fmt: skip
V12 = V11 | {"id": 2005687710, "title": "A twelfth engine", "references": [100001334], "doi": "10.1000/TWELVE"}
V13 = """[
{
    "_id" : "53e99784b7602d9701f3e3f5",
    "title" : "A thirteenth engine {with \\"brackets\\" [inside",
    "authors" : [
        {
            "_id" : "53f46946dabfaec09f24b4ed",
            "name" : "Ada Lovelace"
        }
    ],
    "venue" : { "_id" : "53a7", "raw" : "Engines" },
    "year" : NumberInt(2011),
    "keywords" : [ "wheels" ],
    "n_citation" : NumberInt(3),
    "references" : [ "53e99784b7602d9701f3e3f6" ]
},
{
    "_id" : "53e99784b7602d9701f3e3f6", "title" : "A cited engine",
    "year" : NumberInt(2009), "n_citation" : NumberInt(0)
}
]
"""


def json_lines(records: Sequence[object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def commas_first(records: Sequence[object]) -> str:
    return "[\n" + "\n,".join(json.dumps(record) for record in records) + "\n]\n"


def commas_last(records: Sequence[object]) -> str:
    return "[" + ",\n".join(json.dumps(record) for record in records) + "]"


def one_line(records: Sequence[object]) -> str:
    return json.dumps(records)


def indented(records: Sequence[object]) -> str:
    return json.dumps(records, indent=4)


def odd_breaks(records: Sequence[object]) -> str:
    return json.dumps(records).replace(", ", "\n,\t ").replace("[", " [\r\n")


LAYOUTS = (json_lines, commas_first, commas_last, one_line, indented, odd_breaks)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("packed", [False, True])
def test_a_citation_network_is_the_same_in_every_layout(library: Library, tmp_path: Path, layout, packed: bool) -> None:
    records = [v14(number, number - 1, number - 2) for number in range(2, 40)]
    path = tmp_path / ("dump.json.gz" if packed else "dump.json")
    text = layout(records).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    report = import_file(library, path)
    assert (report.added, report.links, report.waiting, report.rejected) == (38, 73, 3, 0)
    paper = library.by_identifier("doi", "10.1000/30")
    assert paper is not None
    assert (paper.title, paper.year, paper.venue, paper.citation_count) == ("Engine number 30", 2010, "Engines", 30)
    assert (paper.authors, paper.fields, paper.abstract) == (
        ("Ada Lovelace 30",),
        ("engines",),
        "What engine 30 does.",
    )
    assert [cited.title for cited in library.references(paper.id)] == ["Engine number 28", "Engine number 29"]


@pytest.mark.parametrize(
    ("record", "key", "cites", "authors", "abstract"),
    [
        (V10, "aminer:00127ee2-cb05-48ce-bc49-9de556b93346", "aminer:4f4f200c-0764-4fef-9718-b8bccf303dba",
         ("Ada Lovelace", "Charles Babbage"), "It is analytical."),
        (V11, "mag:100001334", "mag:2005687710", ("Ada Lovelace",), "The wheel turns."),
        (V12, "mag:2005687710", "mag:100001334", ("Ada Lovelace",), "The wheel turns."),
    ],
)  # fmt: skip
def test_each_version_names_papers_so_that_others_find_them(record, key, cites, authors, abstract) -> None:
    entry = dblp_entry(record)
    assert (entry.key, [reference.value for reference in entry.references]) == (key, [cites])
    assert (entry.paper.authors, entry.paper.abstract, entry.paper.venue) == (authors, abstract, "Engines")


def test_dumps_of_different_versions_link_up(library: Library, tmp_path: Path) -> None:
    for name, record in (("dblp_papers_v11.txt", V11), ("dblp.v12.json", V12)):
        (tmp_path / name).write_text(commas_first([record]) if "12" in name else json_lines([record]))
        report = import_file(library, tmp_path / name)
    assert (report.links, report.waiting) == (2, 0)


def test_version_13_is_spread_over_lines_and_counts_in_shell_numbers(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "dblpv13.json"
    path.write_text(V13)
    report = import_file(library, path)
    assert (report.added, report.links, report.rejected, report.repaired) == (2, 1, 0, 0)
    found = library.find('A thirteenth engine {with "brackets" [inside', 2011)
    assert found is not None
    assert (found.year, found.citation_count, found.authors) == (2011, 3, ("Ada Lovelace",))


@pytest.mark.parametrize("path", REAL, ids=[path.name for path in REAL])
def test_genuine_dumps_come_in_whole(library: Library, path: Path) -> None:
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    read = [one for one in read_file(path) if isinstance(one, Entry)]
    assert len(read) == len(records)
    assert sum(len(one.references) for one in read) == sum(len(set(one.get("references", ()))) for one in records)
    with_text = [one for one in records if one.get("abstract") or isinstance(one.get("indexed_abstract"), dict)]
    assert sum(bool(one.paper.abstract) for one in read) == len(with_text)
    assert {one.key.partition(":")[0] for one in read} <= {"aminer", "mag"}
    report = import_file(library, path)
    assert report.read == len(records)
    assert report.added > 0.9 * len(records)


@given(st.lists(st.text("abc.,", min_size=1, max_size=5), max_size=30), st.randoms(use_true_random=False))
def test_an_inverted_abstract_reads_as_it_was_written(words: list[str], draw: random.Random) -> None:
    places: dict[str, list[int]] = {}
    for place in draw.sample(range(len(words)), len(words)):
        places.setdefault(words[place], []).append(place)
    assert rebuild_abstract({"IndexLength": -7, "InvertedIndex": places}) == " ".join(words)


def reference_clean(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", "", text)).strip()


TEXTS = st.text(st.characters() | st.sampled_from(" \t\n\r\x0b\x1c\x85\xa0\u2028\ud800"), max_size=40)


@given(TEXTS)
def test_cleaning_takes_no_short_cut_that_shows(text: str) -> None:
    assert clean_text(text) == reference_clean(text)


@given(st.lists(TEXTS | st.none() | st.integers(), max_size=5))
def test_many_texts_are_cleaned_like_each(values: list[object]) -> None:
    assert clean_texts(values) == [text for value in values if (text := clean_text(value))]


# Data sets of services

WORK = {
    "id": "https://openalex.org/W{}", "title": "Work number {}", "publication_year": 2020, "authorships": [],
    "abstract_inverted_index": {"engine": [1], "An": [0]}, "referenced_works": ["https://openalex.org/W1"],
}  # fmt: skip


def work(number: int) -> dict[str, object]:
    return WORK | {"id": f"https://openalex.org/W{number}", "title": f"Work number {number}"}


def test_a_tree_of_part_files_is_one_collection(library: Library, tmp_path: Path) -> None:
    tree = tmp_path / "works"
    for number, day in enumerate(("2023-05-01", "2023-04-01", "2024-01-01"), 1):
        part = tree / f"updated_date={day}" / "part_000.gz"
        part.parent.mkdir(parents=True)
        part.write_bytes(gzip.compress(json_lines([work(10 * number + k) for k in range(5)] + [work(1)]).encode()))
    (tree / "manifest").write_text("{}")
    (tree / ".hidden.jsonl").write_text("{}")
    (tree / "broken.json").write_text("Dear diary")
    report = import_file(library, tree)
    assert (report.added, report.unchanged, report.links, report.rejected) == (16, 2, 15, 1)
    assert (report.source, report.rejects[0].file) == ("works", "broken.json")
    assert (found := library.by_identifier("openalex", "W11")) is not None
    assert found.abstract == "An engine"


def test_a_folder_without_papers_is_refused(library: Library, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    with pytest.raises(BadInput, match="holds no file of papers"):
        import_file(library, tmp_path / "photos")


def test_abstracts_and_citations_find_the_papers_that_they_belong_to(library: Library, tmp_path: Path) -> None:
    """Semantic Scholar's data sets; the files with papers come first, whatever they are called."""
    papers = [
        {"corpusid": n, "externalids": {"DOI": f"10.1/{n}"}, "title": f"Corpus {n}", "year": 2020, "authors": []}
        for n in (1, 2, 3)
    ]
    files = {
        "abstracts_0.gz": [{"corpusid": 1, "abstract": "About   one."}, {"corpusid": 9, "abstract": "Of nobody."}],
        "citations_0.gz": [
            {"citationid": 5, "citingcorpusid": 2, "citedcorpusid": 1, "isinfluential": False},
            {"citationid": 6, "citingcorpusid": 2, "citedcorpusid": 3},
            {"citationid": 7, "citingcorpusid": None, "citedcorpusid": 3},
        ],
        "papers_0.gz": papers,
    }
    for name, records in files.items():
        (tmp_path / name).write_bytes(gzip.compress(json_lines(records).encode()))
    report = import_file(library, tmp_path)
    assert (report.added, report.merged, report.unchanged, report.links) == (3, 1, 2, 2)
    assert sorted(reject.reason for reject in report.rejects) == [
        "it names no paper",
        "the library has no paper corpusid:9: import the data set `papers` first",
    ]
    second = library.by_identifier("doi", "10.1/2")
    assert second is not None
    assert {one.title for one in library.references(second.id)} == {"Corpus 1", "Corpus 3"}
    assert [one.abstract for one in library.references(second.id) if one.title == "Corpus 1"] == ["About one."]


@given(st.lists(st.sampled_from([v14(1), v14(2, title=None), ["x"], None, {}]), max_size=6))
def test_lines_read_apart_are_what_they_are_together(records: list[object]) -> None:
    """So that they can be read by many processes."""
    lines = [json.dumps(record).encode() for record in records]
    apart = [one for number, line in enumerate(lines, 1) for one in entries_of([line], "dblp", "s", number)]
    assert entries_of(lines, "dblp", "s", 1) == apart
    assert all(isinstance(one, (Entry, Reject)) for one in apart)


def test_a_paper_of_v14_is_also_known_by_the_number_that_v12_gave_it(library: Library, tmp_path: Path):
    older = tmp_path / "v12.json"
    older.write_text(
        '[\n{"id": 7, "title": "It cites by number", "doc_type": "", "n_citation": 3, "references": [42]}\n]\n'
    )
    newer = tmp_path / "v14.jsonl"
    newer.write_text(
        '{"id": "53e9a1b2b7602d9702aa5ab1", "v12_id": 42, "title": "The paper that is cited", "year": 2001}\n'
    )
    import_file(library, older)
    assert import_file(library, newer).links == 1
