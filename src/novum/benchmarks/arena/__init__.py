"""Idea Arena: generators of ideas put against each other, pair by pair, before judges."""
