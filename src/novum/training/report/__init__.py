"""The report of a training of a reviewer model: learning curves beside the untrained base, and how it was trained."""
