"""Prompts of published instruments: found in a user's copy of a paper or repository, checked, and sent word for word.

Their sentences are not part of Novum. What Novum knows of each is how it is laid out (the lengths of its words, and the
signs and line ends between them) and hashes.

*Normalisation.* A text becomes its letters and digits: Unicode NFKC, then `A` to `Z`, `a` to `z` and `0` to `9`, and
nothing else. So line breaks, hyphenation, curly quotation marks, emphasis and escapes of a copy do not matter. A prompt
is cut at its variables into pieces. The SHA-256 of each normalised piece in lower case finds the prompt; the letters,
put back into the layout, must then have the SHA-256 of the whole prompt. Every copy gives the same text, to the byte.
"""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from novum.core.record import Value
from novum.prompts.loader import Message, Prompt, Role
from novum.prompts.untrusted import clean

_VARIABLE = re.compile(r"\{\{(\w+)\}\}")
_WORD = re.compile(r"[A-Za-z0-9]+")
_SLOT = re.compile(r"\{\{\w+\}\}|\d+")
"""In a layout: a variable, or the length of a word."""
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[nrtbf])")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?")
_LONGEST_VARIABLE = 40
"""Letters that a copy may have in place of a variable."""
_OPENING = 12
"""Letters by whose checksum places are chosen at which a prompt may begin: hashing every place takes too long."""


class PieceHash(Value):
    """The part of a prompt between two variables: number of its letters and digits, and their SHA-256."""

    letters: int
    sha256: str


class PublishedPrompt(Value):
    """What is known of one published prompt."""

    name: str
    """By which it is stored and shown."""
    use: str
    """What it is for, in a few words."""
    place: str
    """Where it is printed."""
    layout: str
    """The prompt with the length of each word in place of the word. Variables stay: `{{keyword}}`."""
    opening: int
    """CRC-32 of the first 12 letters."""
    pieces: tuple[PieceHash, ...]
    sha256: str
    """Of the whole prompt, UTF-8."""
    without: str = ""
    """What can be done without it, the end of a sentence: some copies lack it. Empty: it is needed."""


class Instrument(Value):
    """The prompts of one published instrument, and where copies of them are."""

    name: str
    title: str
    prompts: tuple[PublishedPrompt, ...]
    addresses: tuple[str, ...]
    """Public copies, which together have all prompts."""
    files: tuple[str, ...] = ()
    """Files of the published repository that hold prompts."""
    advice: str
    """Which copies have the prompts: the end of a sentence."""

    def prompt(self, name: str) -> PublishedPrompt:
        """The prompt of that name, which must be one of the instrument's."""
        return next(each for each in self.prompts if each.name == name)


@dataclass(frozen=True)
class Letters:
    """The letters and digits of a text, and the places among them at which a word begins."""

    text: str
    starts: tuple[int, ...]


@dataclass(frozen=True)
class VerbatimText:
    """A published prompt that is filled in by replacing its variables, and nothing else.

    Foreign text enters it without marks, because the published prompt has none. Hidden characters and special tokens
    are removed from that text as everywhere.
    """

    text: str

    def render(self, values: Mapping[str, object]) -> str:
        """The text with its variables filled in. What is filled in is not searched for variables."""
        return _VARIABLE.sub(lambda found: clean(str(values[found[1]])), self.text)

    @property
    def variables(self) -> frozenset[str]:
        return frozenset(_VARIABLE.findall(self.text))


def describe_prompt(name: str, use: str, place: str, text: str, *, without: str = "") -> PublishedPrompt:
    """What to know of a prompt, so that it is found in copies. Raises ValueError when a variable comes too early."""
    pieces = [letters_of(piece).text for piece in _VARIABLE.split(text)[::2]]
    if len(pieces[0]) < _OPENING:
        raise ValueError(f"fewer than {_OPENING} letters before the first variable are too few to find a prompt by")
    layout = "".join(
        part if at % 2 else _WORD.sub(lambda word: str(len(word[0])), part)
        for at, part in enumerate(re.split(r"(\{\{\w+\}\})", text))
    )
    hashes = tuple(PieceHash(letters=len(piece), sha256=_piece_hash(piece)) for piece in pieces)
    return PublishedPrompt(
        name=name,
        use=use,
        place=place,
        layout=layout,
        opening=_checksum(pieces[0].lower()),
        pieces=hashes,
        sha256=sha256_of(text),
        without=without,
    )


