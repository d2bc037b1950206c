"""Positions of markers on sheets of paper: square places in rows, the first free place first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE = 25.0
"""Millimetres of a marker's side."""
TOP = 25.8
"""Distance from the top of a page to its first row."""
_EDGE, _FOOT = 6.35, 21.0


class Packing:
    """Sheets of paper with free and taken squares; the first sheet has less room."""

    def __init__(self, paper: tuple[float, float], first: float = 0) -> None:
        """Begin with one empty sheet; notes and the turn track take ``first`` millimetres at its head."""
        self._wide, self._high = paper
        self._columns = int((self._wide - 2 * _EDGE) / SIZE)
        self._tops: list[float] = []
        self._free: list[list[list[bool]]] = []
        """Whether a square is free, by page, row and column."""
        self._add(TOP + first)

    @property
    def pages(self) -> int:
        """The number of sheets."""
        return len(self._free)

    def has_room(self, places: int, *, besides_a_row: bool = False) -> bool:
        """Return whether an existing sheet has this many adjacent free squares.

        With ``besides_a_row``, as many further squares as a row has must be free, too.
        """
        free = sum(sum(squares) for rows in self._free for squares in rows)
        left = free - places if besides_a_row else self._columns
        return left >= self._columns and next(self._rooms(places), None) is not None

    def place(self, places: int) -> tuple[int, float, float]:
        """Take this many adjacent squares, if need be on a new sheet; return the page and the first square's corner."""
        spot = next(self._rooms(places), None)
        if spot is None:
            spot = self.pages, 0, 0
            self._add(TOP)
        page, row, column = spot
        self._free[page][row][column : column + places] = [False] * places
        return self._corner(page, row, column)

    def rest(self) -> list[tuple[int, float, float]]:
        """Return the free squares of rows in use, and of one more row on the last sheet, as ``place`` returns them."""
        found = []
        for page, rows in enumerate(self._free):
            begun = 1 + max((row for row, squares in enumerate(rows) if not all(squares)), default=-1)
            more = page == len(self._free) - 1
            for row, squares in enumerate(rows[: begun + more]):
                found += [self._corner(page, row, column) for column, free in enumerate(squares) if free]
        return found

    def _corner(self, page: int, row: int, column: int) -> tuple[int, float, float]:
        left = (self._wide - self._columns * SIZE) / 2
        return page, left + column * SIZE, self._tops[page] + row * SIZE

    def _add(self, top: float) -> None:
        self._tops.append(top)
        rows = int((self._high - top - _FOOT) / SIZE)
        self._free.append([[True] * self._columns for _ in range(rows)])

    def _rooms(self, places: int) -> Iterator[tuple[int, int, int]]:
        for page, rows in enumerate(self._free):
            for row, squares in enumerate(rows):
                for column in range(self._columns - places + 1):
                    if all(squares[column : column + places]):
                        yield page, row, column
