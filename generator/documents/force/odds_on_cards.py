"""Chances on cards, against the enemy's designs or against reference targets."""

from __future__ import annotations

from fractions import Fraction
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from generator.documents.figures import entries, value
from generator.documents.words import NOTHING, percent, tint
from generator.forces.card_values import label, learned
from generator.forces.target_profiles import asked, guises, target_inputs
from generator.render.cards.card_tables import HEAD, HEAD_ROOM, SEMIBOLD
from generator.render.cards.deck import SHARED, Chance
from generator.render.type.prose import DRAWN, is_marked
from generator.render.type.text_length import length

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.forces.context import Values
    from generator.forces.force import Design, Force
    from generator.forces.target_profiles import Known
    from generator.rules.cards.figures import Odds, Target

Style: TypeAlias = Literal["names", "short", "letters"]
"""The style of column heads: whole names, shortened first and last words, or letters."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_TARGETS = 7
"""Most columns of targets in a table."""
_REST, _ANY, _FEW = "All others", "Any of them", 2
"""The heads of a column for more names than this, if every enemy design has a column."""
_WORDS, _VOWELS = 2, "aeiou"
"""Number of words in a short head, and letters that no shortened word ends with."""
NO_CHANCE = Chance(NOTHING, None)


class Aim(NamedTuple):
    """An enemy's design as a target, with its inputs for procedures."""

    names: tuple[str, ...]
    """The designs of this profile."""
    inputs: Mapping[str, Any]
    guise: str = ""
    """The guise under which it is aimed at; empty for the usual target."""
    head: str = ""
    """The head of its column: a letter, or a name if there is room; empty until it is on a card."""
    clear: bool = False
    """Whether the head identifies its first design."""

    def under(self, name: str, *, clear: bool) -> Aim:
        """Return the target with this name as its head, and a sign if it stands for more designs (see the foot)."""
        if is_marked(name) or DRAWN.search(name):
            return self
        return self._replace(head=name + (SHARED if len(self.names) > 1 else ""), clear=clear)

    def fits(self, odds: Odds) -> bool:
        """Return whether the question applies to the target: the target gives inputs that the firer does not.

        False if the target's inputs are for another face than the struck face.
        """
        given = {name for name, _ in odds.inputs}
        needed = {item.name for item in odds.procedure.inputs if item.required} - given
        struck = odds.at.reads if odds.at is not None else ()
        if self.guise != (odds.at.guise if odds.at is not None else ""):
            return False
        if any(name in self.inputs and other not in self.inputs for name, other in struck):
            return False
        return bool(needed or self.guise) and needed <= self.inputs_for(odds).keys()

    def inputs_for(self, odds: Odds) -> Mapping[str, Any]:
        """Return the target's inputs for this question, with the armour of the face struck."""
        reads = odds.at.reads if odds.at is not None else ()
        return {**self.inputs, **{name: self.inputs[other] for name, other in reads if other in self.inputs}}

    def told_to(self, odds: Odds) -> tuple[tuple[str, str], ...] | None:
        """Return the target's inputs that the question takes; None if the question does not apply."""
        if not self.fits(odds):
            return None
        given, mine = {name for name, _ in odds.inputs}, self.inputs_for(odds)
        asked_for = [item.name for item in odds.procedure.inputs if item.name in mine and item.name not in given]
        return tuple((name, str(mine[name])) for name in asked_for)


def _fielded(enemy: Force) -> Iterator[Design]:
    """Return the enemy's fielded designs, the highest total points first."""
    counts = enemy.counts

    def worth(design: Design) -> tuple[Fraction, int]:
        many = counts.get(design.name, 0)
        return max(1, many) * Fraction(design.points or 0), many

    every = sorted(enemy.designs, key=worth, reverse=True)
    return (design for design in every if not counts or design.name in counts)


def shots_of(enemy: Force, odds: Odds) -> tuple[Aim, ...]:
    """Return the enemy's shots with the same question, each once, for cards about being fired at."""
    found: dict[tuple[Any, ...], Aim] = {}
    for design in _fielded(enemy):
        card = enemy.rules.cards.get(design.kind.id)
        for duel in card.duels if card is not None else ():
            if [ask.procedure.id for ask in duel.asks] != [odds.procedure.id]:
                continue
            for here in entries(design, duel):
                inside = learned(duel.let, here)
                inputs = {name: value(formula, inside) for name, formula in duel.asks[0].inputs}
                found.setdefault(tuple(inputs.values()), Aim((label(duel.head, design, duel.each, inside),), inputs))
    return tuple(found.values())


def aims(enemy: Force) -> tuple[Aim, ...]:
    """Return the enemy's targets: designs with equal inputs are one target.

    Designs with the highest total points come first. Every design's first target comes before any second target.
    """
    every = [(turn, aim) for design in _fielded(enemy) for turn, aim in enumerate(_aims_at(enemy, design))]
    found: dict[tuple[Any, ...], Aim] = {}
    for _, aim in sorted(every, key=itemgetter(0)):
        _join(found, (aim.guise, *sorted((name, str(value)) for name, value in aim.inputs.items())), aim)
    return tuple(found.values())


def _aims_at(enemy: Force, design: Design) -> Iterator[Aim]:
    """Yield a design as the usual target and in each guise, with unit names if its units differ in a guise."""
    inputs = target_inputs(enemy, design)
    if inputs is not None:
        yield Aim((design.name,), inputs)
    every = list(guises(enemy, design))
    for guise, told, units in every:
        several = [item for item, *_ in every].count(guise) > 1
        yield Aim((f"{design.name} ({', '.join(units)})" if several else design.name,), told, guise)


