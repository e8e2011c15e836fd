"""Files made to break their reader: each is turned away with a reason, in bounded time and memory; the others go on."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from novum.errors import BadInput
from novum.literature import Entry, Library, Reject
from novum.literature.pdf import PdfLimits
from novum.literature.pdf.folder import import_pdfs, read_pdfs
from novum.literature.pdf.limits import memory_by_ps, wait_until_larger
from tests.literature.pdf.samples import heron_paper
from tests.literature.pdf.writing import Text, from_contents, squeezed, stream

SMALL = PdfLimits(memory=100 << 20, cpu=10, seconds=60.0, pages=20)


def found_in(path: Path, limits: PdfLimits = SMALL, **options: object) -> list[Entry | Reject]:
    async def collect() -> list[Entry | Reject]:
        return [one async for one in read_pdfs(path, limits=limits, **options)]  # type: ignore[arg-type]

    return asyncio.run(collect())


def reason(found: Sequence[Entry | Reject], name: str) -> str:
    (rejected,) = [one for one in found if isinstance(one, Reject) and one.file == name]
    return rejected.reason


GOOD = heron_paper()
ENCRYPTION = b"/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -44 >>" % (
    b"41" * 32,
    b"42" * 32,
)
HARMLESS = {
    "a-good.pdf": GOOD,
    "empty.pdf": b"",
    "letter.pdf": b"Dear all, this is no PDF.",
    "cut-off.pdf": GOOD[: len(GOOD) // 2],
    "scan.pdf": from_contents([stream(b"0 0 100 100 re f")]),
    "encrypted.pdf": from_contents([stream(b"")], trailer=ENCRYPTION),
    "looping-pages.pdf": from_contents([stream(b"")], kids=b"2 0 R 2 0 R", count=10),
    "looping-table.pdf": GOOD.replace(b"/Root", b"/Prev %d /Root" % GOOD.index(b"xref\n")),
    "boasting.pdf": from_contents([stream(b"")], count=2_000_000_000),
    "long.pdf": from_contents([stream(Text(50, 400, "hello there").drawn())], kids=b"6 0 R " * 100_000, count=100_000),
    "nothing-but-heads.pdf": from_contents([stream(Text(50, 820, "A Running Head").drawn())] * 3),
    "notes.txt": b"not for us",
    "zz-good.PDF": GOOD,
}


@pytest.fixture(scope="module")
def said() -> list[str]:
    """What was told while the folder was read."""
    return []


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, said: list[str]) -> list[Entry | Reject]:
    """What came of a folder of such files, read by one child."""
    folder = tmp_path_factory.mktemp("folder")
    for name, content in HARMLESS.items():
        (folder / name).write_bytes(content)
    return found_in(folder, say=said.append)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("empty.pdf", "the file is empty"),
        ("letter.pdf", "not a PDF file"),
        ("cut-off.pdf", "damaged or cut off"),
        ("scan.pdf", "no text: it is probably a scan; run it through OCR"),
        ("encrypted.pdf", "it is encrypted; save a copy without a password"),
        ("nothing-but-heads.pdf", "nothing on its pages reads as text"),
        ("looping-pages.pdf", "no text"),
        ("boasting.pdf", "no text"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_the_reason(found: list[Entry | Reject], name: str, why: str) -> None:
    assert why in reason(found, name)


def test_the_others_go_on_in_the_order_of_their_names(found: list[Entry | Reject]) -> None:
    papers = [one.paper.title for one in found if isinstance(one, Entry)]
    heron = "What Herons Are Waiting For: A Study from a Boat"
    assert papers == [heron, "long", heron, heron]


def test_of_a_hundred_thousand_pages_the_first_are_read_and_it_is_said(
    found: list[Entry | Reject], said: list[str]
) -> None:
    note = "the first 20 of 100,000 pages were read"
    assert f"long.pdf: {note}." in said
    (long,) = [one for one in found if isinstance(one, Entry) and one.paper.title == "long"]
    assert f"({note})" in (long.full_text or "")


def test_files_that_are_not_called_pdf_are_left_alone_and_counted(said: list[str], found: list[Entry | Reject]) -> None:
    assert any(line.startswith("1 other file in ") for line in said)
    assert not any("notes" in str(one) for one in found)


def bomb(times: int, filters: bytes = b"/Filter /FlateDecode") -> bytes:
    """Text drawn over and over, a few hundred bytes for each million."""
    return from_contents([stream(squeezed(b"BT /F1 9 Tf 1 0 0 1 50 50 Tm (aa bb) Tj ET\n", times), filters)])


@pytest.mark.slow
def test_a_deflate_bomb_costs_its_own_child_and_the_next_file_gets_another(tmp_path: Path) -> None:
    (tmp_path / "bomb.pdf").write_bytes(bomb(800_000))
    (tmp_path / "good.pdf").write_bytes(GOOD)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rejected, good = found_in(tmp_path)
    assert isinstance(rejected, Reject)
    assert "100 MiB of memory" in rejected.reason or "10 seconds of computing" in rejected.reason
    assert isinstance(good, Entry)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert most < held + 500_000, "KiB: the bomb went off elsewhere"


def busy(words: int = 18_000) -> bytes:
    """The same page over and over, full of letters that are hard to put in order."""
    letters = b"BT /F1 2 Tf 1 0 0 1 10 800 Tm\n" + b"(ab cd) Tj 0.02 -0.02 Td\n" * words + b"ET\n"
    return from_contents([stream(letters)], kids=b"6 0 R " * 300, count=300)


@pytest.mark.slow
def test_a_file_that_computes_for_ever_is_ended_by_the_system(tmp_path: Path) -> None:
    (tmp_path / "busy.pdf").write_bytes(busy())
    (rejected,) = found_in(tmp_path, PdfLimits(cpu=1, seconds=600.0))
    assert isinstance(rejected, Reject)
    assert rejected.reason == "reading it takes more than 1 seconds of computing"


@pytest.mark.slow
def test_a_file_that_takes_too_long_is_given_up_by_the_clock(tmp_path: Path) -> None:
    (tmp_path / "a-good.pdf").write_bytes(GOOD)
    (tmp_path / "busy.pdf").write_bytes(busy(300_000))
    good, rejected = found_in(tmp_path, PdfLimits(seconds=6.0))
    assert isinstance(good, Entry)
    assert isinstance(rejected, Reject)
    assert rejected.reason == "it was not read within 6 seconds"


def test_a_pipe_is_no_file_whatever_its_name(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "waiting.pdf")
    with pytest.raises(BadInput, match="holds no PDF"):
        found_in(tmp_path)


def double_bomb() -> bytes:
    """Deflated twice, so that a few kilobytes are gigabytes."""
    inner = squeezed(b"(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj\n", 60_000_000)
    return from_contents([stream(zlib.compress(inner), b"/Filter [/FlateDecode /FlateDecode]")])


def own_tail() -> bytes:
    """A drawing that draws itself three times."""
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 7 0 R >> >>"
    return from_contents([stream(b"/X Do /X Do /X Do", form)])


@pytest.mark.slow
@pytest.mark.parametrize("made", [lambda: bomb(40_000_000), double_bomb, own_tail])
def test_larger_bombs_within_the_usual_limits(tmp_path: Path, made: Callable[[], bytes]) -> None:
    (tmp_path / "bomb.pdf").write_bytes(made())
    (rejected,) = found_in(tmp_path, PdfLimits())
    assert isinstance(rejected, Reject)


def test_a_folder_without_pdfs_and_a_path_to_nothing_are_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no PDF"):
        found_in(tmp_path)
    with pytest.raises(BadInput, match="neither a PDF nor a folder"):
        found_in(tmp_path / "nothing")


def test_a_folder_goes_into_the_library_and_its_references_become_links(tmp_path: Path) -> None:
    for name in ("copy.pdf", "herons.pdf"):
        (tmp_path / name).write_bytes(GOOD)
    (tmp_path / "letter.pdf").write_bytes(b"Dear all")
    steps: list[tuple[int, int]] = []
    with Library.open(tmp_path / "library") as library:
        report = asyncio.run(import_pdfs(library, tmp_path, progress=lambda *step: steps.append(step)))
    assert (report.added, report.unchanged, report.rejected, report.waiting) == (1, 1, 1, 3)
    assert "letter.pdf" in str(report.rejects[0])
    assert steps == [(1, 3), (2, 3), (3, 3)]


UNDER_A_LIMIT = """
import asyncio, resource, sys
from pathlib import Path
from novum.literature.pdf.limits import PdfLimits
from novum.literature.pdf.folder import read_pdfs

