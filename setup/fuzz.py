"""Feed broken files and questions to every command: ``setup/fuzz.py [COUNT] [SEED] [ONLY]``.

Each input is a file of the project with a few mutations, or a question with odd words. The seed and the number of an
input make it again: ``ONLY`` is such a number. An input is at fault if it ends in a traceback or an unknown exit code.
A command about it may take at most two seconds of the processor. No line may be endless, and no value may be lost in
silence. A force without a problem must cost the same after ``convert``.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from click.testing import CliRunner
from mutations import CASES, mutated, pick
from PIL import Image

from generator import resources
from generator.cli.group import fieldpress
from generator.rules.load import load as loading
from generator.rules.source.settings import NOTHING_SET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import FrameType

    from click.testing import Result

    from generator.problems import Problem
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.library import Library

SUPPLEMENTS = CASES.parents[1] / "supplements"
COUNT, SEED, WORKERS = 100_000, 20261124, 2
SLOW = 2.0
"""Seconds of the processor that a command may take."""
LONGEST = 1000
"""Characters of a line about a small file."""
SHOWN = 20
"""Faults that are printed."""


class SlowError(BaseException):
    """An input took too long. No ``except Exception`` takes it for a problem."""


class Fault(NamedTuple):
    """What is wrong with the program's answer to an input."""

    number: int
    kind: str
    what: str
    text: str


def command(*words: str) -> Result:
    """Run the command as its user does, without a process of its own. Raises SlowError."""
    signal.setitimer(signal.ITIMER_PROF, SLOW)
    try:
        return CliRunner().invoke(fieldpress, [*words, "--rules-path", "rules"])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def broken_force(rng: random.Random) -> tuple[str, str]:
    """A force, as YAML or as a spreadsheet; where nothing is wrong with it, it must survive being converted."""
    ending = rng.choice(("yaml", "yaml", "yaml", "csv"))
    path = Path(f"force.{ending}")
    text = pick(rng, "force", "samples") if ending == "yaml" else pick(rng, "csv")
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    before = command("cost", str(path), "--format", "json")
    said = checked(before)
    new = Path(rng.choice(("new.yaml", "new.csv", "new.xlsx", "new.qr")))
    new.unlink(missing_ok=True)
    done = command("convert", str(path), str(new))
    fault = checked(done)
    if (
        not (said or fault)
        and done.exit_code == 0
        and _costs(before) != _costs(command("cost", str(new), "--format", "json"))
    ):
        fault = "lost in silence"
    if not fault and done.exit_code and new.exists():
        fault = "written although refused"
    if not fault and new.exists():
        new.write_bytes(damaged(new.read_bytes(), rng))
        fault = checked(command("cost", str(new)))
    return said or fault, text


def _costs(result: Result) -> tuple[list[object], list[str]]:
    """What a force comes to, whatever the order of its designs, but for where its problems stand."""
    data = json.loads(result.stdout)
    designs = sorted(json.dumps({**one, "problems": len(one["problems"])}) for one in data["designs"])
    return [data[key] for key in ("force", "rules", "budget", "total", "units")], designs


