"""Documents in another language, and catalogues to translate."""

from __future__ import annotations

import json
import pickle
import re
import shutil
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from generator.cli.group import fieldpress
from generator.commands.access import load_valid, open_library
from generator.commands.forces import load_force_file
from generator.commands.jobs import COVER, PACK, Findings, Job, Pack, changed
from generator.commands.languages import blame, has_decimal_comma, load_language, read_catalogue, write_catalogue
from generator.commands.printer import frames_of
from generator.commands.printing import ruleset_jobs
from generator.commands.web import build_site
from generator.documents.force.cards import deck
from generator.documents.pack.markers import table_goods
from generator.problems import LayoutError, Problem, ProblemsError, Remedy, RenderError, Span
from generator.render.assemble.impose import FOLD, NO_MARKS, SHEETS, Imposition
from generator.render.blocks import Block, Cell, Column, Prose, Row, Section, Sheet, Steps, Table
from generator.render.book import Chapter, Passage
from generator.render.imprinted import NO_IMPRINT
from generator.render.language import ENGLISH, LABELS, Language, Phrase, message_of, translated
from generator.render.markers import Ruler, Template, Tray
from generator.render.page.pdf import render_pdf
from generator.render.web import scripts
from generator.resources import rulesdata, templates

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("without_fonts")]

GERMAN = Language(
    "de",
    {
        "Move": "Bewegung",
        "cards": "Karten",
        "Costs # points, at most #": "Kostet # Punkte, höchstens #",
        "**Roll** D# above #.": "**Würfle** mit W# über #.",
        "of": "von",
    },
    comma=True,
)


def sheet(*blocks: Block, title: str = "Move") -> Sheet:
    return Sheet(
        id="Move",
        title=title,
        strap="",
        kicker=("Move",),
        rows=(Row(((Section("Move", blocks),),)),),
        imprint=NO_IMPRINT,
    )


def test_every_text_of_a_document_is_translated_and_its_name_is_not() -> None:
    table = Table((Column("Move"),), ((Cell("Costs 2.5 points, at most 1,200"),), (Cell("7.25"),)), "Move")
    found = translated(sheet(table, Steps(("**Roll** D6 above 4.",)), Prose(("Move",))), GERMAN)
    assert (found.id, found.title, found.kicker, found.language) == ("Move", "Bewegung", ("Bewegung",), "de")
    section = found.rows[0].columns[0][0]
    assert section.title == "Bewegung"
    said, steps, prose = section.blocks
    assert isinstance(said, Table)
    assert isinstance(steps, Steps)
    assert isinstance(prose, Prose)
    assert [row[0].text for row in said.rows] == ["Kostet 2,5 Punkte, höchstens 1.200", "7,25"]
    assert (said.columns[0].head, said.caption) == ("Bewegung", "Bewegung")
    assert steps.steps == ("**Würfle** mit W6 über 4.",)
    assert prose.paragraphs == ("Bewegung",)
    assert (found.say("of"), found.say("edition")) == ("von", "edition")


def test_texts_without_an_entry_stay_and_are_reported_once_joined_texts_piece_by_piece() -> None:
    missing: dict[str, None] = {}
    blocks = (Prose(("Red Company: cards", "Nobody moves 3 times")), Prose(("Mine",), plain=True))
    found = translated(sheet(*blocks), GERMAN._replace(missing=missing.setdefault))
    prose = found.rows[0].columns[0][0].blocks[0]
    assert isinstance(prose, Prose)
    assert prose.paragraphs == ("Red Company: Karten", "Nobody moves 3 times")
    assert [text for text in missing if text not in map(message_of, LABELS)][-2:] == [
        "Red Company",
        "Nobody moves # times",
    ]
    assert "Mine" not in missing


@given(st.lists(st.text('abc ÄÖß"\\\n#{}*', min_size=1).filter(str.strip)))
def test_a_catalogue_is_read_as_it_was_written(messages: list[str]) -> None:
    entries = {message: f"{message}ü" for message in messages}
    assert read_catalogue(write_catalogue(entries, entries), "de.po") == (entries, [])


