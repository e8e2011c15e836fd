"""What `novum doctor` looks at. Every check is one function from the settings to findings, and never raises."""

from __future__ import annotations

import asyncio
import os
import platform
import shlex
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from novum import __version__
from novum.cli.setup.config import all_sources, masked
from novum.errors import NovumError
from novum.files.private import readable_by_others
from novum.ledger import Ledger
from novum.literature import Library
from novum.literature.services.failures import duration
from novum.literature.services.service_budget import clock_time
from novum.literature.services.stored_limits import LimitsFile, StoredLimits
from novum.literature.sources import Source, SourceKey, key_of
from novum.literature.zotero.client import KEY_NAME
from novum.llm import PROVIDERS, Connections, ModelName, offline
from novum.llm.providers import TRAINED
from novum.registry import GROUPS, announced_by_packages
from novum.reports.phrases import count
from novum.runs.stored import INTERRUPTED, status_of
from novum.settings import LoadedSettings, load_settings
from novum.studies.storage import FILE, StudyStore

State = Literal["fine", "note", "broken"]
_PATIENCE_SECONDS = 10.0
_LITTLE, _TOO_LITTLE = 2e9, 2e8
"""Bytes of free disk: room for a large library, and what a run's ledger may need."""


@dataclass(frozen=True)
class CheckResult:
    """One thing looked at: what was found, and what to do about it (empty: nothing)."""

    what: str
    state: State
    found: str
    advice: str = ""


async def examine(overrides: Mapping[str, Any]) -> list[CheckResult]:
    """All findings, in the order of reading."""
    findings = [_versions()]
    try:
        settings = load_settings(overrides)
        roles = settings.model_roles()
    except NovumError as error:
        return [*findings, _from_error("settings", error)]
    findings += [_settings(settings), _keys(settings), _disk(settings.values.home), *_privacy(settings.values.home)]
    findings += [
        _library(settings.library_folder, settings.library_url),
        *_ledger(settings.ledger_place),
        *_studies(settings.values.home),
        _offline(settings),
        _usual_services(settings),
        *(_source(settings, kind) for kind in all_sources()),
        _zotero(),
        *_other_packages(),
    ]
    roles_of: dict[ModelName, list[str]] = {}
    judges = (("judge", judge) for judge in roles.judges)
    for role, model in [("writer", roles.writer), ("reader", roles.reader), *judges]:
        roles_of.setdefault(model, []).append(role)
    return findings + await _models(settings, roles_of)


def _versions() -> CheckResult:
    return CheckResult(
        "versions",
        "fine",
        f"Novum {__version__}, Python {platform.python_version()} on {platform.system()} {platform.machine()}",
    )


def _settings(settings: LoadedSettings) -> CheckResult:
    origins = sorted({origin for origin in settings.origins.values() if origin != "built in"})
    return CheckResult(
        "settings", "fine", f"home {settings.values.home}; set by {', '.join(origins) or 'nothing: all built in'}"
    )


def _keys(settings: LoadedSettings) -> CheckResult:
    if settings.keys:
        return CheckResult("keys", "fine", ", ".join(f"{name} {masked(key)}" for name, key in settings.keys.items()))
    names = [name for provider in PROVIDERS.values() for name in provider.key_names[:1] if provider.writer]
    return CheckResult(
        "keys",
        "note",
        "none is set: only models that need no key can be used",
        f"for ideas worth judging, set one of {', '.join(names)}",
    )


def _disk(home: Path) -> CheckResult:
    place = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    state: State = "broken" if free < _TOO_LITTLE else "note" if free < _LITTLE else "fine"
    return CheckResult(
        "disk",
        state,
        f"{free / 1e9:.1f} GB free at {home}",
        "" if state == "fine" else "free some space, or set NOVUM_HOME to a folder on a larger disk",
    )


