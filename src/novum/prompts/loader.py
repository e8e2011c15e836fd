"""Read prompt files: a header between `---` lines, then the text, whose parts begin with `[system]` and `[user]`.

    ---
    name: compare
    version: 3
    needs: [left, right]
    returns: Preference
    ---
    [system]
    …
    [user]
    <left>{{ left | untrusted }}</left>

A line `optional: [more]` names variables that may be left out; they are empty then.

A file of the same name in a user's folder (`--prompts DIR`) replaces the built-in prompt.
"""

from __future__ import annotations

import copy
import difflib
import functools
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal, Protocol

import jinja2
import jinja2.meta

from novum.credentials.redaction import redact
from novum.errors import BadInput
from novum.files.inputs import open_input
from novum.prompts.sandbox import PromptSandbox
from novum.prompts.untrusted import label, plain, quoted, untrusted
from novum.registry import announced_by_packages

Role = Literal["system", "user", "assistant"]
_PART = re.compile(r"^\[(system|user)\]\s*$", re.MULTILINE)
_INCLUDE = re.compile(r'{% include "([^"]+)" %}')
_PASSAGE = re.compile(r"_[\w-]+\.md")
"""The name of a file with a shared passage: nothing outside the folder of prompts is included."""
_BLANK_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class Message:
    """One message of a conversation. `content` may hold the placeholder of a fence."""

    role: Role
    content: str


@dataclass(frozen=True)
class Rendered:
    """A prompt with its variables filled in. Its fences are placeholders until it is sent."""

    prompt: Prompt
    messages: tuple[Message, ...]


class FillableText(Protocol):
    """A part of a prompt with variables, such as a template."""

    def render(self, values: Mapping[str, object], /) -> str: ...


@dataclass(frozen=True)
class Prompt:
    """One prompt file. `source` is its text; `digest` is the hash of the text, which the ledger stores."""

    name: str
    version: int
    needs: frozenset[str]
    returns: str
    source: str
    digest: str
    parts: tuple[tuple[Role, jinja2.Template | FillableText | Message], ...]
    """A part without variables is a message already."""
    optional: frozenset[str] = frozenset()
    """Variables that are empty where they are not given."""
    verbatim: bool = False
    """Whether it is sent as it is written, blank lines and all."""

    def render(self, needs: Mapping[str, object]) -> Rendered:
        """Fill in the variables. A known key or password in them is not sent to a model. Raises BadInput naming those
        that are missing or unknown."""
        missing, unknown = self.needs - needs.keys(), needs.keys() - self.needs - self.optional
        if missing or unknown:
            wrong = [
                *(f"{name} is missing" for name in sorted(missing)),
                *(f"{name} is not one of its variables" for name in sorted(unknown)),
            ]
            raise BadInput(f"Prompt {self.name!r} cannot be filled in: {', '.join(wrong)}.")
        values = {**dict.fromkeys(self.optional, ""), **needs} if self.optional else needs
        try:
            messages = [
                part if isinstance(part, Message) else Message(role, redact(self._finish(part.render(values))))
                for role, part in self.parts
            ]
        except MemoryError:
            raise
        except Exception as error:  # the filters of a template may raise anything
            raise BadInput(
                f"Prompt {self.name!r} cannot be filled in: {error}. Fix the file, or leave it out."
            ) from error
        return Rendered(self, tuple(message for message in messages if message.content))

    def _finish(self, text: str) -> str:
        return text if self.verbatim else _tidy(text)


SMALL = "small"
"""Folders of short prompts for very small models, which cannot follow the usual ones."""


