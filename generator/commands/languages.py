"""Print in another language: the catalogues of rule sets (gettext), and the texts that they do not have."""

from __future__ import annotations

import io
import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, read_po, write_po

from generator.commands.access import rulesets_named
from generator.commands.jobs import BLANKS, BOOK, EVERYTHING, MARKERS, Findings, Job, Pack, Selection, changed, span_of
from generator.parsing.text import read_text, split_lines
from generator.problems import LayoutError, Problem, ProblemsError, Span, raise_any, refused
from generator.render.language import Language, message_of, translated
from generator.resources import templates

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from generator.commands.printer import Output
    from generator.rules.source.library import Library

    JobsOf = Callable[..., Sequence[Job | Pack]]
    SaySite = Callable[[str, Language], object]


_LATIN = "latn"
_LINE = re.compile(r'(?:#.*|(?:(?:msgid|msgstr|msgctxt|msgid_plural|msgstr\[[0-5]\]) *)?"(?:[^"\\]|\\.)*")?')
"""A line of a catalogue, without the blanks around it."""
_MESSAGE = re.compile(r'^msgid ((?:".*"\s*)+)', re.MULTILINE)
_JOINT = re.compile(r'"\s*\n\s*"')
_MARKS = re.compile(r"#|\*\*?|\{[^{}]*\}")
"""The marks that an entry keeps: the sign for a number, bold, slanted, and names and statuses in braces."""


def read_catalogue(text: str, file: str) -> tuple[dict[str, str], list[Problem]]:
    """Return the translations in a catalogue by their English messages, and its problems (F145), with their lines.

    An entry that is empty, fuzzy (not yet checked) or has plural forms is left out. An entry whose marks differ from
    the English text has a problem, but is returned. If a line cannot be read, there are no entries. ``file`` is the
    name of the file in problems.
    """
    lines = split_lines(text)

    def problem(number: int, expected: str, found: str, hint: str) -> Problem:
        return Problem("F145", Span(file, number, 1, lines[number - 1]), expected, found, hint=hint)

    hint = 'write msgid "English text", and below it msgstr "text in the language", each with both quotation marks'
    problems = [
        problem(number, "a line of a gettext catalogue", line.strip(), hint)
        for number, line in enumerate(lines, start=1)
        if not _LINE.fullmatch(line.strip())
    ]
    if problems:
        return {}, problems
    try:
        catalogue = read_po(lines, abort_invalid=True)
    except (PoFileError, ValueError, LookupError, TypeError) as error:
        number = (getattr(error, "lineno", None) or 0) + 1
        return {}, [problem(min(number, len(lines)), "a gettext catalogue", str(error), hint)]
    seen: dict[str, int] = {}
    for match in _MESSAGE.finditer(text):
        number = text.count("\n", 0, match.start()) + 1
        first = seen.setdefault(_JOINT.sub("", match[1].strip()), number)
        if first != number:
            problems.append(
                problem(number, "one entry for each text", f"a second entry, after line {first}", "remove one")
            )
    entries: dict[str, str] = {}
    for item in catalogue:
        if not isinstance(item.id, str) or not item.id or not item.string or item.fuzzy:
            continue
        entries[item.id] = entry = str(item.string)
        wanted, given = Counter(_MARKS.findall(item.id)), Counter(_MARKS.findall(entry))
        if wanted != given:
            missing, more = (" ".join((one - other).elements()) for one, other in ((wanted, given), (given, wanted)))
            found = " and ".join(filter(None, (missing and f"{missing} missing", more and f"{more} added")))
            remedy = "write each #, *, ** and word in braces as often as in the English text"
            problems.append(problem(item.lineno or 1, "the marks of the English text", f"{found} in {entry!r}", remedy))
    return entries, problems


def write_catalogue(messages: Iterable[str], entries: Mapping[str, str]) -> str:
    """Return the text of a catalogue with each message once, in the order given, and its translation in ``entries``.

    The translation is empty if ``entries`` does not have the message. Entries for other messages are left out.
    """
    catalogue = Catalog()
    for message in messages:
        catalogue.add(message, entries.get(message, ""))
    out = io.BytesIO()
    write_po(out, catalogue, width=0, omit_header=True)
    return out.getvalue().decode()


