"""Services that papers come from, one file each, found by name. Requests are sent by `SourceClient`."""

from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, SourceKey, key_of, sources

__all__ = ["Page", "RateLimits", "Request", "Search", "Source", "SourceKey", "key_of", "sources"]
