"""The command line: parse the arguments, call a function of ``commands``, print the result, exit."""

from __future__ import annotations

from generator.cli.group import main

__all__ = ["main"]
