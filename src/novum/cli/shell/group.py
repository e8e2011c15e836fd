"""Commands from tables of names: help needs the tables alone, and a command's module is imported when it is called."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar, get_args

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.main import get_command_from_info
from typer.models import CommandInfo

from novum.cli.shell.group_help import print_group_help
from novum.cli.shell.option_groups import expand_option_groups
from novum.cli.shell.options import refuse_empty_out, with_current_names
from novum.cli.shell.terminal import print_message
from novum.garbage import collect_from_now_on

HELP = {"help_option_names": ["-h", "--help"]}
ANNOUNCE = "novum.announce"
"""In `obj` of the context: whether a command that loads much first says so."""
_SILENT = frozenset({*HELP["help_option_names"], "-q", "--quiet"})
_METAVARS = {int: "N", float: "N", str: "TEXT"}
Function = TypeVar("Function", bound=Callable[..., object])


@dataclass(frozen=True)
class CommandRow:
    """One row of a table of commands.

    `target`: "module:function" of a command, or "module:group" of a group of commands. `help`: its line in the list of
    commands, without a full stop. `panel`: the heading in that list. `long`: it works for more than a moment and loads
    much first, so that the command line says at once what it is about to do.
    """

    target: str
    help: str
    panel: str = "Commands"
    long: bool = False


class Command(TyperCommand):
    """A command that also accepts the former names of its options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        refuse_empty_out(args)
        names = {name for param in self.params for name in (*param.opts, *param.secondary_opts)}
        return super().parse_args(ctx, with_current_names(ctx.command_path.partition(" ")[2], args, names))

    def invoke(self, ctx: Any) -> Any:
        if not gc.isenabled():  # in a process of its own, whose modules are loaded now
            collect_from_now_on()
        return super().invoke(ctx)

    def get_help_option(self, ctx: Any) -> TyperOption | None:
        return _without_type(super().get_help_option(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]


class CommandGroup(TyperGroup):
    """A group of commands that are loaded when they are called. Without a command it shows its help.

    `about`: what its help says beside its line in the list of commands. `default`: the command that is meant where the
    first word names none.
    """

    def __init__(
        self, rows: Mapping[str, CommandRow], about: str = "", *, default: str = "", name: str = "", help: str = "",
        params: Sequence[Any] = (), epilog: str | None = None,
    ) -> None:  # fmt: skip
        commands = {each: TyperCommand(each, short_help=row.help) for each, row in rows.items()}
        super().__init__(
            name=name, commands=dict(commands), help=help, params=list(params), epilog=epilog,
            context_settings=dict(HELP),
        )  # fmt: skip
        self.about = about
        self._rows = rows
        self.default = default
        self._loaded: dict[str, TyperCommand | TyperGroup] = {}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args:
            args = ["--help"]
        elif self.default and args[0] not in self._rows and args[0] not in HELP["help_option_names"]:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if name is None:
            return name, command, rest
        if (ctx.obj or {}).get(ANNOUNCE) and not ctx.resilient_parsing and not _SILENT.intersection(rest):
            self._announce(f"{ctx.command_path} {name}", self._rows[name])
        return name, self.load(name), rest

    def load(self, name: str) -> TyperCommand | TyperGroup:
        """The command or group of this name, its module imported."""
        if name not in self._loaded:
            self._loaded[name] = _load(name, self._rows[name])
        return self._loaded[name]

    def walk(self, path: str = "novum") -> Iterator[tuple[str, TyperCommand]]:
        """Every command below this group with its full name, such as `novum arena run`. Loads all of them."""
        for name in self._rows:
            command = self.load(name)
            if isinstance(command, CommandGroup):
                yield from command.walk(f"{path} {name}")
            elif isinstance(command, TyperCommand):
                yield f"{path} {name}", command

    def format_help(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, row in self._rows.items():
            panels.setdefault(row.panel, []).append((name, row.help))
        print_group_help(self.get_usage(ctx), self.help or "", panels, self.get_params(ctx), self.epilog)

    @staticmethod
    def _announce(path: str, row: CommandRow) -> None:
        """Loading may take a second, in which nothing else is seen."""
        if row.long and row.target.partition(":")[0] not in sys.modules:
            print_message(f"{path}: {row.help[0].lower()}{row.help[1:]} …")


def examples(*lines: str, note: str = "") -> Callable[[Function], Function]:
    """Decorates a command: its help ends with these examples, each on its own line, and with `note`."""
    shown = "\n".join(("\b", "[bold]Examples[/bold]", *(f"  {line}" for line in lines)))

    def add(function: Function) -> Function:
        setattr(function, "epilog", f"{shown}\n\n{note}" if note else shown)  # noqa: B010  functions have any attribute
        return function

    return add


def params_of(function: Callable[..., object]) -> list[Any]:
    """The parameters of a function that is declared as commands are, for a group that has options itself."""
    return _command(function, "", "").params


def _load(name: str, row: CommandRow) -> TyperCommand | TyperGroup:
    module, _, attribute = row.target.partition(":")
    target = getattr(import_module(module), attribute)
    if not isinstance(target, CommandGroup):
        return _command(target, name, row.help)
    target.name, target.short_help = name, row.help
    target.help = f"{row.help}.\n\n{target.about}" if target.about else f"{row.help}."
    return target


def _command(function: Callable[..., object], name: str, short_help: str) -> TyperCommand:
    command = get_command_from_info(
        CommandInfo(
            name, cls=Command, callback=expand_option_groups(function), epilog=getattr(function, "epilog", None),
            short_help=short_help, context_settings=dict(HELP),
        ),
        pretty_exceptions_short=False,
        rich_markup_mode="rich",
    )  # fmt: skip
    assert isinstance(command, TyperCommand)
    for param in command.params:
        _set_metavar(param)
    return command


def _set_metavar(param: Any) -> None:
    """What help shows for a value: nothing for a flag, and a word instead of a Python type."""
    if getattr(param, "is_flag", False):
        param.metavar = ""
    elif isinstance(param, TyperArgument):
        param.metavar = param.metavar or param.name.upper()
        param.display_type_rich = lambda ctx: None  # type: ignore[method-assign]
    elif param.metavar is None:
        annotation = param.type_descriptor.annotation
        inner = get_args(annotation) or (annotation,)
        param.metavar = _METAVARS.get(inner[0]) or "|".join(map(str, inner))


def _without_type(option: TyperOption | None) -> TyperOption | None:
    if option is not None:
        option.metavar = ""
    return option
