"""Tests of next-idea prediction."""
