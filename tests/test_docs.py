"""What the documentation shows is what happens: commands, rule files, formulas, schemas, links.

A console block that starts with ``$ fieldpress`` is run, each command in it, and its output compared; ``...`` stands
for anything, ``$ echo $?`` for the exit code of the command before. A YAML block whose first line is a comment with a
path is written to that path first; the tutorial starts from an empty folder instead, and its files are written as the
reader writes them. ``python tests/test_docs.py`` writes what really comes out into the blocks.
"""

from __future__ import annotations

import contextlib
import doctest
import json
import re
import shlex
import shutil
import tempfile
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # ships no types

from generator.cli.group import fieldpress
from generator.documents.blocks.registry import BLOCKS
from generator.parsing.yaml12 import read_yaml
from generator.resources import rulesdata
from generator.rules.source.library import BATTLES, CHANGES, ERRATA, FOLDERS, MANIFEST, MISSIONS, SAMPLES
from tests.conftest import reference

if TYPE_CHECKING:
    from collections.abc import Iterator

schemas = reference().schemas
ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
EVERY_PAGE = [*PAGES, *sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("benchmarks/*.md"))]
TUTORIAL = DOCS / "write-your-own.md"
SCHEMAS = DOCS / "reference" / "schemas"
RULE_FILES = sorted(file for file in rulesdata().rglob("*.yaml") if file.parent.name not in (SAMPLES, BATTLES))

BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"^# (?P<path>[\w.-]+(?:/[\w.-]+)+)\n")
LINK = re.compile(r"\[[^\]]+\]\((?P<to>[^)\s]+)\)")
MATCHES = doctest.OutputChecker().check_output


def blocks(page: Path, kind: str) -> list[str]:
    """The bodies of a page's code blocks of this kind."""
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [match["body"] for match in found if match["kind"] == kind]


