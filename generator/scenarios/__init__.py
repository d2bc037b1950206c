"""Battles: what a scenario file says, checked under its rules."""