async def read():
    limits = PdfLimits(memory=100 << 20, cpu=int(sys.argv[3]), seconds=60.0)
    return [str(one) async for one in read_pdfs(Path(sys.argv[1]), limits=limits)]

if sys.argv[2]:
    which, value = sys.argv[2].split("=")
    resource.setrlimit(getattr(resource, which), (int(value), int(value)))
print(*asyncio.run(read()))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Reads a PDF in a process that is limited itself, and prints what came of it and the memory of its child in KiB."""


def read_under(file: Path, limit: str, cpu: int = 30) -> tuple[str, int]:
    command = [sys.executable, "-c", UNDER_A_LIMIT, str(file), limit, str(cpu)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    outcome, _, memory = done.stdout.strip().rpartition("\n")
    return outcome, int(memory)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel does not limit the address space")
@pytest.mark.parametrize("limit", ["", f"RLIMIT_AS={4 << 30}"])
def test_the_memory_of_the_child_is_limited_also_under_a_limit_of_its_parent(tmp_path: Path, limit: str) -> None:
    (tmp_path / "bomb.pdf").write_bytes(bomb(8_000_000))
    outcome, memory = read_under(tmp_path / "bomb.pdf", limit)
    assert "100 MiB of memory" in outcome
    assert memory < 400_000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel does not limit the address space")
def test_a_lower_limit_of_the_parent_is_kept(tmp_path: Path) -> None:
    (tmp_path / "good.pdf").write_bytes(GOOD)
    outcome, _ = read_under(tmp_path / "good.pdf", f"RLIMIT_AS={4 << 30}")
    assert "Heron" in outcome
    (tmp_path / "busy.pdf").write_bytes(busy(60_000))
    outcome, _ = read_under(tmp_path / "busy.pdf", "RLIMIT_CPU=2", cpu=600)
    assert "damaged" in outcome or "seconds of computing" in outcome


HAS_PS = Path("/bin/ps").exists()
HUNGRY = "import sys; held = bytearray(300 << 20); print(flush=True); sys.stdin.read()"


def test_the_parent_sees_a_child_that_takes_too_much_memory() -> None:
    """As on macOS, where the kernel takes the limit and does not enforce it."""

    async def watched() -> tuple[int, int]:
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", HUNGRY, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert child.stdout
        await child.stdout.readline()
        await asyncio.wait_for(wait_until_larger(child.pid, 200 << 20), 60)
        by_ps = await memory_by_ps(child.pid) if HAS_PS else 300 << 20
        child.kill()
        await child.wait()
        return by_ps, await memory_by_ps(child.pid) if HAS_PS else -1

    alive, gone = asyncio.run(watched())
    assert alive >= 300 << 20
    assert gone == -1
