"""The site in Chromium, from the disk: what a reader does, and what a reader with a disability meets.

The tests need the packages playwright and axe-playwright-python, and Chromium on the path. Without them they are
skipped.
"""

from __future__ import annotations

import re
import shutil
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.commands.languages import load_language
from generator.commands.web import build_site

if TYPE_CHECKING:
    from collections.abc import Iterator

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("no Chromium", allow_module_level=True)
api = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"
GAME = "dirtside2"
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build_site(open_library(), [GAME], folder, texts=DOCS)
    build_site(open_library(), [GAME], folder / "one", single=True)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that must not fail, nor ask another host."""
    context = browser.new_context(viewport=PHONE)
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda request: wrong.append(request.url) if request.url.startswith("http") else None)
    yield opened
    assert not wrong
    context.close()


def test_a_reader_searches_and_sorts(site: Path, page: Any) -> None:
    page.goto((site / GAME / "index.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("HEL medium")
    page.wait_for_selector(".result mark")
    assert "result" in page.inner_text("#count")
    page.click(".result a")
    assert "#part-" in page.url
    page.goto((site / GAME / "sheet-costs.html").as_uri())
    head = page.locator("th button").nth(1)
    column = head.evaluate("node => [...node.closest('tr').cells].indexOf(node.closest('th'))")
    cells = "(node, at) => [...node.closest('table').tBodies[0].rows].map((row) => row.cells[at].innerText)"
    before = head.evaluate(cells, column)
    head.click()
    head.click()
    after = head.evaluate(cells, column)
    assert after != before
    assert sorted(after) == sorted(before)


def test_a_cell_shows_its_whole_distribution(site: Path, page: Any) -> None:
    page.goto((site / GAME / "sheet-odds.html").as_uri())
    page.click("td[data-odds] button >> nth=3")
    page.wait_for_selector("#distribution:not([hidden])")
    chances = [Fraction(text) for text in page.locator("#distribution td.exact").all_inner_texts()]
    assert sum(chances) == 1
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    assert page.is_hidden("#distribution")


def choose(page: Any, label: str, value: str) -> None:
    page.get_by_label(label, exact=True).first.select_option(label=value)


def test_price_limits_and_odds_follow_a_change(site: Path, page: Any) -> None:
    page.goto((site / GAME / "force.html").as_uri())
    page.click("button:has-text('Kiln')")
    page.wait_for_selector(".matrix")
    price, odds = page.inner_text(".price .total"), page.inner_text(".matrix >> nth=1")
    page.get_by_label("Size", exact=True).select_option(index=4)
    page.get_by_label("Armour", exact=True).select_option(index=0)
    assert page.inner_text(".price .total") != price
    assert page.inner_text(".matrix >> nth=1") != odds
    page.get_by_label("Size", exact=True).select_option(index=0)
    page.wait_for_selector(".broken .actions button")
    broken = page.locator(".price .bad").count()
    page.locator(".price .broken .actions button").first.click()
    assert page.locator(".price .bad").count() < broken
    page.goto((site / GAME / "matrix.html").as_uri())
    assert any(text.startswith("Your force") for text in page.locator("option").all_inner_texts())


def test_two_forces_are_compared(site: Path, page: Any) -> None:
    page.goto((site / GAME / "matrix.html").as_uri())
    close = page.inner_text(".matrix >> nth=0")
    choose(page, "Range", "long")
    assert page.inner_text(".matrix >> nth=0") != close
    page.click(".matrix td button >> nth=0")
    assert "/" in page.inner_text("#distribution td.exact >> nth=0")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(site: Path, browser: Any, scheme: str, size: dict[str, int]) -> None:
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    for path in sorted(site.glob("*/*.html")):  # with the single file
        page.goto(path.as_uri())
        page.wait_for_timeout(100)
        cell = page.locator("td.c button, td[data-odds] button").first
        if cell.count():
            cell.click()
            page.wait_for_selector("#distribution:not([hidden])")
        found = axe.Axe().run(page, options={"preload": False}).response["violations"]
        assert [(item["id"], item["nodes"][0]["html"]) for item in found] == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    context.close()


def test_paper_has_the_content_alone(site: Path, page: Any) -> None:
    page.goto((site / GAME / "sheet-play.html").as_uri())
    page.emulate_media(media="print", color_scheme="dark")
    assert page.is_hidden(".top")
    assert page.is_hidden(".parts")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") in (
        "rgba(0, 0, 0, 0)",
        "rgb(255, 255, 255)",
    )
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_a_single_file_has_every_page(site: Path, page: Any, tmp_path: Path) -> None:
    file = tmp_path / "sent.html"
    file.write_bytes((site / "one" / f"{GAME}.html").read_bytes())
    page.goto(file.as_uri())
    page.fill("#words", "HEL medium")
    page.click(".result a")
    page.wait_for_selector(".sheet")
    title = page.title()
    page.click(".top a:has-text('Odds: direct fire')")
    page.wait_for_selector("td[data-odds] button")
    assert page.title() != title
    page.click("td[data-odds] button >> nth=0")
    first = page.inner_text("#distribution")
    page.click(".top a:has-text('Odds: air')")
    page.click("td[data-odds] button >> nth=0")
    assert page.inner_text("#distribution") != first
    page.go_back()
    assert page.inner_text("h1").startswith("Odds: direct fire")
    page.click(".top a:has-text('Forces')")
    page.wait_for_selector(".matrix")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.inner_text("h1") == "Forces and prices"


READ = """() => [...document.querySelectorAll("body :not(script)")]
  .flatMap((node) => [...[...node.childNodes].map((child) => child.data?.trim()), node.ariaLabel, node.title])
  .filter((text) => text && /[a-z]{2}/.test(text))"""


def test_the_tools_of_a_site_in_another_language_have_no_english_text(page: Any, tmp_path: Path) -> None:
    found: list[set[str]] = []
    for language in ("", "de"):
        build_site(open_library(), ["fma-skirmish"], tmp_path / language, language=language)
        texts: list[str] = []
        for name in ("force", "matrix"):
            page.goto((tmp_path / language / "fma-skirmish" / f"{name}.html").as_uri())
            page.click(".matrix td button >> nth=0")
            if name == "force":
                page.locator(".actions button").last.click()  # a new design
            page.wait_for_timeout(200)
            texts += page.evaluate(READ)
        page.goto((tmp_path / language / "fma-skirmish" / "index.html").as_uri())
        page.fill("#words", "Veteran")
        page.wait_for_selector(".result mark")
        found.append({*texts, *page.evaluate(READ)})
    entries = load_language(open_library(), "de")[0].entries
    english, german = found
    assert len(german) > 100
    left = {re.sub(r"^· | \(.*", "", text) for text in english & german}  # without the price of a choice
    assert {text for text in left if entries.get(text) != text} == set()
