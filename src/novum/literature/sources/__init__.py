"""Where papers come from: one file a service, found by its name. Fetching is one thing, reading an answer another."""

from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, sources

__all__ = ["Page", "RateLimits", "Request", "Search", "Source", "sources"]
