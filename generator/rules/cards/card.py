"""Compile a card, with the cards that it is based on, to formulas that read the values of a design."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.cards.figures import CardTable, FigureReader, Odds, Reference, Stat, Target
from generator.rules.entries.kinds import Owner, merged
from generator.rules.formulas.words import texts_of
from generator.rules.model.card import FRAMES, SHAPES
from generator.rules.model.change import CARD_LISTS
from generator.rules.source.provenance import resolver_of
from generator.rules.source.validation import check_ids
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.entries.kinds import Kind
    from generator.rules.entries.namespace import Namespace
    from generator.rules.entries.tables import Table
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.scope import Scope
    from generator.rules.model.base import FormulaText
    from generator.rules.model.card import (
        BoxModel,
        CardModel,
        CardOddsModel,
        CardTableModel,
        DuelAskModel,
        DuelModel,
        ListModel,
        PlanModel,
        ReferenceModel,
        SymbolModel,
        TellModel,
    )
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.source.parts import Part, Place
    from generator.rules.source.provenance import CitationResolver
    from generator.rules.source.validation import ReferenceChecker


class CardSource(NamedTuple):
    """A card's model and the part that it was read from; a card based on it inherits its entries."""

    model: CardModel
    part: Part


class Symbol(NamedTuple):
    """A map symbol: frame and size as formulas, and signs with their conditions."""

    frame: Formula
    signs: tuple[tuple[str, Formula | None], ...]
    size: Formula | None


class Tell(NamedTuple):
    """A few words on a card, or words for each entry of a list field (``each``)."""

    says: str
    each: str | None
    join: tuple[tuple[str, Formula], ...]
    let: tuple[tuple[str, Formula], ...]
    when: Formula | None


class Box(NamedTuple):
    """A group of boxes to tick."""

    label: str
    count: Formula
    each: str | None
    join: tuple[tuple[str, Formula], ...]
    when: Formula | None
    per: str
    ring: bool = False


class Question(NamedTuple):
    """A question about a shot: a procedure, the firer's inputs, and the outcomes whose chances are added up."""

    procedure: Procedure
    inputs: tuple[tuple[str, Formula], ...]
    chance: tuple[str, ...]


class Duel(NamedTuple):
    """A shot as questions that must all succeed in turn, or such a shot for each entry of a list field (``each``)."""

    name: str
    says: str
    asks: tuple[Question, ...]
    each: str | None
    join: tuple[tuple[str, Formula], ...]
    let: tuple[tuple[str, Formula], ...]
    when: Formula | None


class Guise(NamedTuple):
    """Another kind of target that a design can be."""

    id: str
    when: Formula | None


class Plan(NamedTuple):
    """The plan of a design: an outline, figures on its faces, and figures beside it."""

    shape: Formula
    faces: tuple[Formula, ...]
    beside: tuple[Stat, ...]


class List(NamedTuple):
    """A list on the back: what has which figure, for the rows of a table."""

    title: str
    through: Table
    let: tuple[tuple[str, Formula], ...]
    figure: Formula
    says: str
    when: Formula | None


class Card(NamedTuple):
    """A compiled card, ready to be filled with a design of its kind."""

    kind: str
    owner: str
    symbol: Symbol | None
    strip: tuple[Stat, ...]
    plan: Plan | None
    chevrons: Formula | None
    axes: tuple[Reference, ...]
    tables: tuple[CardTable, ...]
    facts: tuple[Stat, ...]
    lists: tuple[List, ...]
    tells: tuple[Tell, ...]
    also: tuple[str, ...]
    boxes: tuple[Box, ...]
    ladder: tuple[str, ...]
    target: tuple[tuple[str, Formula], ...]
    aimed_at: Formula | None
    duels: tuple[Duel, ...]
    guises: tuple[Guise, ...]
    place: Place


