"""The preview shows the last good pages and what is wrong, to a browser on this machine and to nobody else."""

from __future__ import annotations

import json
import threading
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import pikepdf
import pytest
from click.testing import CliRunner

from generator.cli.group import fieldpress
from generator.commands import printing, server
from generator.commands.server import HOST, Preview, changes
from generator.problems import Problem, ProblemsError, Span
from generator.rules.source.library import open_library

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from generator.rules.source.library import Library

pytestmark = pytest.mark.slow

WRONG = Problem("R205", Span("mine.yaml", 3, 1, "gun: 9"), "a gun", "9")


class Desk:
    """What a build of a fan makes: this many pages, or a problem."""

    def __init__(self) -> None:
        self.pages = 2
        self.copies = 1
        self.wrong = False

    def build(self, folder: Path) -> tuple[dict[str, Any], tuple[Problem, ...]]:
        if self.wrong:
            raise ProblemsError(WRONG)
        with pikepdf.new() as pdf:
            for _ in range(self.pages):
                pdf.add_blank_page()
            pdf.save(folder / "toys.pdf", deterministic_id=True)
        return {"built": [{"path": str(folder / "toys.pdf"), "pages": self.pages}] * self.copies}, ()


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def preview(desk: Desk) -> Iterator[Preview]:
    shown = Preview(desk.build)
    yield shown
    shown.server.shutdown()
    shown.server.server_close()


def get(preview: Preview, path: str, host: str = "") -> tuple[int, bytes]:
    connection = HTTPConnection(HOST, preview.port, timeout=20)
    connection.request("GET", path, headers={"Host": host or f"{HOST}:{preview.port}"})
    answer = connection.getresponse()
    return answer.status, answer.read()


def state(preview: Preview) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(get(preview, "/state")[1])
    return found


def test_every_page_is_a_picture_and_changes_are_shown(preview: Preview, desk: Desk) -> None:
    preview.rebuild()
    first = state(preview)
    assert [get(preview, f"/{page}.png")[1][:4] for page in first["pages"]] == [b"\x89PNG"] * 2
    desk.pages = 3
    preview.rebuild()
    assert len(state(preview)["pages"]) == 3
    assert get(preview, f"/{first['pages'][0]}.png")[0] == 404


def test_equal_files_are_shown_each(preview: Preview, desk: Desk) -> None:
    desk.copies = 2
    preview.rebuild()
    pages = state(preview)["pages"]
    assert len(pages) == 4
    assert pages[:2] == pages[2:]


def test_an_error_stands_over_the_last_good_pages(preview: Preview, desk: Desk) -> None:
    preview.rebuild()
    good = state(preview)
    desk.wrong = True
    preview.rebuild()
    bad = state(preview)
    assert bad["pages"] == good["pages"]
    assert bad["stale"]
    assert "mine.yaml:3:1" in bad["problems"]
    desk.wrong = False
    preview.rebuild()
    assert state(preview)["problems"] == ""
    assert not state(preview)["stale"]


def test_what_cannot_be_printed_at_all_ends_the_command(preview: Preview, desk: Desk) -> None:
    desk.wrong = True
    with pytest.raises(ProblemsError):
        preview.rebuild()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1"])
def test_another_host_is_refused(preview: Preview, host: str) -> None:
    for path in ("/", "/state"):
        assert get(preview, path, host)[0] == 403


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/%2e%2e/pyproject.toml", "/preview/preview.js", "/x-0.png"])
def test_nothing_else_is_served(preview: Preview, path: str) -> None:
    preview.rebuild()
    assert get(preview, path)[0] == 404


def test_what_the_browser_needs_is_served(preview: Preview) -> None:
    page = get(preview, "/")[1].decode()
    for name in ("preview.js", "preview.css"):
        assert f'"{name}"' in page
        assert get(preview, f"/{name}")[0] == 200


def test_a_saved_file_is_a_change(tmp_path: Path) -> None:
    file = tmp_path / "force.yaml"
    file.write_text("a", encoding="utf-8")
    seen = changes(open_library(), [str(file)])
    next(seen)
    saved = threading.Timer(1, lambda: file.write_text("b", encoding="utf-8"))
    saved.start()
    next(seen)
    saved.join()


def test_a_file_saved_during_the_first_build_is_a_change(tmp_path: Path) -> None:
    file = tmp_path / "force.yaml"
    file.write_text("a", encoding="utf-8")
    seen = changes(open_library(), [str(file)])
    next(seen)
    file.write_text("b", encoding="utf-8")
    next(seen)


def test_files_of_settings_and_theme_are_watched_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, theme = tmp_path / "mine" / "settings.yaml", tmp_path / "looks" / "theme.yaml"
    for path in (settings, theme):
        path.parent.mkdir()
        path.write_text("options: {fma-skirmish: {motivation_points: yes}}\n", "utf-8")
    found: list[object] = []

    def saved(_: object, what: Sequence[str]) -> Iterator[None]:
        assert {str(settings), str(theme)} <= {*what}
        yield
        settings.write_text("options: {fma-skirmish: {motivation_points: no}}\n", "utf-8")
        yield

    def build(library: Library, *_: object) -> tuple[dict[str, Any], tuple[Problem, ...]]:
        found.extend(library.settings.by_path().values())
        return {"built": []}, ()

    monkeypatch.setattr(server, "changes", saved)
    monkeypatch.setattr(printing, "build", build)
    words = ["preview", "fma-skirmish", "--settings", str(settings), "--theme", str(theme)]
    done = CliRunner().invoke(fieldpress, words, prog_name="fieldpress", catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    assert found == ["yes", "no"]
