"""``sheets/<id>.yaml``: what a printed sheet shows, in what order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union

from pydantic import Discriminator, Field, Tag, create_model

from generator.problems import CLOSE, nearest
from generator.rules.formulas.scope import FormulaText
from generator.rules.model.base import Block, Id, Model, Ref, Seq

T = TypeVar("T")
M = TypeVar("M", bound=Model)
Filled: TypeAlias = Annotated[Seq[T], Field(min_length=1)]
"""A list with at least one entry."""
Columns: TypeAlias = Annotated[Seq[Filled[T]], Field(min_length=1, max_length=3)]
"""One to three columns, each a list with at least one entry."""


class SectionModel(Model):
    """A section of a sheet: a bar with a title, and the blocks under it."""

    section: str
    """The title in the bar."""
    aside: str = ""
    """The words at the bar’s right end."""
    abreast: Annotated[int, Field(ge=1, le=3)] = 1
    """How many blocks are printed side by side."""
    when: FormulaText | None = None
    """Printed only if this condition on the options holds."""
    of: Seq[Annotated[str, Ref("procedure, table or kind")]] = ()
    """The procedures, tables or kinds that the section belongs to: a pack has it only if one of them is in play.

    Without it, a section belongs to the procedures whose steps or odds it prints.
    """
    handout: bool = False
    """Packs have the section behind the play sheet, if what it belongs to is in play.

    If several layers have such sections, packs have only the sections of the last of these layers.
    """
    apiece: bool | Literal["first", "others"] = False
    """Whether each of several elements that share a sheet about a design has a section of its own.

    True: the first element has it on the shared sheet, each further element on the pages after the sheet. ``first``:
    only the first element has it. ``others``: only further elements have it, because the first has it elsewhere.
    """
    blocks: Filled[Block]
    """The blocks under the bar, from the top."""


class RowModel(Model):
    """Columns side by side; a row is kept on one page if it fits."""

    columns: Columns[SectionModel]
    """The columns, from the left; each is a list of sections, from the top."""
    row: Id | None = None
    """Its id, by which a layer changes it."""
    shares: Seq[Annotated[int, Field(ge=1, le=200)]] = ()
    """The relative widths of the columns; without it they are equal."""
    new_page: bool = False
    """Whether the row begins a new page."""
    loose: bool = False
    """Whether its columns may be divided between pages; else they move to the next page if they do not fit."""
    phase: str = ""
    """The phase of play that begins with the row: a numbered tab at the edge of a play sheet.

    A sheet with phases is a play sheet. A row without a phase belongs to the phase above it.
    """


class SheetModel(Model):
    """A sheet as written."""

    sheet: Id
    """Its id: the name of its file."""
    title: str
    """Its printed name."""
    strap: str
    """The line under the title."""
    kicker: str
    """The words at the title’s right."""
    of: Annotated[Id, Ref("kind of designs")] | None = None
    """A kind: the sheet is printed with a force, once for each of its designs of that kind, and not with the rules."""
    handout: Annotated[int, Field(ge=1, le=99)] | None = None
    """Packs have the sheet, as far as it is in play, after the play sheet: its position among such sheets."""
    about: str = ""
    """What the sheet is for; not printed."""
    rows: Filled[RowModel]
    """The rows, from the top."""

    @property
    def plays(self) -> bool:
        """Whether the sheet is a play sheet: at least one of its rows begins a phase of play."""
        return any(row.phase for row in self.rows)

    @property
    def in_packs(self) -> bool:
        """Whether the sheet is a play sheet or a handout, so that a pack with it prints all its sections in play.

        Of any other sheet, a pack prints only sections that are handouts.
        """
        return self.plays or self.handout is not None

    def sections(self) -> Iterator[SectionModel]:
        """Yield the sections in order: row by row, and in a row column by column."""
        return (section for row in self.rows for column in row.columns for section in column)

    def blocks(self) -> Iterator[Block]:
        """Yield every block, in order."""
        return (block for section in self.sections() for block in section.blocks)


@cache
def sheet_model(kinds: tuple[type[Block], ...]) -> type[SheetModel]:
    """Return the model of a sheet whose blocks are of these kinds.

    The kind of a block in a file is the kind whose ``keyword`` comes first among the keys of the block. If no key is a
    keyword, a misspelt keyword counts, so that the problem is reported for the right kind.
    """
    by_keyword = {kind.keyword: kind for kind in kinds}

    def keyword(value: object) -> str | None:
        keys = [*value] if isinstance(value, dict) else []
        known = (key for key in keys if key in by_keyword)
        return next(known, None) or next(filter(None, (nearest(key, by_keyword, CLOSE) for key in keys)), None)

    tagged = tuple(Annotated[kind, Tag(kind.keyword)] for kind in kinds)
    known = f"blocks: {', '.join(by_keyword)}"
    which = Discriminator(keyword, "block", "a known block", {"hint": known})
    block: Any = Annotated[Union[tagged], which]  # noqa: UP007 - the kinds are a tuple
    section: Any = _narrowed(SectionModel, blocks=Filled[block])
    row: Any = _narrowed(RowModel, columns=Columns[section])
    return _narrowed(SheetModel, rows=Filled[row])


def _narrowed(model: type[M], **fields: Any) -> type[M]:
    """Return a subclass of the model; ``fields`` has new types by field name, and these fields are required."""
    narrowed: dict[str, Any] = {name: (annotation, ...) for name, annotation in fields.items()}
    return create_model(model.__name__, __base__=model, __doc__=model.__doc__, __module__=__name__, **narrowed)
