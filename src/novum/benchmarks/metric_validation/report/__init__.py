"""Whether metrics mean anything, to be read: how each goes with what became of real papers, beside plain baselines."""
