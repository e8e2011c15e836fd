"""Statements with many rows or many values, in the form that is fastest in each database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, cast

from sqlalchemy import Column, ColumnElement, Connection, Dialect, String, Table, Text, any_, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY

from novum.literature.store.storable import is_storable

Row = tuple[object, ...]


def put(connection: Connection, table: Table, rows: Sequence[Row]) -> int:
    """Inserts rows, whose values are in the order of the table's columns; rows whose key exists are skipped.

    Returns how many were new.
    """
    if not rows:
        return 0
    if connection.dialect.name == "postgresql":
        columns = [list(column) for column in zip(*rows, strict=True)]
        return connection.exec_driver_sql(_unnested(table, connection.dialect), tuple(columns)).rowcount
    return connection.exec_driver_sql(_plain(table), list(rows)).rowcount


@cache
def _plain(table: Table) -> str:
    places = ", ".join("?" * len(table.columns))
    return f"INSERT OR IGNORE INTO {table.name} VALUES ({places})"  # noqa: S608  our own table's name


@cache
def _unnested(table: Table, dialect: Dialect) -> str:
    """PostgreSQL takes a column at a time: one statement of constant size for any number of rows."""
    arrays = ", ".join(f"%b::{column.type.compile(dialect)}[]" for column in table.columns)
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    return f"INSERT INTO {table.name} ({names}) SELECT * FROM unnest({arrays}) ON CONFLICT DO NOTHING"  # noqa: S608


def among(connection: Connection, column: Column[Any], values: Iterable[object]) -> ColumnElement[bool]:
    """The condition that `column` is one of `values`, which are one parameter: the statement is the same for every
    batch, and is compiled and planned once."""
    distinct = list(dict.fromkeys(values))
    if connection.dialect.name == "postgresql":
        return column == any_(bindparam(None, _storable(distinct), type_=_array_of(column), unique=True))
    parameter = json.dumps(distinct)
    if _NUL in parameter:  # SQLite would take what stands before it for the whole
        parameter = json.dumps(_storable(distinct))
    listed = text(f"{column} IN (SELECT value FROM json_each(:given))")  # noqa: S608  our own column's name
    return cast("ColumnElement[bool]", listed.bindparams(bindparam("given", parameter, unique=True)))


_NUL = "\\u0000"


def _array_of(column: Column[Any]) -> ARRAY[Any]:
    """Not of `VARCHAR(n)`, which would cut values to that length: too long ones would be found by their beginnings."""
    return ARRAY(Text() if isinstance(column.type, String) else column.type)


def _storable(values: list[object]) -> list[object]:
    """PostgreSQL cannot store or compare text with NULs or lone surrogates."""
    return [value for value in values if not isinstance(value, str) or is_storable(value)]
