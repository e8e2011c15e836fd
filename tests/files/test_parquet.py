"""A Parquet file in which a value is repeated takes no more memory than a table of texts may."""

from __future__ import annotations

import pytest

from novum.errors import BadInput
from novum.files.tables import parquet_rows

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def test_rows_are_read_in_their_order_and_only_the_columns_wanted(tmp_path):
    rows = [{"idea": f"idea {number}", "other": number} for number in range(100)]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "rows.parquet")
    assert list(parquet_rows(tmp_path / "rows.parquet")) == rows
    assert list(parquet_rows(tmp_path / "rows.parquet", {"idea"}.__contains__)) == [{"idea": r["idea"]} for r in rows]


@pytest.mark.parametrize("as_dictionary", [True, False])
def test_a_value_repeated_without_end_is_given_up(tmp_path, as_dictionary):
    repeated = arrow.DictionaryArray.from_arrays(arrow.array([0] * 3000, arrow.int32()), arrow.array(["x" * 10**6]))
    table = arrow.table({"idea": repeated})
    schema = table.schema if as_dictionary else arrow.schema([("idea", arrow.string())])
    parquet.write_table(
        table.cast(schema) if as_dictionary else table.slice(0, 300).cast(schema), tmp_path / "b.parquet"
    )
    with pytest.raises(BadInput, match="unpacks to over fifty times its size"):
        for _ in parquet_rows(tmp_path / "b.parquet"):
            pass
