"""Keys that are nearly right: told once, and read as what was meant."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from generator.rules.validation import models_in
from generator.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pydantic import BaseModel

    from generator.problems import Problem
    from generator.rules.parts import Part
    from generator.sources.document import Path

_NEAR_KEY = 0.76
"""How like a key a word is that was meant as it. Higher than words of four letters with one letter wrong."""
_NO_OTHERS: Mapping[str, str] = MappingProxyType({})


def near_key(word: str, lacking: Collection[str]) -> str | None:
    """The key that was meant by one that nobody knows, of those that are not there.

    >>> near_key("RULES", {"rules"}), near_key("fo", {"of"}), near_key("desgin", {"design"}), near_key("size", {"side"})
    ('rules', 'of', 'design', None)
    """
    plain = word.lower().replace("-", "_").replace(" ", "_")
    if plain in lacking:
        return plain
    turned = (one for one in lacking if sorted(one) == sorted(plain))
    return nearest(plain, lacking, _NEAR_KEY) or next(turned, None)


def respell(model: type[BaseModel], part: Part, problems: list[Problem], path: Path = ()) -> None:
    """Read what is at a path of the part as its model means it, with all that is inside. R202 for each key."""
    value = part.place(path).value()
    if isinstance(value, list):
        for index in range(len(value)):
            respell(model, part, problems, (*path, index))
    if not isinstance(value, dict):
        return
    inner = {info.alias or name: models_in(info.annotation) for name, info in model.model_fields.items()}
    respell_keys(part, path, inner, problems)
    for key in part.place(path).value():
        for one in inner.get(key, ()):
            respell(one, part, problems, (*path, key))


def respell_keys(
    part: Part,
    path: Path,
    keys: Collection[str],
    problems: list[Problem],
    besides: Collection[str] = (),
    others: Mapping[str, str] = _NO_OTHERS,
) -> Any:
    """What is at a path, with each of the ``keys`` as it was meant. R202 for each that was misspelt.

    What is ``besides`` them is known too, and is left as it is; ``others`` are other words for some of the keys.
    """
    value = part.place(path).value()
    for word in list(value):
        if word in keys or word in besides:
            continue
        lacking = {*keys, *besides} - value.keys()
        meant = others[word] if others.get(word) in lacking else near_key(word, sorted(lacking))
        if meant is None or meant not in keys:
            continue
        at, hint = part.place((*path, word)), f"did you mean {meant}?"
        problems.append(at.problem("R202", found=f"the key {word}", expected="a known key", hint=hint, at_key=True))
        part.respell(path, word, meant)
        value = part.place(path).value()
    return value
