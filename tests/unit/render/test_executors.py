"""Documents are rendered in processes, which end with the build and leave nothing behind."""

from __future__ import annotations

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from generator.problems import LayoutError, Remedy, RenderError
from generator.render.executors import RenderTask, open_executor, render, usual_jobs
from generator.render.pdf_cache import engine_digest

if TYPE_CHECKING:
    from generator.render.blocks import Sheet

ROOT = Path(__file__).parents[3]
RULES = ROOT / "tests" / "cases" / "rules"
WHAT = ("tin", "steel", "--rules-path", str(RULES))
"""Two documents of a page each."""


def build(folder: Path, *more: str, **environment: str) -> subprocess.Popen[str]:
    """A build in a process group of its own, with its own folders for temporary files and finished PDFs."""
    (folder / "tmp").mkdir(parents=True)
    usual = {"PYTHONPATH": str(ROOT), "TMPDIR": str(folder / "tmp"), "FIELDPRESS_CACHE": str(folder / "cache")}
    out = () if "--out" in more else ("--out", str(folder / "out"))
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "generator", "build", *WHAT, *out, *more],
        env={**os.environ, **usual, **environment},
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(run: subprocess.Popen[str]) -> tuple[int, str]:
    """How a build ends, and what it says; on success, the files that it names."""
    out, told = run.communicate(timeout=300)
    return run.returncode, told or out


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build in a single process, with its files in ``out`` and its finished PDFs in ``cache``."""
    folder = tmp_path_factory.mktemp("alone") / "1"
    code, out = finish(build(folder, "--jobs", "1", PYTHONHASHSEED="1"))
    assert code == 0, out
    assert [line.rpartition("  ")[0] for line in out.splitlines()] == [
        str(folder / "out" / f"{name}-quick-a4.pdf") for name in ("tin", "steel")
    ]
    assert not any((folder / "tmp").iterdir())
    return folder


@pytest.fixture(scope="module")
def printed_alone(alone: Path) -> dict[str, bytes]:
    return files(alone / "out")


def test_a_page_that_cannot_be_laid_out_is_the_same_error_in_another_process() -> None:
    error = LayoutError("'x' does not fit", "The block", "x", Remedy("shorten it"), sheet="sheet", page=3)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (str(again), again.found, again.block, again.text, again.remedy) == (
        str(error), error.found, error.block, error.text, error.remedy,
    )  # fmt: skip


def test_one_process_works_at_once() -> None:
    with open_executor(1) as executor:
        working, failing = executor.submit(len, (1, 2)), executor.submit(int, "x")
        assert working.result() == 2
        with pytest.raises(ValueError, match="x"):
            failing.result()


def test_a_task_is_the_same_after_a_journey(sheet: Sheet) -> None:
    task = RenderTask(sheet, "a4", "mono")
    assert repr(pickle.loads(pickle.dumps(task))) == repr(task)  # noqa: S301 - our own


def test_a_worker_with_another_engine_is_refused(sheet: Sheet) -> None:
    with pytest.raises(RenderError, match="another version"):
        render(RenderTask(sheet, "a4", "mono"), b"another")


def test_a_process_begins_to_work_when_the_others_are_busy() -> None:
    with open_executor(2) as executor:
        first = executor.submit(os.getpid).result()
        assert {executor.submit(os.getpid).result() for _ in range(9)} == {first}
        executor.submit(time.sleep, 600)  # the executor ends it
        assert executor.submit(os.getpid).result(timeout=300)


def test_old_temporary_folders_are_swept_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("fieldpress-old", "fieldpress-new", "other-old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "font").touch()
    for name in ("fieldpress-old", "other-old"):
        os.utime(tmp_path / name, (0, 0))
    with open_executor(1):
        assert {"fieldpress-new", "other-old"} <= {*(left := [path.name for path in tmp_path.iterdir()])}
        assert "fieldpress-old" not in left
    assert len([*tmp_path.iterdir()]) == 2


def test_a_process_with_threads_does_not_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert usual_jobs() == 1


@pytest.mark.slow
def test_two_builds_at_once_in_several_processes_change_no_byte_and_leave_nothing_behind(
    tmp_path: Path, printed_alone: dict[str, bytes]
) -> None:
    shared = {"FIELDPRESS_CACHE": str(tmp_path / "cache"), "PYTHONHASHSEED": "4242"}
    runs = [build(tmp_path / jobs, "--jobs", jobs, "--out", str(tmp_path / "out"), **shared) for jobs in ("2", "3")]
    for run in runs:
        code, out = finish(run)
        assert code == 0, out
        names = [Path(line.rpartition("  ")[0]).name for line in out.splitlines()]
        assert names == ["tin-quick-a4.pdf", "steel-quick-a4.pdf"]
    assert not any((tmp_path / "2" / "tmp").iterdir())
    assert not any((tmp_path / "3" / "tmp").iterdir())
    assert files(tmp_path / "out") == printed_alone


@pytest.mark.slow
def test_a_build_in_which_nothing_changed_loads_no_engine(
    tmp_path: Path, alone: Path, printed_alone: dict[str, bytes]
) -> None:
    script = (
        "import sys; from generator.cli.group import fieldpress\n"
        f"fieldpress({['build', *WHAT, '--out', str(tmp_path)]!r}, standalone_mode=False)\n"
        "assert not {'weasyprint', 'jinja2', 'markdown_it'} & {*sys.modules}\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FIELDPRESS_CACHE": str(alone / "cache")}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)  # noqa: S603 - our own
    assert files(tmp_path) == printed_alone


@pytest.mark.slow
@pytest.mark.soak
def test_a_build_that_is_ended_at_any_moment_leaves_whole_files_alone(
    tmp_path: Path, printed_alone: dict[str, bytes]
) -> None:
    moments = random.Random(26)  # noqa: S311 - moments, no secrets
    for number in range(3):
        folder, ended = tmp_path / str(number), (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[number % 3]
        run = build(folder, "--jobs", "2")
        time.sleep(moments.uniform(0.1, 1.5))
        if ended == signal.SIGINT:
            os.killpg(run.pid, ended)  # as a terminal does
        else:
            run.send_signal(ended)
        code, told = finish(run)
        assert "Traceback" not in told
        if ended != signal.SIGKILL or code == 0:
            assert not any((folder / "tmp").iterdir())
        for path in (folder / "out").glob("*.pdf"):
            assert path.read_bytes().rstrip().endswith(b"%%EOF")
    assert finish(build(tmp_path / "next", FIELDPRESS_CACHE=str(folder / "cache")))[0] == 0
    assert files(tmp_path / "next" / "out") == printed_alone


@pytest.mark.parametrize("pause", [0.1, 0.2, 0.4])
def test_a_process_that_ends_within_a_long_answer_does_not_keep_the_build(tmp_path: Path, pause: float) -> None:
    code = f"""
