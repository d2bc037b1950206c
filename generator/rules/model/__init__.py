"""The shape of every file of a rule set, as pydantic models."""
