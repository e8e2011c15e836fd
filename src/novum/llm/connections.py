"""Connections to models: one HTTP session for all, one endpoint per model, the offline model started at first use."""

from __future__ import annotations

import asyncio
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from novum.credentials.redaction import register_secrets
from novum.errors import BadInput, ModelRefusedUs
from novum.extras import missing_extra
from novum.http.client import HttpClient
from novum.llm.endpoint import Endpoint
from novum.llm.limits import Limiter
from novum.llm.providers import KEYLESS, TRAINED, ModelName
from novum.llm.server import Server
from novum.llm.settings import ModelSettings

if TYPE_CHECKING:
    from novum.llm.offline import LocalServer


class Connections:
    """Opened once per process and event loop; `close` ends everything it started."""

    def __init__(self, settings: ModelSettings, models_folder: Path) -> None:
        register_secrets(*settings.keys.values())
        self._settings = settings
        self._models_folder = models_folder
        self.http = HttpClient()
        self._endpoints: dict[ModelName, Endpoint] = {}
        self._local: dict[str, LocalServer] = {}
        self._weights: dict[str, str] = {}
        self._starting = threading.Lock()

    @property
    def deadline(self) -> float:
        """Seconds that a call may take with all its tries."""
        return self._settings.calls.deadline_seconds

    async def endpoint(self, model: ModelName) -> Endpoint:
        """The endpoint of a model. Raises ModelRefusedUs when its key is missing, BadInput when it is not installed."""
        known = self._endpoints.get(model)
        if known is None:
            server = await self._server(model)
            known = self._endpoints.setdefault(
                model,
                Endpoint(
                    server,
                    self.http,
                    Limiter(self._settings.limits_for(model)),
                    stall_seconds=self._settings.calls.stall_seconds,
                ),
            )
        return known

    def weights_of(self, model: ModelName) -> str:
        """The hash of the weights that a trained model's name stands for as long as this is open; of others nothing."""
        if model.provider.name not in TRAINED or model.base_url:
            return ""
        if model.model not in self._weights:
            from novum.llm.offline.trained import hash_of

            self._weights[model.model] = hash_of(model.model, self._models_folder)
        return self._weights[model.model]

    async def close(self) -> None:
        """Closes connections and ends the offline model."""
        await self.http.close()
        for server in self._local.values():
            server.close()
        self._local.clear()
        self._endpoints.clear()

    async def _server(self, model: ModelName) -> Server:
        provider = model.provider
        if provider.name == "offline" or (provider.name in TRAINED and not model.base_url):
            return Server(model, await asyncio.to_thread(self._start_local, model), "", "")
        key = next((self._settings.keys[name] for name in provider.key_names if self._settings.keys.get(name)), "")
        key_name = provider.key_names[0] if provider.key_names else ""
        if not key and key_name and provider.name not in KEYLESS and not model.base_url:
            raise ModelRefusedUs(
                f"{model.short} needs a key, and {' or '.join(provider.key_names)} is not set. Set it, or use "
                "another model (`novum models list`)."
            )
        return Server(model, model.base_url or provider.base_url, key, key_name)

    def _start_local(self, model: ModelName) -> str:
        from novum.llm.offline import LocalServer, locate_model  # most runs never need it
        from novum.llm.offline.trained import locate_trained

        trained = model.provider.name in TRAINED
        if not trained:
            _need_runtime(model)
        with self._starting:
            if model.short not in self._local:
                folder = self._models_folder
                weights = (
                    locate_trained(model.model, folder, model.provider.name)
                    if trained
                    else locate_model(model.model, folder)
                )
                if isinstance(weights, Path):
                    _need_runtime(model)
                server = LocalServer(weights)
                server.start()
                self._local[model.short] = server
            return self._local[model.short].base_url


def _need_runtime(model: ModelName) -> None:
    if find_spec("xllamacpp") is None:
        more = f", then `novum models install {model.model}`" if model.provider.name == "offline" else ""
        raise BadInput(
            f"{missing_extra('offline', 'xllamacpp', what=f'{model.short} runs on this machine and').rstrip('.')}"
            f"{more}. Or use a provider: set its key (`novum models list`)."
        )