def find_tag(word: str) -> str:
    """Return the tag of a language as Babel spells it (zh-TW: zh-Hant-TW); empty if Babel does not know it.

    The tag und, which stands for no language, has an empty result, too; Babel guesses a language for it.

    >>> find_tag("DE"), find_tag("pt_br"), find_tag("german"), find_tag("und")
    ('de', 'pt-BR', '', '')
    """
    try:
        locale = str(Locale.parse(word.replace("_", "-"), sep="-"))
        return "" if word.lower().startswith("und") else locale.replace("_", "-")
    except (UnknownLocaleError, ValueError):
        return ""


def tag_hint(word: str) -> str:
    """Return the hint for a word that is no tag: the tag of the language with this English name, or how tags look.

    >>> tag_hint("german"), tag_hint("klingon")
    ('did you mean de?', 'write a tag such as de or pt-BR')
    """
    tags = {name.lower(): tag for tag, name in Locale("en").languages.items() if find_tag(tag)}
    tag = tags.get(word.lower(), "")
    return f"did you mean {tag}?" if tag else "write a tag such as de or pt-BR"


def has_decimal_comma(tag: str) -> bool:
    """Return whether a comma begins the decimals of numbers in this language; the tag is one from ``find_tag``."""
    return bool(Locale.parse(tag, sep="-").number_symbols[_LATIN]["decimal"] == ",")


WORDS = "words"
"""The folder of catalogues, one for each language: in the templates, and in each rule set."""
_MOST_NAMED = 3
"""The most texts that a piece of advice names."""


def load_language(library: Library, word: str) -> tuple[Language, dict[Path, dict[str, str]]]:
    """Return a language with the entries of all its catalogues, and the entries of each catalogue by path.

    The catalogues are the program's own and those of all rule sets. ``word`` is the tag of the language in any
    spelling: ``DE`` and ``de_DE`` are German, too. An entry of a user's rule set replaces the entry of a shipped
    catalogue. If there is no catalogue for the tag, the tag is cut to its first part: ``de-AT`` is then ``de``. A
    language without any catalogue has no entries.

    Raises ProblemsError: F145 for a word that names no language, or a catalogue with mistakes. Others as ``read_text``
    does for a catalogue that cannot be read.
    """
    tag = find_tag(word)
    if not tag:
        raise ProblemsError(refused("F145", word, "the tag of a language", word, tag_hint(word)))
    folders = [templates(), *(folder.path for folder in reversed(library.folders))]
    if not any(_path_of(folder, tag).exists() for folder in folders):
        tag = tag.partition("-")[0]  # de_DE is the language of de.po
    found: dict[Path, dict[str, str]] = {}
    problems: list[Problem] = []
    for path in (_path_of(folder, tag) for folder in folders if _path_of(folder, tag).exists()):
        found[path], mistakes = read_catalogue(read_text(path, str(path)), str(path))
        problems += mistakes
    raise_any(problems)
    entries = {message: entry for catalogue in found.values() for message, entry in catalogue.items()}
    return Language(tag, entries, has_decimal_comma(tag)), found


def _path_of(folder: Path, tag: str) -> Path:
    """Return the path of a language's catalogue in the subfolder ``WORDS`` of a folder; there may be no such file."""
    return folder / WORDS / f"{tag}.po"


def in_language(
    library: Library, jobs: Sequence[Job | Pack], output: Output, problems: list[Problem]
) -> list[Job | Pack]:
    """Return the jobs in the language of an output. Adds advice (F145) on texts without an entry, except in English.

    Without a language, the jobs are in English. Inches become centimetres if the output says so, in any language.
    Raises ProblemsError as :func:`load_language` does.
    """
    language, catalogues = load_language(library, output.language or "en")
    tag, blame_for = language.tag, partial(blame, [*catalogues])
    missing: dict[str, None] = {}
    language = language._replace(centimetres=output.centimetres, missing=missing.setdefault)
    end = "-".join(filter(None, (tag if output.language else "", "cm" if output.centimetres else "")))
    found = [changed(job, partial(translated, language=language), end, blame_for) for job in jobs]
    _compose_covers(found)
    theirs = b"\n".join(data for job in jobs if isinstance(job, Pack) for data in job.files.values()).decode(
        errors="replace"
    )
    problems += advice_on(missing, tag, theirs)
    return found


