"""Settings of a working place, and where each came from.

In rising order: built in, `novum.toml` in NOVUM_HOME, `novum.toml` in the current folder, environment (`NOVUM_…`),
command line.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import platformdirs
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from novum.errors import BadInput
from novum.llm.budget import Budget
from novum.llm.limits import Limits
from novum.llm.prices import Price
from novum.llm.providers import PROVIDERS, ModelName
from novum.llm.settings import CallSettings, ModelRoles, ModelSettings

FILE_NAME = "novum.toml"
PREFIX = "NOVUM_"
BUILT_IN = "built in"
OFFLINE = "offline:smollm2-135m"
TABLES = frozenset({"prices", "source_addresses"})
"""Settings that no variable can hold."""


def _listed(value: Any) -> Any:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _web_address(value: str) -> str:
    if value and not value.startswith(("http://", "https://")):
        raise ValueError("an address is written like http://127.0.0.1:8000/v1")
    return value


def _mail_address(value: str) -> str:
    value = value.strip()
    if value and ("@" not in value or not value.isprintable() or " " in value):
        raise ValueError("an e-mail address is written like name@example.org")
    return value


Positive = Annotated[float, Field(gt=0)]


class OwnPrice(BaseModel):
    """What a model costs that no price table lists, US dollars per million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input_per_million: float = Field(ge=0)
    output_per_million: float = Field(ge=0)


