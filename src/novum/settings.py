"""Settings, and where the value of each comes from.

Later sources override earlier ones: built in, `novum.toml` in NOVUM_HOME, `novum.toml` in the current folder,
environment (`NOVUM_…`), command line.
"""

from __future__ import annotations

import os
import re
import shlex
import tomllib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import platformdirs
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from novum.credentials.addresses import private_address, public_address, without_password
from novum.credentials.environment import SERVICE_KEYS, register_environment, unusable_key
from novum.credentials.redaction import redact_message
from novum.errors import BadInput, CredentialsExposed
from novum.files.inputs import open_input
from novum.files.private import readable_by_others
from novum.llm.budget import Budget
from novum.llm.limits import Limits
from novum.llm.offline import DEFAULT_MODEL, ENCODERS, installed_models
from novum.llm.prices import Price
from novum.llm.providers import PROVIDERS, ModelName
from novum.llm.settings import CallSettings, ModelRoles, ModelSettings

FILE_NAME = "novum.toml"
PREFIX = "NOVUM_"
BUILT_IN = "built in"
AUTOMATIC, NO_SOURCES = "auto", "none"
"""In the setting `sources`: the usual services, and none."""
_USUAL_SOURCES = ("openalex", "crossref", "europe-pmc", "arxiv")
_KEYED_SOURCES = {"semantic-scholar": ("SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY")}
"""Services that are usual with a key, and the variables that may hold it."""
_PREFIXES = frozenset({*PROVIDERS, "local"})
"""What a name of a model begins with, up to the colon."""
_MISTYPED_ADDRESS = re.compile(
    r"(?:[a-z+]{2,30}:/?)?/{0,2}[^\s/\\:@]+:[^\s/\\]*@|.*\b(?:password|passwd|pwd)\s*=", re.IGNORECASE
)
"""The beginning of `user:password@host/database`, also behind a part of `postgresql://`, or a list of parameters."""
TABLES = frozenset({"prices", "source_addresses"})
"""Settings that an environment variable cannot hold."""


def _listed(value: Any) -> Any:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _known_choice(names: tuple[str, ...]) -> tuple[str, ...]:
    if NO_SOURCES in names and len(names) > 1:
        raise ValueError(f"`{NO_SOURCES}` cannot be combined with services")
    return names


def _web_address(value: str) -> str:
    if value and not value.startswith(("http://", "https://")):
        raise ValueError("an address is written like http://127.0.0.1:8000/v1")
    return _checked_address(value)


def _place(value: str) -> str:
    """A path, or the address of a database without its password."""
    if "://" not in value and _MISTYPED_ADDRESS.match(value):
        raise ValueError("the address of a database begins with postgresql://")
    return _checked_address(value) if "://" in value else value


def _checked_address(value: str) -> str:
    """An address without its credentials. Raises ValueError where its host or port cannot be read."""
    public = public_address(value)
    try:
        port = urlsplit(public).port
    except ValueError:
        port = 0
    if port == 0:
        raise ValueError(
            "its host or port cannot be read: a port is a number up to 65535, and special characters in a user name or "
            "password are written as %xx"
        )
    return public


def _model_text(value: str) -> str:
    """The name of a model, without credentials in its address."""
    public = _public_model(value)
    unnamed = public.partition(":")[0] not in _PREFIXES and redact_message(public) != public
    if unnamed or without_password(public) != public:
        raise ValueError("a model is named provider:model, and its address begins with http:// or https://")
    return public


def _public_model(value: str) -> str:
    name, mark, address = value.partition("@http")
    return f"{name}@{public_address(f'http{address}')}" if mark else value


def _mail_address(value: str) -> str:
    value = value.strip()
    if value and ("@" not in value or not value.isprintable() or " " in value):
        raise ValueError("an e-mail address is written like name@example.org")
    return value