def write_file(folder: Path, body: str) -> Path | None:
    """The file that a YAML block shows, written; None where the block names none."""
    name = NAMED.match(body)
    if not name:
        return None
    path = folder / name["path"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(body, encoding="utf-8")
    return path


def write_files(folder: Path) -> list[Path]:
    """Every file that any page shows by name, but for the tutorial’s."""
    written: list[Path] = []
    for page in PAGES:
        for body in blocks(page, "yaml") if page != TUTORIAL else ():
            path = write_file(folder, body)
            if path:
                assert path not in written, f"{page.name} shows {path.relative_to(folder)} again"
                written.append(path)
    return written


def steps(body: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output that is shown for it."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def output_of(command: str, last: int) -> tuple[str, int]:
    """What a command prints, without spaces at the ends of lines, and its exit code."""
    if command == "echo $?":
        return f"{last}\n", 0
    words = shlex.split(command)
    assert words[0] == "fieldpress", f"a console block that runs {words[0]}"
    result = CliRunner(env={"COLUMNS": "100"}).invoke(fieldpress, words[1:], prog_name="fieldpress")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return "".join(f"{line.rstrip()}\n" for line in result.output.splitlines()), result.exit_code


def as_it_happens(body: str) -> str:
    """A console block with the output that really comes; output that the block already describes stays as it is."""
    written = ""
    code = 0
    for command, shown in steps(body):
        output, code = output_of(command, code)
        fits = MATCHES(shown.rstrip(), output.rstrip(), doctest.ELLIPSIS)
        space = "\n" if written and command != "echo $?" else ""
        written += f"{space}$ {command}\n{(shown if fits else output).rstrip()}\n"
    return written


def rewritten(page: Path, folder: Path) -> str:
    """A page with all its console blocks as they happen in this folder, each after the files shown before it."""

    def block(match: re.Match[str]) -> str:
        if match["kind"] == "yaml":
            write_file(folder, match["body"])
        if match["kind"] != "console" or not match["body"].startswith("$ fieldpress"):
            return match[0]
        return f"```console\n{as_it_happens(match['body'])}```"

    with contextlib.chdir(folder):
        return BLOCK.sub(block, page.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file that the pages show."""
    made = tmp_path_factory.mktemp("shown")
    assert len(write_files(made)) > 5
    return made


def test_there_is_something_to_run() -> None:
    commands = [command for page in EVERY_PAGE for body in blocks(page, "console") for command, _ in steps(body)]
    assert len([command for command in commands if command.startswith("fieldpress ")]) > 10
    assert {command.split()[1] for command in commands if command.startswith("fieldpress ")} >= set(fieldpress.commands)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in EVERY_PAGE if page != TUTORIAL], ids=lambda page: str(page.relative_to(ROOT))
)
def test_commands_print_what_a_page_shows(page: Path, folder: Path) -> None:
    assert rewritten(page, folder) == page.read_text(encoding="utf-8")


# ---------------------------------------------------------------- the tutorial


def state_of_the_project() -> dict[str, tuple[int, int]]:
    """Size and time of every file of the project that a command might touch."""
    folders = ("docs", "generator", "output", "rulesdata", "templates", "dust-storm", "stormy")
    files = [*ROOT.glob("[!.]*"), *(path for name in folders for path in (ROOT / name).rglob("*"))]
    seen = ((path.relative_to(ROOT), path.stat()) for path in files if path.is_file() and path.suffix != ".pyc")
    return {str(path): (stat.st_size, stat.st_mtime_ns) for path, stat in seen}


@pytest.mark.slow
def test_the_tutorial_is_followed_from_an_empty_folder(tmp_path: Path) -> None:
    reader, friend = tmp_path / "reader", tmp_path / "friend"
    reader.mkdir()
    assert not tmp_path.is_relative_to(ROOT)
    before = state_of_the_project()

    assert rewritten(TUTORIAL, reader) == TUTORIAL.read_text(encoding="utf-8")
    assert sorted(path.name for path in reader.iterdir()) == ["dust-storm", "forces", "output", "stormy"]
    written = sorted((reader / "dust-storm").rglob("*.yaml"))
    assert {schema_of(path) for path in written} == set(schemas(BLOCKS)) - {"settings", "errata", "mission"}
    assert [(path.name, faults(path)) for path in written if faults(path)] == []

    shutil.copytree(reader / "dust-storm", friend / "games" / "dust-storm")
    shutil.rmtree(reader)
    with contextlib.chdir(friend):
        assert output_of("fieldpress check games/dust-storm", 0) == ("No problems.\n", 0)
        question = "fieldpress odds dust-storm/crossing hull=beetle ground=dunes --rules-path games --format csv"
        odds, code = output_of(question, 0)
        assert code == 0
        assert [line.split(",")[2:4] for line in odds.splitlines()[1:]] == [
            ["through", "9/16"],
            ["slow", "1/8"],
            ["stuck", "5/16"],
        ]
        assert output_of("fieldpress build dust-storm --rules-path games --quiet", 0) == ("", 0)
    assert [path.name for path in (friend / "output").iterdir()] == ["dust-storm-card-a4.pdf"]
    assert (friend / "output" / "dust-storm-card-a4.pdf").read_bytes().startswith(b"%PDF-")
    assert state_of_the_project() == before


def test_the_tutorial_asks_for_no_programming() -> None:
    text = TUTORIAL.read_text(encoding="utf-8")
    assert {match["kind"] for match in BLOCK.finditer(text)} == {"console", "text", "yaml"}
    assert all(NAMED.match(body) for body in blocks(TUTORIAL, "yaml"))
    assert all(body.startswith("$ fieldpress ") for body in blocks(TUTORIAL, "console"))
    assert re.search(r"python|>>>|\.py\b|\bpip\b", text, re.IGNORECASE) is None


def test_the_tutorial_shows_a_mistake_and_mends_it() -> None:
    shown = [output for body in blocks(TUTORIAL, "console") for _, output in steps(body)]
    [broken] = [number for number, output in enumerate(shown) if output.rstrip().endswith("1 problem.")]
    assert "help: did you mean" in shown[broken]
    assert "No problems.\n" in shown[broken + 1 :]


# ---------------------------------------------------------------- all pages


def test_a_wrong_output_is_noticed(folder: Path) -> None:
    with contextlib.chdir(folder):
        right = as_it_happens("$ fieldpress odds nosuch\n$ echo $?\n")
        assert right.endswith("$ echo $?\n1\n")
        assert as_it_happens(right) == right
        assert as_it_happens(right.replace("R301", "R302")) == right
        assert as_it_happens(right.replace("R301", "...")) == right.replace("R301", "...")


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_on_a_page_runs(page: Path) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for number, body in enumerate(blocks(page, "python")):
        assert ">>>" in body
        runner.run(parser.get_doctest(body, {}, f"{page.name}, block {number + 1}", str(page), 0))
    assert runner.summarize(verbose=False).failed == 0


def test_the_rule_files_on_the_pages_keep_their_schemas(folder: Path) -> None:
    files = sorted(folder.glob("my-rules/**/*.yaml"))
    assert {schema_of(path) for path in files} == set(schemas(BLOCKS))
    assert [(path.name, faults(path)) for path in files if faults(path)] == []


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.finditer(text):
        path, _, heading = link["to"].partition("#")
        if "://" in path:
            continue
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{page.name} links to {link['to']}"
        if heading:
            assert heading in anchors(there), f"{page.name} links to {link['to']}"


def anchors(page: Path) -> set[str]:
    """The anchors that headings get."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_page_is_reached_from_the_index() -> None:
    seen, waiting = set[Path](), [DOCS / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        waiting += [
            (page.parent / link["to"].partition("#")[0]).resolve() for link in LINK.finditer(page.read_text("utf-8"))
        ]
    assert [page for page in PAGES if page not in seen] == []


def test_the_tree_on_the_page_has_every_folder() -> None:
    tree = blocks(DOCS / "architecture.md", "text")[0]
    folders = sorted({module.parent.name for module in (ROOT / "generator").rglob("__init__.py")})
    assert len(folders) > 20
    assert [folder for folder in folders if f"{folder}/" not in tree] == []


def test_every_key_of_a_rule_file_is_explained() -> None:
    text = (DOCS / "rule-data.md").read_text(encoding="utf-8")
    keys = {key for schema in schemas(BLOCKS).values() for one in _models(schema) for key in one["properties"]}
    assert len(keys) > 50
    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []


def _models(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [schema, *schema.get("$defs", {}).values()]


# ---------------------------------------------------------------- schemas of rule files


def test_the_schemas_on_disk_are_up_to_date() -> None:
    fresh = {name: f"{json.dumps(made, ensure_ascii=False, indent=2)}\n" for name, made in schemas(BLOCKS).items()}
    assert fresh == {path.stem: path.read_text(encoding="utf-8") for path in SCHEMAS.iterdir()}, (
        "run python setup/reference.py docs/reference/keys.md"
    )


def test_no_key_is_left_unexplained() -> None:
    silent = [
        f"{name}, {one['title']}: {key}"
        for name, schema in schemas(BLOCKS).items()
        for one in _models(schema)
        for key, said in one["properties"].items()
        if not said.get("description", "").strip()
    ]
    assert silent == []


def schema_of(path: Path) -> str:
    """The name of the schema of a rule file."""
    own = {MANIFEST: "ruleset", CHANGES: "changes", ERRATA: "errata", "settings.yaml": "settings"}
    return own.get(path.name) or (FOLDERS | {MISSIONS: "mission"})[path.parent.name]


@cache
def validators() -> dict[str, Draft202012Validator]:
    """What judges files by each schema: the schemas take long to make."""
    return {name: Draft202012Validator(schema) for name, schema in schemas(BLOCKS).items()}


def faults(path: Path) -> list[str]:
    """What its schema says against a rule file."""
    document, problems = read_yaml(path, path.name)
    assert not problems
    assert document is not None
    found = validators()[schema_of(path)].iter_errors(plain(document.value))
    return [f"{fault.json_path}: {fault.message}" for fault in found]


def plain(value: Any) -> Any:
    """Values as JSON has them: a decimal is exact here, and a float there."""
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(schemas(BLOCKS)))
def test_a_schema_is_one_and_says_what_it_is(name: str) -> None:
    schema = schemas(BLOCKS)[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:fieldpress:rules:{name}"
    for one in _models(schema):
        assert one["title"]
        assert one["description"]
        assert one["additionalProperties"] is False
        assert not [key for key in one["properties"] if key.endswith("_")]


def test_keys_stand_in_schemas_as_people_write_them() -> None:
    made = schemas(BLOCKS)
    assert {"from", "list", "range", "of", "yes_no"} <= set(made["kind"]["$defs"]["Field"]["properties"])
    assert "with" in made["changes"]["$defs"]["Change"]["properties"]
    without = made["kind"]["properties"]["without"]["description"]
    assert without == "Fields, lines and limits of the kind it is based on that do not apply."


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sorted({path.relative_to(rulesdata()).parts[0] for path in RULE_FILES}))
def test_every_shipped_rule_file_keeps_its_schema(ruleset: str) -> None:
    files = [path for path in RULE_FILES if path.is_relative_to(rulesdata() / ruleset)]
    assert {str(path): found for path in files if (found := faults(path))} == {}


def test_every_kind_of_file_is_shipped() -> None:
    assert {schema_of(path) for path in RULE_FILES} == set(schemas(BLOCKS)) - {"settings"}


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("table", {"table": "a", "title": "A", "key": ["b"], "columns": {"b": {"type": "float", "label": "B"}}}),
        ("table", {"table": "a", "title": "A", "key": ["b"], "columns": {"B!": {"type": "int", "label": "B"}}}),
        ("table", {"title": "A", "key": ["b"], "columns": {"b": {"type": "int", "label": "B"}}}),
        ("kind", {"kind": "a", "title": "A", "fields": {"b": {"label": "B", "range": "1..2", "yes_no": True}}}),
        ("kind", {"kind": "a", "title": "A", "fields": {"b": {"label": "B", "from_": "c"}}}),
        ("changes", {"changes": [{"set": "tables.a[b].c", "to": 1, "reason": "because"}]}),
        ("changes", {"changes": [{"remove": "a", "add": "b", "with": {}, "reason": "because"}]}),
        ("sheet", {"sheet": "a", "title": "A", "strap": "", "kicker": "", "rows": [{"columns": [[]]}]}),
    ],
)
def test_a_schema_refuses_what_loading_refuses(name: str, wrong: dict[str, Any]) -> None:
    assert not validators()[name].is_valid(wrong)


def main() -> None:
    """Write what really comes out into the console blocks of all pages."""
    with tempfile.TemporaryDirectory() as made:
        write_files(Path(made))
        for page in EVERY_PAGE:
            own = Path(made) / "tutorial" if page == TUTORIAL else Path(made)
            own.mkdir(exist_ok=True)
            page.write_text(rewritten(page, own), encoding="utf-8")


if __name__ == "__main__":
    main()
