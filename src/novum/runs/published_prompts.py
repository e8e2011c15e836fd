"""The prompts of published instruments, from a user's copy into the user's home, and from there into a run.

A copy is a folder (of the published repository), a file (PDF, text, JSON, source code), or an address. What is found
in it is checked by hash (`novum.prompts.published`) and stored in `protocols/NAME.json` of the home.
"""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from pydantic import ValidationError

from novum.core.record import Value
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.inputs import open_input, read_plain
from novum.http.body import ResponseTooLarge, read_body
from novum.http.client import HttpClient
from novum.literature.pdf.extraction import extract
from novum.literature.pdf.limits import Unreadable
from novum.prompts.published import Instrument, PublishedPrompt, find_prompts, sha256_of
from novum.reports.phrases import count

LARGEST = 60 * 2**20
"""Bytes of a file, and of a response."""
MOST_FILES = 500
"""Of a folder."""
_PAGES = 300
"""Of a PDF."""
_TEXTS = frozenset({
    ".htm", ".html", ".ipynb", ".json", ".jsonl", ".md", ".py", ".rst", ".tex", ".text", ".toml", ".txt", ".xml",
    ".yaml", ".yml",
})  # fmt: skip
_PDF = b"%PDF-"
_SECONDS = aiohttp.ClientTimeout(total=120, sock_connect=15)


