"""Read recipes from presets, files and command-line options. Errors are reported in one line."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from novum.core import shorten
from novum.core.trained import Kind
from novum.errors import BadInput
from novum.files.inputs import open_input
from novum.training.recipes.recipe import Recipe

Form = TypeVar("Form", bound=BaseModel)


@dataclass(frozen=True)
class RecipeKind(Generic[Form]):
    """A kind of recipe: its record, the folder of its presets, and the command that prints one to start from."""

    form: type[Form]
    presets: Path
    example: str


_PRESETS = Path(__file__).with_name("presets")
JUDGE_RECIPES = RecipeKind(Recipe, _PRESETS / "judge", "novum train recipes cpu")
SFT_RECIPES = RecipeKind(Recipe, _PRESETS / "sft", "novum train recipes cpu --for sft")
DPO_RECIPES = RecipeKind(Recipe, _PRESETS / "dpo", "novum train recipes cpu --for dpo")
_KINDS: Mapping[Kind, RecipeKind[Recipe]] = {"judge": JUDGE_RECIPES, "sft": SFT_RECIPES, "dpo": DPO_RECIPES}
_MOST_BYTES = 1_000_000
_ENDING = ".toml"


def preset_names(kind: RecipeKind[Any] = JUDGE_RECIPES) -> tuple[str, ...]:
    """Names of the presets, smallest machine first."""
    return tuple(sorted((file.stem for file in kind.presets.glob(f"*{_ENDING}")), key=_size))


def preset_text(name: str, kind: RecipeKind[Any] = JUDGE_RECIPES) -> str:
    """The TOML file of a preset, to copy and change. Raises BadInput for an unknown name."""
    names = preset_names(kind)
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise BadInput(
            f"There is no recipe {name!r}.{hint} Choose one of {', '.join(names)}, or name a file that ends "
            f"in {_ENDING}."
        )
    return (kind.presets / f"{name}{_ENDING}").read_text(encoding="utf-8")


def read_recipe(
    name: str, base: str | None = None, sets: Sequence[str] = (), seed: int | None = None, kind: Kind = "judge"
) -> Recipe:
    """The recipe of a training on rows; see `read_recipe_of`."""
    return read_recipe_of(_KINDS[kind], name, base, sets, seed)


def read_recipe_of(
    kind: RecipeKind[Form], name: str, base: str | None = None, sets: Sequence[str] = (), seed: int | None = None
) -> Form:
    """Read a preset by name, or a file by path, and apply `sets` such as `lora.rank=8`.

    Raises BadInput naming the invalid key and the allowed values.
    """
    values = _parsed(_text(name, kind), name, kind)
    for change in sets:
        _apply(values, change)
    given = {"base": base, "seed": seed}
    return _validated(values | {key: value for key, value in given.items() if value is not None}, name, kind)


def _text(name: str, kind: RecipeKind[Any]) -> str:
    if not name.endswith(_ENDING):
        return preset_text(name, kind)
    try:
        with open_input(Path(name)) as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(
            f"The recipe {name} cannot be read: {error.strerror}. Print one to start from: {kind.example}"
        ) from error
    if len(content) > _MOST_BYTES:
        raise BadInput(f"{name} is too large for a recipe. Print one to start from: {kind.example}")
    return content.decode("utf-8", "replace")


def _parsed(text: str, name: str, kind: RecipeKind[Any]) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of too many digits is a plain ValueError
        raise BadInput(f"{name} is not valid TOML: {error}. Compare it with `{kind.example}`.") from error


def _apply(values: dict[str, Any], change: str) -> None:
    """Apply one change such as `lora.rank=8`. The value is read as TOML, else as plain text."""
    key, mark, value = change.partition("=")
    *tables, last = key.strip().split(".")
    if not mark or not last or not all(tables):
        raise BadInput(f"--option {change!r}: write it as KEY=VALUE, for example --option lora.rank=8")
    for table in tables:
        values = values.setdefault(table, {})
        if not isinstance(values, dict):
            raise BadInput(f"--option {change!r}: {table} is a single value without further settings.")
    values[last] = _value(value.strip())


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def _validated(values: Mapping[str, Any], name: str, kind: RecipeKind[Form]) -> Form:
    try:
        return kind.form.model_validate(dict(values))
    except ValidationError as error:
        wrong = [_why(each, kind.form) for each in error.errors()[:3]]
        raise BadInput(f"{name}: {'; '.join(wrong)}. For all settings: {kind.example}") from error


def _why(wrong: Mapping[str, Any], form: type[BaseModel]) -> str:
    place = tuple(str(part) for part in wrong["loc"] if part != "[key]")
    key = ".".join(place)
    if wrong["type"] == "extra_forbidden":
        near = difflib.get_close_matches(place[-1], list(_keys(place[:-1], form)), n=1)
        elsewhere = [known for known in _all_keys(form) if known.rpartition(".")[2] == place[-1]]
        hint = f"; did you mean {near[0]}?" if near else f"; did you mean {elsewhere[0]}?" if elsewhere else ""
        return f"there is no setting {key!r}{hint}"
    if wrong["type"] == "missing":
        return f"{key} is missing"
    message = str(wrong["msg"]).removeprefix("Value error, ")
    value = "" if isinstance(wrong["input"], dict | BaseModel) else f" = {shorten(repr(wrong['input']), 80)}"
    return f"{key}{value}: {message[:1].lower()}{message[1:]}" if key else message


def _keys(tables: Sequence[str], of: type[BaseModel]) -> Iterator[str]:
    """Names of the settings in a table of the recipe; `tables` is the path to it."""
    for name in tables:
        inner = of.model_fields[name].annotation if name in of.model_fields else None
        if not isinstance(inner, type) or not issubclass(inner, BaseModel):
            return
        of = inner
    yield from of.model_fields


def _all_keys(form: type[BaseModel]) -> Iterator[str]:
    for name in _keys((), form):
        inner = list(_keys((name,), form))
        yield from (f"{name}.{each}" for each in inner) if inner else (name,)


def _size(name: str) -> tuple[int, float, str]:
    """Sort key of presets: `cpu`, then by memory, by billions of parameters, and `nodes`."""
    digits = "".join(char for char in name if char.isdigit())
    order = 0 if name == "cpu" else 3 if not digits else 1 if name.endswith("gb") else 2
    return order, float(digits or 0), name
