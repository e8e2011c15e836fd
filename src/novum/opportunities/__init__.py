"""Opportunities: concepts of a library over time, and a forecast of which pairs papers will link next. No language
model is used."""
