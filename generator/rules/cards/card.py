"""Compile a card, with the cards that it is based on, to formulas that read the values of a design."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.compiled import Compiled, Compiler, role_of
from generator.rules.entries.kinds import Kind, Owner, merged
from generator.rules.model.card import CardModel
from generator.rules.model.change import CARD_LISTS
from generator.rules.source.provenance import CitationResolver, resolver_of
from generator.rules.source.validation import ReferenceChecker, check_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.entries.namespace import Namespace
    from generator.rules.formulas.compiler import Formula
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.source.parts import Written


class Question(NamedTuple):
    """A question about a shot: a procedure, the firer's inputs, and the outcomes whose chances are added up."""

    procedure: Procedure
    inputs: tuple[tuple[str, Formula], ...]
    chance: tuple[str, ...]


class Card(Compiled):
    """A compiled card, ready to be filled with a design of its kind.

    Its attributes are those of its model, with all that it inherits, and these: ``kind``, and ``owner`` (the rule set).
    The ``odds`` of its tables have the values of a ``Question``, and ``at`` is a reference; the ``asks`` of its duels
    are ``Question`` objects; ``axes`` are references.
    """


_SINGLE = ("who", "symbol", "plan", "chevrons", "ladder", "aimed_at")
"""Keys of a card with a single value, which a card takes from its base if it has none of its own."""


def read_card(
    source: Written[CardModel],
    lineage: tuple[Written[CardModel], ...],
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
    also = merged(everyone, "also")
    inherited = [name for base, _ in lineage for name in base.also]
    for what, key in CARD_LISTS.items():
        inherited += [getattr(item, key) for base, _ in lineage for item in getattr(base, what)]
    reference_ids = tuple(item.reference for item, _ in parts["references"])
    owner = Owner.of(kind)._replace(inherited=inherited, references=reference_ids)
    references.check(model, part.place(), owner)
    for item, place in chain(*parts.values()):
        if place.inside is not part:
            references.check(item, place, owner)
    for name, place in also.values():
        if place.inside is not part:
            references.check_name("line", name, place, owner)
    if len(problems) > before:
        _explain(lineage, problems, before, model.card)
        return None
    compiled = {what: tuple(reader.entry(*item) for item in parts[what]) for what in CARD_LISTS}
    targets = {item.reference: item for item in compiled["references"]}
    compiled["tables"] = tuple(reader.with_odds(table, targets) for table in compiled["tables"])
    compiled["duels"] = tuple(duel for item in compiled["duels"] if (duel := reader.with_questions(item)) is not None)
    single = {what: reader.last(everyone, what) for what in _SINGLE}
    axes = tuple(targets[name] for name in reader.last(everyone, "axes") or list(targets)[:1])
    texts = merged(everyone, "target").items()
    target = tuple((name, reader.binder.formula(text, kind.scope, at)) for name, (text, at) in texts)
    if len(problems) > before or reader.binder.lost:
        _explain(lineage, problems, before, model.card)
        return None
    own = {"kind": model.card, "owner": part.owner, "axes": axes, "also": tuple(also), "target": target}
    return Card(part.place(), compiled | single | own)


class _Reader(Compiler):
    """Compiler for the entries of one card."""

    def __init__(
        self, kind: Kind, procedure: Callable[[str], Procedure | None], namespace: Namespace, problems: list[Problem]
    ) -> None:
        super().__init__(kind.scope, namespace, problems)
        self.procedure = procedure

    def last(self, everyone: Sequence[Written[CardModel]], what: str) -> Any:
        """Compile the value of a key in the last card that has it; None if no card has it."""
        entries = [(getattr(model, what), part.place((what,))) for model, part in everyone if getattr(model, what)]
        nothing = (CardModel.model_fields[what].default, everyone[-1].part.place())
        return self.value(role_of(CardModel, what), *(entries or [nothing])[-1], self.scope)

    def with_odds(self, table: Compiled, references: Mapping[str, Compiled]) -> Compiled:
        """Return a table with the procedure and the targets of its odds; without odds that cannot be asked any more."""
        asked = self.question(table.odds) if table.odds is not None else None
        odds = None
        if asked is not None:
            odds = table.odds.replaced(**asked._asdict(), at=references.get(table.odds.at))
        return table.replaced(odds=odds)

    def with_questions(self, duel: Compiled) -> Compiled | None:
        """Return a shot with its questions; None if one of them cannot be asked any more (see ``question``)."""
        asks = tuple(ask for item in duel.asks if (ask := self.question(item)) is not None)
        return duel.replaced(asks=asks) if len(asks) == len(duel.asks) else None

    def question(self, entry: Compiled) -> Question | None:
        """Return a question; None if a layer replaced its procedure by one with other inputs or outcomes."""
        procedure, names = self.procedure(entry.ask), [name for name, _ in entry.with_]
        if procedure is None or (procedure.id != entry.ask and not procedure.fits(names, entry.chance)):
            return None
        inputs = {name: known.name for name in names if (known := procedure.find_input(name)) is not None}
        return Question(procedure, tuple((inputs.get(name, name), item) for name, item in entry.with_), entry.chance)


def _explain(lineage: Sequence[Written[CardModel]], problems: list[Problem], before: int, card: str) -> None:
    """Add a hint to problems in base cards: the name is missing in the kind of this card."""
    bases = {base.place().span().file for _, base in lineage}
    hint = f"the card {card} inherits this entry and its kind does not: list the entry there under without"
    for index, problem in enumerate(problems[before:], before):
        if problem.span.file in bases:
            problems[index] = problem._replace(hint=hint)
