"""Papers from files. `files` is the door; `readers` turn lines into entries; `opening` gives text whatever the packing.

Nothing is imported here: the sources share the cleaning of this room, and this room shares their readers.
"""
