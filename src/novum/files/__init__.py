"""Reading and writing files: atomic writes, tables (JSONL, CSV, Parquet), arrays with JSON facts, data-set folders."""
