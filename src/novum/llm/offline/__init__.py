"""A small real model on the user's own machine: what can be installed, where it lies, and the server that runs it."""

from novum.llm.offline.catalogue import CATALOGUE, DEFAULT_MODEL, ENCODER, ENCODERS, Installable
from novum.llm.offline.prose import plain_prose
from novum.llm.offline.receipt import Receipt, converted_folder
from novum.llm.offline.runtime import LocalServer
from novum.llm.offline.store import check_name, install, installed_models, locate_model, register, remove

__all__ = [
    "CATALOGUE",
    "DEFAULT_MODEL",
    "ENCODER",
    "ENCODERS",
    "Installable",
    "LocalServer",
    "Receipt",
    "check_name",
    "converted_folder",
    "install",
    "installed_models",
    "locate_model",
    "plain_prose",
    "register",
    "remove",
]