def broken_scenario(rng: random.Random) -> tuple[str, str]:
    """A battle."""
    text = pick(rng, "scenario", "battles")
    Path("battle.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
    return checked(command("check", "battle.yaml")), text


def broken_settings(rng: random.Random) -> tuple[str, str]:
    """Options and answers."""
    text = pick(rng, "options")
    Path("settings.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
    return checked(command("rules", "tin", "options", "--settings", "settings.yaml")), text


def broken_rules(rng: random.Random) -> tuple[str, str]:
    """A file of a rule set, which is checked with all that stands on it."""
    path = rng.choice(sorted(Path("rules").rglob("*.yaml")))
    before = path.read_bytes()
    text = mutated(before.decode(), rng)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        return checked(command("check", rng.choice(("tin", "steel")))), f"{path}\n{text}"
    finally:
        path.write_bytes(before)


def broken_question(rng: random.Random) -> tuple[str, str]:
    """A question about odds, with words that are nearly right."""
    asked = rng.choice(QUESTIONS)
    words = [mutated(word, rng) if rng.random() < 0.4 else word for word in asked.split()]  # noqa: PLR2004 - two in five
    return checked(command("odds", *words, "--format", rng.choice(("text", "json", "csv")))), " ".join(words)


def broken_book(rng: random.Random) -> tuple[str, str]:
    """A file of a book: its manifest, a chapter, a picture, a theme or a template."""
    path = rng.choice(sorted(Path("book").iterdir()))
    before = path.read_bytes()
    path.write_bytes(damaged(before, rng) if path.suffix == ".png" else broken(before.decode(), rng))
    try:
        return checked(command("check", "book")), f"{path}\n{path.read_bytes()!r}"
    finally:
        path.write_bytes(before)


def broken_catalogue(rng: random.Random) -> tuple[str, str]:
    """A catalogue of texts in another language."""
    path = Path("rules/tin/words/de.po")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(broken(CATALOGUE, rng))
    try:
        return checked(command("words", "tin", "--language", "de")), repr(path.read_bytes())
    finally:
        path.unlink()


def broken(text: str, rng: random.Random) -> bytes:
    """A mutated text as a file."""
    return mutated(text, rng).encode("utf-8", "surrogatepass")


def damaged(data: bytes, rng: random.Random) -> bytes:
    """A file with a few other bytes; some files are cut off."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 5)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed[: rng.choice((len(changed), rng.randrange(len(changed))))])


def write_book() -> None:
    """Write the book that is broken, with one file of each kind."""
    shutil.copytree(SUPPLEMENTS / "theme-page", "book")
    theme = (resources.templates() / "themes" / "pulp.yaml").read_text(encoding="utf-8")
    Path("book/mine.yaml").write_text(theme.replace("theme: pulp", "theme: mine"), encoding="utf-8")
    Path("book/box.html").write_text('<div class="box">{% if title %}<b>{{ title }}</b>{% endif %}{{ text }}</div>\n')
    Image.new("RGB", (40, 30), "red").save("book/dot.png")
    with Path("book/supplement.yaml").open("a", encoding="utf-8") as manifest:
        manifest.write("theme: mine.yaml\nlogo: {file: dot.png, alt: A dot}\ntemplates: {box: box.html}\n")


CATALOGUE = (
    'msgid "Move **at most** # inches."\nmsgstr "Bewege **höchstens** # Zoll."\n\nmsgid "Hit"\nmsgstr "Treffer"\n'
)
QUESTIONS = (
    "tin/shoot gun=rifle wall=0..2", "tin/shoot gun=cannon wall=1 --set fog=yes",
    "stargrunt2/armour-holds impact=8 armour=6",
    "fma-skirmish/quick-fire quality=regular", "dirtside2/chit-damage weapon=HVC class=3 armour=2 range=close",
    "sla-3d/skill-roll skill=0..9 modifier=-3,0", "stargrunt2/squad-fire quality=regular firepower=6 bands=2",
)  # fmt: skip
TARGETS: dict[Callable[[random.Random], tuple[str, str]], int] = {
    broken_force: 35, broken_scenario: 12, broken_settings: 8, broken_rules: 15, broken_question: 12,
    broken_book: 12, broken_catalogue: 6,
}  # fmt: skip
"""What is broken, and how often of a hundred."""


def checked(result: Result) -> str:
    """What is wrong with an answer; nothing if all is well."""
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        last = traceback.extract_tb(result.exception.__traceback__)[-1]
        return f"traceback: {result.exception!r} at {Path(last.filename).name}:{last.lineno}"
    if result.exit_code not in (0, 1, 2):
        return f"exit code {result.exit_code}: {result.output[:200]}"
    told = [line for line in result.stderr.splitlines() if line.startswith("  expected ")]
    return "endless line" if any(len(line) > LONGEST for line in told) else ""


def attempt(seed: int, number: int) -> Fault | None:
    """One input, and its fault if there is any. What is slow is asked again: the machine may have been busy."""
    for _ in range(2):
        rng = random.Random(f"{seed}-{number}")  # noqa: S311 - no secret
        (run,) = rng.choices([*TARGETS], [*TARGETS.values()])
        try:
            fault, text = run(rng)
        except SlowError as error:
            fault, text = f"slow at {error}", ""
            continue
        break
    return Fault(number, run.__name__, fault, text) if fault else None


def _too_slow(_signal: int, frame: FrameType | None) -> None:
    where = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}" if frame else ""
    raise SlowError(where)


def begin_work() -> None:
    """Give a worker a folder of its own, a clock, and rule sets that are read once."""
    os.chdir(tempfile.mkdtemp(dir=os.environ["FUZZ_FOLDER"]))
    shutil.copytree(CASES / "rules", "rules")
    write_book()
    signal.signal(signal.SIGPROF, _too_slow)
    read, known = loading.load, {}

    def load(
        library: Library, ruleset: str, problems: list[Problem], only: Iterable[tuple[str, str]] | None = None
    ) -> RuleSet | None:
        only = only if only is None else [*only]
        if library.settings != NOTHING_SET or not (library.find(ruleset) or library.folders[-1]).shipped:
            return read(library, ruleset, problems, only)
        key = ruleset, repr(only)
        if key not in known:
            found: list[Problem] = []
            known[key] = read(library, ruleset, found, only), found
        problems += known[key][1]
        return known[key][0]

    loading.load = load


def work(job: tuple[int, int]) -> Fault | None:
    """``attempt``, for a pool."""
    return attempt(*job)


def main(words: Sequence[str]) -> int:
    """Try all inputs, or the ``ONLY`` one; 1 if there was a fault."""
    count, seed = int(words[0]) if words else COUNT, int(words[1]) if len(words) > 1 else SEED
    numbers = [int(words[2])] if len(words) > 2 else range(count)  # noqa: PLR2004 - the third word
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FUZZ_FOLDER"] = folder
        with Pool(WORKERS, begin_work) as pool:
            found = pool.imap_unordered(work, ((seed, number) for number in numbers), chunksize=50)
            faults = sorted(fault for fault in found if fault is not None)
    for fault in faults[:SHOWN]:
        sys.stdout.write(f"{fault.number} {fault.kind}: {fault.what}\n{fault.text[:3000] if len(words) > 2 else ''}\n")  # noqa: PLR2004
    kinds = Counter(f"{fault.kind}: {fault.what}"[:120] for fault in faults)
    for kind, times in kinds.most_common():
        sys.stdout.write(f"{times:>6} {kind}\n")
    sys.stdout.write(f"fuzz: {len(numbers)} inputs, seed {seed}, {len(faults)} at fault\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
