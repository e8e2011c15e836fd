"""Optional packages: which extra has them, and the command that adds it to this installation of Novum."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from novum.errors import BadInput


def need(extra: str, *modules: str, what: str) -> None:
    """Raises BadInput, with the command that installs `extra`, where one of its modules is missing.

    `what`: the subject of the message, such as "The offline model".
    """
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise BadInput(missing_extra(extra, *missing, what=what))


def missing_extra(extra: str, *modules: str, what: str) -> str:
    """The message for modules of an extra that are not installed."""
    packages = "package" if len(modules) == 1 else "packages"
    return f"{what} needs the {packages} {', '.join(modules)}: `{install_command(extra)}`."


def install_command(extra: str, prefix: Path | None = None, origin: Mapping[str, Any] | None = None) -> str:
    """The command that adds an extra, for pip, an editable checkout, pipx or uv.

    `prefix`: of the environment (default: the running one). `origin`: the content of `direct_url.json`, which says
    where Novum was installed from (default: that of this installation; empty for a package index).
    """
    prefix = Path(sys.prefix) if prefix is None else prefix
    origin = _origin() if origin is None else origin
    wanted = shlex.quote(_requirement(extra, origin))
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    if (prefix / "pipx_metadata.json").is_file():
        return f"pipx install --force {editable}{wanted}"
    if (prefix / "uv-receipt.toml").is_file():
        return f"uv tool install --force {editable}{wanted}"
    if _made_by_uv(prefix):
        return f"uv pip install --python {shlex.quote(str(prefix))} {editable}{wanted}"
    return f"{_pip(prefix)} install {editable}{wanted}"


def _requirement(extra: str, origin: Mapping[str, Any]) -> str:
    url = str(origin.get("url", ""))
    if not url:
        return f"novum[{extra}]"
    if "dir_info" in origin:
        return f"{unquote(urlsplit(url).path)}[{extra}]"
    version = origin.get("vcs_info", {})
    return f"novum[{extra}] @ {version['vcs']}+{url}" if version else f"novum[{extra}] @ {url}"


def _origin() -> Mapping[str, Any]:
    try:
        text = distribution("novum").read_text("direct_url.json")
    except PackageNotFoundError:
        return {}
    found: dict[str, Any] = json.loads(text) if text else {}
    return found


def _made_by_uv(prefix: Path) -> bool:
    try:
        return any(line.startswith("uv =") for line in (prefix / "pyvenv.cfg").read_text().splitlines())
    except OSError:
        return False


def _pip(prefix: Path) -> str:
    """`pip`, by its full path in an environment: the `pip` of the shell may be another one."""
    own = prefix / "bin" / "pip"
    return shlex.quote(str(own)) if sys.prefix != sys.base_prefix and own.is_file() else "pip"
