"""Procedures, compiled: rolls, exact answers, and the questions that people ask of them."""
