"""Work that goes on beside the pages: processes that carry out runs and imports, and the streams that follow them."""