Address = Annotated[str, AfterValidator(_web_address)]
Place = Annotated[str, AfterValidator(_place)]
Model = Annotated[str, AfterValidator(_model_text)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class CustomPrice(BaseModel):
    """The price of a model that no price table lists, in US dollars per million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input_per_million: float = Field(ge=0)
    output_per_million: float = Field(ge=0)


class Settings(BaseModel):
    """All settings of Novum. Each is described here and nowhere else.

    Addresses are stored without their credentials, which `novum.credentials.addresses` remembers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    home: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("novum")),
        description="Folder for ledger, library, models and caches",
    )
    library: Place = Field("", description="Library folder, or the URL of its database; empty: `library` in home")
    ledger: Place = Field("", description="Ledger file or database URL; empty: `ledger.sqlite` in home")
    prompts: Path | None = Field(
        None, description="Folder of prompt files that replace the built-in ones of the same name"
    )
    writer: Model = Field(
        "", description="Model that writes ideas; empty: the first provider with a key, else the offline model"
    )
    reader: Model = Field(
        "", description="Model that reads papers, may be cheaper; empty: chosen to go with the writer"
    )
    judges: Annotated[tuple[Model, ...], BeforeValidator(_listed)] = Field(
        (), description="Models that judge ideas, separated by commas; empty: the writer"
    )
    embedder: Model = Field(
        "static",
        description="Model that embeds texts: `static`, a remote one such as openai:text-embedding-3-large, or one on "
        "this machine such as local:sentence-transformers/all-MiniLM-L6-v2",
    )
    reranker: Literal["auto", "none"] = Field(
        "auto",
        description="Second stage of searches: `auto` uses the sentence encoder if it is installed (`novum models "
        "install all-minilm-l6-v2`), `none` does without",
    )
    sources: Annotated[tuple[str, ...], BeforeValidator(_listed), AfterValidator(_known_choice)] = Field(
        (AUTOMATIC,),
        description="Services that runs fetch papers from, separated by commas, such as openalex,arxiv. `auto`: "
        "OpenAlex, Crossref, Europe PMC, arXiv, and Semantic Scholar with a key, for single ideations and explorations "
        "by a model that is not the offline one; `none`: the library alone",
    )
    contact: Annotated[str, AfterValidator(_mail_address)] = Field(
        "", description="Your e-mail address, sent to services of papers: some then answer faster"
    )
    grobid: Address = Field(
        "", description="Address of a GROBID server that reads PDFs; empty: Novum reads them itself"
    )
    source_addresses: dict[str, Address] = Field(
        {},
        description="Other addresses of services (mirrors), by the names of the services; also zotero and zotero-local",
    )
    base_url: Address = Field("", description="Address of an OpenAI-compatible server, for models named `server:MODEL`")
    temperature: float | None = Field(0.7, ge=0, le=2, description="Sampling temperature of writers")
    max_tokens: int = Field(6000, gt=0, description="Maximum length of a response, in tokens")
    seed: int = Field(0, ge=0, le=2_000_000, description="Seed of all random draws, and of the models that accept one")
    deadline_seconds: Positive = Field(600.0, description="Maximum time for one call in seconds, including retries")
    stall_seconds: Positive | None = Field(
        None,
        description="Seconds without any data of a response after which a request is sent again; empty: from the pace "
        "of the server",
    )
    token_probabilities: bool = Field(
        False, description="Request the probability of each token of a response, which confidence is computed from"
    )
    in_flight: int | None = Field(
        None, gt=0, description="Concurrent calls per model; empty: the default of the provider"
    )
    requests_per_minute: Positive | None = Field(None, description="Maximum requests per minute and model")
    tokens_per_minute: Positive | None = Field(None, description="Maximum tokens per minute and model")
    effort: Literal["", "low", "medium", "high"] = Field(
        "",
        description="Budget of the methods that have levels of it: low, about 15 calls; medium, about 50; high, about "
        "150; empty: the defaults of the method's options",
    )
    budget_usd: Positive | None = Field(None, description="Maximum cost of a run in US dollars; it stops before")
    budget_tokens: int | None = Field(None, gt=0, description="Maximum tokens of a run; it stops before")
    budget_calls: int | None = Field(None, gt=0, description="Maximum calls of a run; it stops before")
    prices: dict[str, CustomPrice] = Field({}, description="Prices of models that no table lists")