def read_card(
    source: CardSource,
    lineage: tuple[CardSource, ...],
    kind: Kind,
    references: ReferenceChecker,
    procedure: Callable[[str], Procedure | None],
    namespace: Namespace,
    resolvers: Mapping[str, CitationResolver],
) -> Card | None:
    """Compile a card with all that it inherits from the cards of ``lineage`` (the most basic first).

    Returns None if there is a problem (R221 to R228, R231, R232).
    """
    problems = references.problems
    before = len(problems)
    model, part = source
    resolver_of(part, part.value, resolvers).provenance(model, part.place(), problems)
    reader = _Reader(kind, procedure, namespace, problems)
    everyone = (*lineage, source)
    for what, key in CARD_LISTS.items():
        check_ids([getattr(item, key) for item in getattr(model, what)], part.place((what,)), key, problems)
    parts = {what: list(merged(everyone, what, key).values()) for what, key in CARD_LISTS.items()}
    also = _also(everyone)
    inherited = [name for base, _ in lineage for name in base.also]
    for what, key in CARD_LISTS.items():
        inherited += [getattr(item, key) for base, _ in lineage for item in getattr(base, what)]
    reference_ids = tuple(item.reference for item, _ in parts["references"])
    owner = Owner.of(kind)._replace(inherited=inherited, references=reference_ids)
    references.check(model, part.place(), owner)
    for item, place in chain(*parts.values()):
        if place.inside is not part:
            references.check(item, place, owner)
    for name, place in also.items():
        if place.inside is not part:
            references.check_name("line", name, place, owner)
    if len(problems) > before:
        _explain(lineage, problems, before, model.card)
        return None
    targets = {item.reference: reader.reference(item, place) for item, place in parts["references"]}
    strip = [reader.stat(*part) for part in parts["strip"]]
    tables = [reader.card_table(*part, targets) for part in parts["tables"]]
    tells = [reader.tell(*part) for part in parts["tells"]]
    boxes = [reader.box(*part) for part in parts["boxes"]]
    duels = [reader.duel(*part) for part in parts["duels"]]
    guises = [Guise(item.guise, reader.formula(item.when, kind.scope, at / "when")) for item, at in parts["guises"]]
    facts = [reader.stat(*part) for part in parts["facts"]]
    lists = [reader.list_of(*part) for part in parts["lists"]]
    entry = _last(everyone, "symbol")
    symbol = reader.symbol(*entry) if entry else None
    entry = _last(everyone, "plan")
    plan = reader.plan(*entry) if entry else None
    target = reader.target(everyone)
    chevrons, aimed_at = (
        reader.formula(entry[0], kind.scope, entry[1]) if (entry := _last(everyone, what)) else None
        for what in ("chevrons", "aimed_at")
    )
    entry = _last(everyone, "axes")
    axes = [targets[name] for name in entry[0]] if entry else list(targets.values())[:1]
    ladder = (_last(everyone, "ladder") or ((),))[0]
    if len(problems) > before or reader.binder.lost:
        _explain(lineage, problems, before, model.card)
        return None
    return Card(
        model.card, part.owner, symbol, tuple(strip), plan, chevrons, tuple(axes), tuple(tables), tuple(facts),
        tuple(item for item in lists if item), tuple(tells), tuple(also), tuple(boxes), tuple(ladder), target, aimed_at,
        tuple(duel for duel in duels if duel), tuple(guises), part.place(),
    )  # fmt: skip


