"""Compose a book: its chapters of Markdown with fences that print rule data, pictures and boxes, and its cover."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from generator.documents.force.rosters import hyphened, unaccented
from generator.documents.sheets import rows_of
from generator.documents.supplement import ChapterModel, Supplement, collected, letters_of, load_theme, mistaken
from generator.documents.unprintable import OTHERWISE, PRINTABLE, missing_glyphs
from generator.documents.words import imprint
from generator.parsing.yaml12 import parse_yaml
from generator.problems import Problem, ProblemsError, Span, has_errors, suggest
from generator.render.blocks import Block, Chart, Hexes, Map, Section
from generator.render.book import ROOM, Book, Box, Captioned, Chapter, Heading, ListEntry, Passage, Tokens, card_scale
from generator.render.cards.deck import INDEX, SIZES, Deck
from generator.render.cards.upright import with_sides
from generator.render.geometry import SHAPES, geometry
from generator.render.imprinted import SOBER, Imprint
from generator.render.page.diagrams import least_width
from generator.render.type.markdown import Node, Writer, read_markdown
from generator.rules.check.ruleset import check_sheet
from generator.rules.describe.differences import fingerprint
from generator.rules.model.base import Block as BlockModel
from generator.rules.model.base import Line, Model
from generator.rules.model.sheet import sheet_model
from generator.rules.ruleset import RuleSet, Sheet
from generator.rules.source.parts import Part, Place
from generator.rules.source.pictures import PictureModel
from generator.rules.source.validation import validate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from generator.render.pictures import Picture

BLOCK, SECTION, FIGURE, MAP, CARD, TOKENS = "block", "section", "figure", "map", "card", "tokens"
BOXES = ("sidebar", "example")
FENCES = (BLOCK, SECTION, FIGURE, MAP, CARD, TOKENS, *BOXES)
_ID = re.compile(r"^id: *(\S+)", re.MULTILINE)
"""The id of a fence."""
_SHORT = re.compile("[,:;]")
"""What ends the part of a caption that the contents list."""
_LAST = re.compile(r" (?=\S{1,2}$)")
"""The space before a short last word, which would stand alone in a line."""
LOGO = 40.0
"""The greatest width of a logo in millimetres, as in its template."""
_BLOCKS = ("rows", 0, "columns", 0, 0, "blocks", 0)
"""The path of a fence's block in the sheet that is made to check the block."""


class FenceKeys(Model):
    """The keys of a fence, in addition to the keys of the block in it."""

    caption: str = ""
    """The caption. With it, the table or figure is numbered and listed in the contents."""
    id: str = ""
    """A name for references: ``[](#id)``."""
    wide: bool = False
    """Whether it spans all columns."""
    abreast: int = 1
    """How many blocks are printed side by side, if it spans all columns."""


class FigureModel(FenceKeys, PictureModel):
    """``figure``: a picture of the folder."""


class MapOfBattle(FenceKeys):
    """``map``: the map of a battle, without secrets."""

    battle: Line
    """A finished battle, or the file of a battle in the folder."""


class CardOfForce(FenceKeys):
    """``card``: the cards of a design or a unit."""

    force: Line
    """The file of a force in the folder."""
    name: Line
    """The design or the unit."""
    size: Literal["index", "poker", "tarot"] = "index"
    """The size of the cards; poker and tarot cards have the pictures of their designs."""
    back: bool = False
    """Whether backs are printed, each after its front."""


class SectionOfSheet(FenceKeys):
    """``section``: a section of a sheet of the rule set."""

    sheet: Line
    """The id of the sheet."""
    section: Line
    """The title of the section."""


_PAGE_WIDTH = geometry("a4").paper[0]
"""The width in millimetres of a picture as wide as an A4 page."""


class Draft(NamedTuple):
    """A chapter that is read and checked. Its text is written when the numbers of all tables and figures are known."""

    model: ChapterModel
    file: str
    lines: Sequence[str]
    number: int
    title: str
    id: str
    nodes: Sequence[Node]
    placed: dict[int, Captioned]
    """What each fence prints, by the line of the fence."""


_OWN = {"contents": "Contents", "index": "Index", "end": ""}
"""The ids of a book's own places, with their labels."""


