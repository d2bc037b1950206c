"""The map of a table from edge to edge, for a virtual table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.render.imprinted import Imprinted

if TYPE_CHECKING:
    from generator.render.blocks import Map

BOARD_INCH = 6.0
"""Millimetres of the page to an inch of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board(Imprinted):
    """A document of one page that is exactly the table."""

    plan: Map

    @property
    def size(self) -> tuple[float, float]:
        """The width and height of the page in millimetres."""
        return self.plan.width * BOARD_INCH, self.plan.depth * BOARD_INCH
