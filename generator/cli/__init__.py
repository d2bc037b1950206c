"""The command line: parse, call one function of `commands`, print, exit."""

from __future__ import annotations

from generator.cli.group import main

__all__ = ["main"]