def test_a_catalogue_names_the_line_that_it_cannot_read() -> None:
    entries, (problem,) = read_catalogue('msgid "Move"\nmsgstr "Bewegung"\n\nmoves\n', "words/de.po")
    assert entries == {}
    assert (problem.code, problem.span.file, problem.span.line) == ("F145", "words/de.po", 4)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ('msgid "Move"\nmsgstr "Bewegung', 2, 'msgstr "Bewegung'),
        ('msgid "Move"\nmsgstr "Zug"\nmsgid "Mo"\n"ve"\nmsgstr "Gang"\n', 3, "a second entry, after line 1"),
        ('\nmsgid "**Roll** D#"\nmsgstr "**Wirf W"\n', 2, "** # missing in '**Wirf W'"),
        ('msgid "{ruled} Roll"\nmsgstr "{ruled} *Wirf*"\n', 1, "* * added in '{ruled} *Wirf*'"),
        ('msgid "Units of {side}"\nmsgstr "{x.y} hat"\n', 1, "{side} missing and {x.y} added in '{x.y} hat'"),
        ('msgid "Move"\n', 1, "missing msgstr for msgid 'Move' on 0"),
        ('msgid ""\nmsgstr "Plural-Forms: nplurals=x\\n"\n', 1, "invalid literal for int() with base 10: 'x'"),
    ],
)
def test_a_mistake_in_a_catalogue_is_reported_with_its_line(text: str, line: int, found: str) -> None:
    _, (problem,) = read_catalogue(text, "words/de.po")
    assert (problem.code, problem.span.line, problem.found) == ("F145", line, found)


@given(st.text('msgidtr "\\\n#~,:{}*[]0é', max_size=60))
def test_no_text_of_a_catalogue_ends_in_an_exception(text: str) -> None:
    read_catalogue(text, "de.po")


def test_the_template_of_a_phrase_is_translated_before_its_names_are_filled_in() -> None:
    language = Language(
        "de", {"{side} holds # of {place}": "Von {place} hält {side} #", "the {name}": "{name}"}, comma=True
    )
    text = Phrase("{side} holds 2.5 of {place}", side="Move 1.5", place=Phrase("the {name}", name="{side}"))
    assert text == "Move 1.5 holds 2.5 of the {side}"
    assert language.say(text) == "Von {side} hält Move 1.5 2,5"
    assert type(pickle.loads(pickle.dumps(text))) is str  # noqa: S301 - our own


def test_the_running_text_of_a_book_stays_and_its_labels_are_translated() -> None:
    language = Language("de", {"Table #": "Tabelle #", "Move": "Bewegung"}, comma=True)
    html = Markup('<p id="index-1.5">Move 2.5, see <a class="ref" href="#x">Table 4.1</a>: Move.</p>')
    passage = translated(sheet(Passage(html)), language).rows[0].columns[0][0].blocks[0]
    assert isinstance(passage, Passage)
    assert isinstance(passage.html, Markup)
    assert passage.html == html.replace("Table", "Tabelle")
    chapter: Any = Chapter(1, "move", "Move", "Move", None, (Passage(html),))
    assert translated(sheet(chapter), language).rows[0].columns[0][0].blocks == (replace(chapter, blocks=(passage,)),)


def test_a_word_of_another_language_that_is_too_wide_gets_smaller_letters() -> None:
    heads = tuple(Column("Feuerleitpanzerwagenbesatzungsmitglied") for _ in range(6))
    wide = Table(heads, (tuple(Cell("Unteroffiziersanwaerter 100", tint=1) for _ in heads),), "The wide one")
    found = render_pdf(replace(sheet(wide), language="de"), paper="a4", ink="mono")
    assert found.pages == 1
    with pytest.raises(RenderError, match="wider than its place"):
        render_pdf(sheet(wide), paper="a4", ink="mono")


def test_decimals_follow_the_language() -> None:
    assert [has_decimal_comma(tag) for tag in ("de", "fr", "en-GB", "pt-BR", "ja")] == [True, True, False, True, False]


@pytest.mark.parametrize("name", ["dirtside2", "fma-skirmish", "stargrunt2"])
def test_nothing_on_paper_is_in_inches_if_the_table_is_in_centimetres(name: str) -> None:
    library, language = open_library(), Language("en-GB", {}, centimetres=True)
    jobs = ruleset_jobs(library, [name], (), Findings([]))
    goods = table_goods(load_valid(library, name), "")
    for paper in (*(job.paper for job in jobs), goods):
        assert not re.search("″|inch", repr(translated(paper, language)), re.IGNORECASE)


def test_cards_in_centimetres_have_room_for_the_longer_sign() -> None:
    library, language = open_library(), Language("en", {}, centimetres=True)
    path = rulesdata() / "dirtside2" / "samples" / "tessaly-brigade.yaml"
    cards = translated(deck(load_force_file(library, path, ["cards"]), "", only=("Gannet", "Razorbill")), language)
    long = {card.name: card for card in cards.cards}
    assert render_pdf(replace(cards, cards=tuple(long.values())), paper="letter", ink="mono").pages > 1


