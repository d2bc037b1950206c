"""Cards, compiled: what stands on the card of a design, as formulas that know what the lines of its kind know."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.binding import Binder
from generator.rules.births import registrar_of
from generator.rules.card import (
    Box,
    Card,
    CardTable,
    Column,
    Odds,
    Reference,
    Row,
    Shown,
    Stat,
    Symbol,
    Target,
    Tell,
)
from generator.rules.formulas.scope import UNREAD, VALUE, Name, Scope
from generator.rules.kinds import PLACEHOLDER
from generator.rules.validation import check_ids
from generator.rules.wording import chosen

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.binding import Shelf
    from generator.rules.births import Registrar
    from generator.rules.formulas.compiler import Formula
    from generator.rules.kinds import Kind
    from generator.rules.models.base import FormulaText
    from generator.rules.models.card import (
        BoxModel,
        CardColumnModel,
        CardModel,
        CardOddsModel,
        CardRowModel,
        CardTableModel,
        Figure,
        ReferenceModel,
        StatModel,
        SymbolModel,
        TellModel,
    )
    from generator.rules.parts import Part
    from generator.rules.places import Place
    from generator.rules.procedures import Procedure

LISTS = {"strip": "stat", "tables": "table", "tells": "tell", "boxes": "box", "references": "reference"}
"""The lists of a card whose entries have ids, and the key that holds it."""


class CardSource(NamedTuple):
    """A card's model and the part that it was written in: what a card based on it takes over."""

    model: CardModel
    part: Part


def read_card(
    source: CardSource,
    lineage: tuple[CardSource, ...],
    kind: Kind,
    procedures: Mapping[str, Procedure],
    shelf: Shelf,
    registrars: Mapping[str, Registrar],
    problems: list[Problem],
) -> Card | None:
    """A card with all that it takes from those it is based on (``lineage``, the most basic first).

    None when a problem leaves it unprintable (R221 to R228, R231, R232).
    """
    before = len(problems)
    model, part = source
    registrar_of(part, part.value, registrars).birth(model, part.place(), problems)
    reader = _Reader(kind, procedures, shelf, problems)
    everyone = (*lineage, source)
    for what, key in LISTS.items():
        check_ids([getattr(one, key) for one in getattr(model, what)], part.place((what,)), key, problems)
    _check_without(source, lineage, problems)
    parts = {what: _merged(everyone, what) for what in LISTS}
    references = {one.reference: reader.reference(one, place) for one, place in parts["references"]}
    strip = [reader.stat(*one) for one in parts["strip"]]
    tables = [reader.table(*one, references) for one in parts["tables"]]
    tells = [reader.tell(*one) for one in parts["tells"]]
    boxes = [reader.box(*one) for one in parts["boxes"]]
    also = _also(everyone)
    for name, place in also.items():
        reader.known(name, [line.id for line in kind.lines], "a line of the kind", place)
    said = _last(everyone, "symbol")
    symbol = reader.symbol(*said) if said else None
    said = _last(everyone, "target")
    target = reader.formulas(*said, kind.scope) if said else ()
    if len(problems) > before or reader.binder.lost:
        return None
    return Card(
        model.card, part.owner, symbol, tuple(strip), tuple(tables), tuple(tells), tuple(also), tuple(boxes), target,
        part.place(),
    )  # fmt: skip


