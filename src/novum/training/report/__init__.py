"""A training of a reviewer model, to be read: both curves beside the untrained base, and how it was made."""
