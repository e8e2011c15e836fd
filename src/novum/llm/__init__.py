"""Asking models: one door, typed answers, nothing paid for twice."""

from novum.llm.budget import Budget, BudgetGuard
from novum.llm.conduct import Protocol, conduct
from novum.llm.connections import Connections
from novum.llm.limits import Limits
from novum.llm.models import Models
from novum.llm.prices import Price, PriceTable
from novum.llm.providers import KEYLESS, PROVIDERS, ModelName, Provider
from novum.llm.question import Question, TypedAnswer
from novum.llm.schema import Answer, label, labels, listed, one_each, prose
from novum.llm.settings import CallSettings, ModelRoles, ModelSettings, Role

__all__ = [
    "KEYLESS",
    "PROVIDERS",
    "Answer",
    "Budget",
    "BudgetGuard",
    "CallSettings",
    "Connections",
    "Limits",
    "ModelName",
    "ModelRoles",
    "ModelSettings",
    "Models",
    "Price",
    "PriceTable",
    "Protocol",
    "Provider",
    "Question",
    "Role",
    "TypedAnswer",
    "conduct",
    "label",
    "labels",
    "listed",
    "one_each",
    "prose",
]
