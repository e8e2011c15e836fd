"""The client of literature services: pace, budgets, retries, stored responses."""
