"""The protocols of a benchmark for a user: installed from a copy of a paper, listed, and shown prompt by prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from novum.cli.shell.interrupt import print_last_words, run_stoppable
from novum.cli.shell.terminal import one_line, print_heading, print_json, print_line, print_table
from novum.errors import BadInput
from novum.prompts import builtin_prompts
from novum.prompts.published import Instrument, sha256_of
from novum.reports.phrases import count
from novum.runs.published_prompts import InstalledPrompts, install_prompts, installed_prompts
from novum.settings import load_settings

PUBLISHED = "published"
_STOPPED = "Stopped. Nothing was installed."
CopySources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE|DIR|URL",
        help="Copies of paper or repository: PDF, text, JSON. Several complete each other. Default: the public ones.",
        show_default=False,
    ),
]
ProtocolName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the protocol.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@dataclass(frozen=True)
class BuiltInProtocol:
    """A protocol that comes with Novum: for whom it is, and the names of its prompts."""

    about: str
    prompts: Sequence[str]


@dataclass(frozen=True)
class ProtocolShelf:
    """The protocols of one benchmark. `command`: the group of commands, as in `novum arena protocol`."""

    command: str
    instrument: Instrument
    built_in: Mapping[str, BuiltInProtocol]

    def install(self, sources: Sequence[str], *, as_json: bool) -> None:
        """Installs the published prompts and prints what was found. Raises BadInput where prompts are missing."""
        folder = load_settings().protocols_folder
        work = install_prompts(self.instrument, sources, folder)
        installed = run_stoppable(work, lambda: _STOPPED, lambda: print_last_words(_STOPPED))
        if as_json:
            print_json(installed.model_dump(mode="json", exclude={"prompts"}) | {"hashes": installed.hashes})
            return
        print_table(("prompt", "where printed", "SHA-256"), self._rows(installed))
        print_line(
            f"{count(len(installed.prompts), 'prompt')} of {self.instrument.title} installed in {folder}. Run them: "
            f"{self.command.removesuffix(' protocol')} run --protocol {PUBLISHED} …"
        )
        for each in self.instrument.prompts:
            if each.name not in installed.prompts:
                print_line(f"Not found: {each.name} ({each.place}). Install a copy that has it too, or {each.without}.")

    def print_all(self, *, as_json: bool) -> None:
        """Prints each protocol with what it is and whether it is there."""
        stored = installed_prompts(self.instrument, load_settings().protocols_folder)
        state = f"installed {stored.installed} from {', '.join(stored.sources)}" if stored else "not installed"
        rows = [(name, each.about, "built in") for name, each in self.built_in.items()]
        rows.append((PUBLISHED, f"the prompts of {self.instrument.title}, word for word", state))
        if as_json:
            print_json([dict(zip(("name", "about", "state"), row, strict=True)) for row in rows])
            return
        print_table(("protocol", "what it is", "state"), [tuple(map(one_line, row)) for row in rows])
        if stored is None:
            print_line(f"Install the published one: {self.command} install FILE")

    def show(self, name: str, *, as_json: bool) -> None:
        """Prints the prompts of one protocol. Raises BadInput for an unknown one, or one that is not installed."""
        texts = self._texts(name)
        if as_json:
            print_json([{"name": each, "sha256": sha256_of(text), "text": text} for each, text in texts.items()])
            return
        for each, text in texts.items():
            print_heading(f"{each}  (SHA-256 {sha256_of(text)})")
            print_line(text + "\n")

    def _texts(self, name: str) -> Mapping[str, str]:
        if name in self.built_in:
            return {each: builtin_prompts().get(each).source for each in self.built_in[name].prompts}
        if name != PUBLISHED:
            raise BadInput(f"There is no protocol {name!r}. There are: {', '.join([*self.built_in, PUBLISHED])}.")
        stored = installed_prompts(self.instrument, load_settings().protocols_folder)
        if stored is None:
            raise BadInput(
                f"The published prompts of {self.instrument.title} are not installed. Install them from "
                f"{self.instrument.advice}: {self.command} install FILE"
            )
        return stored.prompts

    def _rows(self, installed: InstalledPrompts) -> list[tuple[str, ...]]:
        hashes = installed.hashes
        return [
            (f"{each.name}: {each.use}", each.place, hashes[each.name][:16])
            for each in self.instrument.prompts
            if each.name in hashes
        ]
