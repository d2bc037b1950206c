"""A site is served to the local network: its own files, to browsers that name this machine, and nothing else."""

from __future__ import annotations

import socket
from http.client import HTTPConnection
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from generator.commands.server import HOST, addresses, find_page, site_server
from generator.commands.web import OURS
from generator.problems import ProblemsError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    beside = tmp_path_factory.mktemp("served")
    folder = beside / "site"
    (folder / "tin").mkdir(parents=True)
    (folder / "index.html").write_text(OURS, encoding="utf-8")
    (folder / "tin" / "index.html").write_text("tin", encoding="utf-8")
    (folder / "tin" / "words.js").write_text("1", encoding="utf-8")
    for name in ("my first page.html", "u\u0308bung, (1) & \u2019s.html", "Map.JPG", "a" * 110 + ".html"):
        (folder / "tin" / name).write_text(name, encoding="utf-8")
    (folder / "force.yaml").write_text("2", encoding="utf-8")
    (folder / ".hidden.html").write_text("3", encoding="utf-8")
    (beside / "secret.html").write_text("4", encoding="utf-8")
    (folder / "link.html").symlink_to(beside / "secret.html")
    return folder


@pytest.fixture(scope="module")
def port(site: Path) -> Iterator[int]:
    server = site_server(site, 0)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def ask(port: int, path: str, host: str = "", method: str = "GET") -> tuple[int, bytes, dict[str, str]]:
    connection = HTTPConnection(HOST, port, timeout=20)
    connection.request(method, path, headers={"Host": host or f"localhost:{port}"})
    answer = connection.getresponse()
    return answer.status, answer.read(), dict(answer.headers)


def test_the_pages_of_the_folder_are_served(port: int) -> None:
    assert ask(port, "/")[1] == OURS.encode()
    assert ask(port, "/tin/")[:2] == (200, b"tin")
    assert ask(port, "/tin/words.js?1")[2]["Content-Type"] == "text/javascript"
    assert "http" not in ask(port, "/")[2]["Content-Security-Policy"]
    for host in (f"{HOST}:{port}", f"{socket.gethostname()}:{port}", f"{socket.gethostname()}.local:{port}"):
        assert ask(port, "/", host)[0] == 200


def test_names_of_an_author_and_pictures_are_served(site: Path, port: int) -> None:
    for path in (site / "tin").iterdir():
        assert ask(port, f"/tin/{quote(path.name)}")[:2] == (200, path.read_bytes()), path.name
    assert ask(port, "/tin/Map.JPG")[2]["Content-Type"] == "image/jpeg"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.html", "/%2e%2e/secret.html", "/tin/../../secret.html", "//secret.html", "/..%2fsecret.html",
        "/tin%5c..%5c..%5csecret.html", "/link.html", "/.hidden.html", "/force.yaml", "/no", "/no.html", "/%00.html",
        "/" + "a" * 5000 + ".html", "/" + "a/" * 2000, "/" + "%E5%AD%97" * 90 + ".html", "http://[x/",
        "/c:/secret.html", "//evil.example/tin", "*",
    ],
)  # fmt: skip
def test_nothing_else_is_served(port: int, path: str) -> None:
    assert ask(port, path)[0] == 404


@pytest.mark.parametrize("path", ["/tin", "/tin?page=2"])
def test_the_address_of_a_folder_leads_to_the_address_with_a_slash(port: int, path: str) -> None:
    status, content, headers = ask(port, path)
    assert (status, content, headers["Location"]) == (302, b"", "./tin/")  # relative, so it stays on this host


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "localhost", "localhost:1", "localhost.evil:{port}"]
)
def test_another_host_is_refused(port: int, host: str) -> None:
    assert ask(port, "/", host.format(port=port))[0] == 403


def test_head_is_answered_without_the_page(port: int) -> None:
    status, content, headers = ask(port, "/tin/", method="HEAD")
    assert (status, content, headers["Content-Length"]) == (200, b"", "3")
    assert ask(port, "/no.html", method="HEAD")[:2] == (404, b"")


def test_pages_of_one_file_each_are_listed_and_nothing_beside_them_is_served(site: Path) -> None:
    (site / "index.html").rename(site / "tin.html")
    (site / "letter.html").write_text("5", encoding="utf-8")
    server = site_server(site, 0)
    Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    assert b'<a href="tin.html">' in ask(port, "/")[1]
    assert [ask(port, path)[0] for path in ("/tin.html", "/letter.html", "/tin/", "/x")] == [200, 404, 404, 404]
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_no_other_method_is_answered(port: int, method: str) -> None:
    assert ask(port, "/", method=method)[0] == 501


def test_a_folder_that_is_no_site_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>Mine</p>", encoding="utf-8")
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(ProblemsError, match="F101"):
            site_server(folder, 0)


def test_a_port_in_use_is_named(site: Path, port: int) -> None:
    with pytest.raises(ProblemsError) as raised:
        site_server(site, port)
    (problem,) = raised.value.problems
    assert (problem.code, problem.hint) == ("F130", "choose another port with --port")


def test_pages_are_found_only_inside_the_folder(site: Path) -> None:
    assert find_page(site, "/tin/") == site / "tin" / "index.html"
    assert find_page(site, "/tin/..") is None


def test_this_machine_has_an_address() -> None:
    assert addresses(8000)["on this machine"] == "http://localhost:8000/"
