"""Weights of models that are trained here: loading the base, and using the result.

`base` loads the model that training starts from, `merging` exports an adapter as a complete model, `registering` makes
it available as `judge:NAME` or `local:NAME`, and `serving` gives the commands to serve it.
"""
