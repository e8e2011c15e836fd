"""Tables of the last year that every search needs. They are stored with the map, since computing them takes seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats
from novum.opportunities.features.neighbourhood import surprise
from novum.opportunities.features.single import SINGLE_COLUMNS
from novum.opportunities.features.table import PairFeatures
from novum.opportunities.folder import BuildFolder, columns
from novum.opportunities.snapshot import Snapshot
from novum.opportunities.sparse import Table, csr
from novum.opportunities.specificity import specificity_of_joint

_PARTS = ("data", "indices", "indptr")
_TABLES = ("joint", "recent", "surprise", "surprising", "cited")


@dataclass(frozen=True, eq=False)
class PreparedTables:
    """`tables`: sparse tables by name; `single`, `density`: as in `PairFeatures`; `specificity`: of the neighbours of
    each concept, in nats, shape (concepts,)."""

    tables: Mapping[str, Table]
    single: Floats
    density: Floats
    specificity: Floats

    def fill_snapshot(self, snapshot: Snapshot) -> None:
        """Sets cached properties of a snapshot, which are then not computed."""
        vars(snapshot).update({name: self.tables[name] for name in ("joint", "recent")})

    def fill(self, features: PairFeatures) -> None:
        """Sets cached properties of features."""
        vars(features)["single"] = self.single
        vars(features.position)["density"] = self.density
        vars(features.neighbourhood)["surprising"] = self.tables["surprising"]
        vars(features.overlap)["cited"] = self.tables["cited"]


def write_prepared_tables(build: BuildFolder, features: PairFeatures) -> None:
    """Computes the tables from the features of the last year and writes them."""
    snapshot, neighbourhood = features.snapshot, features.neighbourhood
    tables = (snapshot.joint, snapshot.recent, surprise(snapshot), neighbourhood.surprising, features.overlap.cited)
    for name, table in zip(_TABLES, tables, strict=True):
        table.sort_indices()
        build.columns(name, {part: getattr(table, part) for part in _PARTS})
    single, density = features.single, features.position.density
    build.columns("single", {"alone": single, "density": density, "specificity": specificity_of_joint(snapshot.joint)})


def read_prepared_tables(inside: Path, concepts: int, papers: int) -> PreparedTables:
    """The tables, memory-mapped. Raises OSError or ValueError where they are damaged."""
    names = ("alone", "density", "specificity")
    stored = columns(inside / "single", names)
    single, density, specificity = (stored[name] for name in names)
    shapes = (single.shape, density.shape, specificity.shape)
    if shapes != ((concepts, len(SINGLE_COLUMNS)), (len(density),) * 2, (concepts,)):
        raise ValueError("the features of single concepts are damaged")
    widths = {"cited": max(papers, 1)}
    tables = {name: _table(inside / name, concepts, widths.get(name, concepts)) for name in _TABLES}
    return PreparedTables(tables, single, density, specificity)


def _table(folder: Path, rows: int, width: int) -> Table:
    parts: dict[str, NDArray[np.generic]] = columns(folder, _PARTS)
    result = csr(tuple(np.asarray(parts[part]) for part in _PARTS), shape=(rows, width))
    result.check_format(full_check=True)
    return result
