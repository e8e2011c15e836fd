"""Papers without models: the library with its search, import and export."""

from novum.literature.coverage import Coverage, coverage_of
from novum.literature.embedding import Embedder, StaticEmbedder
from novum.literature.entry import Entry, ImportReport, Reference, Reject
from novum.literature.exporting import FORMS as EXPORT_FORMS
from novum.literature.exporting import export
from novum.literature.filters import Filters
from novum.literature.hit import Hit
from novum.literature.importing.files import import_file, read_file
from novum.literature.library import Library
from novum.literature.paper_library import PaperLibrary
from novum.literature.search.ranking.evidence import Citations
from novum.literature.search.ranking.growth import KeywordGrowth, KeywordTrend
from novum.literature.search.ranking.neighbourhood import CitedNearby
from novum.literature.starter import install_starter, starter_entries
from novum.literature.stats import LibrarySize, LibraryStats

__all__ = [
    "EXPORT_FORMS",
    "Citations",
    "CitedNearby",
    "Coverage",
    "Embedder",
    "Entry",
    "Filters",
    "Hit",
    "ImportReport",
    "KeywordGrowth",
    "KeywordTrend",
    "Library",
    "LibrarySize",
    "LibraryStats",
    "PaperLibrary",
    "Reference",
    "Reject",
    "StaticEmbedder",
    "coverage_of",
    "export",
    "import_file",
    "install_starter",
    "read_file",
    "starter_entries",
]
