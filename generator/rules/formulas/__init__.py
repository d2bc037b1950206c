"""Formulas in rule data: Python's expression syntax, a short whitelist of it, exact numbers only."""
