"""Chances on a card: a question for each target, a target of reference or the enemy's."""

from __future__ import annotations

from fractions import Fraction
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from generator.documents.figures import entries, label, learned, value
from generator.documents.force.target_profiles import asked, guises, target_inputs
from generator.documents.words import NOTHING, percent, tint
from generator.render.cards.card_tables import HEAD, HEAD_ROOM, SEMIBOLD
from generator.render.cards.deck import SHARED, Chance
from generator.render.type.prose import DRAWN, is_marked
from generator.render.type.text_length import length

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.documents.force.target_profiles import Known
    from generator.forces.context import Values
    from generator.forces.force import Design, Force
    from generator.rules.cards.figures import Odds, Target

Style: TypeAlias = Literal["names", "short", "letters"]
"""What stands over columns: whole names, their first and last words cut short, one of these, or letters."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_TARGETS = 7
"""Columns of targets that a table has."""
_REST, _ANY, _FEW = "All others", "Any of them", 2
"""What a column is called whose target has more names than that, where nothing of the enemy's has none."""
_WORDS, _VOWELS = 2, "aeiou"
"""How many words stand in a short head, and what no shortened one ends with."""
NO_CHANCE = Chance(NOTHING, None)


class Aim(NamedTuple):
    """An enemy's design as a target, with its inputs for procedures."""

    names: tuple[str, ...]
    """The designs of this profile."""
    inputs: Mapping[str, Any]
    guise: str = ""
    """What it is aimed at as; empty for the usual target."""
    head: str = ""
    """What stands over its column: a letter, or where there is room its name; nothing before it is on a card."""
    clear: bool = False
    """Whether that says which its first design is."""

    def under(self, name: str, *, clear: bool) -> Aim:
        """The same under a name of its first design, with a sign where it stands for others: the foot has them."""
        if is_marked(name) or DRAWN.search(name):
            return self
        return self._replace(head=name + (SHARED if len(self.names) > 1 else ""), clear=clear)

    def fits(self, odds: Odds) -> bool:
        """Whether the question can be asked of it, and is about it: it tells what the firer does not.

        False where the target's inputs are for another face than the struck face.
        """
        given = {name for name, _ in odds.given}
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
        """Return the target's inputs that the question takes; None where the question does not fit."""
        if not self.fits(odds):
            return None
        given, mine = {name for name, _ in odds.given}, self.inputs_for(odds)
        asked_for = [item.name for item in odds.procedure.inputs if item.name in mine and item.name not in given]
        return tuple((name, str(mine[name])) for name in asked_for)


def _fielded(enemy: Force) -> Iterator[Design]:
    """The enemy's designs in the field, what is worth most there first."""
    counts = enemy.counts

    def worth(design: Design) -> tuple[Fraction, int]:
        many = counts.get(design.name, 0)
        return max(1, many) * Fraction(design.points or 0), many

    every = sorted(enemy.designs, key=worth, reverse=True)
    return (design for design in every if not counts or design.name in counts)


def shots_of(enemy: Force, odds: Odds) -> tuple[Aim, ...]:
    """Return the enemy's shots with the same question, each once: the firers, where a card is about being fired at."""
    found: dict[tuple[Any, ...], Aim] = {}
    for design in _fielded(enemy):
        card = enemy.rules.cards.get(design.kind.id)
        for duel in card.duels if card is not None else ():
            if [ask.procedure.id for ask in duel.asks] != [odds.procedure.id]:
                continue
            for here in entries(design, duel):
                inside = learned(duel.let, here)
                inputs = {name: value(formula, inside) for name, formula in duel.asks[0].given}
                found.setdefault(tuple(inputs.values()), Aim((label(duel.head, design, duel.each, inside),), inputs))
    return tuple(found.values())


def aims(enemy: Force) -> tuple[Aim, ...]:
    """What of the enemy's can be aimed at: one target for each profile.

    What is worth most in the field is first; of a design that is several targets, one stands before any has two.
    """
    every = [(turn, aim) for design in _fielded(enemy) for turn, aim in enumerate(_aims_at(enemy, design))]
    found: dict[tuple[Any, ...], Aim] = {}
    for _, aim in sorted(every, key=itemgetter(0)):
        _join(found, (aim.guise, *sorted((name, str(value)) for name, value in aim.inputs.items())), aim)
    return tuple(found.values())


def _aims_at(enemy: Force, design: Design) -> Iterator[Aim]:
    """A design as the usual target, and in each guise; with the names of its units where these make it several."""
    inputs = target_inputs(enemy, design)
    if inputs is not None:
        yield Aim((design.name,), inputs)
    every = list(guises(enemy, design))
    for guise, told, units in every:
        several = [item for item, *_ in every].count(guise) > 1
        yield Aim((f"{design.name} ({', '.join(units)})" if several else design.name,), told, guise)


def _join(found: dict[tuple[Any, ...], Aim], key: tuple[Any, ...], aim: Aim) -> None:
    """What has the same key is one target with the names of all."""
    first = found.get(key)
    found[key] = aim if first is None else first._replace(names=(*first.names, *aim.names))


