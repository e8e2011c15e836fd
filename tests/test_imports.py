"""No two files import each other, directly or through others."""

from __future__ import annotations

from graphlib import TopologicalSorter

import grimp


def test_imports_have_no_cycle():
    graph = grimp.build_graph("novum", include_external_packages=False, cache_dir=None)
    # The front of the package hands on names of `novum.api`, only when somebody asks for them.
    graph.remove_import(importer="novum", imported="novum.api")
    TopologicalSorter({each: graph.find_modules_directly_imported_by(each) for each in graph.modules}).prepare()