@pytest.mark.parametrize(
    ("imposition", "strap"),
    [
        (Imposition(SHEETS, size="tarot"), "beidseitig, an der langen Kante wenden. An den Marken schneiden."),
        (Imposition(SHEETS, marks=NO_MARKS), "beidseitig, an der kurzen Kante wenden."),
        (Imposition(FOLD), "einseitig. An den Marken schneiden. In der Mitte falten und kleben."),
    ],
)
def test_sheets_of_cards_say_in_every_language_which_edge_to_flip(imposition: Imposition, strap: str) -> None:
    library = open_library()
    language, _ = load_language(library, "de")
    path = rulesdata() / "fma-skirmish" / "samples" / "quay-nine-watch.yaml"
    cards = translated(deck(load_force_file(library, path, ["cards"]), ""), language)
    assert frames_of(cards, imposition, "a4").strap == f"Auf festes Papier drucken, {strap}"


def test_a_template_and_a_ruler_in_centimetres_have_the_size_of_the_table() -> None:
    language = Language("en-GB", {}, centimetres=True)
    goods = replace(
        table_goods(load_valid(open_library(), "dirtside2"), ""),
        trays=(Tray((Template("Blast", 2), Ruler("Ruler", 6))),),
    )
    assert [piece.width for piece in goods.trays[0].pieces] == [2 * 2 * 25.4, 6 * 25.4]
    assert [piece.width for piece in translated(goods, language).trays[0].pieces] == [40, 60]


