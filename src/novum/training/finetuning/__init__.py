"""A reviewer model trained by its recipe: supervised fine-tuning of an adapter, in a process of its own.

`review_set` reads a data set, `selection` and `trimming` say which rows are learnt from and how much of each,
`training` carries it out, `measuring` and `readout` say how good it is, `job` is what the process is told and `events`
what it tells. `training`, `trainer`, `measuring`, `losses`, `readout` and `tokens` need torch or its kin: only the
process opens them.
"""