def find_prompts(prompts: Sequence[PublishedPrompt], texts: Iterable[str]) -> dict[str, str]:
    """The prompts that are in `texts`, by name, each as its layout has it. Reading ends as soon as all are found."""
    found: dict[str, str] = {}
    for text in texts:
        for reading in _readings(text):
            letters = letters_of(reading)
            found |= dict(_found_in(letters, [each for each in prompts if each.name not in found]))
        if len(found) == len(prompts):
            break
    return found


def verbatim_prompt(name: str, parts: Sequence[tuple[Role, str]]) -> Prompt:
    """A prompt for a `PromptBook` whose parts, role and text, are sent as they are written."""
    texts = [(role, VerbatimText(text)) for role, text in parts]
    source = "\n\n".join(f"[{role}]\n{text}" for role, text in parts)
    return Prompt(
        name=name,
        version=1,
        needs=frozenset().union(*(text.variables for _, text in texts)),
        returns="str",
        source=source,
        digest=hashlib.blake2b(source.encode(), digest_size=8).hexdigest(),
        parts=tuple((role, text if text.variables else Message(role, text.text)) for role, text in texts),
        verbatim=True,
    )


def letters_of(text: str) -> Letters:
    """The normalised text, in its own case."""
    words = _WORD.findall(unicodedata.normalize("NFKC", text))
    return Letters("".join(words), tuple(accumulate(map(len, words[:-1]), initial=0)) if words else ())


def sha256_of(text: str) -> str:
    """SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def _readings(text: str) -> Iterator[str]:
    """A text as it is, and without what is no part of its words: the tags of a web page, the escapes of JSON and of
    source code, the commands of LaTeX."""
    yield text
    if "</" in text:
        yield html.unescape(_TAG.sub(" ", text))
    if "\\" in text:
        yield _ESCAPE.sub(" ", text)
        yield _COMMAND.sub(" ", text)


def _found_in(letters: Letters, prompts: Sequence[PublishedPrompt]) -> Iterator[tuple[str, str]]:
    """The first place of each prompt, laid out."""
    small, wanted = letters.text.lower(), {each.opening for each in prompts}
    starts = [
        (start, opening)
        for start in letters.starts
        if (opening := _checksum(small[start : start + _OPENING])) in wanted
    ]
    for prompt in prompts:
        for start in (start for start, opening in starts if opening == prompt.opening):
            places = _places(small, start, prompt.pieces)
            text = _laid_out(prompt.layout, "".join(letters.text[slice(*place)] for place in places)) if places else ""
            if places and sha256_of(text) == prompt.sha256:
                yield prompt.name, text
                break


def _checksum(letters: str) -> int:
    return zlib.crc32(letters[:_OPENING].encode())


def _places(letters: str, start: int, pieces: Sequence[PieceHash]) -> list[tuple[int, int]]:
    """Where the pieces of a prompt are, beginning and end, when the first one begins at `start`; none when they are
    not there."""
    places = [(start, start + pieces[0].letters)]
    if not _is_at(letters, start, pieces[0]):
        return []
    for piece in pieces[1:]:
        after = places[-1][1]
        begins = (at for at in range(after, after + _LONGEST_VARIABLE) if _is_at(letters, at, piece))
        begin = next(begins, None)
        if begin is None:
            return []
        places.append((begin, begin + piece.letters))
    return places


def _is_at(letters: str, start: int, piece: PieceHash) -> bool:
    candidate = letters[start : start + piece.letters]
    return len(candidate) == piece.letters and hashlib.sha256(candidate.encode()).hexdigest() == piece.sha256


def _piece_hash(piece: str) -> str:
    return sha256_of(piece.lower())


def _laid_out(layout: str, letters: str) -> str:
    """The layout with words of `letters` in place of their lengths."""
    slots = [int(slot) for slot in _SLOT.findall(layout) if slot.isdigit()]
    ends = accumulate(slots, initial=0)
    words = (letters[begin:end] for begin, end in pairwise(ends))
    return _SLOT.sub(lambda slot: next(words) if slot[0].isdigit() else slot[0], layout)
