"""Weights of models that are trained here: the base they start from, and what becomes of them afterwards.

`base` loads what training starts from, `merging` exports an adapter as a model of its own, `registering` gives it the
name by which it is asked, `serving` says how others serve it.
"""
