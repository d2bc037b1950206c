"""One file as read, and what later layers did to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.source.places import Place

if TYPE_CHECKING:
    from generator.parsing.document import Document, Path
    from generator.rules.model.change import ChangeModel


class Applied(NamedTuple):
    """A change that took hold: which layer made it, to which key, and what stood there before."""

    layer: str
    """The rule set that made it; nothing where a player answered a gap."""
    change: ChangeModel
    key: str | int
    before: Any
    place: Place


class Part:
    """A file's value with the changes of layers in it; every piece still knows the file it was written in."""

    __slots__ = ("_applied", "_cells", "_own", "document", "owner", "value")

    def __init__(self, owner: str, document: Document) -> None:
        """``owner`` is the rule set that brings it."""
        self.owner = owner
        self.document = document
        self.value: Any = document.value
        self._own = False
        self._cells: dict[tuple[int, str | int], tuple[Document, Path]] = {}
        self._applied: dict[int, list[Applied]] = {}

    def place(self, path: Path = ()) -> Place:
        """The place of this piece of the layered value."""
        return Place(self, path)

    def written(self, path: Path) -> tuple[Document, Path]:
        """The document that the piece at this path was written in (a layer's, perhaps), and its path there."""
        document: Document = self.document
        way: Path = ()
        here = self.value
        for step in path:
            cell = self._cells.get((id(here), step))
            document, way = cell or (document, (*way, step))
            try:
                here = here[step]
            except (KeyError, IndexError, TypeError):
                here = None
        return document, way

    def changes_in(self, container: object) -> tuple[Applied, ...]:
        """What layers changed in this row, line or limit."""
        return tuple(self._applied.get(id(container), ()))

    def last_hand(self, container: object) -> str:
        """The rule set that wrote this row, line or limit, or changed it last."""
        return next((one.layer for one in reversed(self.changes_in(container)) if one.layer), self.owner)

    def make_own(self) -> None:
        """Copy the value before the first change, so that the document itself stays as it was read."""
        if not self._own:
            self.value = _copy(self.value)
            self._own = True

    def put(self, container: Any, key: str | int, value: object, place: Place, applied: Applied) -> None:
        """Write ``value`` into a container of this part, and remember who did and why."""
        value = _copy(value)  # later layers change what is here, not what this one says
        container[key] = value
        self._cells[(id(container), key)] = place.written()
        self._applied.setdefault(id(container), []).append(applied)
        if isinstance(value, dict):
            self._applied.setdefault(id(value), []).append(applied)

    def drop(self, container: Any, key: str | int, at: Path) -> None:
        """Take an entry out; those after it in a list keep the places where they were written."""
        if isinstance(key, int):
            places = [self.written((*at, index)) for index in range(len(container))]
            del container[key], places[key]
            self._cells.update({(id(container), index): written for index, written in enumerate(places)})
        else:
            del container[key]


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_copy(inner) for inner in value]
    return value
