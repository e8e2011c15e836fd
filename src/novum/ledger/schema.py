"""Tables of the ledger, the same in SQLite and PostgreSQL."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

SCHEMA_VERSION = 1

metadata = MetaData()
_Number = BigInteger().with_variant(Integer, "sqlite")
"""SQLite gives row numbers to INTEGER primary keys only."""

about = Table(
    "novum_about", metadata, Column("name", String(64), primary_key=True), Column("value", Text, nullable=False)
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("kind", String(40), nullable=False),
    Column("title", Text, nullable=False),
    Column("params", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("reason", Text, nullable=False, default=""),
    Column("started", Float, nullable=False),
    Column("updated", Float, nullable=False),
    Column("seconds", Float, nullable=False, default=0.0),
    Column("host", String(255), nullable=False, default=""),
    Column("pid", Integer, nullable=False, default=0),
    Column("result", Text, nullable=False, default=""),
    Column("number", BigInteger),
    Column("checksum", String(16)),
    Column("result_checksum", String(16)),
)

calls = Table(
    "calls",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("key", String(40), nullable=False),
    Column("run_id", String(80), nullable=False),
    Column("prompt", String(80), nullable=False),
    Column("prompt_version", Integer, nullable=False),
    Column("prompt_digest", String(32), nullable=False),
    Column("model", Text, nullable=False),
    Column("sample", Integer, nullable=False),
    Column("settings", Text, nullable=False),
    Column("messages", Text, nullable=False),
    Column("returns", String(80), nullable=False),
    Column("answer", Text, nullable=False),
    Column("reasoning", Text, nullable=False),
    Column("finish", String(40), nullable=False),
    Column("refusal", Text, nullable=False),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("usd", Float),
    Column("energy_kwh", Float),
    Column("co2_kg", Float),
    Column("seconds", Float, nullable=False),
    Column("step", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("token_probability", Float),
    Column("checksum", String(16)),
    Index("calls_by_key", "key"),
    Index("calls_by_run", "run_id"),
)

FIRST_TABLES = ("novum_about", "runs", "calls", "uses", "events")
"""Tables that every ledger has had."""

uses = Table(  # which run used which answer, whoever paid for it
    "uses",
    metadata,
    Column("run_id", String(80), primary_key=True),
    Column("key", String(40), primary_key=True),
)

events = Table(
    "events",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("run_id", String(80), ForeignKey("runs.id"), nullable=False),
    Column("at", Float, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("step", Text, nullable=False),
    Column("data", Text, nullable=False),
    Index("events_by_run", "run_id", "number"),
)

workers = Table(  # the processes that work with the ledger
    "workers",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("machine", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("birth", String(32), nullable=False),
    Column("expires", Float, nullable=False),
    Column("batch", BigInteger, nullable=False),
    Column("uptime", Float),
)

claims = Table(  # the process that works on a question, or has worked on it
    "claims",
    metadata,
    Column("name", String(160), primary_key=True),
    Column("run_id", String(80), nullable=False),
    Column("worker", String(32), nullable=False),
)

accounts = Table(  # what the requests of a run cost, by process
    "accounts",
    metadata,
    Column("run_id", String(80), primary_key=True),
    Column("worker", String(32), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("calls", BigInteger, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("usd", Float, nullable=False),
)

ADDED = (
    calls.c.token_probability, calls.c.checksum, runs.c.number, runs.c.checksum, runs.c.result_checksum,
    workers.c.uptime,
)  # fmt: skip
"""Columns that a ledger of this version may lack: they are added when it is opened. They may be empty and nothing else
depends on them, so that an older Novum goes on reading and writing the same ledger."""
