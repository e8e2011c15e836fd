"""Supervised fine-tuning of a reviewer model: an adapter is trained by a recipe, in a separate process.

`conversations` reads a data set, `selection` and `trimming` choose rows and cut them to length, `training` runs the
training, `measuring` and `readout` evaluate it, `job` is the input of the process and `events` its output. Only the
process imports `training`, `trainer`, `measuring`, `losses`, `readout` and `tokens`, which need torch.
"""