class Settings(BaseModel):
    """All settings of Novum. Each is described here and nowhere else."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    home: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("novum")),
        description="Folder for ledger, library, models and caches",
    )
    library: str = Field("", description="Library folder, or the URL of its database; empty: `library` in home")
    ledger: str = Field("", description="Ledger file or database URL; empty: `ledger.sqlite` in home")
    prompts: Path | None = Field(None, description="Folder whose prompt files replace ours of the same name")
    writer: str = Field(
        "", description="Model that has the ideas; empty: the first provider with a key, else the offline model"
    )
    reader: str = Field("", description="Model that reads papers, may be cheaper; empty: goes with the writer")
    judges: Annotated[tuple[str, ...], BeforeValidator(_listed)] = Field(
        (), description="Models that judge, separated by commas; empty: the writer"
    )
    embedder: str = Field(
        "static",
        description="What turns texts into vectors: `static`, a model such as openai:text-embedding-3-large, or one "
        "that runs here, such as local:sentence-transformers/all-MiniLM-L6-v2",
    )
    sources: Annotated[tuple[str, ...], BeforeValidator(_listed)] = Field(
        (),
        description="Services that runs fetch papers from, separated by commas, such as openalex,arxiv; empty: the "
        "library alone is used",
    )
    contact: Annotated[str, AfterValidator(_mail_address)] = Field(
        "", description="Your e-mail address, told to services of papers: some answer faster to those who give one"
    )
    grobid: Annotated[str, AfterValidator(_web_address)] = Field(
        "", description="Address of a GROBID server that reads PDFs; empty: Novum reads them itself"
    )
    source_addresses: dict[str, Annotated[str, AfterValidator(_web_address)]] = Field(
        {}, description="Other addresses of services, by their names: mirrors"
    )
    base_url: Annotated[str, AfterValidator(_web_address)] = Field(
        "", description="Address of an OpenAI-compatible server, for models named `server:MODEL`"
    )
    temperature: float | None = Field(0.7, ge=0, le=2, description="Sampling temperature of writers")
    max_tokens: int = Field(6000, gt=0, description="Longest answer of a model, in tokens")
    seed: int = Field(0, ge=0, le=2_000_000, description="Seed of every draw, and of the models that accept one")
    deadline_seconds: Positive = Field(600.0, description="Longest time for one call, its retries included")
    token_probabilities: bool = Field(
        False, description="Ask servers how probable each token of an answer was: what confidence is measured by"
    )
    in_flight: int | None = Field(None, gt=0, description="Calls at once per model; empty: the provider's usual")
    requests_per_minute: Positive | None = Field(None, description="Requests per minute and model")
    tokens_per_minute: Positive | None = Field(None, description="Tokens per minute and model")
    budget_usd: Positive | None = Field(None, description="A run stops before it would cost more, US dollars")
    budget_tokens: int | None = Field(None, gt=0, description="A run stops before it would use more tokens")
    budget_calls: int | None = Field(None, gt=0, description="A run stops before it would make more calls")
    prices: dict[str, OwnPrice] = Field({}, description="Prices of models that no table lists")


@dataclass(frozen=True)
class LoadedSettings:
    """Settings with their origins (field name to where the value came from) and the keys found in the environment."""

    values: Settings
    origins: Mapping[str, str]
    keys: dict[str, str]

    @property
    def library_folder(self) -> Path:
        """Rows and indexes; with a database of its own, the indexes of this machine."""
        given = self.values.library
        return Path(given) if given and self.library_url is None else self.values.home / "library"

    @property
    def library_url(self) -> str | None:
        """The database that holds the rows, where it is not a file in the folder."""
        return self.values.library if "://" in self.values.library else None

    @property
    def ledger_place(self) -> str | Path:
        given = self.values.ledger
        if "://" in given:
            return given
        return Path(given) if given else self.values.home / "ledger.sqlite"

    @property
    def models_folder(self) -> Path:
        return self.values.home / "models"

    @property
    def metrics_folder(self) -> Path:
        """What was learnt from libraries, a folder for each name."""
        return self.values.home / "metrics"

    @property
    def answers_folder(self) -> Path:
        """What services of papers have answered; can be deleted at any time."""
        return self.values.home / "cache" / "sources"

    @property
    def budget(self) -> Budget:
        return Budget(self.values.budget_usd, self.values.budget_tokens, self.values.budget_calls)

    def cast(self) -> ModelRoles:
        """Which model plays which role. Raises BadInput for a name that cannot be read."""
        writer = self.model_named(self.values.writer or self.default_writer()[0])
        reader = self.model_named(self.values.reader) if self.values.reader else _reader_beside(writer)
        judges = tuple(self.model_named(name) for name in self.values.judges) or (writer,)
        return ModelRoles(writer, reader, judges)

    def default_writer(self) -> tuple[str, str]:
        """The model asked when none is named, and why that one."""
        for provider in PROVIDERS.values():
            for key_name in provider.key_names:
                if provider.writer and self.keys.get(key_name):
                    return f"{provider.name}:{provider.writer}", f"because {key_name} is set"
        return OFFLINE, "because no provider's key is set"

    def for_models(self) -> ModelSettings:
        """What the room that asks models needs."""
        v = self.values
        calls = CallSettings(v.temperature, v.max_tokens, v.seed, v.deadline_seconds, v.token_probabilities)
        limits = Limits(v.in_flight, v.requests_per_minute, v.tokens_per_minute)
        prices = {name: Price(each.input_per_million, each.output_per_million) for name, each in v.prices.items()}
        return ModelSettings(self.cast(), calls, limits, self.keys, prices)

    def model_named(self, text: str) -> ModelName:
        """The model that a user means. Raises BadInput for a name that cannot be read."""
        if text.startswith("server:") and "@http" not in text and self.values.base_url:
            text = f"{text}@{self.values.base_url}"
        return ModelName.parse(text)


def load_settings(
    overrides: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> LoadedSettings:
    """Reads all sources. `overrides`: from the command line, None values left out. Raises BadInput naming the source
    at fault.
    """
    environment = os.environ if environment is None else environment
    given = {name: value for name, value in (overrides or {}).items() if value not in (None, (), "")}
    from_environment = _from_environment(environment)
    home = Path(given.get("home") or from_environment.get("home") or Settings().home).expanduser()
    values: dict[str, Any] = {"home": home}
    origins = dict.fromkeys(Settings.model_fields, BUILT_IN)
    files = [home / FILE_NAME, (folder or Path.cwd()) / FILE_NAME]
    sources = [(str(file), _from_file(file)) for file in files if _is_there(file)]
    sources += [("environment", from_environment), ("command line", given)]
    for origin, found in sources:
        _check(found, origin)
        values |= found
        origins |= {name: f"{PREFIX}{name.upper()}" if origin == "environment" else origin for name in found}
    values["home"] = home
    if (overrides or {}).get("prompts") == "":
        values["prompts"] = None  # a run that used our own prompts does so again, whatever is set today
    return LoadedSettings(_at_home(Settings.model_validate(values)), origins, _keys(environment))


def _is_there(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError as error:
        raise BadInput(f"{file} cannot be looked at: {error.strerror}. Give another place by NOVUM_HOME.") from error


def _at_home(settings: Settings) -> Settings:
    """With `~` in paths written out."""
    paths = {
        name: str(Path(value).expanduser())
        for name in ("library", "ledger")
        if (value := getattr(settings, name))[:1] == "~"
    }
    prompts = {"prompts": settings.prompts.expanduser()} if settings.prompts else {}
    return settings.model_copy(update=paths | prompts)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} is not valid TOML: {error}. Mend or remove it.") from error
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}.") from error
    if "home" in found:
        raise BadInput(f"{file} names home, which must be known before it is read. Set NOVUM_HOME instead.")
    return found


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    names = {f"{PREFIX}{name.upper()}": name for name in Settings.model_fields if name not in TABLES}
    return {names[key]: value for key, value in environment.items() if key in names and value != ""}


def _check(found: Mapping[str, Any], origin: str) -> None:
    """Every source is checked by itself, so that the message can name it."""
    try:
        Settings.model_validate(dict(found))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        known = f" Settings are: {', '.join(Settings.model_fields)}." if first["type"] == "extra_forbidden" else ""
        shown = f"{PREFIX}{name.upper()}" if origin == "environment" else name
        raise BadInput(
            f"Setting {shown} from {origin} cannot be used: {first['msg'].lower()} (got {first['input']!r}).{known}"
        ) from error


def _keys(environment: Mapping[str, str]) -> dict[str, str]:
    names = [name for provider in PROVIDERS.values() for name in provider.key_names]
    return {name: environment[name].strip() for name in names if environment.get(name, "").strip()}


def _reader_beside(writer: ModelName) -> ModelName:
    """The provider's cheaper model beside its own usual writer; a model that the user chose reads for itself."""
    provider = writer.provider
    if writer.model == provider.writer and provider.reader and not writer.base_url:
        return ModelName(provider, provider.reader)
    return writer
