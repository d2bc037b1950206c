"""Scenarios: read a scenario file, check it against its rules, or generate a new one."""
