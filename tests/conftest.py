"""What all tests share."""

from __future__ import annotations

import gc
import shutil
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from generator.commands.access import open_library
from generator.commands.scenarios import Stage, set_up
from generator.rules.load import load as loading
from generator.rules.source.settings import NOTHING_SET, Settings, read_settings, settings_of_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.problems import Problem
    from generator.rules.model.manifest import PartKey
    from generator.rules.ruleset import RuleSet

SMALL_RULES = Path(__file__).with_name("cases") / "rules"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew: look at them first")


# How long an example takes says more of what else the machine does than of the program.
settings.register_profile("unhurried", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written instead of compared."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the finished pages of the tests apart from those of the user, and render in the process of the test.

    Rule sets stay loaded: tests load far more of them than a command does.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("generator.commands.printer.usual_jobs", lambda: 1)
        patch.setattr("generator.rules.load.load._MOST", 1000)
        patch.setenv("FIELDPRESS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module", autouse=True)
def _small_heap() -> Iterator[None]:
    """Collect garbage before each file of tests, and hide what is left; between, it is off, as in the command line."""
    gc.collect()
    gc.freeze()
    gc.disable()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gc.unfreeze", lambda: None)
        yield


@pytest.fixture
def without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the fonts, which take longest, out of sites that the test makes itself."""
    monkeypatch.setattr("generator.render.web._cut", lambda *_: b"")


@cache
def stage_of(ruleset: str) -> Stage:
    """What rolls the scenarios of a shipped rule set; its samples are read once in each process."""
    return set_up(open_library(), ruleset)


@cache
def reference() -> Any:
    """The module ``setup/reference.py``, which makes the schemas of rule files."""
    spec = spec_from_file_location("setup_reference", Path(__file__).parents[1] / "setup" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Bench:
    """Two small rule sets on the bench (``tin``, and ``steel`` over it): change them, and see what is made of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings: Settings = NOTHING_SET

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} must stand in {name} once"
        self.write(name, text.replace(old, new))

    def layer(self, name: str, *changes: str) -> None:
        """A rule set over ``tin`` that makes these changes; ``steel`` makes them instead of its own."""
        self.write(f"{name}/ruleset.yaml", LAYER.format(name=name))
        self.write(f"{name}/changes.yaml", "changes:\n" + "".join(f"  - {{{change}}}\n" for change in changes))

    def set(self, *words: str) -> None:
        """From now on these options are set, each as name=value, and no others."""
        self.settings = settings_of_words(words)

    def settle(self, text: str) -> None:
        """From now on a player's settings are these, in a file ``mine.yaml``."""
        self.write("mine.yaml", text)
        self.settings = read_settings(self.folder / "mine.yaml")

    def load(self, ruleset: str, only: Iterable[PartKey] | None = None) -> tuple[RuleSet | None, list[Problem]]:
        problems: list[Problem] = []
        return loading.load(open_library(self.folder, settings=self.settings), ruleset, problems, only), problems

    def rules(self, ruleset: str = "tin", only: Iterable[PartKey] | None = None) -> RuleSet:
        """The rule set, which has to be without problems."""
        rules, problems = self.load(ruleset, only)
        assert problems == []
        assert rules is not None
        return rules

    def problems(self, ruleset: str = "tin") -> list[str]:
        """The problems of loading, as "R206 tin/tables/guns.yaml:12:37 D7"."""
        root = f"{self.folder}/"
        return [
            f"{one.code} {one.span.file.removeprefix(root)}:{one.span.line}:{one.span.column} {one.found}"
            for one in self.load(ruleset)[1]
        ]


LAYER = """\
ruleset: {name}
title: {name}
short: {name}
edition: "2003-03-03"
authors: [Nobody]
rights: Made up for the tests.
extends: [tin]
source: page
sources:
  page: {{title: A page, short: Page}}
"""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """The rule sets of the case files, to be changed at will."""
    folder = tmp_path / "rules"
    shutil.copytree(SMALL_RULES, folder)
    return Bench(folder)


def own_manifest(parent: str) -> str:
    """The manifest of a rule set of one's own, mine, that extends another."""
    return f"""\
ruleset: mine
title: Mine
short: Mine
edition: "2001-12-31"
authors: [A]
rights: Free.
extends: [{parent}]
source: book
sources: {{book: {{title: Book, short: Book}}}}
"""