def _privacy(home: Path) -> list[CheckResult]:
    """Novum makes its home for its owner alone; one that was there before keeps its permissions."""
    if not readable_by_others(home):
        return []
    found, advice = f"other users of this machine can read {home}", f"chmod -R go-rwx {shlex.quote(str(home))}"
    return [CheckResult("privacy", "note", found, advice)]


def _library(folder: Path, url: str | None) -> CheckResult:
    if url is None and not folder.exists():
        return CheckResult(
            "library",
            "note",
            f"none yet at {folder}",
            "the first run fills it with the starter library; your own papers: novum library add",
        )
    try:
        with Library.open(folder, url=url) as library:
            held = library.stats()
    except NovumError as error:
        return _from_error("library", error)
    if not held.papers:
        return CheckResult(
            "library",
            "note",
            f"empty, at {folder}",
            "the first run fills it with the starter library; your own papers: novum library add",
        )
    indexed = "indexes ready" if held.indexes_current else "indexes are brought up to date by the next search"
    return CheckResult(
        "library",
        "fine",
        f"{count(held.papers, 'paper')}, {count(held.links, 'citation link')}, {indexed}, at {folder}",
    )


def _studies(home: Path) -> Iterator[CheckResult]:
    """Looks at the file of studies where there is one."""
    if not (home / FILE).exists():
        return
    try:
        yield CheckResult("studies", "fine", count(len(StudyStore(home).studies()), "study", "studies"))
    except NovumError as error:
        yield _from_error("studies", error)


def _ledger(place: str | Path) -> Iterator[CheckResult]:
    if isinstance(place, Path) and not place.exists():
        yield CheckResult("ledger", "note", f"none yet at {place}: the first run makes it")
        return
    try:
        with Ledger.open(place) as ledger:
            records = ledger.runs()
    except NovumError as error:
        yield _from_error("ledger", error)
        return
    shown = place if isinstance(place, Path) else "its database"
    yield CheckResult("ledger", "fine", f"{count(len(records), 'run')}, at {shown}")
    if dead := [record.id for record in records if status_of(record) == INTERRUPTED]:
        yield CheckResult(
            "runs",
            "note",
            f"{count(len(dead), 'run was', 'runs were')} interrupted, last {dead[0]}",
            f"novum runs resume {dead[0]}",
        )


def _offline(settings: LoadedSettings) -> CheckResult:
    installed = [receipt.name for receipt in offline.installed_models(settings.models_folder)]
    here = [name for name in installed if name not in offline.ENCODERS]
    if here:
        return CheckResult("offline model", "fine", f"installed: {', '.join(here)}")
    return CheckResult(
        "offline model",
        "note",
        "none is installed",
        f"to try Novum without a key: novum models install {offline.DEFAULT_MODEL}",
    )


def _usual_services(settings: LoadedSettings) -> CheckResult:
    """Who receives the topic of a run."""
    titles = {kind.name: kind.title for kind in all_sources()}
    names = settings.live_sources()
    if unknown := [name for name in names if name not in titles]:
        return CheckResult("papers", "broken", f"there is no source {unknown[0]!r}", "correct the setting sources")
    if not names:
        return CheckResult("papers", "fine", "runs use the library alone: no service is asked")
    asked = ", ".join(titles[name] for name in names)
    return CheckResult("papers", "fine", f"runs on one topic ask {asked}, unless the setting sources is none")


def _source(settings: LoadedSettings, kind: type[Source]) -> CheckResult:
    """What is known of a service without a request to it: some services answer a few requests a day."""
    source = kind(settings.values.source_addresses.get(kind.name, ""))
    key, contact = key_of(source), settings.values.contact
    limits = LimitsFile(settings.answers_folder, source, key.key if key else "").read()
    spent = bool(limits.budget and limits.budget.at(time.time()).remaining == 0)
    parts = [_identification(source, key, contact), source.terms, *_limits(limits)]
    advice = _source_advice(source, key, contact)
    state: State = "note" if advice or spent or limits.set_aside_until > time.time() else "fine"
    return CheckResult(f"source {source.name}", state, "; ".join(filter(None, parts)), advice)


