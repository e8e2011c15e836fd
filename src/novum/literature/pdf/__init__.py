"""PDFs as papers: text in the order in which a person reads it, its parts, and what it cites.

The doors are in `folder`: `read_pdfs` and `import_pdfs`. They are not brought up here, since each child process that
reads PDFs would have to load with them what only the parent needs.
"""

from novum.literature.pdf.document import PdfDocument, entry_of
from novum.literature.pdf.limits import Limits
from novum.literature.pdf.references import CitedWork
from novum.literature.pdf.structure import Section

__all__ = ["CitedWork", "Limits", "PdfDocument", "Section", "entry_of"]
