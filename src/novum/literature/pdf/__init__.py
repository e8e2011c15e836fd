"""PDFs as papers: text in reading order, its parts, and what it cites.

The doors are in `folder`: `read_pdfs` and `import_pdfs`. They are not brought up here, since each child process that
reads PDFs would have to load with them what only the parent needs.
"""

from novum.literature.pdf.document import PdfDocument, entry_of
from novum.literature.pdf.limits import PdfLimits
from novum.literature.pdf.references import CitedWork
from novum.literature.pdf.structure import PdfSection

__all__ = ["CitedWork", "PdfDocument", "PdfLimits", "PdfSection", "entry_of"]
