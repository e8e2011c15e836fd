"""The variables of the environment that hold keys and passwords."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from novum.credentials.addresses import register_address
from novum.credentials.redaction import register_secrets

SERVICE_KEYS = (
    "CORE_API_KEY", "CROSSREF_API_KEY", "OPENALEX_API_KEY", "OPENREVIEW_TOKEN", "S2_API_KEY",
    "SEMANTIC_SCHOLAR_API_KEY", "ZOTERO_API_KEY",
)  # fmt: skip
"""Of literature services and Zotero. The services themselves are not loaded for that: it would take as long as all
else that a command loads."""
PASSWORDS = ("OPENREVIEW_PASSWORD", "PGPASSWORD")
_OTHERS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "RAY_AUTH_TOKEN", "WANDB_API_KEY")
"""Of libraries that Novum uses."""
_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def register_environment(environment: Mapping[str, str], model_keys: Iterable[str]) -> None:
    """Makes all keys and passwords of an environment known secrets, so that every text loses them whatever command
    runs. `model_keys`: the variables that hold keys of providers of models."""
    names = (*model_keys, *SERVICE_KEYS, *PASSWORDS, *_OTHERS)
    register_secrets(*(environment.get(name, "").strip() for name in names))
    for name in _PROXIES:
        for proxy in (environment.get(name, ""), environment.get(name.upper(), "")):
            register_address(proxy if "://" in proxy else f"http://{proxy}")


def unusable_key(environment: Mapping[str, str], names: Iterable[str]) -> str:
    """The first of these variables whose value cannot be sent as a key, since it is not in plain ASCII or has a line
    break or another control character inside; empty where there is none."""
    values = ((name, environment.get(name, "").strip()) for name in names)
    return next((name for name, value in values if not (value.isascii() and value.isprintable())), "")
