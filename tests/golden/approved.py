"""What shipped pages were made of when they were approved: the same content, engine and fonts give the same pages."""

from __future__ import annotations

import hashlib
import json
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.commands.access import open_library
from generator.commands.forces import load_force_file
from generator.documents.force.cards import deck
from generator.documents.sheets import compose
from generator.render.blocks import Sheet
from generator.render.executors import RenderTask
from generator.render.pdf_cache import engine_digest
from generator.resources import rulesdata
from generator.rules.load.load import load

if TYPE_CHECKING:
    from generator.render.blocks import Ink, Paper
    from generator.render.cards.deck import Deck
    from generator.rules.ruleset import RuleSet

HERE = Path(__file__).parent
FINGERPRINT = "0000 0000"
ENVIRONMENT = HERE / "environment.json"
SHEETS = {
    f"{path.parents[1].name}/{path.stem}": path
    for path in sorted(rulesdata().glob("*/sheets/*.yaml"))
    if "\nof: " not in path.read_text("utf-8")
}
"""The files of all shipped sheets but those of a kind; loading all rule sets would slow every collection of tests."""
INKS: dict[Paper, Ink] = {"a4": "colour", "letter": "mono"}
"""The ink in which text and facts are compared, by paper."""
DECK = "deck/cards"
"""The cards of the force beside this file."""


@cache
def ruleset(name: str) -> RuleSet:
    problems: list[Any] = []
    loaded = load(open_library(), name, problems)
    assert loaded is not None
    assert not problems
    return loaded


@cache
def sheet(name: str) -> Sheet | Deck:
    if name == DECK:
        return deck(load_force_file(open_library(), HERE / "deck.yaml", ["cards"]), FINGERPRINT)
    rules, _, sheet_id = name.partition("/")
    problems: list[Any] = []
    composed = compose(ruleset(rules), ruleset(rules).sheets[sheet_id], FINGERPRINT, problems)
    assert not problems
    return composed


def shipped_sheet(name: str) -> Sheet:
    found = sheet(name)
    assert isinstance(found, Sheet)
    return found


@cache
def is_as_approved(name: str, paper: Paper, ink: Ink) -> bool:
    """Whether a page has the same content, engine and fonts as when it was approved, so that its bytes are the same.

    What approves pages looks at all of them: a record is written before the other tests of a sheet run.
    That the same makes the same is seen with the sheets of ``is_watched``, whose facts are compared each time.
    """
    record = made(name, paper, ink)
    if not record.is_file() or not is_approved_environment():
        return False
    return record.read_text(encoding="utf-8").strip() == made_of(RenderTask(sheet(name), paper, ink))


def record_as_approved(name: str, paper: Paper, ink: Ink) -> None:
    record = made(name, paper, ink)
    record.parent.mkdir(exist_ok=True)
    record.write_text(made_of(RenderTask(sheet(name), paper, ink)) + "\n", encoding="utf-8")
    ENVIRONMENT.write_text(json.dumps(environment(), indent=2) + "\n", encoding="utf-8")


def made_of(task: RenderTask) -> str:
    """Return a digest of a document and of everything else that decides its bytes."""
    return hashlib.sha256(engine_digest() + repr(task).encode()).hexdigest()


def made(name: str, paper: Paper, ink: Ink) -> Path:
    """Where it stands what a page was made of when it was approved."""
    return HERE / "made" / f"{sheet(name).id}-{paper}-{ink}.txt"


@cache
def is_approved_environment() -> bool:
    return bool(json.loads(ENVIRONMENT.read_text(encoding="utf-8")) == environment())


def is_watched(name: str) -> bool:
    return name in ("sla-3d/quick-reference", DECK)


def environment() -> dict[str, str]:
    """What decides about single pixels and about what a page is made of: layout engines, PDFium, and Python."""
    from weasyprint.text.ffi import pango

    names = ("weasyprint", "pydyf", "pypdfium2", "font-source-sans-pro", "font-source-serif-pro")
    return {"python": sys.version, "pango": str(pango.pango_version()), **{name: version(name) for name in names}}
