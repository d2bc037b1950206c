"""A key of a scenario that holds a value of another kind: the problem says what to write."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from generator.commands.rulesets import check
from generator.scenarios.models import ScenarioModel

if TYPE_CHECKING:
    from pathlib import Path

    from generator.rules.model.base import Model


def keys() -> list[str]:
    """Every key of a scenario, and of what stands in its lists."""
    found = []
    for name, info in ScenarioModel.model_fields.items():
        found.append(name)
        inner: type[Model] | None = next(
            (one for one in get_args(info.annotation) if hasattr(one, "model_fields")), None
        )
        if inner is not None:
            found += [f"{name}.{one.alias or key}" for key, one in inner.model_fields.items()]
    return found


@pytest.mark.parametrize("key", keys())
def test_a_value_of_another_kind_is_reported_with_what_to_write(tmp_path: Path, key: str) -> None:
    outer, _, inner = key.partition(".")
    value = "{x: [[3]]}"
    name = "side: Red, " if key == "sides.force" else ""  # the force of a side without a name is not read
    said = f"{outer}: [{{{name}{inner}: {value}}}]" if inner else f"{outer}: {value}"
    (tmp_path / "battle.yaml").write_text(
        f"{said}\nscenario: Hill\n" if outer != "scenario" else said, encoding="utf-8"
    )
    field = f"{outer}[0].{inner}" if inner else outer
    told = [one for one in check((), [str(tmp_path / "battle.yaml")]) if one.field.startswith(field)]
    assert told
    assert all(
        one.hint or one.expected.startswith(("one of ", "two numbers in brackets", "a special rule")) for one in told
    )
