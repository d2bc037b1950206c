"""The site opens from a disk: every link leads to a page of the site, and nothing is fetched from elsewhere."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from generator.commands.access import open_library
from generator.commands.web import LISTED, build_site
from generator.problems import ProblemsError
from tests.conftest import SMALL_RULES

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("without_fonts")]

ROOT = Path(__file__).parents[2]
GAME = "fma-skirmish"
LARGEST = "dirtside2-iceburg"
WITH_CHARTS = "sla-3d"
SMALL = open_library(SMALL_RULES)
FIRST_VIEW = 300_000
"""Bytes of a page with its styles and scripts."""


class Page(HTMLParser):
    """The addresses, ids and cells of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.loaded: list[str] = []
        self.ids: list[str] = []
        self.odds: list[int] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        loaded = given.get("href") if tag == "link" else given.get("src")
        self.loaded += [loaded] if loaded else []
        self.addresses += [address] if tag == "a" and (address := given.get("href")) else []
        self.ids += [name] if (name := given.get("id")) else []
        self.odds += [int(number)] if (number := given.get("data-odds")) else []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build_site(open_library(), [GAME, LARGEST, WITH_CHARTS], folder, texts=ROOT / "docs")
    return folder


@cache
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def script(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8").partition(" = ")[2].rstrip(";\n"))


def test_each_link_leads_to_a_part_of_the_site(site: Path) -> None:
    found = pages(site)
    assert {path.parent.name for path in found} >= {site.name, GAME, LARGEST, WITH_CHARTS, "texts", "reference"}
    for path, page in found.items():
        for address in (address for address in page.addresses if not address.startswith("https:")):
            name, _, part = address.partition("#")
            target = (path.parent / name).resolve() if name else path
            assert target in found, address
            assert not part or part in found[target].ids, address


def test_nothing_is_fetched_from_elsewhere_and_each_first_view_is_small(site: Path) -> None:
    for path, page in pages(site).items():
        files = [path, *((path.parent / address).resolve() for address in page.loaded)]
        assert all(file.is_relative_to(site) for file in files)
        assert sum(file.stat().st_size for file in files) < FIRST_VIEW, path
    for path in (path for path in site.rglob("*.*") if not path.is_relative_to(site / "texts")):
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|@import|fetch\(|eval\(|Function\(", text), path


def test_wide_tables_and_drawings_scroll_inside_a_frame(site: Path) -> None:
    for path in site.rglob("sheet-*.html"):
        text = path.read_text(encoding="utf-8")
        assert text.count("<table") == text.count('<div class="frame"><table')
        drawings = re.findall(r'.{21}<div class="[^"]*\b(?:chart|hexes|ground)"', text)
        assert all(found.startswith('<div class="drawing">') for found in drawings)
    charts = (site / WITH_CHARTS / "sheet-odds.html").read_text(encoding="utf-8")
    assert '<div class="drawing">' in charts


def test_the_title_of_a_play_sheet_names_it_alone(site: Path) -> None:
    assert "Play sheet" in {entry["sheet"] for entry in script(site / WITH_CHARTS / "words.js")}


def test_ids_are_used_once(site: Path) -> None:
    for path, page in pages(site).items():
        assert len(set(page.ids)) == len(page.ids), path


def test_the_chances_of_each_distribution_add_up_to_one(site: Path) -> None:
    seen = 0
    for path in (site / GAME).glob("*-odds.js"):
        distributions = script(path)
        used = Page(path.with_name(path.name.replace("-odds.js", ".html")).read_text(encoding="utf-8")).odds
        assert sorted(set(used)) == [*range(len(distributions))]
        for distribution in distributions:
            assert sum(Fraction(chance) for _, chance in distribution) == 1
            seen += 1
    assert seen > 50


def test_the_search_finds_each_table_row_where_it_stands(site: Path) -> None:
    entries = script(site / GAME / "words.js")
    found = pages(site)
    for entry in entries:
        name, _, part = entry["address"].partition("#")
        assert part in found[site / GAME / name].ids
        assert entry["title"]
        assert not any("<" in row for row in entry["rows"])
    assert any("Regular" in row for entry in entries for row in entry["rows"])


def test_the_same_rules_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    build_site(open_library(), [GAME], tmp_path)
    for path in (tmp_path / GAME).iterdir():
        assert path.read_bytes() == (site / GAME / path.name).read_bytes()


def test_pages_of_somebody_else_are_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>Mine</p>", encoding="utf-8")
    with pytest.raises(ProblemsError, match="F131"):
        build_site(SMALL, ["tin"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_a_style_sheet_of_somebody_else_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("p { color: red }", encoding="utf-8")
    with pytest.raises(ProblemsError, match="F131"):
        build_site(SMALL, ["tin"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["style.css"]


def test_a_page_of_an_earlier_site_that_somebody_else_wrote_since_stays(tmp_path: Path) -> None:
    build_site(SMALL, ["tin"], tmp_path)
    (tmp_path / "index.html").write_text("<p>Mine</p>", encoding="utf-8")
    with pytest.raises(ProblemsError, match="F131"):
        build_site(SMALL, ["tin"], tmp_path)
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "<p>Mine</p>"


def test_a_single_file_has_all_pages_and_asks_for_nothing(site: Path, tmp_path: Path) -> None:
    paths, _ = build_site(open_library(), [GAME], tmp_path, single=True)
    assert paths == (tmp_path / f"{GAME}.html",)
    text = paths[0].read_text(encoding="utf-8")
    assert Page(text).loaded == []
    data = text.partition('id="site">')[2].partition("</script>")[0]
    found = json.loads(data)
    assert {*found["pages"]} == {path.name for path in (site / GAME).glob("*.html")}
    needed = {address for page in found["pages"].values() for address in Page(page).loaded}
    assert {address.removeprefix("../") for address in needed} <= {*found["files"]}


def test_a_single_file_of_somebody_else_is_not_written_over(tmp_path: Path) -> None:
    [path], _ = build_site(SMALL, ["tin"], tmp_path, single=True)
    build_site(SMALL, ["tin"], tmp_path, single=True)
    path.write_text("<p>Mine</p>", encoding="utf-8")
    with pytest.raises(ProblemsError, match="F131"):
        build_site(SMALL, ["tin"], tmp_path, single=True)


def test_an_unknown_rule_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError) as raised:
        build_site(open_library(), ["fma-skirmishh"], tmp_path / "site")
    assert raised.value.problems[0].code == "R301"
    assert not (tmp_path / "site").exists()


def test_texts_become_pages_without_scripts_and_without_links_out_of_the_folder(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    (texts / "more").mkdir(parents=True)
    (texts / "README.md").write_text(
        "# Club & rules\n\n<script>alert(1)</script> [more](more/a.md#two-b) [out](../secret.md) ![map](map.png)\n\n"
        "[bad](javascript:alert(1)) [web](https://example.org/) [space](my%20page.md) ![far](https://example.org/a.png)\n",
        encoding="utf-8",
    )
    (texts / "more" / "a.md").write_text("# A\n\n## Two, b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", encoding="utf-8")
    (texts / "my page.md").write_text("# Twice\n\n## One\n\n## One\n", encoding="utf-8")
    (texts / "index.md").write_text("# Not the first page\n", encoding="utf-8")
    (texts / "map.png").write_bytes(b"PNG")
    (tmp_path / "secret.md").write_text("# Secret\n", encoding="utf-8")
    (texts / "link.md").symlink_to(tmp_path / "secret.md")
    (texts / ".bin").mkdir()
    for hidden in (".bin/old.md", "more/._a.md", "._map.png"):
        (texts / hidden).write_bytes(b"\xff\xfe\0")
    build_site(SMALL, ["tin"], tmp_path / "site", texts=texts)
    made = tmp_path / "site" / "texts"
    found = {path.relative_to(made).as_posix() for path in made.rglob("*.*")}
    assert found == {"index.html", "more/a.html", "my page.html", "map.png"}
    text = (made / "index.html").read_text(encoding="utf-8")
    page = Page(text)
    assert {"more/a.html#two-b", "my%20page.html", "https://example.org/"} <= {*page.addresses}
    assert page.loaded.count("map.png") == 1
    assert not [address for address in page.loaded if address.startswith("https:")]
    assert Page((made / "my page.html").read_text(encoding="utf-8")).ids[-2:] == ["one", "one-1"]
    assert not [address for address in page.addresses if "secret" in address or "javascript" in address]
    assert "<script>alert" not in text
    assert "two-b" in Page((made / "more" / "a.html").read_text(encoding="utf-8")).ids
    assert "texts/index.html" in Page((tmp_path / "site" / "index.html").read_text(encoding="utf-8")).addresses


def test_a_folder_without_texts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="F101"):
        build_site(SMALL, ["tin"], tmp_path / "site", texts=tmp_path)


def test_the_next_site_in_a_folder_replaces_the_files_of_the_earlier_one(tmp_path: Path) -> None:
    build_site(SMALL, ["tin", "steel"], tmp_path)
    (tmp_path / "steel" / "mine.html").write_text("<p>Mine</p>", encoding="utf-8")
    build_site(SMALL, ["tin"], tmp_path)
    assert [path.name for path in (tmp_path / "steel").iterdir()] == ["mine.html"]
    assert (tmp_path / "tin" / "index.html").is_file()


def test_a_list_of_somebody_else_in_the_folder_deletes_nothing(tmp_path: Path) -> None:
    (tmp_path / LISTED).write_text("novel.txt\n", encoding="utf-8")
    (tmp_path / "novel.txt").write_text("Chapter one", encoding="utf-8")
    build_site(SMALL, ["tin"], tmp_path)
    assert (tmp_path / "novel.txt").read_text(encoding="utf-8") == "Chapter one"


def test_an_address_for_mail_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "README.md").write_text("# Club\n\n[Write](mailto:club@example.org?subject=War)\n", "utf-8")
    _, problems = build_site(SMALL, ["tin"], tmp_path / "site", texts=tmp_path / "texts")
    assert problems == ()
    page = Page((tmp_path / "site" / "texts" / "index.html").read_text(encoding="utf-8"))
    assert "mailto:club@example.org?subject=War" in page.addresses


def test_a_link_of_a_text_to_no_file_is_advice_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "README.md").write_text("# Club\n\nOne\ntwo [map](my%20map.md)\n", encoding="utf-8")
    _, (advice,) = build_site(SMALL, ["tin"], tmp_path / "site", texts=tmp_path / "texts")
    assert (advice.code, advice.severity, advice.found) == ("F141", "advice", "my map.md")
    assert (advice.span.file, advice.span.line) == (str(tmp_path / "texts" / "README.md"), 4)
    assert advice.span.text == "two [map](my%20map.md)"


def test_a_link_with_a_query_leads_to_its_file(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "list.csv").write_text("a", encoding="utf-8")
    (texts / "README.md").write_text("# Club\n\n[a](a.md?plain=1#a) [b](list.csv?raw) [c](no.md?x)\n", "utf-8")
    (texts / "a.md").write_text("# A\n", encoding="utf-8")
    _, problems = build_site(SMALL, ["tin"], tmp_path / "site", texts=texts)
    assert [problem.found for problem in problems] == ["no.md"]
    page = Page((tmp_path / "site" / "texts" / "index.html").read_text(encoding="utf-8"))
    assert "a.html?plain=1#a" in page.addresses


def test_a_link_of_a_text_to_no_heading_is_advice_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "README.md").write_text("# Club\n\n[a](a.md#dise) [a](a.md#dice-1)\n\n[b](#club)", "utf-8")
    (tmp_path / "texts" / "a.md").write_text("# A\n\n## Dice\n\n## Dice\n\n[here](#duce) [a](#a)\n", encoding="utf-8")
    _, problems = build_site(SMALL, ["tin"], tmp_path / "site", texts=tmp_path / "texts")
    found = {(one.found, one.span.line, one.hint) for one in problems}
    assert found == {("a.md#dise", 3, "did you mean dice?"), ("#duce", 7, "did you mean dice?")}
