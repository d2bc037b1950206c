"""A deck of 800 distinct cards: cold, with one card changed, and unchanged, over one naive WeasyPrint document.

What is compared is the time that a person waits: the build with a process for each core, and the engine as it comes.

Run from the checkout: ``python benchmarks/cards.py [CARDS]``. See the README beside this file for how to read it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.start_up import compile_all
from generator.render.cards.deck import Axis, Boxes, Card, CardColumn, Deck, Line, Percentage, Plan, Stat, Symbol
from generator.render.imprinted import Imprint

CARDS = 800
MOST_COLD, MOST_CHANGED, MOST_UNCHANGED, MOST_MEMORY = 0.36, 0.12, 1.0, 400.0
FAILED = "a command of the benchmark has failed"
DECK = """
from benchmarks.cards import deck
made = deck({cards}, {changed!r})
"""
NAIVE = """
import weasyprint
from generator.render.page.html import render_html
from generator.render.page.pdf import _fetcher
html = render_html(made, "a4", "colour")
weasyprint.HTML(string=html, url_fetcher=_fetcher()).write_pdf("naive.pdf", pdf_variant="pdf/ua-1")
"""
PRESS = """
from pathlib import Path
from generator.commands.jobs import Job
from generator.commands.printer import Output, Printer
with Printer(Output(Path("out"))) as printer:
    printer.print_all([Job(made, "cards", "deck", None)])
"""


def deck(cards: int, changed: str = "") -> Deck:
    """Return a deck of so many different cards; the first has the word ``changed`` in its name."""
    columns, axis = (
        (CardColumn("Range", narrow=False), CardColumn("Die", narrow=True)),
        Axis("Destroys", ("1", "2", "3", "4", "5")),
    )
    boxes = (Boxes("Damaged", 1), Boxes("Immobile", 1), Boxes("Destroyed", 1, ring=True))
    made = []
    for number in range(cards):
        lines = tuple(
            Line(f"Gun {number % 17}", band, (f"{6 + number % 40 + row}″", f"D{4 + 2 * row}"), chances(number, row))
            for row, band in enumerate(("close", "medium", "long"))
        )
        stats = tuple(Stat(str(number % size), f"Figure {size}") for size in (5, 7, 11, 13))
        plan = Plan("hull", tuple(str(number % face) for face in (3, 4, 5, 6)), (Stat(str(number % 3), "Top"),))
        name = f"Vehicle {number}{changed if number == 0 else ''}"
        symbol = Symbol("land", "tracked", 1 + number % 5)
        made.append(
            Card(
                name,
                f"Unit {number // 4}",
                f"{100 + number} points",
                symbol,
                number % 4,
                stats,
                plan,
                columns,
                (axis,),
                lines,
                lines[:1],
                elements=tuple(range(1, 2 + number % 4)),
                boxes=boxes,
                ticks=("Under fire",),
                tells=(f"Rule {number} of this card.",),
            )
        )
    about = Imprint(
        author="", edition="1", fingerprint="0000 0000", source="Benchmark", rights="", created="2026-01-01"
    )
    return Deck(id="deck", title="Deck: cards", strap="Benchmark.", cards=tuple(made), imprint=about)


def chances(number: int, row: int) -> tuple[Percentage, ...]:
    """Return the chances of one row."""
    return tuple(Percentage(str((number * 7 + row * 13 + column * 17) % 100), column) for column in range(5))


def main(cards: int) -> int:
    """Print times and ratios; 1 if one is above its aim."""
    compile_all()
    first, other = (DECK.format(cards=cards, changed=changed) for changed in ("", " B"))
    with tempfile.TemporaryDirectory() as folder:

        def measured(name: str, script: str) -> Spent:
            """Return what a script takes; print it at once, because the next script may take minutes."""
            spent = run(("-c", script), folder, str(Path(folder) / "cache"))
            print(f"{name} {spent.wall:.2f} s ({spent.seconds:.2f} s of processor), {spent.memory:.0f} MiB", flush=True)
            return spent

        engine, made_only = measured("import", "import weasyprint"), measured("only the deck", first)
        cold, again = measured("cold", first + PRESS), measured("unchanged", first + PRESS)
        changed, naive = measured("one changed", other + PRESS), measured("naive", first + NAIVE)
    found = (
        (f"{cards} cards cold to one naive document", cold.wall / naive.wall, MOST_COLD),
        ("one card changed to cold", changed.wall / cold.wall, MOST_CHANGED),
        (
            "nothing changed to importing WeasyPrint",
            (again.wall - made_only.wall) / engine.wall,
            MOST_UNCHANGED,
        ),
        ("peak memory in MiB", max(cold.memory, changed.memory), MOST_MEMORY),
    )
    for what, ratio, most in found:
        print(f"{what}: {ratio:.2f} ({'ABOVE its aim' if ratio > most else 'aim'}: at most {most})")
    return int(any(ratio > most for _, ratio, most in found))


class Spent(NamedTuple):
    """What a command takes, with the processes that it starts."""

    wall: float
    """Seconds that a person waits."""
    seconds: float
    """Of the processor, in all processes."""
    memory: float
    """The most that a process holds at once, in MiB."""


def run(arguments: tuple[str, ...], folder: str, cache: str = "off") -> Spent:
    """Return what one run of Python takes. It looks for finished pages in this ``cache``."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - a descriptor for the child
        actions = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
        environment["FIELDPRESS_CACHE"] = cache
        os.chdir(folder)
        start = time.perf_counter()
        child = os.posix_spawn(sys.executable, [sys.executable, *arguments], environment, file_actions=actions)
        _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(FAILED)
    return Spent(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else CARDS))
