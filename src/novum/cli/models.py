"""`novum models`: who can be asked, and the small models that run on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.group import examples, group

if TYPE_CHECKING:
    from novum.llm import Provider
    from novum.settings import LoadedSettings

app = group("Models: providers and their keys, and small models that run on this machine without any.")
Name = Annotated[str, typer.Argument(help="Name of an offline model, from `novum models list`.", show_default=False)]


@app.command("list", epilog=examples("novum models list", "novum models list --json"))
def list_models(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """Providers with their keys and usual models, and the offline models."""
    from novum.cli.terminal import say, say_heading, say_json, say_table  # noqa: PLC0415
    from novum.llm import PROVIDERS  # noqa: PLC0415
    from novum.settings import load_settings  # noqa: PLC0415

    settings = load_settings()
    providers = [each for each in PROVIDERS.values() if each.name != "offline"]
    offline = _offline_rows(settings)
    if as_json:
        known = [{"provider": p.name, "key": _key_state(p, settings), "writer": p.writer, "reader": p.reader} for p in providers]
        say_json({"providers": known, "offline": [dict(zip(_OFFLINE_HEADS, row, strict=True)) for row in offline]})
        return
    say_heading("Providers, named provider:model")
    say_table(("provider", "key", "writes by default", "reads by default"), ((p.name, _key_state(p, settings), p.writer, p.reader) for p in providers))
    say_heading("\nOn this machine, named offline:model")
    say_table(_OFFLINE_HEADS, offline)
    writer, why = settings.default_writer()
    say(f"\nWithout --model, {settings.values.writer or writer} is asked ({why if not settings.values.writer else 'set by ' + settings.origins['writer']}).")


@app.command("install", epilog=examples("novum models install smollm2-135m"))
def install_model(name: Name) -> None:
    """Fetch an offline model, check its hash, and keep it in NOVUM_HOME."""
    from novum.cli.terminal import say, tell  # noqa: PLC0415
    from novum.llm import offline  # noqa: PLC0415
    from novum.settings import load_settings  # noqa: PLC0415

    file = offline.install(name, load_settings().models_folder, tell)
    say(f'{name} is installed at {file}. Use it: novum ideate "…" --model offline:{name}')


@app.command("remove", epilog=examples("novum models remove smollm2-135m"))
def remove_model(name: Name) -> None:
    """Delete an offline model from this machine."""
    from novum.cli.terminal import say  # noqa: PLC0415
    from novum.llm import offline  # noqa: PLC0415
    from novum.settings import load_settings  # noqa: PLC0415

    offline.remove(name, load_settings().models_folder)
    say(f"{name} is removed.")


_OFFLINE_HEADS = ("model", "state", "size", "licence", "what it is good for")


def _offline_rows(settings: LoadedSettings) -> list[tuple[str, ...]]:
    from novum.llm import offline  # noqa: PLC0415

    here = offline.installed(settings.models_folder)
    return [(name, "installed" if name in here else "not installed", _size(m.bytes), m.licence, m.about) for name, m in offline.CATALOGUE.items()]


def _key_state(provider: Provider, settings: LoadedSettings) -> str:
    """Whether a key is there, and under which name it is looked for."""
    present = next((name for name in provider.key_names if settings.keys.get(name)), "")
    if present:
        return f"{present} is set"
    wanted = " or ".join(provider.key_names)
    if provider.name in {"server", "ollama"}:
        return f"not needed ({wanted} where the server wants one)" if wanted else "not needed"
    return f"{wanted} is not set"


def _size(number: int) -> str:
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"  # noqa: PLR2004