def _identification(source: Source, key: SourceKey | None, contact: str) -> str:
    if key:
        return f"{key.name} {masked(key.key)}"
    if account := source.sign_in(os.environ):
        return f"signs in with {' and '.join(account.names)}"
    if source.wants_contact:
        return f"your address {contact} is sent" if contact else "no e-mail address is set"
    return "no key is set" if source.key_names else "needs no key"


def _source_advice(source: Source, key: SourceKey | None, contact: str) -> str:
    """What gets more answers out of a service; empty when nothing does."""
    if key or source.sign_in(os.environ) or (source.wants_contact and contact):
        return ""
    if source.wants_contact:
        return "set NOVUM_CONTACT, or contact in novum.toml, to your e-mail address"
    if not source.key_names:
        return ""
    offer = ": ".join(filter(None, (source.key_offer, source.key_page)))
    return f"set {source.key_names[0]}{f' ({offer})' if offer else ''}"


def _limits(limits: StoredLimits) -> Iterator[str]:
    """What the service said last of what it still answers."""
    now = time.time()
    if limits.budget and limits.budget.remaining is not None:
        budget, left = limits.budget.at(now), limits.budget.seconds_to_reset(now)
        reset = f", resets at {clock_time(now + left)} (in {duration(left)})" if left else ""
        yield f"{budget} when last asked{reset}"
    if limits.reason and limits.set_aside_until > now:
        yield f"set aside for {duration(limits.set_aside_until - now)}: {limits.reason}"


def _zotero() -> CheckResult:
    """What is known of Zotero without a request: no key is needed to read it on the same computer."""
    if key := os.environ.get(KEY_NAME, "").strip():
        return CheckResult("zotero", "fine", f"{KEY_NAME} {masked(key)}: zotero:… is read from zotero.org")
    return CheckResult("zotero", "fine", f"{KEY_NAME} is not set: zotero:… is read from Zotero on this computer")


def _other_packages() -> Iterator[CheckResult]:
    """What other packages announce and cannot be used."""
    for group in GROUPS:
        for why in announced_by_packages(group).unusable.values():
            yield CheckResult("other packages", "note", f"{group}: {why}")


async def _models(settings: LoadedSettings, roles: Mapping[ModelName, list[str]]) -> list[CheckResult]:
    connections = Connections(settings.for_models(), settings.models_folder)
    try:
        return list(
            await asyncio.gather(
                *(_model(connections, model, ", ".join(dict.fromkeys(who))) for model, who in roles.items())
            )
        )
    finally:
        await connections.close()


async def _model(connections: Connections, model: ModelName, role: str) -> CheckResult:
    try:
        endpoint = await connections.endpoint(model)
        began = time.perf_counter()
        listed = await endpoint.get("/models", _PATIENCE_SECONDS)
    except NovumError as error:
        return _from_error(role, error)
    took = 1000 * (time.perf_counter() - began)
    names = _names(listed)
    if model.provider.name == "offline":
        return CheckResult(role, "fine", f"{model} answers in {took:.0f} ms: good for demonstrations only")
    started_here = model.provider.name in TRAINED and not model.base_url  # it lists its file, not its name
    if names and not started_here and not any(model.model in {name, name.removeprefix("models/")} for name in names):
        few = ", ".join(names[:5])
        return CheckResult(
            role,
            "note",
            f"{model} answers in {took:.0f} ms, but does not list this model",
            f"it may not know it; it lists {few}",
        )
    return CheckResult(role, "fine", f"{model} answers in {took:.0f} ms")


def _names(listed: object) -> list[str]:
    entries = listed.get("data") if isinstance(listed, dict) else None
    return [str(each.get("id")) for each in entries if isinstance(each, dict)] if isinstance(entries, list) else []


def _from_error(what: str, error: NovumError) -> CheckResult:
    """Our errors say what to do in their last sentence."""
    found, _, advice = str(error).rstrip(".").rpartition(". ")
    return CheckResult(what, "broken", found or advice, f"{advice}." if found else "")
