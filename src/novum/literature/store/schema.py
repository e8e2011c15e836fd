"""The tables of a library.

Every written row carries a change number that only grows; it is how derived indexes see what they have missed. The
numbers are given out under a lock that is held until the commit, so that they become visible in order.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, String, Table, Text

SCHEMA_VERSION = 1

metadata = MetaData()

facts = Table(
    "library_facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
    comment="what the library is: format, schema version, embedder",
)

counters = Table(
    "library_counters",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", BigInteger, nullable=False),
    comment="`change`: the last change number; `paper`: the last row number; `waiting`: rows of waiting_references. "
    "Locked by whoever writes",
)

papers = Table(
    "papers",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("paper_id", String(32), nullable=False),
    Column("title", Text, nullable=False),
    Column("title_key", BigInteger, nullable=False, index=True),
    Column("authors", Text, nullable=False, comment="JSON list"),
    Column("year", Integer),
    Column("date", String(10), comment="ISO 8601"),
    Column("public_by", Integer, comment="proleptic ordinal of the day by which it was certainly public"),
    Column("venue", Text, nullable=False),
    Column("ids", Text, nullable=False, comment="JSON object"),
    Column("abstract", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("fields", Text, nullable=False, comment="JSON list"),
    Column("citation_count", BigInteger),
    Column("change", BigInteger, nullable=False, index=True),
)

names = Table(
    "paper_names",
    metadata,
    Column("scheme", String(16), primary_key=True),
    Column("value", String(512), primary_key=True),
    Column("number", BigInteger, nullable=False, index=True),
    comment="everything a paper is called: registries' ids, its own present and former ids (`paper`), sources' keys",
    sqlite_with_rowid=False,
)

citations = Table(
    "citations",
    metadata,
    Column("citing", BigInteger, primary_key=True),
    Column("cited", BigInteger, primary_key=True),
    Index("citations_of", "cited", "citing"),
    sqlite_with_rowid=False,
)

waiting = Table(
    "waiting_references",
    metadata,
    Column("scheme", String(16), primary_key=True),
    Column("value", String(1024), primary_key=True),
    Column("citing", BigInteger, primary_key=True),
    Index("waiting_of", "citing"),
    comment="references to papers that are not here yet",
    sqlite_with_rowid=False,
)

full_texts = Table(
    "full_texts",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)

vectors = Table(
    "vectors",
    metadata,
    Column("embedder", String(128), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("vector", LargeBinary, nullable=False, comment="raw, half precision, little-endian"),
    Column("change", BigInteger, nullable=False, index=True),
    sqlite_with_rowid=False,
)

removed = Table(
    "removed_papers",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("change", BigInteger, nullable=False, index=True),
    comment="rows that turned out to be the same paper as another",
)
