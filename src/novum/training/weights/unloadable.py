"""Explain in one line why transformers or the hub cannot load a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from safetensors import SafetensorError

from novum.errors import BadInput

_OF_ANOTHER_BASE = ("size mismatch for base_model", "Target modules", "missing adapter keys")
"""How PEFT reports an adapter that does not fit."""


@contextmanager
def explain_load_failure(name: str) -> Iterator[None]:
    """Turn errors of loading the model `name` into `BadInput`."""
    try:
        yield
    except (OSError, ValueError, ImportError, RuntimeError, KeyError, UserWarning, SafetensorError) as error:
        raise BadInput(_why(name, error)) from error


def _why(name: str, error: Exception) -> str:
    from huggingface_hub.errors import GatedRepoError, LocalEntryNotFoundError, RepositoryNotFoundError

    kinds = _exception_types(error)
    if GatedRepoError in kinds:
        return (
            f"{name} requires that you accept its terms: do so at https://huggingface.co/{name}, log in "
            "with `hf auth login`, and try again."
        )
    if RepositoryNotFoundError in kinds:
        return (
            f"There is no model {name} on the hub, and no such folder: check the name; if it is private, run "
            "`hf auth login`."
        )
    if LocalEntryNotFoundError in kinds:
        return (
            f"The model {name} is not on this machine and the hub cannot be reached: check the network and proxy, or "
            "train a folder or offline:NAME."
        )
    if any(sign in str(error) for sign in _OF_ANOTHER_BASE):
        return f"The adapter in {name} was made for another base: name the base that it was trained on."
    if SafetensorError in kinds:
        return f"The weights of {name} are cut off or damaged ({error}): restore them, or train the model again."
    first = str(error).strip().partition("\n")[0] or type(error).__name__
    return f"The model {name} cannot be loaded: {first.rstrip('.')}. Check the name, or choose another model."


def _exception_types(error: BaseException | None) -> set[type[BaseException]]:
    kinds: set[type[BaseException]] = set()
    while error is not None:
        kinds.update(type(error).__mro__)
        error = error.__cause__ or error.__context__
    return kinds
