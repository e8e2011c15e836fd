"""Tables of the last year that every search needs, stored with the map, since computing them takes seconds."""

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
from novum.opportunities.specificity import specificity_beside

_PARTS = ("data", "indices", "indptr")
_TABLES = ("joint", "recent", "surprise", "surprising", "cited")


@dataclass(frozen=True, eq=False)
class PreparedTables:
    """`tables` by name, `alone` and `density` as in the features, and `specificity` of each concept's neighbours, in
    nats."""

    tables: Mapping[str, Table]
    alone: Floats
    density: Floats
    specificity: Floats

    def lay_out_snapshot(self, snapshot: Snapshot) -> None:
        """What is asked of it is then answered from these: a cached property looks into its object first."""
        vars(snapshot).update({name: self.tables[name] for name in ("joint", "recent")})

    def lay_out(self, features: PairFeatures) -> None:
        """The same of features."""
        vars(features)["alone"] = self.alone
        vars(features.position)["density"] = self.density
        vars(features.neighbourhood)["surprising"] = self.tables["surprising"]
        vars(features.overlap)["cited"] = self.tables["cited"]


def write_prepared_tables(build: BuildFolder, features: PairFeatures) -> None:
    """Of the last year."""
    snapshot = features.snapshot
    neighbourhood = (surprise(snapshot), features.neighbourhood.surprising)
    result = (snapshot.joint, snapshot.recent, *neighbourhood, features.overlap.cited)
    for name, table in zip(_TABLES, result, strict=True):
        table.sort_indices()
        build.columns(name, {part: getattr(table, part) for part in _PARTS})
    alone, density = features.alone, features.position.density
    build.columns("single", {"alone": alone, "density": density, "specificity": specificity_beside(snapshot.joint)})


def read_prepared_tables(inside: Path, concepts: int, papers: int) -> PreparedTables:
    """Mapped. Raises OSError or ValueError where it is damaged."""
    single = columns(inside / "single", ("alone", "density", "specificity"))
    alone, density, specificity = single["alone"], single["density"], single["specificity"]
    shapes = (alone.shape, density.shape, specificity.shape)
    if shapes != ((concepts, len(SINGLE_COLUMNS)), (len(density),) * 2, (concepts,)):
        raise ValueError("what is known of single concepts is damaged")
    widths = {"cited": max(papers, 1)}
    tables = {name: _table(inside / name, concepts, widths.get(name, concepts)) for name in _TABLES}
    return PreparedTables(tables, alone, density, specificity)


def _table(folder: Path, rows: int, width: int) -> Table:
    parts: dict[str, NDArray[np.generic]] = columns(folder, _PARTS)
    result = csr(tuple(np.asarray(parts[part]) for part in _PARTS), shape=(rows, width))
    result.check_format(full_check=True)
    return result
