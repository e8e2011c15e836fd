"""Generators of ideas, one file each."""

from novum.methods.method import Method, MethodOptions, get_method, method, method_names

__all__ = ["Method", "MethodOptions", "get_method", "method", "method_names"]
