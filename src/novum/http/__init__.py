"""HTTP: one kind of client session for model servers, literature services and GROBID; proxies; `Retry-After`."""
