"""Commands that make pages and serve them, and those about the machine: ``fieldpress doctor`` and ``cache``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from generator.cli.options import (
    CANNOT_RENDER,
    FORCE,
    RULESET,
    Named,
    Number,
    OneOf,
    Progress,
    Shift,
    Word,
    finish,
    format_option,
    guarded,
    library,
    once,
    only_option,
    out_option,
    print_json,
    rules_path_option,
    settings_options,
    several,
    theme_option,
    with_settings,
    words_argument,
)
from generator.rules.source.library import Library

if TYPE_CHECKING:
    from generator.commands.access import Data
    from generator.problems import Problem
    from generator.render.assemble.impose import Imposition


@click.command()
@words_argument(
    "what",
    Word("a rule set or its folder, a battle, or a file of a force or scenario; fieldpress rules lists rule sets"),
    "WHAT...",
)
@several("--paper", OneOf("a4", "letter"), None, "May be given twice.", dest="papers", default=["a4"])
@several("--ink", OneOf("colour", "mono", "low"), None, "May be repeated.", dest="inks", default=["colour"])
@only_option
@several(
    "--part",
    Word("a design, a unit or a part of a pack"),
    "NAME",
    "Only the cards and sheets of this design or unit, or this part of a pack (all: each apart); may be repeated.",
    dest="parts",
)
@once("--against", FORCE, "FORCE", "Odds on cards against the designs of this force.")
@once(
    "--since",
    Named("the file of a force, the folder of earlier prints, an edition, or a day"),
    "FORCE|DIR|EDITION|DATE",
    "Only cards and sheets that differ from this earlier force, from the files in this folder, or from the "
    "edition of this number (0.2.0) or day (2026-11-27).",
)
@once(
    "--impose",
    OneOf("cards", "fronts", "backs", "sheets", "fold", "booklet", "test", "trim"),
    None,
    "Cards one by one for a print shop, on sheets, or to fold; a booklet; or a book with bleed (trim).",
)
@once("--card-size", OneOf("index", "poker", "tarot"), None, "The size of imposed cards; usually index.")
@once("--card-width", Number(64, 254, 127), "MM", "The width of imposed cards; usually that of their size.")
@once("--gap", Number(0, 20, 6), "MM", "The distance of imposed cards; usually 6.")
@once("--marks", OneOf("corners", "guides", "none", "cutter"), None, "Marks to cut by; usually corners, for trim none.")
@once(
    "--shift-backs",
    Shift(),
    "MM,MM",
    "Move imposed backs to the right and down, to meet their fronts.",
    envvar="FIELDPRESS_SHIFT_BACKS",
)
@theme_option
@once("--language", Word("the tag of a language"), "TAG", "The language of the paper, such as de.")
@click.option("--centimetres", is_flag=True, help="A centimetre for each inch, on paper and table: for small tables.")
@once("--size", OneOf("usual", "large"), None, "large: text of 14 pt on sheets and rosters.")
@click.option("--bind", is_flag=True, help="Join the parts of a scenario's pack in one file.")
@out_option("output")
@once("--jobs", Number(1, 256, 2), "N", "Render in N processes instead of one for each core.")
@once(
    "--scheduler",
    Word("the address of a Dask scheduler"),
    "ADDRESS",
    "Render on the Dask cluster of this scheduler, such as tcp://HOST:8786.",
)
@once("--png", Number(1, 600, 150), "DPI", "Pages as PNG pictures instead of PDFs.", dest="dpi")
@click.option("--no-cache", is_flag=True, help="Render everything again, without the cache.")
@click.option("--quiet", is_flag=True, help="No progress, no list of files.")
@format_option("text", "json")
@with_settings
def build(
    rulesets: Library, *, what: tuple[str, ...], since: Path | None, quiet: bool, form: str, **options: Any
) -> None:
    """Print rule sets, force files, scenarios and books as PDFs, or as pictures with --png.

    The word all names every rule set, every finished battle and every book that ships. With --only, it names only rule
    sets.
    """
    from generator.commands import printing
    from generator.commands.jobs import Selection, edition_of
    from generator.commands.printer import Output
    from generator.reporting.problems import problems_in_short

    enemy_problems: list[Problem] = []
    folder = since if since is not None and since.is_dir() else None
    edition = edition_of(str(since)) if since is not None and not since.exists() else None
    force = None if folder or edition else since
    wanted = {name: options.pop(name) for name in ("only", "parts", "against", "bind")}
    selection = Selection(since=force, **wanted)
    imposition = _imposition({name: options.pop(name) for name in _IMPOSING})
    output = Output(imposition=imposition, earlier=folder, edition=edition, **options)
    with Progress(shown=not quiet and sys.stderr.isatty()) as bar:
        data, problems = printing.build(
            rulesets, what, output, selection, bar,
            (lambda _: None) if quiet or form == "json" else _name, enemy_problems,
        )  # fmt: skip
    if form == "json":
        print_json(data)
    elif not quiet and since is not None and not data["built"]:
        click.echo("No sheets have changed." if folder or edition else "No cards have changed.")
    elif not quiet and edition is not None:
        click.echo(f"Throw away the prints of these sheets from edition {edition.edition} and before.")
    if enemy_problems:
        click.echo(problems_in_short((), enemy_problems), err=True)
    finish(problems, form)


_IMPOSING = ("impose", "card_size", "card_width", "gap", "marks", "shift_backs")
"""The options that make an imposition."""


def _imposition(options: dict[str, Any]) -> Imposition | None:
    """Return the imposition that the options ask for; None if they ask for none.

    ``options`` has a value or None for each name in ``_IMPOSING``. Without ``--impose``, a card size other than index
    asks for sheets. Raises a usage error for an option that the imposition does not use, and for a width that does not
    fit the card size. The size index and a shift from the environment are never refused.
    """
    from generator.render.assemble import impose
    from generator.render.cards.deck import INDEX, SIZES

    given = {"size": options["card_size"], "width": options["card_width"], "shift": options["shift_backs"]}
    given |= {name: options[name] for name in ("gap", "marks")}
    size, marks = given["size"] or INDEX, given["marks"]
    way = options["impose"] or (impose.SHEETS if size != INDEX else None)
    sheets = (impose.SHEETS, impose.FOLD)
    cards = (impose.CARDS, impose.FRONTS, impose.BACKS, *sheets)
    ways = {
        "size": ("--card-size", cards),
        "width": ("--card-width", cards),
        "gap": ("--gap", sheets),
        "marks": (f"--marks {marks}", sheets if marks in (impose.GUIDES, impose.CUTTER) else (*sheets, impose.TRIM)),
        "shift": ("--shift-backs", (impose.SHEETS, impose.TEST)),
    }
    wanted = {name: value for name, value in given.items() if value not in (None, INDEX)}
    source = click.get_current_context().get_parameter_source("shift_backs")
    for name in wanted:
        option, users = ways[name]
        if way not in users and not (name == "shift" and source is ParameterSource.ENVIRONMENT):
            raise click.UsageError(f"{option} needs --impose {' or '.join(users)}.")
    least = SIZES[size][0]
    if not least <= wanted.get("width", least) <= 2 * least:
        raise click.UsageError(
            f"--card-width {wanted['width']} is not from {least:g} to {2 * least:g}, for {size} cards."
        )
    if way == impose.TRIM:
        wanted.setdefault("marks", impose.NO_MARKS)
    return impose.Imposition(way, **wanted) if way else None


def _name(file: Data) -> None:
    """Print the path and the count of pages of a written file, and whether it replaces an earlier print."""
    click.echo(f"{file['path']}  {file['pages']} page{'s' if file['pages'] != 1 else ''}")
    if "replaces" in file:
        click.echo("  Throw away the earlier print of this file.")


@click.command()
@words_argument("what", Word("what fieldpress build can print, such as the file of a force"), "WHAT...")
@once("--paper", OneOf("a4", "letter"), None, "The paper.", default="a4", show_default=True)
@once("--ink", OneOf("colour", "mono", "low"), None, "The ink.", default="colour", show_default=True)
@only_option
@theme_option
@once("--port", Number(1, 65535, 8000), "PORT", "The port to serve on instead of a free one.")
@rules_path_option
@settings_options
@guarded
def preview(*, what: tuple[str, ...], port: int | None, rules_path: tuple[Path, ...], **options: Any) -> None:
    """Serve the pages of a build as pictures on this machine, and print the address.

    Rebuild them after each change of a file, until Ctrl-C.
    """
    from generator.commands.jobs import Selection
    from generator.commands.printer import Output
    from generator.commands.printing import build
    from generator.commands.server import Preview, changes

    def make(folder: Path) -> tuple[Data, Sequence[Problem]]:
        output = Output(folder, (options["paper"],), (options["ink"],), options["theme"], jobs=1)
        return build(opened(), what, output, Selection(options["only"]))

    opened = partial(library, rules_path, options["settings"], options["set_"])  # reads a changed file of settings
    watched = [*what, *(str(file) for file in (options["settings"], options["theme"]) if file)]
    pages = Preview(make, port or 0)
    for number, _ in enumerate(changes(opened(), watched)):
        shown = pages.rebuild()
        if not number:
            click.echo(f"Open {pages.address} in a browser. Ctrl-C stops.")
        state = "has problems" if shown.stale else f"{len(shown.pages)} page{'s' if len(shown.pages) != 1 else ''}"
        click.echo(f"{state}  {shown.seconds:.1f} s")
        if shown.problems:
            click.echo(shown.problems, err=True)


@click.command()
@words_argument("what", RULESET, "RULESET...")
@out_option("output/web")
@click.option("--single", is_flag=True, help="One file for each rule set, to send to a phone.")
@once("--texts", Named("a folder with Markdown files"), None, "Add the Markdown files of a folder as pages.")
@once("--language", Word("the tag of a language"), "TAG", "The language of the pages, such as de.")
@click.option("--quiet", is_flag=True, help="No progress, no address.")
@with_settings
def web(rulesets: Library, *, what: tuple[str, ...], out: Path, quiet: bool, **options: Any) -> None:
    """Write rule sets as pages for a screen, which need no network.

    The word all names every rule set. The pages have the sheets of the rules, a search, the whole distribution behind
    each odds cell, and forces to change. Sheets for single designs are left out.
    """
    from generator.commands.web import build_site

    if options["single"] and options["texts"]:
        raise click.UsageError("--texts is for a folder of pages: leave out --single.")
    with Progress(shown=not quiet and sys.stderr.isatty()) as bar:
        starts, problems = build_site(rulesets, what, out, bar, **options)
    for start in () if quiet else starts:
        click.echo(start)
    finish(problems, "text")


@click.command()
@click.argument("folder", default="output/web", type=Named("the folder of a site"), metavar="[FOLDER]")
@once("--port", Number(1, 65535, 8000), "PORT", "The port.", default=8000, show_default=True)
@guarded
def serve(*, folder: Path, port: int) -> None:
    """Serve a site of fieldpress web to phones in the local network, until Ctrl-C.

    Everybody in the network can read pages, style sheets, scripts and pictures in the folder and its subfolders, and no
    other file. If web --single wrote the folder, only its pages can be read.
    """
    from generator.commands.server import addresses, site_server

    server = site_server(folder, port)
    for who, address in addresses(port).items():
        click.echo(f"{address}  {who}")
    click.echo("Ctrl-C stops.")
    with server, suppress(KeyboardInterrupt):
        server.serve_forever()


@click.command()
@out_option("output", "The folder for prints to check; nothing is written.")
@format_option("text", "json")
@click.pass_context
@guarded
def doctor(context: click.Context, *, out: Path, form: str) -> None:
    """Check everything that printing needs, and show how to get what is missing.

    Exits with an error code if printing is not possible.
    """
    from generator.doctor import can_make_pdfs, examine

    checks = examine(out)
    if form == "json":
        print_json({"checks": [{"check": item.check, "ok": item.ok, **item._asdict()} for item in checks]})
    else:
        for check in checks:
            click.echo(f"{'ok     ' if check.ok else 'MISSING'}  {check.check}: {check.found}")
            if not check.ok:
                click.echo("\n".join(f"         {line}" for line in check.hint.splitlines()))
    if not can_make_pdfs(checks):
        context.exit(CANNOT_RENDER)


@click.command()
@click.option("--clear", is_flag=True, help="Delete the PDFs in it.")
@guarded
def cache(*, clear: bool) -> None:
    """Show where finished PDFs are kept for the next build, and how much room they take.

    With --clear, delete them.
    """
    from generator.render.pdf_cache import open_cache

    pdf_cache = open_cache()
    if pdf_cache is None:
        click.echo("There is no cache: FIELDPRESS_CACHE is off.")
        return
    if pdf_cache.folder.exists() and not pdf_cache.is_private():
        click.echo(f"{pdf_cache.folder} is not used: it must be your own folder, and nobody else may write into it.")
        return
    entries = pdf_cache.entries()
    size = sum(entry.size for entry in entries) / 1_000_000
    if clear:
        pdf_cache.clear()
    click.echo(f"{pdf_cache.folder}: {len(entries)} files, {size:.1f} MB{', deleted' if clear else ''}")