@dataclass(frozen=True)
class LoadedSettings:
    """Settings with their origins (field name to where the value came from) and the keys found in the environment."""

    values: Settings
    origins: Mapping[str, str]
    keys: dict[str, str]

    @property
    def library_folder(self) -> Path:
        """The folder of rows and indexes; where the rows are in a database, of the indexes alone."""
        given = self.values.library
        return Path(given) if given and self.library_url is None else self.values.home / "library"

    @property
    def library_url(self) -> str | None:
        """The database of the rows, with its password; None where it is a file in the folder."""
        return private_address(self.values.library) if "://" in self.values.library else None

    @property
    def ledger_place(self) -> str | Path:
        """The file of the ledger, or its database with its password."""
        given = self.values.ledger
        if "://" in given:
            return private_address(given)
        return Path(given) if given else self.values.home / "ledger.sqlite"

    @property
    def models_folder(self) -> Path:
        return self.values.home / "models"

    @property
    def protocols_folder(self) -> Path:
        """The folder of prompts of published instruments, with one file for each."""
        return self.values.home / "protocols"

    @property
    def metrics_folder(self) -> Path:
        """The folder of fitted metrics, with one folder for each name."""
        return self.values.home / "metrics"

    @property
    def answers_folder(self) -> Path:
        """The folder of responses of services of papers. It can be deleted at any time."""
        return self.values.home / "cache" / "sources"

    @property
    def budget(self) -> Budget:
        return Budget(self.values.budget_usd, self.values.budget_tokens, self.values.budget_calls)

    def live_sources(self, *, single: bool = True) -> tuple[str, ...]:
        """The names of the services that a run fetches papers from. `single`: a run on one topic that somebody waits
        for. Others, which may have thousands of topics, use only services that are named: the usual ones answer a
        limited number of requests a day. Raises BadInput for a writer that cannot be read."""
        names: list[str] = []
        for name in self.values.sources:
            if name == AUTOMATIC:
                names += self._usual_sources() if single else []
            elif name != NO_SOURCES:
                names.append(name)
        return tuple(dict.fromkeys(names))

    def _usual_sources(self) -> list[str]:
        """None with the offline model, which demonstrates Novum without a network."""
        if self.model_roles().writer.provider.name == "offline":
            return []
        keyed = [name for name, keys in _KEYED_SOURCES.items() if any(os.environ.get(key, "").strip() for key in keys)]
        return [*_USUAL_SOURCES, *keyed]

    def model_roles(self) -> ModelRoles:
        """The model of each role. Raises BadInput for a name that cannot be read."""
        writer = self.model_named(self.values.writer or self.default_writer()[0])
        reader = self.model_named(self.values.reader) if self.values.reader else _default_reader(writer)
        judges = tuple(self.model_named(name) for name in self.values.judges) or (writer,)
        return ModelRoles(writer, reader, judges)

    def default_writer(self) -> tuple[str, str]:
        """The writer when none is named, and why."""
        for provider in PROVIDERS.values():
            for key_name in provider.key_names:
                if provider.writer and self.keys.get(key_name):
                    return f"{provider.name}:{provider.writer}", f"because {key_name} is set"
        return self._offline_writer(), "because no provider's key is set"

    def _offline_writer(self) -> str:
        """The largest model that is installed on this machine; the smallest of the catalogue where none is."""
        here = [each for each in installed_models(self.models_folder) if each.name not in ENCODERS]
        largest = max(here, key=lambda each: each.size_bytes, default=None)
        return f"offline:{largest.name if largest else DEFAULT_MODEL}"

    def for_models(self) -> ModelSettings:
        """The part of the settings that `novum.llm` needs."""
        v = self.values
        calls = CallSettings(
            v.temperature, v.max_tokens, v.seed, v.deadline_seconds, v.token_probabilities, v.stall_seconds
        )
        limits = Limits(v.in_flight, v.requests_per_minute, v.tokens_per_minute)
        prices = {name: Price(each.input_per_million, each.output_per_million) for name, each in v.prices.items()}
        return ModelSettings(self.model_roles(), calls, limits, self.keys, prices)

    def model_named(self, text: str) -> ModelName:
        """The model of this name. Raises BadInput for a name that cannot be read."""
        if text.startswith("server:") and "@http" not in text and self.values.base_url:
            text = f"{text}@{self.values.base_url}"
        return ModelName.parse(text)


HOME_LIBRARY = "home:library"
"""Stands for the library of the home in the settings of a run: the home may be moved."""


