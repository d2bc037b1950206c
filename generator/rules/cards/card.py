"""Compile a card to formulas that read the values of a design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.rules.entries.compiled import Compiled, Compiler, Reading
from generator.rules.model.manifest import CARD_LISTS
from generator.rules.source.validation import check_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from generator.rules.entries.kinds import Kind
    from generator.rules.model.kind import CardModel
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.source.parts import Written


class Card(Compiled):
    """A compiled card, ready to be filled with a design of its kind.

    Its attributes are those of its model, and these: ``kind`` (the kind's id) and ``owner`` (the rule set's id).
    The ``odds`` of its tables and the ``asks`` of its duels also have a ``procedure``, and the firer's ``inputs`` as
    pairs of name and formula. The ``at`` of odds and the entries of ``axes`` are compiled references, not ids.
    If a layer replaced a procedure by one that does not fit, the odds are None and the duel is left out.
    """


def read_card(
    source: Written[CardModel], kind: Kind, procedure: Callable[[str], Procedure | None], reading: Reading
) -> Card | None:
    """Compile a card for the designs of ``kind``. ``procedure`` finds a procedure by id.

    Returns None if there is a problem, which is added to those of ``reading``: R203, R207 to R209, R221 to R223, R225,
    R228, R231, R232 or R237. A fault of a formula that was reported before (see ``Compiler.formula``) adds no problem.
    The card is then still returned, and the formula in it always gives none.
    """
    problems = reading.problems
    before = len(problems)
    model, part = source
    reading.resolvers[part.owner].provenance(model, part.place())
    compiler = Compiler(reading)
    for what, key in CARD_LISTS.items():
        check_ids([getattr(item, key) for item in getattr(model, what)], part.place((what,)), key, problems)
    reading.references.check(model, part.place(), kind.model)
    if len(problems) > before:
        return None
    card = compiler.entry(model, part.place(), kind.scope)
    targets = {item.reference: item for item in card.references}
    compiled = {
        "kind": model.card,
        "owner": part.owner,
        "tables": tuple(_with_odds(table, targets, procedure) for table in card.tables),
        "duels": tuple(duel for item in card.duels if (duel := _with_questions(item, procedure)) is not None),
        "axes": tuple(targets[name] for name in card.axes or list(targets)[:1]),
    }
    if len(problems) > before:
        return None
    return Card(part.place(), card.__dict__ | compiled)


def _with_odds(
    table: Compiled, references: Mapping[str, Compiled], procedure: Callable[[str], Procedure | None]
) -> Compiled:
    """Return a table of a card whose odds have their procedure and, as ``at``, their compiled reference.

    ``references`` are the compiled references by id. Odds that cannot be asked any more (see ``_question``) become
    None.
    """
    odds = _question(table.odds, procedure) if table.odds is not None else None
    return table.replaced(odds=None if odds is None else odds.replaced(at=references.get(odds.at)))


def _with_questions(duel: Compiled, procedure: Callable[[str], Procedure | None]) -> Compiled | None:
    """Return a duel whose questions have their procedures; None if one cannot be asked any more (see ``_question``)."""
    asks = tuple(ask for item in duel.asks if (ask := _question(item, procedure)) is not None)
    return duel.replaced(asks=asks) if len(asks) == len(duel.asks) else None


def _question(entry: Compiled, procedures: Callable[[str], Procedure | None]) -> Compiled | None:
    """Return a question with its procedure, and with the question's inputs under the procedure's own names.

    Return None if there is no such procedure, or if a layer replaced it by one without all these inputs and outcomes.
    """
    procedure, names = procedures(entry.ask), [name for name, _ in entry.with_]
    if procedure is None or (procedure.id != entry.ask and not procedure.fits(names, entry.chance)):
        return None
    inputs = {name: known.name for name in names if (known := procedure.find_input(name)) is not None}
    return entry.replaced(
        procedure=procedure, inputs=tuple((inputs.get(name, name), item) for name, item in entry.with_)
    )
