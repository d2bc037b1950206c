"""The examples for other programs: the schemas are current, and each file is what its folder says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from generator.cli.group import fieldpress
from generator.parsing.yaml12 import parse_yaml

FOLDER = Path(__file__).parents[1] / "docs" / "reference" / "exchange"
FILES = sorted(FOLDER.glob("*/*.yaml"))


@pytest.mark.parametrize(("name", "option"), [("force", []), ("scenario", ["--scenario"])])
def test_the_schemas_are_those_of_the_program(name: str, option: list[str]) -> None:
    printed = CliRunner().invoke(fieldpress, ["schema", "stargrunt2", *option])
    assert (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8") == printed.stdout


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_schema_and_check_judge_a_file_as_its_folder_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    document, _ = parse_yaml(text, path.name)
    assert document is not None
    data = document.value
    assert isinstance(data, dict)
    name = "scenario" if "scenario" in data else "force"
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    accepted = Draft202012Validator(schema).is_valid(data)
    passed = CliRunner().invoke(fieldpress, ["check", str(path)]).exit_code == 0
    assert (accepted, passed) == {"good": (True, True), "bad-form": (False, False), "bad-rules": (True, False)}[
        path.parent.name
    ]