@dataclass
class BookComposer:
    """Composes a book from a supplement; collects labels of ids, entries of the contents, and problems."""

    supplement: Supplement
    kinds: tuple[type[BlockModel], ...]
    """The block models that a fence may have."""
    rules: Callable[[str, Place], RuleSet]
    """Loads a rule set by its name."""
    maps: Callable[[str, Place], Map]
    """Loads the map of a battle."""
    cards: Callable[[str, str, Place], Deck]
    """Loads cards: takes the file of a force, the name of its design or unit, and the place for problems."""
    problems: list[Problem]
    letters: Collection[str] = ()
    """The letters of the theme's own fonts."""
    decks: list[Deck] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=lambda: dict(_OWN))
    entries: dict[str, list[ListEntry]] = field(default_factory=lambda: {"Table": [], "Figure": []})
    sources: dict[Imprint, None] = field(default_factory=dict)
    index: dict[str, list[str]] = field(default_factory=dict)

    def compose(self) -> Book | None:
        """Return the book; None if problems prevent printing.

        Adds F1xx or F206 for files that cannot be read, and F132 for signs without a glyph. Text of a chapter gives
        F141, wrong YAML in a fence F1xx, its wrong keys R201 to R203. A picture gives F142, a theme F143, a template
        F144, an unknown sheet or section R319. Rule sets, sheets, maps and cards add theirs.

        Call it once: it fills the labels, the index and the other lists of this object. Raises ProblemsError if the
        rule set of the book cannot be loaded and no chapter uses it. Raises OSError for a picture that exists but
        cannot be read.
        """
        model, place, theme = self.supplement.model, self.supplement.place, SOBER
        with collected(self.problems):
            theme = load_theme(model.theme, self.supplement.path, place / "theme", self.problems)
        self.letters = letters_of(theme)
        places = [place / "chapters" / index for index in range(len(model.chapters))]
        drafts = []
        for number, (chapter, at) in enumerate(zip(model.chapters, places, strict=True), start=1):
            with collected(self.problems):
                drafts.append(self.draft(number, chapter, at))
        chapters: tuple[Chapter, ...] = ()
        if len(drafts) == len(places):  # otherwise references to the other chapters would be reported
            chapters = tuple(self.chapter(draft, at) for draft, at in zip(drafts, places, strict=True))
        cover = self._picture(model.cover, place / "cover", _PAGE_WIDTH)
        logo = self._picture(model.logo, place / "logo", LOGO)
        own: dict[str, str] = {}
        for piece in model.templates:
            with collected(self.problems):
                own[piece] = self.supplement.template(piece, place / "templates" / piece, self.problems)
        if has_errors(self.problems):
            return None
        mark = fingerprint(self.rules(model.rules, place / "rules"))
        return Book(
            id=hyphened(model.title) or "book",
            title=model.title,
            strap=model.subtitle,
            imprint=replace(imprint(model, mark, model.author), source=""),
            theme=theme,
            subtitle=model.subtitle,
            kicker=model.kicker,
            cover=cover,
            logo=logo,
            chapters=chapters,
            tables=tuple(self.entries["Table"]),
            figures=tuple(self.entries["Figure"]),
            index=tuple((term, tuple(self.index[term])) for term in sorted(self.index, key=unaccented)),
            credits=model.credits,
            sources=tuple(self.sources),
            decks=tuple(self.decks),
            shape=model.page,
            templates=tuple(own.items()),
        )

    def _picture(self, model: PictureModel | None, place: Place, across: float) -> Picture | None:
        """Return a picture that is printed ``across`` millimetres wide; None without a model.

        None also if its file is missing, outside the folder or refused. Problems and advice are added. Raises OSError
        as ``Supplement.picture`` does.
        """
        with collected(self.problems):
            return self.supplement.picture(model, place, across, self.problems) if model else None
        return None

    def draft(self, number: int, model: ChapterModel, place: Place) -> Draft:
        """Return a chapter whose fences are composed; add its labels, contents entries, sources, decks and problems.

        ``number`` is that of the chapter, from 1. Adds F132 for signs without a glyph, F141 for wrong text, and the
        problems of fences. Raises ProblemsError if the file or the rule set cannot be read.
        """
        shown = self.supplement.shown(model.file)
        text = self.supplement.text(model.file, place / "file")
        lines = text.splitlines()
        nodes = read_markdown(text)
        for at, line in enumerate(lines, start=1):
            if (missing := missing_glyphs(line, self.letters)) is not None:
                span = Span(shown, at, missing[1] + 1, line)
                self.problems.append(Problem("F132", span, PRINTABLE, missing[0], hint=OTHERWISE))
        title, sections = "", 0
        placed: dict[int, Captioned] = {}
        counts = {"Table": 0, "Figure": 0}
        names_rules = place if model.rules else self.supplement.place
        ruleset = self.rules(model.rules or self.supplement.model.rules, names_rules / "rules")
        self.sources[imprint(ruleset.manifest, fingerprint(ruleset))] = None
        id_ = f"chapter-{number}"
        for node in _with_boxes(nodes):
            if node.kind == "heading" and node.level == 1 and not title:
                title, id_ = node.text, node.id or id_
                self._label(id_, f"chapter {number}", shown, node.line)
            elif not node.closed:
                hint = "add a line with the same backticks at its end"
                self._refuse(shown, node.line, "a fence with an end", node.word, hint, lines[node.line - 1])
            elif node.kind == "heading" and node.level == 1:
                expected, hint = "one title in a chapter", "write ## for a section, or begin a file"
                self._refuse(shown, node.line, expected, "a second title", hint, lines[node.line - 1])
            elif node.kind == "heading":
                sections += node.level == 2 and node in nodes  # noqa: PLR2004 - the level of sections
                self._label(node.id, f"{number}.{sections}" if sections else f"chapter {number}", shown, node.line)
            elif node.kind == "fence" and node.word.partition(" ")[0] not in (*BOXES, TOKENS):
                with collected(self.problems):
                    if (found := self._fence(node, shown, ruleset)) is not None:
                        placed[node.line] = self._numbered(found, number, counts, shown, node.line)
                if node.line not in placed and has_errors(self.problems):  # a reference to it is no second problem
                    for named in _ID.findall(node.text):
                        self.labels.setdefault(named, "")
        if not title:
            hint = "begin the file with a line such as # Cruise missiles"
            self._refuse(shown, 1, "a title", "a chapter without a title", hint, "".join(lines[:1]))
        return Draft(model, shown, lines, number, title, id_, nodes, placed)

    def _label(self, id_: str, label: str, file: str, line: int) -> None:
        if id_ in self.labels:
            self._refuse(file, line, "an id of its own", f"the id {id_} again", "rename one")
        elif id_:
            self.labels[id_] = label

    def _refuse(self, file: str, line: int, expected: str, found: str, hint: str, text: str = "") -> None:
        """Add F141 at the beginning of a line of a file; ``text`` is that line, or empty."""
        self.problems.append(Problem("F141", Span(file, line, 1, text), expected, found, hint=hint))

    def _numbered(self, placed: Captioned, chapter: int, counts: dict[str, int], file: str, line: int) -> Captioned:
        """Return what a fence prints with its label, such as "Table 4.1", and an id; list it in the contents.

        Without a caption, return it unchanged. References to the id show the label. ``counts`` has the numbers of
        tables and figures so far, and is changed. Adds F141 for an id that something else has.
        """
        if not placed.caption:
            return placed
        drawn = placed.section is None or any(isinstance(item, Chart | Hexes | Map) for item in placed.section.blocks)
        kind = "Figure" if drawn else "Table"
        counts[kind] += 1
        number = f"{chapter}.{counts[kind]}"
        id_ = placed.id or f"{kind.lower()}-{number.replace('.', '-')}"
        self._label(id_, f"{kind} {number}", file, line)
        title = _LAST.sub("\N{NO-BREAK SPACE}", _SHORT.split(placed.caption)[0])
        self.entries[kind].append(ListEntry(number, title, id_))
        return replace(placed, label=f"{kind} {number}", id=id_)

    def _fence(self, node: Node, file: str, ruleset: RuleSet) -> Captioned | None:
        """Return what a fence prints. If the fence cannot be printed, add problems and return None.

        Return None without a problem for a block or section that prints nothing, such as one that options exclude.
        The deck of a card is added to ``decks``.
        Raises ProblemsError for a map, card, figure or section that cannot be loaded, and as ``rows_of`` does.
        """
        if node.word not in FENCES:
            hint = suggest(node.word, FENCES)
            expected, text = "a fence that prints something", f"```{node.word}"
            self._refuse(file, node.line, expected, f"{node.word!r}", hint, text)
            return None
        # The lines above are replaced by empty lines, so that places are those of the file.
        document, unread = parse_yaml("\n" * node.line + node.text, file)
        self.problems += unread
        if document is None or has_errors(unread) or not isinstance(document.value, dict):
            if not unread:
                hint = "write keys and values, such as table: guns"
                self._refuse(file, node.line, "keys and values in the fence", "a text", hint)
            return None
        if node.word != BLOCK:
            part = Part("", document)
            kinds: dict[str, tuple[type[FenceKeys], Callable[..., Captioned | None]]] = {
                FIGURE: (FigureModel, self._figure), MAP: (MapOfBattle, self._map), CARD: (CardOfForce, self._card),
                SECTION: (SectionOfSheet, partial(self._section, ruleset)),
            }  # fmt: skip
            kind, placed = kinds[node.word]
            read = validate(kind, document.value, part.place, self.problems)
            return placed(read, part.place()) if read else None
        fields = [item for kind in self.kinds if kind.keyword in document.value for item in kind.model_fields.items()]
        needed = {key for key, field in fields if field.is_required()}
        framed = {key: item for key, item in document.value.items() if key in FenceKeys.model_fields}
        frame = validate(FenceKeys, framed, Part("", document).place, self.problems)
        value = {key: item for key, item in document.value.items() if key in needed or key not in framed}
        sheet: Any = {
            "sheet": "fence", "title": "-", "strap": "-", "kicker": "-",
            "rows": [{"columns": [[{"section": "", "blocks": [value], "abreast": framed.get("abreast", 1)}]]}],
        }  # fmt: skip
        part = Part("", document.under(sheet, _BLOCKS))
        found: list[Problem] = []
        model = validate(sheet_model(self.kinds), sheet, part.place, found)
        if model is not None:
            checked = Sheet(model, ruleset.id, part.place())
            check_sheet(ruleset, checked, found)
        before = "rows[0].columns[0][0].blocks[0]"  # the fields are named as in the fence
        self.problems += [item._replace(field=item.field.removeprefix(before).lstrip(".")) for item in found]
        if model is None or frame is None or has_errors(found):
            return None
        rows = rows_of(ruleset, checked, self.problems)
        return self._placed(rows[0].columns[0][0], frame, model.blocks()) if rows else None

    def _map(self, model: MapOfBattle, place: Place) -> Captioned:
        return Captioned(Section("", (self.maps(model.battle, place / "battle"),)), **_frame(model))

    def _card(self, model: CardOfForce, place: Place) -> Captioned:
        deck = self.cards(model.force, model.name, place)
        first = sum(len(deck.cards) * len(deck.apart) for deck in self.decks)
        cards = tuple(card for card in deck.cards if card.unit == deck.cards[0].unit)  # a design once
        deck = with_sides(replace(deck, cards=cards), model.size, (False, True) if model.back else (False,))
        self.decks.append(deck)
        rooms = tuple(f"{ROOM}{first + number}" for number in range(len(deck.cards) * len(deck.apart)))
        scale = card_scale(self.supplement.model.page, model.size)
        wide, high = (scale * side for side in SIZES[model.size])
        frame = {**_frame(model), "wide": model.wide or model.back or model.size == INDEX}
        return Captioned(None, **frame, rooms=rooms, room=(wide, high))

    def _section(self, ruleset: RuleSet, model: SectionOfSheet, place: Place) -> Captioned | None:
        """Return the first section of this title that prints something, ready for print; None if none does.

        Raises ProblemsError (R319) if there is no such sheet or section, and for a sheet of designs. Adds problems
        and raises ProblemsError as ``rows_of`` does.
        """
        sheets = {name: sheet for name, sheet in ruleset.sheets.items() if sheet.model.of is None}
        sheet = sheets.get(model.sheet)
        if sheet is None:
            hint = suggest(model.sheet, sheets)
            raise ProblemsError(
                (place / "sheet").problem("R319", "a sheet of the rule set, none of designs", model.sheet, hint)
            )
        wanted = [item for item in sheet.model.sections() if item.section == model.section]
        rows = rows_of(ruleset, sheet, self.problems, wanted=lambda item: item if item in wanted else None)
        if not wanted:
            hint = suggest(model.section, filter(None, (item.section for item in sheet.model.sections())))
            raise ProblemsError((place / "section").problem("R319", "a section of the sheet", model.section, hint))
        blocks = [block for item in wanted for block in item.blocks]
        return self._placed(rows[0].columns[0][0], model, blocks) if rows else None

    def _placed(self, section: Section, frame: FenceKeys, models: Iterable[BlockModel]) -> Captioned:
        """Return the blocks of a section in the frame of their fence, without the title and the aside of the section.

        ``models`` are the models of the blocks. The result spans all columns if the fence says so, with a model that
        ``lists_everything``, and with a chart too wide for a column. Only then are blocks printed side by side. A chart
        with the caption of the fence loses its own caption.
        """
        blocks = tuple(  # a caption of the fence is printed once, with its number
            replace(block, caption="") if isinstance(block, Chart) and block.caption == frame.caption else block
            for block in section.blocks
        )
        column = SHAPES[self.supplement.model.page].column
        narrow = any(block.lists_everything for block in models) or any(
            isinstance(block, Chart) and least_width(block) > column for block in blocks
        )
        frame = frame.model_copy(update={"wide": True}) if narrow else frame
        abreast = max(section.abreast, frame.abreast) if frame.wide else 1
        bare = replace(section, title="", aside="", blocks=blocks, abreast=abreast)
        return Captioned(bare, **_frame(frame))

    def _figure(self, model: FigureModel, place: Place) -> Captioned | None:
        shape = SHAPES[self.supplement.model.page]
        across = shape.wide if model.wide else shape.column
        picture = self.supplement.picture(model, place, across, self.problems)
        return Captioned(None, picture, **_frame(model)) if picture else None

    def chapter(self, draft: Draft, place: Place) -> Chapter:
        """Return a finished chapter from its draft; add its terms to the index.

        Adds F141 for mistakes in its text, and the problems of its picture.

        Call it after all chapters are drafted, because it needs their labels.
        """
        writer = Writer(self.labels, self.index)
        html = next((writer.html(node) for node in draft.nodes if node.level == 1), "")
        blocks = tuple(self._written(draft, draft.nodes, writer))
        self.problems += mistaken("F141", draft.file, draft.lines, writer.mistakes)
        picture = self._picture(draft.model.picture, place / "picture", _PAGE_WIDTH)
        return Chapter(draft.number, draft.id, draft.title, draft.model.strap, picture, blocks, html=html)

    def _written(self, draft: Draft, nodes: Sequence[Node], writer: Writer) -> Iterator[Block]:
        sections = 0
        for node in nodes:
            if node.kind == "heading" and node.level > 1:
                numbered = node.level == 2 and nodes is draft.nodes  # noqa: PLR2004 - headings in boxes have no number
                sections += numbered
                number = f"{draft.number}.{sections}" if numbered else ""
                yield Heading(node.level, number, writer.html(node), node.text, node.id)
            elif node.kind == "text":
                yield Passage(writer.html(node))
            elif node.kind == "table":
                yield Captioned(Section("", (writer.table(node),)))
            elif node.kind == "fence" and node.line in draft.placed:
                yield draft.placed[node.line]
            elif node.kind == "fence" and node.word == TOKENS:
                yield Tokens()
            elif node.kind == "fence" and node.word.partition(" ")[0] in BOXES:
                title = node.word.partition(" ")[2]
                yield Box(title, tuple(self._written(draft, read_markdown(node.text, node.line), writer)))


def _with_boxes(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield all nodes, and after each box the nodes inside it."""
    for node in nodes:
        yield node
        if node.kind == "fence" and node.word.partition(" ")[0] in BOXES:
            yield from _with_boxes(read_markdown(node.text, node.line))


def _frame(model: FenceKeys) -> dict[str, Any]:
    """Return the caption and the id of a fence, and whether it spans all columns, as arguments of ``Captioned``."""
    return {"caption": model.caption, "id": model.id, "wide": model.wide}
