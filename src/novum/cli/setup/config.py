"""`novum config`: all settings, and where each value comes from."""

from __future__ import annotations

from typing import Annotated

import typer

from novum.cli.shell.fields import shown
from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_heading, print_json, print_line, print_table
from novum.literature.sources import Source, key_of, sources
from novum.settings import Settings, load_settings


@examples("novum config show", "novum config show --json", "NOVUM_TEMPERATURE=0.2 novum config show")
def show_config(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show each setting with its value, where the value comes from, and what it is for. Keys are masked, and addresses
    are shown without user, password and key."""
    settings = load_settings()
    rows = [
        (name, shown(getattr(settings.values, name)), settings.origins[name], field.description or "")
        for name, field in Settings.model_fields.items()
    ]
    keys = {name: masked(key) for name, key in (settings.keys | source_keys()).items()}
    if as_json:
        print_json(
            {"settings": {name: {"value": value, "origin": origin} for name, value, origin, _ in rows}, "keys": keys}
        )
        return
    print_table(("setting", "value", "from", "description"), rows)
    print_heading("\nKeys in the environment")
    print_line(
        "\n".join(f"{name}  {key}" for name, key in keys.items()) or "none (`novum models list` shows their names)"
    )
    roles = ", ".join(f"{role}: {model}" for role, model in settings.model_roles().names().items())
    print_heading("\nModels in use")
    print_line(roles)


def all_sources() -> list[type[Source]]:
    """All literature services, by name."""
    return [sources.get(name) for name in sources.names()]


def source_keys() -> dict[str, str]:
    """The keys of literature services that are set, by the names of their variables."""
    keys = [key_of(source) for source in all_sources()]
    return {one.name: one.key for one in keys if one}


def masked(key: str) -> str:
    """Enough of a key to recognise it: `sk-…3f9a`; nothing of a short one."""
    return f"{key[:3]}…{key[-4:]}" if len(key) >= 16 else "…"
