"""A tiny writer of PDFs, good and bad, with the standard fonts and nothing else."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

A4 = (595, 842)


@dataclass(frozen=True)
class Text:
    """One line of text at a place; `y` counts from the bottom of the page, in points."""

    x: float
    y: float
    words: str
    size: float = 10
    bold: bool = False
    turned: bool = False

    def drawn(self) -> bytes:
        escaped = self.words.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        matrix = f"0 1 -1 0 {self.x} {self.y}" if self.turned else f"1 0 0 1 {self.x} {self.y}"
        return f"BT /F{2 if self.bold else 1} {self.size} Tf {matrix} Tm (".encode() + escaped + b") Tj ET\n"


def pdf(pages: Sequence[Iterable[Text]], title: str = "", author: str = "") -> bytes:
    """A PDF with these pages."""
    contents = [b"".join(text.drawn() for text in page) for page in pages]
    return from_contents([stream(content) for content in contents], title=title, author=author)


def stream(content: bytes, dictionary: bytes = b"") -> bytes:
    """A stream object's body."""
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), dictionary, content)


def from_contents(
    contents: Sequence[bytes],
    *,
    title: str = "",
    author: str = "",
    kids: bytes | None = None,
    count: int | None = None,
    trailer: bytes = b"",
) -> bytes:
    """A PDF whose pages have these stream objects; `kids`, `count` and `trailer` replace what would be right."""
    first_page = 6
    numbers = [first_page + 2 * index for index in range(len(contents))]
    right_kids = b" ".join(b"%d 0 R" % number for number in numbers)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>"
        % (right_kids if kids is None else kids, len(contents) if count is None else count),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Bold /Encoding /WinAnsiEncoding >>",
        f"<< /Title ({title}) /Author ({author}) >>".encode("latin-1"),
    ]
    for number, content in zip(numbers, contents, strict=True):
        resources = b"<< /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /X %d 0 R >> >>" % (number + 1)
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R /Resources %s >>"
            % (*A4, number + 1, resources),
            content,
        ]
    return assembled(objects, trailer)


def assembled(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """Objects, cross-reference table and trailer."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    at = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R %s >>\n" % (len(objects) + 1, trailer)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % at)


def column(lines: str, x: float, top: float, size: float = 10, leading: float = 12) -> list[Text]:
    """Lines one under the other. `# ` makes one bold, `    ` indents it, an empty one leaves room."""
    found = []
    for row, line in enumerate(lines.strip("\n").split("\n")):
        bold, words = line.startswith("# "), line.removeprefix("# ").strip()
        if words:
            indent = 10 if line.startswith("    ") else 0
            found.append(Text(x + indent, top - row * leading, words, size + 2 * bold, bold))
    return found


def squeezed(piece: bytes, times: int) -> bytes:
    """`piece` so many times over, deflated, without ever holding all of it."""
    packer = zlib.compressobj(9)
    block = piece * max(1, 1_000_000 // len(piece))
    parts = [packer.compress(block) for _ in range(max(1, times * len(piece) // len(block)))]
    return b"".join([*parts, packer.flush()])
