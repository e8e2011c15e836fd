"""From target papers to records of next-idea prediction: targets, references, leaks, splits, files, card."""