def _join(found: dict[tuple[Any, ...], Aim], key: tuple[Any, ...], aim: Aim) -> None:
    """Add a target, or add its names to the target with the same key."""
    first = found.get(key)
    found[key] = aim if first is None else first._replace(names=(*first.names, *aim.names))


def told_apart(facing: Sequence[Aim], asked_of: Sequence[Odds]) -> tuple[Aim, ...]:
    """Return the targets that differ for these questions; targets with equal inputs are joined."""
    found: dict[tuple[Any, ...], Aim] = {}
    for aim in facing:
        _join(found, tuple(aim.told_to(odds) for odds in asked_of), aim)
    return tuple(found.values())


def columns_of(fitting: Sequence[Aim], facing: Iterable[Aim]) -> tuple[Sequence[Aim], tuple[str, ...]]:
    """Return the targets with a column, and the names of the targets without a column.

    The target with the most names is called "All others" if every enemy design has a column.
    """
    shown, rest = fitting[:_MOST_TARGETS], fitting[_MOST_TARGETS:]
    every = {name for aim in facing for name in aim.names}
    most = max(shown, key=lambda item: len(item.names), default=None)
    if most is not None and len(most.names) > _FEW and every == {name for item in shown for name in item.names}:
        called = _REST if len(shown) > 1 else _ANY
        shown = [item._replace(names=(called,)) if item is most else item for item in shown]
    return shown, tuple(name for item in rest for name in item.names)


class Letters:
    """Letters for the enemy's designs over columns, equal on all cards of a deck."""

    def __init__(self, facing: Iterable[Aim]) -> None:
        """Give the targets letters from A in their order; targets seen later get the next letters."""
        self._of: dict[str, str] = {}
        for aim in facing:
            self.of(aim)

    def of(self, aim: Aim) -> str:
        """Return the letter of a target's first design."""
        again, place = divmod(len(self._of), len(_LETTERS))
        return self._of.setdefault(aim.names[0], f"{_LETTERS[place]}{again + 1 if again else ''}")

    def short(self, aim: Aim) -> str:
        """Return the first design's name shortened to fit any column; empty if it is not unique."""
        sign = SHARED if len(aim.names) > 1 else ""
        short = shortened(aim.names[0], sign)
        return short if sum(shortened(name, sign) == short for name in self._of) == 1 else ""


def shortened(name: str, sign: str = "") -> str:
    """Return the first and last words of a name, shortened to fit a narrow column with the sign.

    >>> shortened("Razorbill"), shortened("Guard storm group"), shortened("Sledge", "*"), shortened("RFAC/2 Enhanced")
    ('Razor.', 'Guard group', 'Sled.', 'RFAC/2 Enhan.')
    """
    words = name.split(" ")
    kept = words if len(words) <= _WORDS else [words[0], words[-1]]
    return " ".join(_cut(word, sign if word is kept[-1] else "") for word in kept)


def _cut(word: str, sign: str) -> str:
    """Return a word cut to fit a narrow column, ending with a consonant and a full stop if cut."""
    if length(word + sign, HEAD, SEMIBOLD) <= HEAD_ROOM or not word.isalpha():  # a figure is never cut off
        return word
    ends = (word[:end].rstrip(_VOWELS) + "." for end in range(len(word) - 1, 0, -1))
    return next((end for end in ends if length(end + sign, HEAD, SEMIBOLD) <= HEAD_ROOM), word)


class Heads:
    """The column heads of one card: whole names, short names or letters."""

    def __init__(self, letters: Letters, style: Style) -> None:
        """Use heads of this style; letters replace names that cannot be used."""
        self._style = style
        self._letters = letters
        self._met = False

    def __bool__(self) -> bool:
        """Return whether any head was given."""
        return self._met

    def over(self, aim: Aim) -> Aim:
        """Return the target with its head, equal in every table of the card."""
        self._met = True
        headed, name = aim._replace(head=self._letters.of(aim)), aim.names[0]
        if self._style == "names":
            return headed.under(name, clear=True)
        short = self._letters.short(aim) if self._style == "short" else ""
        return headed.under(short, clear=len(short.split(" ")) == len(name.split(" "))) if short else headed


def chances(odds: Odds, values: Values, against: Iterable[Aim | Target], known: Known) -> tuple[Chance, ...]:
    """Return the chance against each target as a percentage; ``known`` stores answers for later cards."""
    own = {name: formula(values) for name, formula in odds.inputs}
    return tuple(_chance(odds, own, _theirs(odds, values, item), known) for item in against)


def _theirs(odds: Odds, values: Values, target: Aim | Target) -> Mapping[str, Any]:
    """Return the inputs that the target gives: its own, or a reference target's formulas."""
    if isinstance(target, Aim):
        return target.inputs_for(odds)
    return {name: formula(values) for name, formula in target.inputs}


def _chance(odds: Odds, own: Mapping[str, Any], theirs: Mapping[str, Any], known: Known) -> Chance:
    """Return the chance of a question as printed on a card."""
    found = asked(odds.procedure, {**theirs, **own}, known)
    chance = found.chance(*odds.chance) if found is not None else 0
    # A shot that the rules rule out with a reason, such as the range, gets a dash, not 0.
    if found is None or (not chance and len(found.notes) > len(found.remainders)):
        return NO_CHANCE
    return Chance(percent(chance), tint(chance))