class _Reader(FigureReader):
    """Compiler for the entries of one card."""

    def __init__(
        self, kind: Kind, procedure: Callable[[str], Procedure | None], namespace: Namespace, problems: list[Problem]
    ) -> None:
        super().__init__(kind, namespace, problems)
        self.procedure = procedure

    def target(self, everyone: Sequence[CardSource]) -> tuple[tuple[str, Formula], ...]:
        """Compile the inputs that describe a design as a target; the last card that names an input wins."""
        texts = {
            name: (item, part.place(("target", name)))
            for model, part in everyone
            for name, item in model.target.items()
        }
        compiled = ((name, self.formula(item, self.kind.scope, place)) for name, (item, place) in texts.items())
        return tuple((name, formula) for name, formula in compiled if formula is not None)

    def reference(self, model: ReferenceModel, place: Place) -> Reference:
        """Compile the targets that odds are printed against."""
        scope, targets = self.binder.namespace.scope, []
        for index, item in enumerate(model.targets):
            here = place / "targets" / index
            head = self.label(item.head, self.kind.scope, here / "head")
            targets.append(Target(head, self.formulas(item.inputs, here / "inputs", scope)))
        return Reference(model.says, tuple(targets), place, model.guise or "")

    def plan(self, model: PlanModel, place: Place) -> Plan | None:
        """Compile the plan. Adds R203 for an outline that does not exist."""
        scope = self.kind.scope
        shape = self.word(model.shape, SHAPES, place / "shape")
        faces = (self.formula(item, scope, place / "faces" / index) for index, item in enumerate(model.faces))
        beside = tuple(self.stat(item, place / "beside" / index) for index, item in enumerate(model.beside))
        return Plan(shape, tuple(face for face in faces if face), beside) if shape is not None else None

    def list_of(self, model: ListModel, place: Place) -> List | None:
        """Compile a list on the back."""
        table, scope = self.through(model.through, self.kind.scope)
        let, scope = self.lets(model.let, scope, place / "let")
        figure = self.formula(model.figure, scope, place / "figure")
        says = self.label(model.says, scope, place / "says")
        when = self.formula(model.when, scope, place / "when")
        return List(model.title, table, let, figure, says, when) if table is not None and figure is not None else None

    def word(self, text: FormulaText, words: Sequence[str], place: Place) -> Formula | None:
        """Compile a formula that chooses one of these words. Adds R203 for another word."""
        formula = self.formula(text, self.kind.scope, place)
        for found in sorted(texts_of(formula.tree(), self.kind.scope) - set(words)) if formula is not None else ():
            expected, hint = f"one of {', '.join(words)}", suggest(found, words)
            self.problems.append(place.problem("R203", found=found, expected=expected, hint=hint))
        return formula

    def card_table(self, model: CardTableModel, place: Place, references: Mapping[str, Reference]) -> CardTable:
        """Compile a table with its odds."""
        table, scope = self.table(model, place)
        odds = self.odds(model.odds, scope, place / "odds", references) if model.odds else None
        return table._replace(odds=odds)

    def tell(self, model: TellModel, place: Place) -> Tell:
        """Compile a few words for the card."""
        join, scope = self.binder.joins(model.join, self.inside(model.each), place / "join")
        when = self.formula(model.when, scope, place / "when")
        let, scope = self.lets(model.let, scope, place / "let")
        return Tell(self.label(model.says, scope, place / "says"), model.each, join, let, when)

    def odds(
        self, model: CardOddsModel, scope: Scope, place: Place, references: Mapping[str, Reference]
    ) -> Odds | None:
        """Compile the odds of a table; None if their procedure was replaced by one with other inputs."""
        question = self.question(model, scope, place)
        if question is None:
            return None
        when = self.formula(model.when, scope, place / "when")
        return Odds(question.procedure, question.inputs, question.chance, model.says, references.get(model.at), when)

    def question(self, model: CardOddsModel | DuelAskModel, scope: Scope, place: Place) -> Question | None:
        """Compile a question; None if a layer replaced its procedure by one with other inputs or outcomes."""
        procedure = self.procedure(model.ask)
        if procedure is None or (procedure.id != model.ask and not procedure.fits(model.with_, model.chance)):
            return None
        inputs = {name: known.name for name in model.with_ if (known := procedure.find_input(name)) is not None}
        formulas = self.formulas(model.with_, place / "with", scope)
        return Question(procedure, tuple((inputs.get(name, name), item) for name, item in formulas), model.chance)

    def duel(self, model: DuelModel, place: Place) -> Duel | None:
        """Compile a shot; None if one of its questions cannot be asked any more (see ``question``)."""
        join, scope = self.binder.joins(model.join, self.inside(model.each), place / "join")
        when = self.formula(model.when, scope, place / "when")
        let, scope = self.lets(model.let, scope, place / "let")
        compiled = (self.question(item, scope, place / "asks" / index) for index, item in enumerate(model.asks))
        questions = tuple(ask for ask in compiled if ask is not None)
        if len(questions) < len(model.asks):
            return None
        name = self.label(model.name, scope, place / "name")
        return Duel(name, model.says, questions, model.each, join, let, when)

    def box(self, model: BoxModel, place: Place) -> Box:
        """Compile a group of boxes."""
        join, scope = self.binder.joins(model.join, self.inside(model.each), place / "join")
        label = self.label(model.label, scope, place / "label")
        count = self.formula(model.count, scope, place / "count")
        when = self.formula(model.when, scope, place / "when")
        # If the formula has a problem, the whole card is dropped.
        return Box(label, count, model.each, join, when, model.per, model.ring)  # type: ignore[arg-type]

    def symbol(self, model: SymbolModel, place: Place) -> Symbol | None:
        """Compile the map symbol. Adds R203 for a frame that does not exist."""
        scope = self.kind.scope
        frame = self.word(model.frame, FRAMES, place / "frame")
        signs = (
            (item.sign, self.formula(item.when, scope, place / "signs" / i / "when"))
            for i, item in enumerate(model.signs)
        )
        size = self.formula(model.size, scope, place / "size")
        return Symbol(frame, tuple(signs), size) if frame is not None else None


def _explain(lineage: Sequence[CardSource], problems: list[Problem], before: int, card: str) -> None:
    """Add a hint to problems in base cards: the name is missing in the kind of this card."""
    bases = {base.place().span().file for _, base in lineage}
    hint = f"the card {card} inherits this entry and its kind does not: list the entry there under without"
    for index, problem in enumerate(problems[before:], before):
        if problem.span.file in bases:
            problems[index] = problem._replace(hint=hint)


def _also(everyone: Sequence[CardSource]) -> dict[str, Place]:
    """Return the lines under ``also`` of all cards, each with its place."""
    lines: dict[str, Place] = {}
    for model, part in everyone:
        lines = {name: place for name, place in lines.items() if name not in model.without}
        lines |= {name: part.place(("also", index)) for index, name in enumerate(model.also)}
    return lines


def _last(everyone: Sequence[CardSource], what: str) -> tuple[Any, Place] | None:
    """Return the value of a key in the last card that has it, with its place; None if no card has it."""
    entries = [(getattr(model, what), part.place((what,))) for model, part in everyone if getattr(model, what)]
    return entries[-1] if entries else None
