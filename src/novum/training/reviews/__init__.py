"""Real peer reviews made into what a reviewer model learns from: read, put on one scale, split by time, set as tasks.

`readers` turn files of any known layout into raw papers, `gathering` keeps those that can be used, `annotation` has a
model write ideas without their results, `tasks` sets the four tasks, `building` does it all into one folder.
"""
