"""Contents of hostile files: sound files of every import format, damage done to them, and bombs. No I/O."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

MB = 1_000_000


@dataclass(frozen=True)
class HostileFile:
    """A file to import. `kind`: mutated or bomb; `form`: the format that it is, or claims to be."""

    name: str
    kind: str
    form: str
    content: bytes


# -- sound files ------------------------------------------------------------------------------------------------------


def _records() -> Iterator[dict[str, object]]:
    for number in range(12):
        yield {
            "id": f"p{number}", "key": f"p{number}", "title": f"How sheets fold, part {number}", "year": 2010 + number,
            "authors": ["Ada Byron", "Émile Żak"], "abstract": "We study how thin sheets fold. " * 8,
            "references": [f"p{earlier}" for earlier in range(number)], "venue": "Letters", "n_citation": number,
        }  # fmt: skip


def _json_lines(records: Sequence[object]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def _dblp() -> bytes:
    rows = [{**each, "id": f"{number:024x}", "doc_type": "Journal", "fos": [{"name": "Origami", "w": 0.5}],
             "authors": [{"name": "Ada Byron"}],
             "indexed_abstract": {"IndexLength": 3, "InvertedIndex": {"We": [0], "fold": [1], "sheets": [2]}}}
            for number, each in enumerate(_records())]  # fmt: skip
    return b"[" + b",\n".join(json.dumps(row).encode() for row in rows) + b"]"


def _openalex() -> bytes:
    return _json_lines([
        {"id": f"https://openalex.org/W{number}", "title": each["title"], "publication_year": each["year"],
         "authorships": [{"author": {"display_name": "Ada Byron"}}], "referenced_works": ["https://openalex.org/W1"],
         "abstract_inverted_index": {"We": [0], "fold": [1], "thin": [2], "sheets": [3]}}
        for number, each in enumerate(_records())
    ])  # fmt: skip


def _semantic_scholar() -> bytes:
    return _json_lines([
        {"corpusid": number, "title": each["title"], "year": each["year"], "authors": [{"name": "Ada Byron"}],
         "externalids": {"DOI": f"10.1/{number}"}, "venue": "Letters"}
        for number, each in enumerate(_records())
    ])  # fmt: skip


def _csl() -> bytes:
    return json.dumps([
        {"id": each["id"], "type": "article-journal", "title": each["title"], "container-title": "Letters",
         "author": [{"family": "Byron", "given": "Ada"}], "issued": {"date-parts": [[each["year"], 3, 1]]},
         "DOI": f"10.1/{each['id']}", "abstract": each["abstract"]}
        for each in _records()
    ], indent=1).encode()  # fmt: skip


def _bibtex() -> bytes:
    head = '@string{letters = "Letters of " # {Folding}}\n@comment{nothing}\n'
    entry = (
        "@article{%s,\n  title = {How {Sheets} fold: \\\"u %s},\n  author = {Byron, Ada and \\.{Z}ak, \\'Emile},\n"
        "  journal = letters,\n  year = %d,\n  doi = {10.1/%s}\n}\n\n"
    )
    entries = "".join(entry % (each["id"], each["id"], each["year"], each["id"]) for each in _records())
    return (head + entries).encode()


def _ris() -> bytes:
    return b"".join(
        f"TY  - JOUR\nTI  - {each['title']}\nAU  - Byron, Ada\nPY  - {each['year']}\nER  - \n".encode()
        for each in _records()
    )


def _dblp_xml() -> bytes:
    inside = "".join(
        f'<article key="{each["id"]}"><author>Ada Byron</author><title>{each["title"]}</title></article>'
        for each in _records()
    )
    return f'<?xml version="1.0"?><!DOCTYPE dblp SYSTEM "dblp.dtd"><dblp>{inside}</dblp>'.encode()


def _pdf() -> bytes:
    lines = b"".join(
        b"BT /F1 %d Tf 1 0 0 1 60 %d Tm (%s) Tj ET\n" % (18 if row == 0 else 10, 780 - 14 * row, text)
        for row, text in enumerate(
            [b"How Sheets Fold", b"Ada Byron", b"Abstract"] + [b"We fold thin sheets again."] * 40
        )
    )
    return pdf_of([_stream(lines)])


SOUND: dict[str, Callable[[], bytes]] = {
    "jsonl": lambda: _json_lines(list(_records())),
    "dblp.json": _dblp,
    "openalex.jsonl": _openalex,
    "semantic-scholar.jsonl": _semantic_scholar,
    "csl.json": _csl,
    "bib": _bibtex,
    "ris": _ris,
    "dblp.xml": _dblp_xml,
    "pdf": _pdf,
    "jsonl.gz": lambda: gzip.compress(_json_lines(list(_records()))),
    "bib.gz": lambda: gzip.compress(_bibtex()),
}
"""A sound file of each format. RIS and XML are formats that Novum does not read: they are to be refused."""


# -- damage -----------------------------------------------------------------------------------------------------------

_PIECES = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"{" * 300, b"[" * 2000, b"]" * 50, b"}", b'"', b"\\",
    b"9" * 400, b"1e999", b"-0", b"NaN", b"\n" * 500, b"\\u0000", b"\\ud800", b"a" * 20_000, b"@", b"#", b"%%EOF",
    b"stream\n", b"endobj", b"/Kids [2 0 R]", b"<!ENTITY a 'b'>", b"&amp;" * 99, b"\xf0\x9f\xa7\xac", b"null", b"\r",
)  # fmt: skip


def _flipped(content: bytearray, rng: random.Random) -> bytearray:
    for _ in range(rng.randint(1, 12)):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return content


def _cut(content: bytearray, rng: random.Random) -> bytearray:
    return content[: rng.randrange(len(content))]


def _without(content: bytearray, rng: random.Random) -> bytearray:
    start = rng.randrange(len(content))
    del content[start : start + rng.randint(1, 200)]
    return content


def _repeated(content: bytearray, rng: random.Random) -> bytearray:
    start = rng.randrange(len(content))
    piece = content[start : start + rng.randint(1, 300)]
    content[start:start] = piece * rng.randint(1, 200)
    return content


def _with_piece(content: bytearray, rng: random.Random) -> bytearray:
    start = rng.randrange(len(content))
    content[start : start + rng.choice((0, 1, 20))] = rng.choice(_PIECES)
    return content


_DAMAGE = (_flipped, _cut, _without, _repeated, _with_piece, _with_piece)


def mutated(number: int, seed: int = 0) -> HostileFile:
    """The file with this number: a sound one, damaged once to four times. The same for the same numbers."""
    rng = random.Random(f"{seed}-{number}")
    form = list(SOUND)[number % len(SOUND)]
    content = bytearray(SOUND[form]())
    for _ in range(rng.randint(1, 4)):
        content = rng.choice(_DAMAGE)(content or bytearray(b"x"), rng)
    return HostileFile(f"m{number}.{form}", "mutated", form, bytes(content))


# -- bombs ------------------------------------------------------------------------------------------------------------


def _stream(content: bytes, dictionary: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), dictionary, content)


def pdf_of(contents: Sequence[bytes], *, kids: bytes = b"", count: int = 0, more: Sequence[bytes] = ()) -> bytes:
    """A PDF whose pages have these stream objects. `kids`, `count`: in place of the true ones. `more`: others."""
    numbers = [5 + 2 * index for index in range(len(contents))]
    kids = kids or b" ".join(b"%d 0 R" % number for number in numbers)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count or len(contents)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
        b"<< /Title (x) >>",
    ]
    for number, content in zip(numbers, contents, strict=True):
        resources = b"<< /Font << /F1 3 0 R >> /XObject << /X %d 0 R >> >>" % (number + 1)
        page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources %s >>"
        objects += [page % (number + 1, resources), content]
    objects += more
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return bytes(out + end % (len(objects) + 1, table, len(objects) + 1, len(out)))


def _deflated(piece: bytes, size: int) -> bytes:
    """`piece` repeated to `size` bytes and deflated. One block is packed, and then stands there many times."""
    packer, block = zlib.compressobj(9, wbits=-15), piece * (MB // len(piece))
    packed, times = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH), size // len(block)
    checksum = 1
    for _ in range(times):
        checksum = zlib.adler32(block, checksum)
    return b"\x78\xda" + packed * times + b"\x03\x00" + checksum.to_bytes(4, "big")


def _gzipped(piece: bytes, size: int) -> bytes:
    """The same in gzip: many members, which are read as one text."""
    block = piece * (10 * MB // len(piece))
    return gzip.compress(block, mtime=0) * (size // len(block))


def _zipped(size: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("papers.jsonl", bytes(size))
    return out.getvalue()


_RECORD = b'{"title": "How sheets fold", "year": 2020}\n'
_TEXT = b"BT /F1 9 Tf 1 0 0 1 50 50 Tm (aa bb) Tj ET\n"
_FLATE = b"/Filter /FlateDecode"
_DEEP = 300_000
_FORM = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>"


def _entities() -> bytes:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    return f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "ha">{levels}]><d>&l11;</d>'.encode()


def _strings() -> bytes:
    """BibTeX strings, each twice as long as the one before."""
    doubled = "".join(f"@string{{s{n} = s{n - 1} # s{n - 1}}}\n" for n in range(1, 40))
    return f'@string{{s0 = "ha"}}\n{doubled}@article{{a, title = s39, year = 2020}}\n'.encode()


BOMBS: dict[str, Callable[[], bytes]] = {
    "zeros.jsonl.gz": lambda: gzip.compress(bytes(300 * MB), compresslevel=6),
    "lines.jsonl.gz": lambda: _gzipped(b"\n", 2000 * MB),
    "records.jsonl.gz": lambda: gzip.compress(_RECORD * 50_000),
    "brackets.json.gz": lambda: _gzipped(b"[", 500 * MB),
    "objects.json.gz": lambda: _gzipped(b'{"a":', 500 * MB),
    "word.bib.gz": lambda: _gzipped(b"a", 1000 * MB),
    "entries.bib.gz": lambda: gzip.compress(b"@article{a, title={b}, year=2020}\n" * 20_000),
    "braces.bib.gz": lambda: _gzipped(b"@a{{{{", 100 * MB),
    "items.csl.json.gz": lambda: _gzipped(b'[{"type":"book"},', 500 * MB),
    "twice.jsonl.gz": lambda: gzip.compress(_gzipped(b"\0", 2000 * MB)),
    "two.jsonl.gz": lambda: gzip.compress(_RECORD) + _gzipped(b"\0", 1000 * MB),
    "lines.jsonl.xz": lambda: lzma.compress(bytes(20 * MB), preset=0),
    "lines.jsonl.bz2": lambda: bz2.compress(bytes(20 * MB)),
    "lines.jsonl.zst": lambda: b"\x28\xb5\x2f\xfd" + bytes(1000),
    "papers.zip": lambda: _zipped(50 * MB),
    "renamed.jsonl": lambda: _zipped(20 * MB),
    "open.json": lambda: b"[" * _DEEP,
    "closed.json": lambda: b"[" * _DEEP + b"]" * _DEEP,
    "objects.jsonl": lambda: b'{"a":' * _DEEP + b"1" + b"}" * _DEEP,
    "deep-field.jsonl": lambda: b'{"title": "T", "x": ' + b"[" * _DEEP + b"]" * _DEEP + b"}\n",
    "deep.csljson": lambda: b"[" * _DEEP + b"]" * _DEEP,
    "line.jsonl": lambda: b'{"title": "' + b"a" * (100 * MB) + b'"}\n',
    "number.jsonl": lambda: b'{"title": "How sheets fold", "year": ' + b"9" * (5 * MB) + b"}\n",
    "keys.jsonl": lambda: b"{" + b",".join(b'"k%d":1' % n for n in range(500_000)) + b"}\n",
    "references.jsonl": lambda: json.dumps({"title": "T", "references": [f"r{n}" for n in range(500_000)]}).encode(),
    "authors.jsonl": lambda: json.dumps({"title": "T", "authors": [f"A {n}" for n in range(500_000)]}).encode(),
    "index.jsonl": lambda: json.dumps({
        "id": "https://openalex.org/W1", "title": "T", "abstract_inverted_index": {"a": [10**9], "b": [*range(10**5)]}
    }).encode(),
    "ligatures.jsonl": lambda: json.dumps({"title": "\ufdfa" * MB}, ensure_ascii=False).encode(),
    "marks.jsonl": lambda: json.dumps({"title": "a" + "\u0301" * (2 * MB)}, ensure_ascii=False).encode(),
    "bad-lines.jsonl": lambda: b"no paper\n" * 1_000_000,
    "same-key.jsonl": lambda: _RECORD * 50_000,
    "markup.jsonl": lambda: json.dumps({"title": "T", "abstract": "<" * (3 * MB)}).encode(),
    "entities.xml": _entities,
    "doubled.bib": _strings,
    "open-braces.bib": lambda: b"@article{a, title = {" + b"{" * (2 * MB),
    "commands.bib": lambda: b"@article{a, title = {" + b"\\textbf{" * 100_000 + b"x" + b"}" * 100_000 + b"}}",
    "accents.bib": lambda: b"@article{a, title = {" + b"\\'" * MB + b"}}",
    "authors.bib": lambda: b"@article{a, title = {Sheets}, author = {" + b"A and " * 500_000 + b"B}}",
    "joined.bib": lambda: b"@article{a, title = " + b'"a" # ' * 300_000 + b'"b"}',
    "at.bib": lambda: b"@" * (5 * MB),
    "comment.bib": lambda: b"@comment{" * 300_000,
    "deflate.pdf": lambda: pdf_of([_stream(_deflated(_TEXT, 1500 * MB), _FLATE)]),
    "twice.pdf": lambda: pdf_of([
        _stream(zlib.compress(_deflated(_TEXT, 1500 * MB)), b"/Filter [/FlateDecode /FlateDecode]")
    ]),
    "own-tail.pdf": lambda: pdf_of([_stream(b"/X Do " * 4, _FORM)]),
    "pages.pdf": lambda: pdf_of([_stream(_TEXT)], kids=b"5 0 R " * 100_000, count=100_000),
    "loop.pdf": lambda: pdf_of([_stream(_TEXT)], kids=b"2 0 R " * 50, count=10**9),
    "letters.pdf": lambda: pdf_of([
        _stream(b"BT /F1 2 Tf 1 0 0 1 10 800 Tm\n" + b"(ab cd) Tj 0.02 -0.02 Td\n" * 200_000 + b"ET")
    ]),
    "objects.pdf": lambda: pdf_of([_stream(_TEXT)], more=[b"[" * 10_000 + b"]" * 10_000] * 20),
    "name.pdf": lambda: pdf_of([_stream(_TEXT)], more=[b"/" + b"a" * (30 * MB)]),
    "image.pdf": lambda: pdf_of([
        _stream(_deflated(b"\0", 1000 * MB), b"/Type /XObject /Subtype /Image /Width 60000 /Height 60000 "
                b"/BitsPerComponent 8 /ColorSpace /DeviceRGB " + _FLATE)
    ]),
}  # fmt: skip
"""Content by file name."""


def bomb_name(number: int) -> str:
    """The file name of the bomb with this number; they begin anew after the last."""
    return list(BOMBS)[number % len(BOMBS)]


def bomb_content(number: int) -> bytes:
    """The content of the bomb with this number."""
    return BOMBS[bomb_name(number)]()