class _Reader:
    """Compiles what stands on one card."""

    def __init__(self, kind: Kind, procedures: Mapping[str, Procedure], shelf: Shelf, problems: list[Problem]) -> None:
        self.kind = kind
        self.procedures = procedures
        self.problems = problems
        self.binder = Binder(shelf, problems)

    def known(self, word: str, known: Collection[str], what: str, place: Place) -> bool:
        """R231: something is named that is not there."""
        if word not in known:
            near = get_close_matches(word, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known) or 'none'}"
            self.problems.append(place.problem("R231", found=word, expected=what, hint=hint))
        return word in known

    def formula(self, text: FormulaText | None, scope: Scope, place: Place) -> Formula | None:
        return self.binder.formula(text, scope, place)

    def formulas(self, texts: Mapping[str, FormulaText], place: Place, scope: Scope) -> tuple[tuple[str, Formula], ...]:
        """Each of them that can be compiled, by its name."""
        found = ((name, self.formula(text, scope, place / name)) for name, text in texts.items())
        return tuple((name, formula) for name, formula in found if formula is not None)

    def inside(self, each: str | None, place: Place) -> Scope:
        """The scope of one entry of a list field. R228: no such list."""
        scope = self.kind.scope
        if each is None:
            return scope
        field = self.kind.field(each)
        if field is None or not field.fields:
            lists = ", ".join(one.name for one in self.kind.fields if one.fields)
            expected = f"a list field: {lists or 'there is none'}"
            self.problems.append((place / "each").problem("R228", found=each, expected=expected))
            return Scope(scope.names, whole=False)
        return scope | {one.name: chosen(one.choice) if one.choice else VALUE for one in field.fields}

    def joins(
        self, joins: Mapping[str, FormulaText], scope: Scope, place: Place
    ) -> tuple[tuple[tuple[str, Formula], ...], Scope]:
        """Joined rows and a scope that knows their columns."""
        bound = []
        for name, text in joins.items():
            found = self.binder.row(text, scope, place / name)
            scope |= {name: UNREAD if found is None else Name("row", found[1].columns, inside=found[1].inside)}
            if found is not None:
                bound.append((name, found[0]))
        return tuple(bound), scope

    def label(self, label: str, scope: Scope, place: Place) -> str:
        """R223: a label with a place for something that is no value there."""
        values = [name for name, what in scope.names.items() if what.shape == "value"]
        for match in PLACEHOLDER.finditer(label):
            if scope.whole and match[1] not in values:
                near = get_close_matches(match[1], values, n=1)
                hint = f"did you mean {near[0]}?" if near else ""
                expected, offset = "a value that is known here", match.start()
                problem = place.problem("R223", found=match[0], expected=expected, hint=hint, offset=offset)
                self.problems.append(problem)
        return label

    def shown(self, model: Figure, scope: Scope, place: Place, *others: object) -> Shown:
        """R224: not exactly one way to say what is shown."""
        ways = [model.show, model.die, *others]
        if sum(one is not None for one in ways) != 1:
            expected = "one of show and die" if not others else "one of show, die and line"
            self.problems.append(place.problem("R224", found="several or none", expected=expected))
        texts = model.show if isinstance(model.show, tuple) else () if model.show is None else (model.show,)
        values = (self.formula(text, scope, place / "show") for text in texts)
        return Shown(
            tuple(one for one in values if one is not None),
            self.formula(model.die, scope, place / "die"),
            model.unit,
            self.formula(model.when, scope, place / "when"),
        )

    def stat(self, model: StatModel, place: Place) -> Stat:
        join, scope = self.joins(model.join, self.kind.scope, place / "join")
        if model.line is not None:
            self.known(model.line, [line.id for line in self.kind.lines], "a line of the kind", place / "line")
        others = (model.line,)
        return Stat(
            self.label(model.label, scope, place / "label"),
            self.shown(model, scope, place, *others),
            model.line,
            join,
        )

    def reference(self, model: ReferenceModel, place: Place) -> Reference:
        targets = (
            Target(one.head, self.formulas(one.inputs, place / "targets" / index / "inputs", self.binder.shelf.scope))
            for index, one in enumerate(model.targets)
        )
        return Reference(model.says, tuple(targets))

    def table(self, model: CardTableModel, place: Place, references: Mapping[str, Reference]) -> CardTable:
        join, scope = self.joins(model.join, self.inside(model.each, place), place / "join")
        rows, inner = [], scope
        for index, row in enumerate(model.rows):
            rows.append(self.row(row, scope, place / "rows" / index))
            inner |= dict.fromkeys(row.let, VALUE)
        columns = tuple(self.column(one, inner, place / "columns" / i) for i, one in enumerate(model.columns))
        odds = self.odds(model.odds, inner, place / "odds", references) if model.odds else None
        title = self.label(model.title, scope, place / "title")
        when = self.formula(model.when, scope, place / "when")
        return CardTable(model.table, title, model.each, join, when, tuple(rows), columns, odds)

    def row(self, model: CardRowModel, scope: Scope, place: Place) -> Row:
        let, scope = self.lets(model.let, scope, place / "let")
        label = self.label(model.label, scope, place / "label")
        return Row(label, let, self.formula(model.when, scope, place / "when"))

    def lets(
        self, texts: Mapping[str, FormulaText], scope: Scope, place: Place
    ) -> tuple[tuple[tuple[str, Formula], ...], Scope]:
        """Names for formulas, and a scope that knows them; each knows those before it."""
        let = []
        for name, text in texts.items():
            formula = self.formula(text, scope, place / name)
            scope |= {name: VALUE}
            if formula is not None:
                let.append((name, formula))
        return tuple(let), scope

    def tell(self, model: TellModel, place: Place) -> Tell:
        join, scope = self.joins(model.join, self.inside(model.each, place), place / "join")
        when = self.formula(model.when, scope, place / "when")
        let, scope = self.lets(model.let, scope, place / "let")
        return Tell(self.label(model.says, scope, place / "says"), model.each, join, let, when)

    def column(self, model: CardColumnModel, scope: Scope, place: Place) -> Column:
        return Column(model.head, self.shown(model, scope, place))

    def odds(
        self, model: CardOddsModel, scope: Scope, place: Place, references: Mapping[str, Reference]
    ) -> Odds | None:
        if not self.known(model.ask, list(self.procedures), "a procedure of these rules", place / "ask"):
            return None
        procedure = self.procedures[model.ask]
        for name in model.with_:
            self.known(name, [one.name for one in procedure.inputs], "an input of it", place / "with" / name)
        for index, one in enumerate(model.chance):
            outcomes = [outcome.id for outcome in procedure.outcomes]
            self.known(one, outcomes, "an outcome of it", place / "chance" / index)
        given = self.formulas(model.with_, place / "with", scope)
        self.known(model.at, list(references), "a reference of this card", place / "at")
        when = self.formula(model.when, scope, place / "when")
        return Odds(procedure, given, model.chance, model.says, references.get(model.at), when)

    def box(self, model: BoxModel, place: Place) -> Box:
        join, scope = self.joins(model.join, self.inside(model.each, place), place / "join")
        label = self.label(model.label, scope, place / "label")
        count = self.formula(model.count, scope, place / "count")
        when = self.formula(model.when, scope, place / "when")
        return Box(label, count, model.each, join, when, model.per)  # type: ignore[arg-type] # else nothing is kept

    def symbol(self, model: SymbolModel, place: Place) -> Symbol | None:
        scope = self.kind.scope
        frame = self.formula(model.frame, scope, place / "frame")
        signs = (
            (one.sign, self.formula(one.when, scope, place / "signs" / i / "when")) for i, one in enumerate(model.signs)
        )
        size = self.formula(model.size, scope, place / "size")
        return Symbol(frame, tuple(signs), size) if frame is not None else None


