"""The report of a training: learning curves, compared with the untrained base, and how the model was trained."""
