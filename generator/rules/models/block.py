"""What all blocks of a sheet share."""

from __future__ import annotations

from generator.rules.models.base import FormulaText, Model


class Block(Model):
    """What every block may say."""

    when: FormulaText | None = None
    """Only printed where this holds for the options."""