def load_settings(
    overrides: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> LoadedSettings:
    """Reads all sources. `overrides`: of the command line; empty values are ignored. Raises BadInput naming the source
    at fault.
    """
    environment = os.environ if environment is None else environment
    keys = _keys(environment)
    given = {name: value for name, value in (overrides or {}).items() if value not in (None, (), "")}
    from_environment = _from_environment(environment)
    home = Path(given.get("home") or from_environment.get("home") or Settings().home).expanduser()
    if not str(home).isprintable():
        raise BadInput("NOVUM_HOME holds characters that cannot be printed, or is not UTF-8. Set it to another folder.")
    values: dict[str, Any] = {"home": home}
    origins = dict.fromkeys(Settings.model_fields, BUILT_IN)
    files = [home / FILE_NAME, (folder or _current_folder()) / FILE_NAME]
    sources = [(str(file), _from_file(file)) for file in files if _is_there(file)]
    sources += [("environment", from_environment), ("command line", given)]
    for origin, found in sources:
        _check(found, origin)
        values |= found
        origins |= {name: f"{PREFIX}{name.upper()}" if origin == "environment" else origin for name in found}
    values["home"] = home
    if files[1] != files[0]:
        _check_folder_file(files[1], {name: values[name] for name, of in origins.items() if of == str(files[1])}, keys)
    if (overrides or {}).get("prompts") == "":
        values["prompts"] = None  # a run with the built-in prompts uses them again, whatever is set today
    if values.get("library") == HOME_LIBRARY:
        values["library"] = ""  # and one with the library of the home, whatever is set today and wherever the home is
    return LoadedSettings(_expanded(Settings.model_validate(values)), origins, keys)


def _check_folder_file(file: Path, found: Mapping[str, Any], keys: Mapping[str, str]) -> None:
    """Raises BadInput where a file of the current folder, which may have come with the folder, sends the key of a
    provider to another server."""
    texts = [each for value in found.values() for each in (value if isinstance(value, list) else [value])]
    for text in (each for each in texts if isinstance(each, str) and "@http" in each):
        try:
            model = ModelName.parse(text)
        except BadInput:  # said where the name is used
            continue
        if model.leaves_provider and any(map(keys.get, model.provider.key_names)):
            raise BadInput(
                f"{file} would send your key of {model.provider.name} to {urlsplit(model.base_url).netloc}. If you "
                f"want that, name the model on the command line, in the environment or in {FILE_NAME} of NOVUM_HOME."
            )


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise BadInput("The current folder was removed: change to another one.") from None


def _is_there(file: Path) -> bool:
    try:
        return file.exists()
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}. Set NOVUM_HOME to another folder.") from error


def _expanded(settings: Settings) -> Settings:
    """The settings with `~` in paths expanded."""
    paths = {
        name: str(Path(value).expanduser())
        for name in ("library", "ledger")
        if (value := getattr(settings, name))[:1] == "~"
    }
    prompts = {"prompts": settings.prompts.expanduser()} if settings.prompts else {}
    return settings.model_copy(update=paths | prompts)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        with open_input(file) as opened:
            found = tomllib.loads(opened.read().decode("utf-8-sig"))  # some editors begin a file with a mark
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{file} is not valid TOML: {error}. Fix or remove it.") from error
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}.") from error
    if readable_by_others(file) and _holds_credentials(found):
        warnings.warn(
            f"{file} holds a password or key, and other users may read it: chmod 600 {shlex.quote(str(file))}",
            CredentialsExposed,
            stacklevel=2,
        )
    if "home" in found:
        raise BadInput(f"{file} sets home, which must be known before the file is read. Set NOVUM_HOME instead.")
    return found


def _holds_credentials(value: Any) -> bool:
    """Whether an address in a file of settings has a user, a password or a key."""
    if isinstance(value, dict):
        return any(map(_holds_credentials, value.values()))
    return isinstance(value, str) and (_public_model(value) != value or public_address(value) != value)


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    names = {f"{PREFIX}{name.upper()}": name for name in Settings.model_fields if name not in TABLES}
    return {names[key]: value for key, value in environment.items() if key in names and value != ""}


def _check(found: Mapping[str, Any], origin: str) -> None:
    """Checks one source, so that the message can name it."""
    try:
        Settings.model_validate(dict(found))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        known = f" Settings are: {', '.join(Settings.model_fields)}." if first["type"] == "extra_forbidden" else ""
        shown = f"{PREFIX}{name.upper()}" if origin == "environment" else name
        raise BadInput(
            f"Setting {shown} from {origin} cannot be used: {_told(first)}{_repeated(first)}.{known}"
        ) from error


def _told(error: ErrorDetails) -> str:
    message = error["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _repeated(error: ErrorDetails) -> str:
    """The value at fault, unless it may hold a password or key: in an address, or under a name that is no setting."""
    given = repr(error["input"])
    return "" if "@" in given or error["type"] == "extra_forbidden" else f" (got {given})"


def _keys(environment: Mapping[str, str]) -> dict[str, str]:
    """The keys of providers. Raises BadInput naming a variable whose value can be no key."""
    names = [name for provider in PROVIDERS.values() for name in provider.key_names]
    register_environment(environment, names)
    if wrong := unusable_key(environment, (*names, *SERVICE_KEYS)):
        raise BadInput(
            f"{wrong} is not a key: it holds a line break, a control character or one that is not ASCII. Copy the key "
            f"again and set {wrong} to it alone."
        )
    return {name: environment[name].strip() for name in names if environment.get(name, "").strip()}


def _default_reader(writer: ModelName) -> ModelName:
    """The cheaper model of a provider beside its default writer. Any other writer also reads."""
    provider = writer.provider
    if writer.model == provider.writer and provider.reader and not writer.base_url:
        return ModelName(provider, provider.reader)
    return writer