def advice_on(missing: Collection[str], tag: str, theirs: str = "") -> list[Problem]:
    """Return one piece of advice (F145) on all texts without an entry in a language; none for English or without texts.

    It names the first few. Texts that may be names come last: those whose words have capitals, then those in
    ``theirs``, the text of the user's files.
    """
    if not missing or tag.startswith("en"):  # what has no entry stays English
        return []
    # A name has capital letters, or is in the user's file: it may stay as it is.
    sorted_by_use = sorted(missing, key=lambda message: (message in theirs, message.istitle()))
    some = "; ".join(sorted_by_use[:_MOST_NAMED])
    said = f"{len(missing)} without one, such as: {some}" if len(missing) > _MOST_NAMED else f"none for: {some}"
    hint = f"fieldpress words NAME --language {tag} prints a catalogue to fill in"
    span = Span("command line", 1, 1, f"--language {tag}")
    return [Problem("F145", span, "an entry for each text", said, hint=hint, severity="advice")]


def _compose_covers(jobs: Sequence[Job | Pack]) -> None:
    """Compose the covers of battles, which are otherwise composed last, so that their texts are translated now."""
    for job in jobs:
        if isinstance(job, Pack) and job.sheet != BOOK:
            job.cover([0] * len(job.parts), linked=False)


def catalogue_problems(folder: Path) -> list[Problem]:
    """Return the problems of all catalogues in the folder of a rule set."""
    problems: list[Problem] = []
    for path in sorted((folder / WORDS).glob("*.po")):
        try:
            problems += read_catalogue(read_text(path, str(path)), str(path))[1]
        except ProblemsError as error:
            problems += error.problems
    return problems


def blame(paths: Sequence[Path], usual: Callable[[LayoutError], Problem], error: LayoutError) -> Problem:
    """Return F132 at the last of the catalogues with the text that does not fit; if none, the ``usual`` problem."""
    for path in reversed(paths):
        span = span_of(str(path), read_text(path, str(path)), message_of(error.text)) if error.text else None
        if span is not None:
            return usual(error)._replace(span=span, hint="write a shorter entry")
    return usual(error)


def catalogue(
    library: Library, names: Sequence[str], word: str, jobs_of: JobsOf, say_site: SaySite
) -> tuple[str, tuple[Problem, ...]]:
    """Return a catalogue (``.po``) of the texts of rule sets and battles in the language with the tag ``word``.

    Return also the advice on the rule sets, and the problems of players' files, as ``jobs_of`` finds them.

    First come the texts without an entry, then the entries of the named rule sets, not those of battles. Texts in the
    program's own catalogue are left out. ``jobs_of`` returns the print jobs of names for a selection. ``say_site``
    makes the pages of one rule set in a language.

    Raises ProblemsError: the problems of :func:`load_language`, errors of the rule sets, and files without a draft.
    """
    language, catalogues = load_language(library, word)
    own = catalogues.get(_path_of(templates(), language.tag), {})
    messages: dict[str, None] = {}
    language = language._replace(missing=messages.setdefault)
    said = partial(translated, language=language._replace(own=messages.setdefault))
    words = [name for name in names if name == "all" or all(map(library.find, name.split("+")))]
    rulesets, found = rulesets_named(library, words), Findings(known={MARKERS: None, BLANKS: None})
    jobs = [*jobs_of(names, EVERYTHING, found), *jobs_of(rulesets, Selection(only=(MARKERS, BLANKS)), found)]
    _compose_covers([changed(job, said) for job in jobs])
    for name in rulesets:
        say_site(name, language)
    for folder in filter(None, map(library.find, "+".join(rulesets).split("+"))):
        messages |= dict.fromkeys(catalogues.get(_path_of(folder.path, language.tag), ()))
    text = write_catalogue([message for message in messages if message not in own], language.entries)
    return text, tuple(dict.fromkeys((*found.problems, *found.faults)))