class InstalledPrompts(Value):
    """The prompts of one instrument in a home."""

    instrument: str
    installed: dt.date
    sources: tuple[str, ...]
    """The copies that they were taken from."""
    prompts: dict[str, str]
    """Text by name."""

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 by name."""
        return {name: sha256_of(text) for name, text in self.prompts.items()}


async def install_prompts(instrument: Instrument, sources: Sequence[str], folder: Path) -> InstalledPrompts:
    """Takes the prompts from copies, checks and stores them. Without `sources` the public copies are fetched.

    Raises BadInput when a copy cannot be read, or when the copies lack a prompt.
    """
    found = await _collect(instrument, sources)
    _check_complete(instrument, found, ", ".join(sources) or "The public copies")
    installed = InstalledPrompts(
        instrument=instrument.name,
        installed=dt.datetime.now(dt.UTC).date(),
        sources=tuple(sources or instrument.addresses),
        prompts={each.name: found[each.name] for each in instrument.prompts if each.name in found},
    )
    place = _place(instrument, folder)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(place, installed.model_dump_json(indent=1) + "\n")
    except OSError as error:
        why = error.strerror or error
        raise BadInput(f"{place} cannot be written: {why}. Set NOVUM_HOME to another folder.") from error
    return installed


async def _collect(instrument: Instrument, sources: Sequence[str]) -> Mapping[str, str]:
    """The prompts in the copies, by name. Raises BadInput for a source of the user that cannot be read, and where no
    public copy has any."""
    found, problems = dict[str, str](), list[BadInput]()
    async with HttpClient() as http:
        for source in sources or instrument.addresses:
            missing = [each for each in instrument.prompts if each.name not in found]
            try:
                fetched = is_address(source)
                texts = await _fetch_all(source, instrument, http) if fetched else _texts_at(source, instrument)
                found |= find_prompts(missing, texts)
            except BadInput as problem:
                if sources:
                    raise
                problems.append(problem)  # another public copy may have the prompts
    if problems and not found:
        raise problems[0]
    return found


def installed_prompts(instrument: Instrument, folder: Path) -> InstalledPrompts | None:
    """The stored prompts; None where none are. Raises BadInput where they are no longer what was published."""
    place = _place(instrument, folder)
    try:
        stored = InstalledPrompts.model_validate_json(read_plain(place))
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise BadInput(f"{place} cannot be read. Delete it, and install the prompts again.") from error
    known = {each.name: each.sha256 for each in instrument.prompts}
    if changed := [name for name, digest in stored.hashes.items() if known.get(name) != digest]:
        raise BadInput(
            f"{place}: {', '.join(changed)} of {instrument.title} was changed and is not what was published. Install "
            "the prompts again."
        )
    return stored


def needed_prompts(instrument: Instrument, folder: Path, names: Sequence[str], how: str) -> Mapping[str, str]:
    """The texts of these prompts. `how`: the command that installs them. Raises BadInput where one is missing."""
    stored = installed_prompts(instrument, folder)
    if stored is None:
        raise BadInput(
            f"The published prompts of {instrument.title} are not installed. Install them from {instrument.advice}: "
            f"{how} FILE"
        )
    if missing := [instrument.prompt(name) for name in names if name not in stored.prompts]:
        raise BadInput(
            f"The installed copy of {instrument.title} lacks {_named(missing)}. Install it with that: {how} FILE"
            + "".join(f"; or {each.without}" for each in missing if each.without)
            + "."
        )
    return {name: stored.prompts[name] for name in names}


def _place(instrument: Instrument, folder: Path) -> Path:
    return folder / f"{instrument.name}.json"


def _check_complete(instrument: Instrument, found: Mapping[str, str], where: str) -> None:
    missing = [each for each in instrument.prompts if each.name not in found and not each.without]
    if not missing:
        return
    have = ", ".join(each.name for each in instrument.prompts if each.name in found)
    what = f"found are {have}; missing are {_named(missing)}" if have else f"none of {len(missing)} was found"
    raise BadInput(
        f"{where}: of the prompts of {instrument.title}, {what}. Nothing was installed. Give {instrument.advice}; "
        "several copies may complete each other."
    )


def _named(prompts: Sequence[PublishedPrompt]) -> str:
    """`idea (Supplementary Note 1.1)`, and so on."""
    return ", ".join(f"{each.name} ({each.place})" for each in prompts)


# -- copies ------------------------------------------------------------------------------------------------------------


def is_address(source: str) -> bool:
    """Whether a copy is fetched; otherwise it is a file or a folder."""
    return urlsplit(source).scheme in {"http", "https"}


async def _fetch_all(source: str, instrument: Instrument, http: HttpClient) -> list[str]:
    """The texts behind an address. Raises BadInput when one cannot be fetched."""
    return [await _fetched(address, http) for address in _addresses(source, instrument)]


def _texts_at(source: str, instrument: Instrument) -> Iterator[str]:
    """The texts of a file, or of the files of a folder. Raises BadInput when they cannot be read."""
    place = Path(source).expanduser()
    if place.is_dir():
        return _in_folder(place)
    if not place.exists():
        raise BadInput(f"{place} does not exist. Give {instrument.advice}.")
    return iter([_in_file(place)])


def _addresses(source: str, instrument: Instrument) -> Sequence[str]:
    """Where the text behind an address is: the files of a repository at GitHub, the PDF of a page at arXiv."""
    parts = urlsplit(source)
    steps = [step for step in parts.path.split("/") if step]
    if parts.netloc == "github.com" and len(steps) == 2 and instrument.files:
        owner, name = steps[0], steps[1].removesuffix(".git")
        return [f"https://raw.githubusercontent.com/{owner}/{name}/HEAD/{file}" for file in instrument.files]
    if parts.netloc in {"arxiv.org", "www.arxiv.org"} and steps[:1] == ["abs"]:
        return [f"https://arxiv.org/pdf/{'/'.join(steps[1:])}"]
    return [source]


async def _fetched(address: str, http: HttpClient) -> str:
    """Raises BadInput when there is no text at the address."""
    try:
        async with http.request("GET", address, timeout=_SECONDS, redirects=True) as response:
            if response.status != 200:
                raise BadInput(f"{address} answers {response.status}. Give a file or a folder of your own instead.")
            body = await read_body(response, LARGEST, stall=60)
    except (aiohttp.ClientError, OSError, TimeoutError, ResponseTooLarge) as error:
        why = str(error) or type(error).__name__
        raise BadInput(f"{address} cannot be fetched: {why}. Give a file or a folder of your own instead.") from error
    return _text_of(body, address)


def _in_folder(folder: Path) -> Iterator[str]:
    """The texts of the files of a folder, those with prompts in their names first, without hidden and large ones."""
    files = (each for each in folder.rglob("*") if each.suffix.lower() in _TEXTS | {".pdf"} and each.is_file())
    shown = [each for each in files if not any(part.startswith(".") for part in each.relative_to(folder).parts)]
    if len(shown) > MOST_FILES:
        raise BadInput(f"{folder} has {count(len(shown), 'file')} with text. Name the file, or a smaller folder.")
    for file in sorted(shown, key=lambda each: ("prompt" not in each.name.lower(), str(each))):
        if file.stat().st_size <= LARGEST:
            yield _in_file(file)


def _in_file(file: Path) -> str:
    """Raises BadInput."""
    try:
        if file.stat().st_size > LARGEST:
            raise BadInput(f"{file} is larger than {LARGEST // 2**20} MiB. Name the part that has the prompts.")
        with open_input(file) as opened:
            return _text_of(opened.read(), str(file))
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror or error}.") from error


def _text_of(content: bytes, name: str) -> str:
    """The text of a PDF, or of a file of text. Raises BadInput."""
    if _PDF not in content[:1024]:
        return content.decode("utf-8", errors="replace")
    try:
        with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
            file.write(content)
            file.flush()
            pages = extract(Path(file.name), _PAGES).pages
    except Unreadable as error:
        raise BadInput(f"{name} cannot be read: {error}.") from error
    return "\n".join(_page_text([span.text for span in page.spans]) for page in pages)


def _page_text(spans: Sequence[str]) -> str:
    """The text of a page without the page number at its top or its end, which would stand inside a prompt."""
    texts = [text.strip() for text in spans if text.strip()]
    first = 1 if texts and texts[0].isdigit() else 0
    last = -1 if texts and texts[-1].isdigit() else None
    return " ".join(texts[first:last])
