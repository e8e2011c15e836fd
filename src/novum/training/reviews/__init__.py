"""Training data for reviewer models from real peer reviews: read, put on one scale, split by time, written as tasks.

`readers` turn files of any known layout into raw papers, `gathering` selects usable ones, `annotation` lets a model
write ideas without their results, `tasks` writes the four tasks, and `building` makes the folder of the data set.
"""
