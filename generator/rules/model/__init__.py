"""The shape of every file of a rule set, as pydantic models: one module for each kind of file."""
