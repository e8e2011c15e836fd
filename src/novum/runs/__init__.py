"""Durable runs: started, followed, stopped and resumed, the same from every interface."""
