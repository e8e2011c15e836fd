"""What calls cost: from the tables where they know, nothing for the user's own machine, unknown otherwise."""

from __future__ import annotations

import pytest

from novum.llm import PROVIDERS, ModelName, Price, PriceTable

TARIFF = PriceTable({"server:mine": Price(input_per_million=1.0, output_per_million=2.0)})


@pytest.mark.parametrize(
    ("model", "usd"),
    [
        ("openai:gpt-4o", 0.0125),  # $2.50 and $10 a million
        ("server:mine@http://127.0.0.1:1/v1", 0.003),
        ("offline:smollm2-135m", 0.0),
        ("ollama:llama3.3", 0.0),
        ("openai:no-such-model", None),
        ("openai:gpt-4o@https://proxy.example/v1", None),  # somebody else's server, somebody else's price
    ],
)
def test_a_thousand_tokens_each_way_have_a_price_or_none(model, usd):
    assert TARIFF.usd(ModelName.parse(model), 1000, 1000) == (pytest.approx(usd) if usd is not None else None)


def test_tokens_that_were_not_told_have_no_price():
    assert TARIFF.usd(ModelName.parse("openai:gpt-4o"), None, 10) is None


def test_a_known_model_has_a_footprint_that_grows_with_its_answer():
    model = ModelName.parse("openai:gpt-4o-mini")
    short, long = TARIFF.footprint(model, 100, 1.0), TARIFF.footprint(model, 1000, 1.0)
    assert 0 < short.energy_kwh < long.energy_kwh
    assert 0 < short.co2_kg < long.co2_kg


@pytest.mark.parametrize("provider", [name for name, each in PROVIDERS.items() if each.footprint_as])
def test_the_usual_models_of_a_provider_have_price_and_footprint_where_its_tables_are_named(provider):
    model = ModelName.parse(provider)
    assert TARIFF.usd(model, 1000, 1000) is None or TARIFF.usd(model, 1000, 1000) > 0
    footprint = TARIFF.footprint(model, 1000, 1.0)
    assert footprint is None or footprint.co2_kg > 0


@pytest.mark.parametrize("model", ["openai:no-such-model", "groq:openai/gpt-oss-120b", "offline:smollm2-135m"])
def test_a_footprint_that_nobody_can_state_is_unknown(model):
    assert TARIFF.footprint(ModelName.parse(model), 100, 1.0) is None
