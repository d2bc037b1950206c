"""Samples of rule sets on the bench: found, copied under other rules, checked with their rule set, no part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.commands.access import is_players
from generator.commands.rulesets import check
from generator.forces.starter import sample_force
from generator.problems import ProblemsError
from generator.rules.describe.differences import fingerprint
from generator.rules.source.library import SAMPLES, Folder, examples

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Bench

COATS = """# In red.
force: Redcoats
rules: [tin]
note: "rules: of war"
designs:
  - {design: Box, kind: tank, wall: 1}
units:
  - {unit: First, of: [{design: Box}]}
"""


def chain(bench: Bench) -> tuple[Folder, ...]:
    return bench.rules("steel").chain


def test_a_layer_has_its_own_samples_and_its_parents(bench: Bench) -> None:
    bench.write("tin/samples/redcoats.yaml", COATS)
    bench.write("tin/samples/greys.yaml", COATS)
    bench.write("steel/samples/greys.yaml", COATS.replace("Redcoats", "Steel greys"))
    bench.write("steel/samples/notes.md", "No sample.")
    (bench.folder / "steel" / "samples" / "secret.yaml").symlink_to(bench.folder / "tin" / "ruleset.yaml")
    found = examples(chain(bench), SAMPLES)
    assert {name: (one.title(), one.folder.ruleset) for name, one in found.items()} == {
        "greys": ("Steel greys", "steel"),
        "redcoats": ("Redcoats", "tin"),
    }


@pytest.mark.parametrize(
    "said",
    [
        "rules: [tin]",
        "rules: tin",
        "rules : tin",
        '"rules": tin',
        "rules:\n  - tin",
        "rules:\n- tin",
        "rules:\n# the old ones\n\n  - tin",
        "rules: [\n  tin ]",
    ],
)
def test_a_copy_is_under_the_rules_that_were_asked_for(bench: Bench, said: str) -> None:
    bench.write("tin/samples/redcoats.yaml", COATS.replace("rules: [tin]", said))
    assert sample_force(chain(bench), ["steel", "brass"], "redcoats") == COATS.replace("[tin]", "[steel, brass]")


@pytest.mark.parametrize("said", ["rules: [steel, brass]", "rules:\n  - brass # no tin\n  - steel"])
def test_a_copy_of_a_sample_of_several_layers_keeps_them(bench: Bench, said: str) -> None:
    bench.write("tin/samples/redcoats.yaml", COATS.replace("rules: [tin]", said))
    text = COATS.replace("rules: [tin]", said)
    assert sample_force(chain(bench), ["steel"], "redcoats") == text
    assert sample_force(chain(bench), ["tin"], "redcoats") != text


@pytest.mark.parametrize("text", ["", "- 1", "force: {a: 1}", "force: ["])
def test_a_sample_that_is_no_force_is_named_for_its_file(bench: Bench, text: str) -> None:
    bench.write("tin/samples/redcoats.yaml", text)
    assert examples(chain(bench), SAMPLES)["redcoats"].title() == "redcoats"


def test_a_sample_that_cannot_be_read_is_not_copied(bench: Bench) -> None:
    bench.write("tin/samples/redcoats.yaml", "force: [")
    with pytest.raises(ProblemsError) as refused:
        sample_force(chain(bench), ["steel"], "redcoats")
    assert [problem.code for problem in refused.value.problems] == ["F105"]


def test_samples_are_checked_with_their_rule_set(bench: Bench) -> None:
    bench.write("tin/samples/redcoats.yaml", COATS)
    assert check((bench.folder,), ["tin"]) == ()
    bench.change(
        "tin/samples/redcoats.yaml", "  - {design: Box", "  - {design: Spare, kind: tank, wall: 0}\n  - {design: Box"
    )
    assert check((bench.folder,), ["tin"]) == ()  # a design that nobody fields is advice
    bench.change("tin/samples/redcoats.yaml", "wall: 1", "wall: 5")
    (problem,) = check((bench.folder,), ["tin"])
    assert (problem.code, problem.span.line) == ("F203", 7)
    assert problem.span.file.endswith("tin/samples/redcoats.yaml")


@pytest.mark.parametrize("layer", ["tin", "steel"])
def test_a_sample_is_a_players_file_and_finds_its_rule_set(bench: Bench, layer: str) -> None:
    bench.write(f"{layer}/samples/redcoats.yaml", COATS.replace("[tin]", f"[{layer}]"))
    path: Path = bench.folder / layer / "samples" / "redcoats.yaml"
    assert is_players(path)
    assert not is_players(bench.folder / "tin" / "kinds" / "tank.yaml")
    assert not is_players(bench.folder / layer / "samples" / "none.yaml")
    assert check((), [str(path)]) == ()


def test_samples_change_nothing_that_is_printed(bench: Bench) -> None:
    before = fingerprint(bench.rules("steel"))
    bench.write("tin/samples/redcoats.yaml", COATS)
    assert fingerprint(bench.rules("steel")) == before
    bench.change("tin/kinds/tank.yaml", "title: Tank", "title: Landship")
    assert fingerprint(bench.rules("steel")) != before