import pathlib, time
from generator.render.executors import open_executor

def answer(number):
    pathlib.Path(r"{tmp_path}", str(number)).touch()
    return bytes(200_000_000)

with open_executor(2) as executor:
    answers = [executor.submit(answer, number) for number in range(3)]
    while not any(pathlib.Path(r"{tmp_path}").iterdir()):
        time.sleep(0.001)
    time.sleep({pause})
"""
    usual = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, env=usual)  # noqa: S603


@pytest.mark.slow
def test_a_file_that_cannot_be_written_is_named_and_not_begun(tmp_path: Path, alone: Path) -> None:
    command = [sys.executable, "-m", "generator", "build", *WHAT, "--out"]
    usual = {**os.environ, "FIELDPRESS_CACHE": str(alone / "cache"), "PYTHONPATH": str(ROOT)}
    for limit, out in (("ulimit -f 4;", tmp_path / "out"), ("", Path("/proc/out"))):  # as on a full disk; read-only
        whole = ["sh", "-c", f'{limit} exec "$@"', "sh", *command, str(out)]
        run = subprocess.run(whole, env=usual, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
        assert run.returncode == 1, run.stderr
        assert str(out) in run.stderr
        assert "--out" in run.stderr
        assert "Traceback" not in run.stderr
    assert not any((tmp_path / "out").iterdir())


@pytest.mark.slow
def test_a_cluster_renders_the_same_bytes(sheet: Sheet) -> None:
    from distributed import LocalCluster

    task = RenderTask(sheet, "a4", "mono")
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,  # type: ignore[no-untyped-call] # its types are partial
        open_executor(1, cluster.scheduler_address) as executor,
    ):
        assert executor.submit(render, task, engine_digest()).result() == render(task)


@pytest.mark.slow
@pytest.mark.soak
def test_a_cluster_renders_the_same_bytes_though_a_worker_dies(tmp_path: Path, printed_alone: dict[str, bytes]) -> None:
    address = tmp_path / "scheduler.json"
    usual = ("--scheduler-file", str(address))

    def start(module: str, *more: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *usual, *more]
        return subprocess.Popen(  # noqa: S603 - Dask's own command
            command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    cluster = [start("dask_scheduler", "--port", "0", "--no-dashboard")]
    try:
        while not address.exists():
            time.sleep(0.1)
        cluster += [start("dask_worker", "--no-nanny", "--nthreads", "1", "--no-dashboard") for _ in range(2)]
        scheduler = json.loads(address.read_text(encoding="utf-8"))["address"]
        run = build(tmp_path / "there", "--scheduler", scheduler)
        while run.poll() is None and not any((tmp_path / "there").glob("cache/fieldpress/*")):
            time.sleep(0.05)  # until the first document is rendered
        cluster[1].kill()
        code, out = finish(run)
    finally:
        for process in cluster:
            process.kill()
            process.wait()
    assert code == 0, out
    assert files(tmp_path / "there" / "out") == printed_alone