class PromptBook:
    """All prompts by name: the built-in ones, some of them replaced from the folder `override`.

    Raises BadInput when `override` does not exist, or holds a file that replaces nothing or does not load.
    """

    def __init__(self, override: Path | None = None) -> None:
        places = [resources.files("novum.prompts")]
        places += announced_by_packages("novum.prompts").things.values()
        self._files = {name: file for place in reversed(places) for name, file in _files_in(place)}
        self._override = override
        self._loaded: dict[str, Prompt] = {}
        environment = jinja2.Environment if override is None else PromptSandbox
        self._jinja = environment(  # prompts are plain text, not HTML: nothing to escape
            loader=jinja2.FunctionLoader(self._partial),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,  # so that the text after an included file begins on a new line
        )
        self._jinja.filters |= {"untrusted": untrusted, "quoted": quoted, "plain": plain, "label": label}
        if override is not None:
            self._check_override(override)

    @functools.cached_property
    def digest(self) -> str:
        """The hash of all prompts and shared passages that Novum and its extensions bring; those of the user's folder
        do not count."""
        files = sorted((name, file.read_text(encoding="utf-8")) for name, file in self._files.items())
        return hashlib.blake2b(repr(files).encode(), digest_size=8).hexdigest()

    def names(self) -> list[str]:
        """Names of all prompts, sorted."""
        usual = (name.removesuffix(".md") for name in self._files if "/" not in name)
        return sorted(name for name in usual if not name.startswith("_"))

    def get(self, name: str, *, small: bool = False) -> Prompt:
        """The prompt of that name; its short form for `small` models, where it has one. Raises BadInput when there
        is none.
        """
        name = self._name_of(name, small)
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def is_loaded(self, name: str, *, small: bool = False) -> bool:
        """Whether `get` has this prompt at hand. Else it reads and compiles it, which takes some milliseconds."""
        return self._name_of(name, small) in self._loaded

    def _name_of(self, name: str, small: bool) -> str:
        replaced = self._override is not None and (self._override / f"{name}.md").exists()
        has_short_form = small and not replaced and f"{SMALL}/{name}.md" in self._files
        return f"{SMALL}/{name}" if has_short_form else name

    def with_prompts(self, prompts: Iterable[Prompt]) -> PromptBook:
        """The same book with further prompts, which are not read from files. They replace those of the same names."""
        book = copy.copy(self)
        book._loaded = self._loaded | {each.name: each for each in prompts}
        return book

    def _load(self, name: str) -> Prompt:
        own_file = self._files.get(f"{name}.md")
        if own_file is None:
            raise BadInput(f"There is no prompt {name!r}. {_did_you_mean(name, self.names())}")
        own = self._parse(own_file.read_text(encoding="utf-8"), str(own_file))
        replacement = self._override / f"{name}.md" if self._override else None
        if replacement is None or not replacement.exists():
            return own
        theirs = self._parse(_replacing_text(replacement), str(replacement))
        if not theirs.needs <= own.needs | own.optional or theirs.returns != own.returns or theirs.name != own.name:
            raise BadInput(
                f"{replacement}: a replacement of {name!r} must be named {own.name!r}, return {own.returns} "
                f"and need nothing beyond {', '.join(sorted(own.needs))}."
            )
        return replace(theirs, needs=own.needs, optional=own.optional)

    def _parse(self, text: str, where: str) -> Prompt:
        header, body = _split_header(text, where)
        for field in ("name", "version", "needs", "returns"):
            if field not in header:
                raise BadInput(f"{where}: the header lacks {field!r}.")
        if not header["version"].isdigit():
            raise BadInput(f"{where}: version must be a whole number, not {header['version']!r}.")
        needs, optional = (frozenset(re.findall(r"\w+", header.get(field, ""))) for field in ("needs", "optional"))
        try:
            used = jinja2.meta.find_undeclared_variables(self._jinja.parse(body))
            parts = tuple((role, self._prepared(role, part)) for role, part in _split_parts(body))
        except jinja2.TemplateSyntaxError as error:
            raise BadInput(f"{where}:{error.lineno}: {error.message}") from error
        if unnamed := used - needs - optional:
            raise BadInput(f"{where}: uses {', '.join(sorted(unnamed))}, which its header does not name under needs.")
        digest = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        return Prompt(header["name"], int(header["version"]), needs, header["returns"], text, digest, parts, optional)

    def _prepared(self, role: Role, part: str) -> jinja2.Template | Message:
        template = self._jinja.from_string(part)
        if self._is_constant(part):
            return Message(role, _tidy(template.render()))
        template.globals = dict(template.globals)  # else a chain of maps, searched anew by every rendering
        return template

    def _is_constant(self, text: str | None) -> bool:
        """Whether the text has no variables: no tags except those that include constant passages."""
        if text is None:
            return False
        rest = _INCLUDE.sub("", text)
        included = map(self._partial, _INCLUDE.findall(text))
        return "{{" not in rest and "{%" not in rest and all(map(self._is_constant, included))

    def _partial(self, name: str) -> str | None:
        """Shared passages, files beginning with `_`, for `{% include "_name.md" %}`."""
        replaced = self._override / name if self._override and _PASSAGE.fullmatch(name) else None
        if replaced and replaced.exists():
            return _replacing_text(replaced)
        file = self._files.get(name)
        return file.read_text(encoding="utf-8") if file else None

    def _check_override(self, folder: Path) -> None:
        if not folder.is_dir():
            raise BadInput(f"The prompt folder {folder} does not exist. Create it, or leave out --prompts.")
        for file in sorted(folder.glob("*.md")):
            if not file.name.startswith("_"):
                self.get(file.stem)


@functools.cache
def builtin_prompts() -> PromptBook:
    """The built-in prompts, read and compiled once in a process."""
    return PromptBook()


def _files_in(folder: Traversable, before: str = "") -> Iterator[tuple[str, Traversable]]:
    """Prompt files by name, with `small/` before the names of short prompts. A name is unique across folders."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files_in(each, f"{SMALL}/" if each.name == SMALL else before)
        elif each.name.endswith(".md"):
            yield before + each.name, each


def _replacing_text(file: Path) -> str:
    """The text of a file in the user's folder. Raises BadInput when it is none, or not UTF-8, and for a link that leads
    out of the folder: what it leads to would be sent to a model."""
    try:
        with io.TextIOWrapper(open_input(file), encoding="utf-8") as opened:
            if not file.resolve().is_relative_to(file.parent.resolve()):
                raise BadInput(f"{file} is a link out of its folder. Copy the file there, or leave it out.")
            return opened.read()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read: {error}. Save it as UTF-8.") from error


def _split_header(text: str, where: str) -> tuple[dict[str, str], str]:
    match = re.match(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL)
    if match is None:
        raise BadInput(f"{where}: a prompt begins with a header between two lines of ---.")
    lines = (line.partition(":") for line in match[1].splitlines() if line.strip())
    return {name.strip(): value.strip() for name, _, value in lines}, match[2]


def _split_parts(body: str) -> list[tuple[Role, str]]:
    pieces = _PART.split(body)
    if len(pieces) == 1:
        return [("user", body)]
    roles: Iterable[Role] = pieces[1::2]  # type: ignore[assignment]  # the pattern matches these two words only
    return list(zip(roles, pieces[2::2], strict=True))


def _tidy(text: str) -> str:
    return (_BLANK_LINES.sub("\n\n", text) if "\n\n\n" in text else text).strip()


def _did_you_mean(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=3)
    return f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(known)}."