def told_apart(facing: Sequence[Aim], asked_of: Sequence[Odds]) -> tuple[Aim, ...]:
    """Return the targets that differ for these questions: targets with the same inputs are one target."""
    found: dict[tuple[Any, ...], Aim] = {}
    for aim in facing:
        _join(found, tuple(aim.told_to(odds) for odds in asked_of), aim)
    return tuple(found.values())


def columns_of(fitting: Sequence[Aim], facing: Iterable[Aim]) -> tuple[Sequence[Aim], tuple[str, ...]]:
    """The targets that have a column, and the names of those that have none.

    The one with the most names is called all others, where nothing of the enemy's is without a column.
    """
    shown, rest = fitting[:_MOST_TARGETS], fitting[_MOST_TARGETS:]
    every = {name for aim in facing for name in aim.names}
    most = max(shown, key=lambda item: len(item.names), default=None)
    if most is not None and len(most.names) > _FEW and every == {name for item in shown for name in item.names}:
        called = _REST if len(shown) > 1 else _ANY
        shown = [item._replace(names=(called,)) if item is most else item for item in shown]
    return shown, tuple(name for item in rest for name in item.names)


class Letters:
    """A letter for each of the enemy's designs that stands for a column: the same on all cards of a deck."""

    def __init__(self, facing: Iterable[Aim]) -> None:
        """Letter the targets from A on in their order; targets that are met later come after them."""
        self._of: dict[str, str] = {}
        for aim in facing:
            self.of(aim)

    def of(self, aim: Aim) -> str:
        """The letter of the design that a target is named by."""
        again, place = divmod(len(self._of), len(_LETTERS))
        return self._of.setdefault(aim.names[0], f"{_LETTERS[place]}{again + 1 if again else ''}")

    def short(self, aim: Aim) -> str:
        """As much of the design's name as any column has room for; empty where that could be another's."""
        sign = SHARED if len(aim.names) > 1 else ""
        short = shortened(aim.names[0], sign)
        return short if sum(shortened(name, sign) == short for name in self._of) == 1 else ""


def shortened(name: str, sign: str = "") -> str:
    """The first and the last word of a name, and as much of each as a narrow column has room for beside the sign.

    >>> shortened("Razorbill"), shortened("Guard storm group"), shortened("Sledge", "*"), shortened("RFAC/2 Enhanced")
    ('Razor.', 'Guard group', 'Sled.', 'RFAC/2 Enhan.')
    """
    words = name.split(" ")
    kept = words if len(words) <= _WORDS else [words[0], words[-1]]
    return " ".join(_cut(word, sign if word is kept[-1] else "") for word in kept)


def _cut(word: str, sign: str) -> str:
    """As much of a word as has room, which ends with a consonant and a full stop where it is not all of it."""
    if length(word + sign, HEAD, SEMIBOLD) <= HEAD_ROOM or not word.isalpha():  # a figure is never cut off
        return word
    ends = (word[:end].rstrip(_VOWELS) + "." for end in range(len(word) - 1, 0, -1))
    return next((end for end in ends if length(end + sign, HEAD, SEMIBOLD) <= HEAD_ROOM), word)


class Heads:
    """What stands over the columns of one card: names, short or whole, or letters."""

    def __init__(self, letters: Letters, style: Style) -> None:
        """Use names where they fit into a head and differ there, else letters."""
        self._style = style
        self._letters = letters
        self._met = False

    def __bool__(self) -> bool:
        """Whether there is any."""
        return self._met

    def over(self, aim: Aim) -> Aim:
        """The target with its head, the same in every table."""
        self._met = True
        headed, name = aim._replace(head=self._letters.of(aim)), aim.names[0]
        if self._style == "names":
            return headed.under(name, clear=True)
        short = self._letters.short(aim) if self._style == "short" else ""
        return headed.under(short, clear=len(short.split(" ")) == len(name.split(" "))) if short else headed


def chances(odds: Odds, values: Values, against: Iterable[Aim | Target], known: Known) -> tuple[Chance, ...]:
    """The chance against each target, to the percent; ``known`` learns the answers, as a force has many of a kind."""
    own = {name: formula(values) for name, formula in odds.given}
    return tuple(_chance(odds, own, _theirs(odds, values, item), known) for item in against)


def _theirs(odds: Odds, values: Values, target: Aim | Target) -> Mapping[str, Any]:
    """What the target says of itself, which for one of reference are formulas about the tables."""
    if isinstance(target, Aim):
        return target.inputs_for(odds)
    return {name: formula(values) for name, formula in target.inputs}


def _chance(odds: Odds, own: Mapping[str, Any], theirs: Mapping[str, Any], known: Known) -> Chance:
    found = asked(odds.procedure, {**theirs, **own}, known)
    chance = found.chance(*odds.chance) if found is not None else 0
    # What never happens for a reason that the rules give, such as the range, is no shot: a dash, not a nought.
    if found is None or (not chance and len(found.notes) > len(found.remainders)):
        return NO_CHANCE
    return Chance(percent(chance), tint(chance))
