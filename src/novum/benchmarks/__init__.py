"""Protocols that put generators, judges and metrics together, so that others can repeat the measurement."""
