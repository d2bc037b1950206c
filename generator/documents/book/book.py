"""Compose the book of a supplement."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.documents.book.chapters import Drafting
from generator.documents.book.supplement import Supplement, collected
from generator.documents.book.themes import load_theme
from generator.documents.words import date
from generator.problems import Problem, has_errors
from generator.render.book import Book, Chapter
from generator.render.imprinted import Imprint
from generator.render.theme import SOBER
from generator.rules.describe.editions import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.render.blocks import Map
    from generator.rules.model.block import Block
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place

_COVER_MM = 210


def compose_book(
    supplement: Supplement,
    kinds: tuple[type[Block], ...],
    rules: Callable[[str, Place], RuleSet],
    maps: Callable[[str, Place], Map],
    problems: list[Problem],
) -> Book | None:
    """Return the book; None if problems keep it from being printed.

    ``rules`` loads the rule set of a name, ``maps`` the map of a battle.

    Codes: F101, F206 files; F141 text of a chapter; F142 a picture; F143 a theme; F144 a template;
    R319 no such sheet or section; the codes of sheets.
    """
    model, place = supplement.model, supplement.place
    drafting = Drafting(supplement, kinds, rules, maps, problems)
    places = [place / "chapters" / index for index in range(len(model.chapters))]
    drafts = []
    for number, (chapter, at) in enumerate(zip(model.chapters, places, strict=True), start=1):
        with collected(problems):
            drafts.append(drafting.draft(number, chapter, at))
    index: dict[str, list[str]] = {}
    chapters: tuple[Chapter, ...] = ()
    if len(drafts) == len(places):  # otherwise references to the other chapters would be reported
        chapters = tuple(drafting.chapter(draft, index, at) for draft, at in zip(drafts, places, strict=True))
    cover, theme = None, SOBER
    with collected(problems):
        cover = supplement.picture(model.cover, place / "cover", _COVER_MM, problems) if model.cover else None
    with collected(problems):
        theme = load_theme(model.theme, supplement.path, place / "theme", problems)
    own: dict[str, str] = {}
    for piece in model.templates:
        with collected(problems):
            own[piece] = supplement.template(piece, place / "templates" / piece, problems)
    if has_errors(problems):
        return None
    whole = rules(model.rules, place / "rules")
    return Book(
        id=re.sub(r"[^a-z0-9]+", "-", model.title.lower()).strip("-") or "book",
        title=model.title,
        strap=model.subtitle,
        imprint=Imprint(
            author=model.author,
            edition=date(model.edition),
            fingerprint=fingerprint(whole),
            source="",
            rights=model.rights,
            created=model.edition if "-" in model.edition else f"{model.edition}-01-01",
        ),
        theme=theme,
        subtitle=model.subtitle,
        kicker=model.kicker,
        cover=cover,
        chapters=chapters,
        tables=tuple(drafting.entries["Table"]),
        figures=tuple(drafting.entries["Figure"]),
        index=tuple((term, tuple(index[term])) for term in sorted(index, key=str.casefold)),
        credits=model.credits,
        shape=model.page,
        templates=tuple(own.items()),
    )