SHIPPED = sorted(path for path in rulesdata().glob("*/words/*.po"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_a_shipped_catalogue_has_an_entry_for_every_text_of_its_game(path: Path) -> None:
    words = ["words", path.parent.parent.name, "--language", path.stem]
    printed = CliRunner().invoke(fieldpress, words, prog_name="fieldpress").stdout
    entries, _ = read_catalogue(printed, "printed")
    messages = [line for line in printed.splitlines() if line.startswith("msgid ")]
    assert len(messages) == len(entries) > 100
    for message, entry in entries.items():
        assert entry.count("#") <= message.count("#"), message
        assert entry.count("**") == message.count("**"), message


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_a_shipped_catalogue_has_an_entry_for_every_text_of_its_battles(path: Path) -> None:
    for battle in (path.parent.parent / "battles").glob("*.yaml"):
        words = ["words", battle.stem, "--language", path.stem]
        assert not CliRunner().invoke(fieldpress, words, prog_name="fieldpress").stdout.strip()


TIN = Path(__file__).parent.parent / "cases" / "rules"


def messages_of(*names: str) -> set[str]:
    words = ["words", *names, "--language", "fr", "--rules-path", str(TIN)]
    done = CliRunner().invoke(fieldpress, words, prog_name="fieldpress", catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return {line for line in done.stdout.splitlines() if line.startswith("msgid ")}


def test_a_catalogue_of_several_names_has_the_texts_of_each() -> None:
    game, battle = messages_of("tin"), messages_of("bond-store-nine")
    assert game - battle
    assert battle - game
    assert game | battle <= messages_of("tin", "bond-store-nine")
    page = 'msgid "Add a new design"'
    assert page in game & messages_of("tin+steel")


@pytest.mark.parametrize("word", ["und", "UND", "und-DE"])
def test_the_tag_for_no_language_is_refused(word: str) -> None:
    with pytest.raises(ProblemsError, match="F145"):
        load_language(open_library(), word)


def test_a_force_with_faults_is_reported_beside_its_catalogue(tmp_path: Path) -> None:
    force = tmp_path / "reds.yaml"
    design = "{design: Sabre, kind: vehicle, size: 9, armour: 3, plant: HMT, mobility: fast tracked}"
    force.write_text(f"force: Reds\nrules: [dirtside2]\ndesigns: [{design}]\n", "utf-8")
    done = CliRunner().invoke(fieldpress, ["words", str(force), "--language", "de"], prog_name="fieldpress")
    checked = CliRunner().invoke(fieldpress, ["check", str(force)], prog_name="fieldpress")
    assert "F203" in done.stderr
    assert done.exit_code == checked.exit_code == 1
    assert 'msgid "Sabre"' in done.stdout


def test_an_entry_of_the_user_replaces_the_shipped_entry_and_a_tag_may_name_a_country(tmp_path: Path) -> None:
    rules = shutil.copytree(TIN, tmp_path / "rules")
    (rules / "tin" / "words").mkdir()
    (rules / "tin" / "words" / "de.po").write_text('msgid "Novice"\nmsgstr "Anfang"\nmsgid "of"\nmsgstr "aus"\n')
    language, _ = load_language(open_library(rules), "DE_at")
    assert language.tag == "de"
    assert [language.say(text) for text in ("Novice", "of", "Elite", "Contents")] == [
        "Anfang",
        "aus",
        "Elite",
        "Inhalt",
    ]


def test_a_text_of_a_catalogue_that_does_not_fit_is_reported_in_the_catalogue(tmp_path: Path) -> None:
    file = tmp_path / "de.po"
    file.write_text('msgid "Move # first"\nmsgstr "Bewegung # zuerst"\n')

    def usual(error: LayoutError) -> Problem:
        return Problem("F132", Span("force.yaml"), "a page that can be printed", error.found, hint="report the error")

    error = LayoutError("runs off the page", "", "Bewegung 2,5 zuerst", Remedy(""))
    found = blame([file], usual, error)
    assert (found.span.file, found.span.line, found.hint) == (str(file), 2, "write a shorter entry")
    other = LayoutError("runs off the page", "", "Red Company", Remedy(""))
    assert blame([file], usual, other) == usual(other)


def test_a_cover_and_a_pack_have_the_language_in_their_names() -> None:
    def refuse(error: LayoutError) -> Problem:
        return Problem("F132", Span(""), "a page", error.found)

    part = Job(sheet(), "1", "battle/1-table", refuse)
    alone = Pack((part,), lambda *_: sheet(), "battle/0-cover", {}, refuse, COVER)
    found = changed(alone, partial(translated, language=GERMAN), "de")
    assert isinstance(found, Pack)
    assert (found.stem, found.parts[0].stem) == ("battle/0-cover-de", "battle/1-table-de")
    bound = changed(alone._replace(stem="battle-pack", sheet=PACK), partial(translated, language=GERMAN), "de")
    assert bound.stem == "battle-pack-de"


class Texts(HTMLParser):
    """The texts of a page that somebody reads or hears, and its language."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.language = ""
        self._hidden = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.language = given.get("lang") or self.language
        self._hidden = tag in ("script", "style")
        self.found |= {text for name in ("aria-label", "title", "alt", "placeholder") if (text := given.get(name))}

    def handle_data(self, data: str) -> None:
        self.found |= {data.strip()} if not self._hidden else set()


TRANSLATED = sorted({path.parent.parent.name for path in SHIPPED})


@pytest.mark.parametrize("game", TRANSLATED)
def test_a_site_in_another_language_has_no_english_text(game: str, tmp_path: Path) -> None:
    for language in ("", "de"):
        _, problems = build_site(open_library(), [game], tmp_path / f"site{language}", language=language)
        assert not problems
    entries = load_language(open_library(), "de")[0].entries
    same = {message.strip("*") for message, entry in entries.items() if message == entry}
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 5
    for path in pages:
        english = Texts(path.read_text(encoding="utf-8"))
        german = Texts((tmp_path / "sitede" / path.relative_to(tmp_path / "site")).read_text(encoding="utf-8"))
        assert (english.language, german.language) == ("en-GB", "de")
        left = {message_of(text) for text in english.found & german.found if re.search("[a-z]{2}", text)}
        assert left <= same, path


def test_a_site_in_another_language_carries_the_texts_of_its_scripts(tmp_path: Path) -> None:
    (page,), _ = build_site(open_library(), TRANSLATED[:1], tmp_path, single=True, language="DE_at")
    text = page.read_text(encoding="utf-8")
    assert Texts(text).language == "de"
    assert "Diese Datei braucht Skripte. Öffne sie mit einem Browser." in Texts(text).found
    site = json.loads(text.partition('id="site">')[2].partition("</script>")[0])
    says = json.loads(site["files"]["elements.js"].partition(" = ")[2].partition(";\n")[0])
    assert (says["."], says["Breaks {count} limits"]) == (",", "Verletzt {count} Grenzen")
    assert "Copy the chosen design" in says
    assert "fieldpressSays = " not in scripts(ENGLISH)["elements.js"]


@pytest.mark.parametrize("path", sorted((templates() / "web").glob("*.js")), ids=lambda path: path.name)
def test_every_text_of_a_script_is_said_in_the_language_of_the_site(path: Path) -> None:
    code = re.sub(r"^ *//.*", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert {*re.findall(r'(?<!\bsay\()["`]([A-Z][a-z]+[^"`]*)', code)} <= {"Escape"}


def test_a_site_without_a_catalogue_is_advised_and_a_wrong_language_is_refused(tmp_path: Path) -> None:
    _, (advice,) = build_site(open_library(), TRANSLATED[:1], tmp_path, language="fr")
    assert (advice.code, advice.severity, advice.span.text) == ("F145", "advice", "--language fr")
    with pytest.raises(ProblemsError, match="F145"):
        build_site(open_library(), TRANSLATED[:1], tmp_path, language="german")