def _merged(everyone: Sequence[CardSource], what: str) -> list[tuple[Any, Place]]:
    """The entries of a list by id, in order; one of the same id takes the earlier one's place."""
    found: dict[str, tuple[Any, Place]] = {}
    for model, part in everyone:
        own = {getattr(one, LISTS[what]): (one, part.place((what, i))) for i, one in enumerate(getattr(model, what))}
        for name in model.without:
            if name not in own:
                found.pop(name, None)
        found |= own
    return list(found.values())


def _also(everyone: Sequence[CardSource]) -> dict[str, Place]:
    found: dict[str, Place] = {}
    for model, part in everyone:
        found = {name: place for name, place in found.items() if name not in model.without}
        found |= {name: part.place(("also", index)) for index, name in enumerate(model.also)}
    return found


def _last(everyone: Sequence[CardSource], what: str) -> tuple[Any, Place] | None:
    """What the last of them that says anything of it says."""
    said = [(getattr(model, what), part.place((what,))) for model, part in everyone if getattr(model, what)]
    return said[-1] if said else None


def _check_without(source: CardSource, lineage: Sequence[CardSource], problems: list[Problem]) -> None:
    """R232: what is to be left out is not there."""
    keys = LISTS.items()
    known = {getattr(one, key) for what, key in keys for model, _ in lineage for one in getattr(model, what)}
    known |= {name for model, _ in lineage for name in model.also}
    for index, name in enumerate(source.model.without):
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(sorted(known))}"
            at = source.part.place(("without", index))
            expected = "a part of the card that this one is based on"
            problems.append(at.problem("R232", found=name, expected=expected, hint=hint))
