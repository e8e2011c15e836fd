"""Vector search by the PostgreSQL server (extension pgvector), for all machines of a team.

A table holds the whitened unit vectors in half precision, with an HNSW index. Like every index it is derived from the
rows: it is true up to a change number, and the first machine that searches updates it. When the library has doubled
since its whitening was fitted, the next generation of the table is built. The generation before is kept until then, for
machines that are still searching it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from sqlalchemy import Connection, select, text

from novum.errors import LibraryError
from novum.literature.search.catalogue import Numbers
from novum.literature.search.whitening import PAGE, Vectors, Whitening, pages, sample
from novum.literature.store import vector_rows
from novum.literature.store.database import Database
from novum.literature.store.schema import removed

_LOCK = 0x6E6F76756E
"""Number of the lock that is held while the table is updated."""
_NARROW = 0.05
"""Below this share of allowed papers each one is compared: the index would discard most of its results."""
_MOST_INDEXED = 4000
"""Maximum number of dimensions of an HNSW index."""
_WIDTH = 200
"""Number of candidates of a search of the index: more are slower and find more."""
_WIDEST = 1000


class _State(NamedTuple):
    """The state of the table. `dimensions` of 0: it was never built."""

    generation: int = 0
    embedder: str = ""
    dimensions: int = 0
    change: int = -1
    trained: int = 0
    total: int = 0

    @property
    def table(self) -> str:
        """Its name."""
        return _table(self.generation)


def _table(generation: int) -> str:
    return f"unit_vectors_{max(generation, 0)}"


_STATE = ", ".join(_State._fields)


class PgVectors:
    """The table on the server, and the whitening that its vectors went through. Raises LibraryError."""

    def __init__(self, database: Database, embedder: str, dimensions: int) -> None:
        self._database = database
        self._embedder = embedder
        self._dimensions = dimensions
        self._state = _State()
        self.whitening = Whitening.fit(np.zeros((0, dimensions), np.float32))

    def __len__(self) -> int:
        return self._state.total

    def catch_up(self) -> None:
        """Updates the table from the rows, unless another machine did."""
        self._follow(self._state_on_server())
        now = self._database.last_change()
        if self._state.change >= now:
            return
        with self._locked_transaction() as connection:
            state = _read_state(connection)
            if state.change < now:
                state = self._update(connection, state, now)
        self._follow(state)

    def nearest(self, query: Vectors, k: int, allowed: Numbers | None) -> list[int]:
        """Rows of about the `k` nearest to the whitened unit vector `query`, shape (d,), nearest first."""
        if not self._state.total or (allowed is not None and not len(allowed)):
            return []
        with self._database.snapshot() as connection:
            if allowed is None:
                return self._by_index(connection, query, k)
            share = len(allowed) / self._state.total
            if share >= _NARROW:
                found = self._by_index(connection, query, int(2 * k / share))
                passing = [number for number, fits in zip(found, np.isin(found, allowed), strict=True) if fits]
                if len(passing) >= k:
                    return passing[:k]
            return self._one_by_one(connection, query, k, allowed)

    def units(self, numbers: Iterable[int]) -> dict[int, Vectors]:
        """Whitened unit vectors of those rows that have one, in full precision."""
        with self._database.read() as connection:
            found, raw = vector_rows.read(connection, self._embedder, numbers, self._dimensions)
        return dict(zip(found, self.whitening.apply(raw), strict=True)) if found else {}

    def _by_index(self, connection: Connection, query: Vectors, k: int) -> list[int]:
        connection.execute(text(f"SET LOCAL hnsw.ef_search = {min(max(_WIDTH, 2 * k), _WIDEST)}"))
        connection.execute(text("SET LOCAL hnsw.iterative_scan = strict_order"))
        nearest = text(f"SELECT number FROM {self._state.table} ORDER BY unit <#> CAST(:query AS halfvec) LIMIT :k")  # noqa: S608  a name of ours
        return list(connection.execute(nearest, {"query": _as_text(query), "k": k}).scalars())

    def _one_by_one(self, connection: Connection, query: Vectors, k: int, allowed: Numbers) -> list[int]:
        nearest = text(
            f"WITH allowed AS MATERIALIZED (SELECT number, unit FROM {self._state.table} WHERE number = ANY(:allowed)) "  # noqa: S608
            "SELECT number FROM allowed ORDER BY unit <#> CAST(:query AS halfvec), number LIMIT :k"
        )
        values = {"query": _as_text(query), "k": k, "allowed": allowed.tolist()}
        return list(connection.execute(nearest, values).scalars())

    # Updating

    def _state_on_server(self) -> _State:
        """The state on the server; its tables are created when they are missing."""
        with self._database.read() as connection:
            exists = connection.execute(text("SELECT to_regclass('pgvector_state')")).scalar()
            if exists is not None:
                return _read_state(connection)
        with self._locked_transaction() as connection:
            _make_state(connection, self._database.place)
            return _read_state(connection)

    @contextmanager
    def _locked_transaction(self) -> Iterator[Connection]:
        """Allows one machine at a time; imports need not wait for it."""
        with self._database.derive() as connection:
            connection.execute(text("SET LOCAL lock_timeout = 0"))  # it may be built, which takes its time
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            yield connection

    def _follow(self, state: _State) -> None:
        """Uses the table of `state` from now on."""
        if state.generation != self._state.generation:
            with self._database.snapshot() as connection:
                state = _read_state(connection)
                self.whitening = _read_whitening(connection, state.dimensions)
        self._state = state

    def _update(self, connection: Connection, state: _State, now: int) -> _State:
        fresh = vector_rows.changed_since(connection, self._embedder, state.change)
        if state.embedder != self._embedder or state.total + len(fresh) > 2 * state.trained:
            return self._build(connection, state, now)
        deleted = connection.execute(select(removed.c.number).where(removed.c.change > state.change)).scalars()
        stale = text(f"DELETE FROM {state.table} WHERE number = ANY(:numbers)")  # noqa: S608
        connection.execute(stale, {"numbers": fresh + list(deleted)})
        whitening = _read_whitening(connection, state.dimensions)
        for start in range(0, len(fresh), PAGE):
            numbers, raw = vector_rows.read(connection, self._embedder, fresh[start : start + PAGE], state.dimensions)
            _add(connection, state, numbers, whitening.apply(raw))
        return _keep(connection, state._replace(change=now))

    def _build(self, connection: Connection, before: _State, now: int) -> _State:
        """Builds the next generation of the table from the rows."""
        sampled = sample(self._database, self._embedder, self._dimensions)
        if not len(sampled):
            return _keep(connection, before._replace(change=now))
        whitening, dimensions = Whitening.fit(sampled), sampled.shape[1]
        state = _State(before.generation + 1, self._embedder, dimensions, now)
        columns = f"number bigint PRIMARY KEY, unit halfvec({dimensions}) NOT NULL"
        connection.execute(text(f"DROP TABLE IF EXISTS {_table(before.generation - 1)}"))
        connection.execute(text(f"CREATE TABLE {state.table} ({columns})"))
        for numbers, raw in pages(self._database, self._embedder, dimensions):
            _add(connection, state, numbers, whitening.apply(raw))
        if dimensions <= _MOST_INDEXED:
            connection.execute(text("SET LOCAL maintenance_work_mem = '256MB'"))
            connection.execute(text(f"CREATE INDEX ON {state.table} USING hnsw (unit halfvec_ip_ops)"))
        statement = text("UPDATE pgvector_state SET mean = :mean, basis = :basis")
        connection.execute(statement, {"mean": whitening.mean.tobytes(), "basis": whitening.basis.tobytes()})
        state = _keep(connection, state)
        return _keep(connection, state._replace(trained=state.total))


def _make_state(connection: Connection, place: str) -> None:
    there = connection.execute(text("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")).scalar()
    if not there:
        raise LibraryError(
            f"The server of {place} has no pgvector: install it there, or leave out `vectors=server` from the URL."
        )
    connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
    connection.execute(
        text(
            "CREATE TABLE IF NOT EXISTS pgvector_state (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), "
            "generation bigint, embedder text, dimensions integer, change bigint, trained bigint, total bigint, "
            "mean bytea, basis bytea)"
        )
    )
    fields = ", ".join(f":{name}" for name in _State._fields)
    first = text(f"INSERT INTO pgvector_state ({_STATE}) VALUES ({fields}) ON CONFLICT DO NOTHING")  # noqa: S608
    connection.execute(first, _State()._asdict())


def _read_state(connection: Connection) -> _State:
    return _State(*connection.execute(text(f"SELECT {_STATE} FROM pgvector_state")).one())  # noqa: S608


def _keep(connection: Connection, state: _State) -> _State:
    """Stores the state, with the current number of vectors."""
    if state.generation:
        state = state._replace(total=connection.execute(text(f"SELECT count(*) FROM {state.table}")).scalar_one())  # noqa: S608
    changes = ", ".join(f"{name} = :{name}" for name in _State._fields)
    connection.execute(text(f"UPDATE pgvector_state SET {changes}"), state._asdict())  # noqa: S608
    return state


def _add(connection: Connection, state: _State, numbers: Sequence[int], units: Vectors) -> None:
    rows = text(
        f"INSERT INTO {state.table} SELECT number, unit::halfvec FROM "  # noqa: S608
        "unnest(CAST(:numbers AS bigint[]), CAST(:units AS text[])) AS fresh (number, unit)"
    )
    connection.execute(rows, {"numbers": list(numbers), "units": [_as_text(unit) for unit in units]})


def _as_text(unit: Vectors) -> str:
    """The format of pgvector; five decimals are more than half precision needs."""
    return str(unit.astype(np.float64).round(5).tolist())


def _read_whitening(connection: Connection, dimensions: int) -> Whitening:
    row = connection.execute(text("SELECT mean, basis FROM pgvector_state")).one()
    mean, basis = (np.frombuffer(bytes(packed), np.float32) for packed in (row.mean, row.basis))
    return Whitening(mean, basis.reshape(dimensions, dimensions))
