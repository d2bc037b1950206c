"""Check the English of docs, messages, docstrings and rule data: ``setup/prose.py [FILE...]``.

Three rules can be checked by machine: words that this project does not use, sentences that are too long, and terms of
a game that have one spelling (``setup/terms.yaml``).
Each line of ``setup/prose-exceptions.txt`` allows a finding, such as a quotation: a file, a tab, and the finding.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
EXCEPTIONS = Path(__file__).with_name("prose-exceptions.txt")
TERMS = yaml.safe_load(Path(__file__).with_name("terms.yaml").read_text(encoding="utf-8"))
WORDS = Path(__file__).resolve()
"""This file names the words that it looks for."""
GENERATED = ROOT / "docs" / "reference"
"""Made from docstrings, which are checked where they stand."""
FOLDERS = {
    ".md": ("docs", "generator", "."),
    ".py": ("generator", "tests", "setup", "benchmarks"),
    ".yaml": ("rulesdata", "generator"),
    ".toml": ("templates",),
}
LOADER: type[yaml.CSafeLoader | yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
WORDS_ALLOWED = 25
STEP_WORDS_ALLOWED = 14
BANNED = re.compile(
    r"\b(mend(s|ed|ing)?|cures?|lack(s|ed|ing)?|apiece|besides|whoever|whatever is|in place of|nobody[’']s|"
    r"(is|are) told|tells? of|told of|said of|such as none|of which|is no \w+ as|so much of|none of it|"
    r"that of (a|the) \w+ that)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.;:!?])[\"”’)*]*\s+")
_CODE = re.compile(r"``[^`]*``|`[^`]*`|\]\([^)]*\)|<[^>]*>")
_WORD = re.compile(r"[A-Za-z][A-Za-z’'-]*")
_FEWEST_WORDS = 4
"""A string in code with fewer words is a name or a key."""


class Text(NamedTuple):
    """A piece of prose, where it stands, and how long its sentences may be."""

    file: str
    line: int
    words: str
    most: int = WORDS_ALLOWED


class Finding(NamedTuple):
    """A word or a sentence to change."""

    text: Text
    what: str

    @property
    def key(self) -> str:
        """The finding as an exception names it."""
        return f"{self.text.file}\t{self.what}"


def of_markdown(file: str, source: str) -> Iterator[Text]:
    """Paragraphs, list items and table cells, without code."""
    fenced = re.compile(r"^( *)(```|~~~).*?^\1\2 *$", re.DOTALL | re.MULTILINE)
    source = fenced.sub(lambda block: "\n" * block[0].count("\n"), source)
    start, lines = 1, list[str]()
    for number, line in enumerate([*source.splitlines(), ""], start=1):
        stops = not line.strip() or re.match(r"\s*([-*#>|]|\d+\.)", line)
        if stops and lines:
            yield Text(file, start, " ".join(lines))
            lines = []
        if line.lstrip().startswith("|"):
            yield from (Text(file, number, cell) for cell in line.split("|"))
        elif line.strip() and not line.startswith("    "):
            start = start if lines else number
            lines.append(line.strip())


def of_python(file: str, source: str) -> Iterator[Text]:
    """Docstrings, and strings that are long enough to be messages."""
    for node in ast.walk(ast.parse(source)):
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and len(_WORD.findall(value)) >= _FEWEST_WORDS and not _is_code(value):
            for offset, paragraph in _paragraphs(value):
                yield Text(file, node.lineno + offset, paragraph)  # type: ignore[attr-defined] # a constant has a line


def of_yaml(file: str, source: str) -> Iterator[Text]:
    """Every text of a rule file; a step of a procedure must be shorter than its note."""
    yield from _texts(file, yaml.compose(source, LOADER), step=False)


def _texts(file: str, node: yaml.Node | None, *, step: bool) -> Iterator[Text]:
    if isinstance(node, yaml.ScalarNode):
        if len(_WORD.findall(node.value)) >= _FEWEST_WORDS and not _is_code(node.value):
            most = STEP_WORDS_ALLOWED if step else WORDS_ALLOWED
            yield Text(file, node.start_mark.line + 1, " ".join(node.value.split()), most)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _texts(file, item, step=step)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _texts(file, value, step=(step or key.value == "steps") and key.value != "note")


def _is_code(text: str) -> bool:
    """Whether a text is a formula of a rule file or a program in a string."""
    try:
        ast.parse(textwrap.dedent(text))
    except SyntaxError:
        return False
    return True


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Each paragraph of a docstring with the line that it begins on; doctests are code."""
    for match in re.finditer(r"(?:^.*\S.*(?:\n|$))+", text, re.MULTILINE):
        if not match[0].lstrip().startswith(">>>"):
            yield text.count("\n", 0, match.start()), " ".join(match[0].split())


def findings(text: Text) -> Iterator[Finding]:
    """Every banned word and every sentence that is too long."""
    plain = _CODE.sub("X", text.words)
    for match in BANNED.finditer(plain):
        yield Finding(text, f"the word “{match[0]}”")
    for term, others in _terms(text.file):
        for match in re.finditer(rf"(?<![\w-])(?:{'|'.join(map(re.escape, others))})(?![\w-])", plain, re.IGNORECASE):
            yield Finding(text, f"“{match[0]}”, not the term “{term}”")
    for sentence in _SENTENCE.split(plain):
        count = len(_WORD.findall(sentence))
        if count > text.most:
            yield Finding(text, f"{count} words: {sentence[:60]}")


def _terms(file: str) -> Iterator[tuple[str, list[str]]]:
    """Each term of the rule set that a file belongs to, with the words that are not used for it."""
    for game, terms in TERMS.items():
        if file.startswith(f"rulesdata/{game}"):
            yield from terms.items()


def of_toml(file: str, text: str) -> Iterator[Text]:
    """Every text of at least a few words, at the line of its key."""
    tables: list[dict[str, Any]] = [tomllib.loads(text)]
    for table in tables:
        for key, value in table.items():
            if isinstance(value, dict):
                tables.append(value)
            for words in value if isinstance(value, list) else [value]:
                if isinstance(words, str) and len(_WORD.findall(words)) >= _FEWEST_WORDS:
                    start = re.search(rf"^{re.escape(key)} =", text, re.MULTILINE)
                    yield Text(file, text.count("\n", 0, start.start()) + 1 if start else 1, words, WORDS_ALLOWED)


READERS = {".md": of_markdown, ".py": of_python, ".yaml": of_yaml, ".toml": of_toml}


def files() -> Iterator[Path]:
    """Every file that is checked."""
    for suffix, folders in FOLDERS.items():
        for folder in folders:
            inside = (ROOT / folder).glob(f"*{suffix}") if folder == "." else (ROOT / folder).rglob(f"*{suffix}")
            yield from sorted(path for path in inside if path != WORDS and GENERATED not in path.parents)


def main(names: list[str]) -> int:
    """Print every finding without an exception; return 1 if there is a finding."""
    known = set(EXCEPTIONS.read_text(encoding="utf-8").splitlines()) if EXCEPTIONS.is_file() else set[str]()
    count = 0
    for path in map(Path, names) if names else files():
        file = path.resolve().relative_to(ROOT).as_posix()
        for text in READERS[path.suffix](file, path.read_text(encoding="utf-8")):
            for finding in findings(text):
                if finding.key not in known:
                    count += 1
                    sys.stdout.write(f"{file}:{text.line}: {finding.what}\n")
    sys.stdout.write(f"{count} findings\n")
    return min(count, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
