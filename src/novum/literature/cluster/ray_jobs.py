"""Applying a job to many items with Ray, which replaces a worker that dies and repeats its part."""

from __future__ import annotations

import importlib
import logging
import os
import pickle
import secrets
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from novum.errors import LibraryError, NovumError
from novum.extras import missing_extra
from novum.literature.cluster.apply import Apply, apply_locally

Item = TypeVar("Item")
Result = TypeVar("Result")

LOCAL = "local"
_ITEMS_PER_CPU = 4
"""In one Ray Data job: enough that no worker waits for the slowest one long, few enough to fit into memory."""
_ANSWERING = 10
"""Seconds for a cluster to answer."""
_LAST_PORT = 65535
_STORE = 256 << 20
"""Bytes of shared memory for a Ray of our own; what passes through it is a few megabytes at a time."""


@contextmanager
def workers(address: str | None, *, cpus: int | None = None) -> Iterator[Apply]:
    """The means to apply a job: the Ray cluster at `address` (`host:port`, `auto`), a Ray of this machine
    alone (`local`, with `cpus` workers), or without an address this process.

    Novum must be installed on every machine of a cluster, in the same version. Raises LibraryError when Ray is not
    installed or does not answer.
    """
    if address is None:
        yield apply_locally
        return
    ray = _ray(of_our_own=address == LOCAL)
    folder = tempfile.mkdtemp(prefix="novum-ray-") if address == LOCAL else None  # a short path, since it holds sockets
    try:
        yield partial(_apply, _connect(ray, address, cpus, folder))
    finally:
        ray.shutdown()
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def _ray(*, of_our_own: bool) -> Any:
    """Ray, silent: no usage statistics, and for one of our own a token that is never written to the user's home."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns of what will change one day
    if of_our_own:
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    try:
        ray = importlib.import_module("ray")
        importlib.import_module("ray.data")
    except ModuleNotFoundError as error:
        raise LibraryError(missing_extra("ray", error.name or "ray", what="Work on a Ray cluster")) from error
    return ray


def _connect(ray: Any, address: str, cpus: int | None, folder: str | None) -> Any:
    options: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address == LOCAL:
        options |= {"num_cpus": cpus, "include_dashboard": False, "object_store_memory": _STORE, "_temp_dir": folder}
    try:
        _check_reachable(address)
        ray.init(address, **options)
    except (ConnectionError, RuntimeError, ValueError, OSError, ray.exceptions.RayError) as error:
        raise LibraryError(
            f"The Ray cluster at {address} cannot be used ({_first_line(error)}): start it by `ray start --head`, "
            "check the address, or give `local`."
        ) from error
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # what goes wrong is raised
    return ray


def _check_reachable(address: str) -> None:
    """Raises OSError. Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        if int(port[:6]) > _LAST_PORT:
            raise ValueError(f"there is no port {port[:6]}")
        socket.create_connection((host, int(port)), timeout=_ANSWERING).close()


def _apply(ray: Any, job: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
    """While one part is worked on, the next is read, and the results of the one before are used."""
    _check_travels(ray, job)
    size = max(8, _ITEMS_PER_CPU * int(ray.cluster_resources().get("CPU", 1)))
    items = iter(items)
    with ThreadPoolExecutor(1) as ahead:
        working: Future[list[Result]] | None = None
        while part := list(islice(items, size)):
            next_one = ahead.submit(_run_part, ray, job, part)
            if working:
                yield from working.result()
            working = next_one
        if working:
            yield from working.result()


def _run_part(ray: Any, job: Callable[[Item], Result], part: Sequence[Item]) -> list[Result]:
    """One Ray Data job. Rows carry pickled items, so that nothing is lost on the way through tables."""
    rows = [{"place": place, "item": pickle.dumps(item)} for place, item in enumerate(part)]
    try:
        data = ray.data.from_items(rows, override_num_blocks=len(rows)).map(partial(_run_one, job))
        done = sorted(data.take_all(), key=lambda row: row["place"])
    except ray.exceptions.RayError as error:
        raise LibraryError(
            f"A job on the Ray cluster failed ({_reason(error)}): run this again; what was committed is kept."
        ) from error
    results = [pickle.loads(row["result"]) for row in done]  # noqa: S301  our own workers' words
    for result in results:
        if isinstance(result, NovumError):
            raise result
    return results


def _reason(error: BaseException) -> str:
    """The last line of the worker's traceback, which Ray puts first in its message."""
    first = str(error).strip().partition("\n\n")[0]
    return (first.splitlines() or [type(error).__name__])[-1][:300]


def _run_one(job: Callable[[Any], Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """The function that a worker runs. An error for the user is a result, to be raised in the calling program."""
    item = pickle.loads(row["item"])  # noqa: S301  written by `_done`
    try:
        result = job(item)
    except NovumError as error:
        result = error
    return {"place": row["place"], "result": pickle.dumps(result)}


def _check_travels(ray: Any, job: Callable[..., object]) -> None:
    try:
        ray.cloudpickle.dumps(job)
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        raise LibraryError(
            f"This work cannot be sent to a Ray cluster ({_first_line(error)}): do it on this machine, without `--ray`."
        ) from error


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)[:300]
