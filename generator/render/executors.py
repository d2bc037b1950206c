"""Executors that render documents in this process, in several local processes, or on a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import stat
import sys
import tempfile
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.files import TEMPORARY
from generator.problems import RenderError, missing_package
from generator.render.blocks import Cell, Column, Ink, Paper, Row, Section, Sheet, Table
from generator.render.imprinted import NO_IMPRINT
from generator.render.pdf_cache import engine_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.synchronize import Semaphore

    from generator.render.assemble.binding import Size
    from generator.render.page.html import Document

_DAY = 24 * 60 * 60
_RETRIES = 3
"""Number of retries of a document if its cluster worker dies."""


class RenderTask(NamedTuple):
    """A document with its rendering options. Its ``repr`` is equal in every process."""

    document: Document
    paper: Paper
    ink: Ink
    numbered: bool = True

    def __repr__(self) -> str:
        """Return a text that differs if anything printed differs: also the labels of a translated document."""
        return f"{(*self,)!r}{self.document.words or ''}"

    def pieces(self) -> list[RenderTask]:
        """Return the tasks whose PDFs make up this task's PDF; only this task for a document of one piece.

        Tasks of several pieces print no page numbers. :func:`generator.render.assemble.binding.join` adds them.
        """
        pieces = self.document.pieces()
        return [self._replace(document=piece, numbered=False) for piece in pieces] if len(pieces) > 1 else [self]


def render(task: RenderTask, engine: bytes = b"", heights: bytes = b"") -> tuple[bytes, int, bytes]:
    """Return the PDF of a task, its page count, and the heights of its rows for the next call.

    ``heights`` are heights from an earlier call; they save time, do not change the PDF, and are in the result, too.
    Raises RenderError if the document cannot be printed. Raises RenderError, too, if ``engine`` is given and differs
    from :func:`engine_digest` in this process.
    """
    from generator.render.page.measure import read_heights, write_heights
    from generator.render.page.pdf import render_pdf

    if engine and engine != engine_digest():
        msg = "a worker of the cluster has another version of fieldpress, Python, Pango or HarfBuzz than this machine"
        raise RenderError(msg)
    rendered = render_pdf(**task._asdict(), heights=read_heights(heights))
    return rendered.pdf, rendered.pages, write_heights(rendered.heights)


def warm_up() -> None:
    """Render a sheet with an empty table, so that engine, templates and styles are loaded before they are needed.

    Raises RenderError if the engine or a font is missing.
    """
    from generator.render.page.pdf import render_pdf

    rows = (Row(((Section("Empty", (Table((Column(""),), ((Cell("", swatch="plain"),),), "Empty"),)),),)),)
    sheet = Sheet(id="empty", title="Empty", strap="", imprint=NO_IMPRINT, kicker=(), rows=rows, landscape=True)
    render_pdf(sheet, paper="a4", ink="colour")


def number(sizes: Sequence[Size], before: int, total: int, of: str) -> bytes:
    """Return a PDF with only the page numbers, for pages of these sizes.

    ``before`` is the count of earlier pages, ``total`` the count of all pages, ``of`` the word between two numbers,
    such as "of". Raises RenderError if the engine cannot be loaded, or if the numbers cannot be printed.
    """
    from generator.render.page.pdf import render_numbers

    return render_numbers(sizes, before, total, of)


def usual_jobs() -> int:
    """Return the count of cores that this process may use; 1 if the process cannot fork safely.

    Forks are not safe on macOS, and in a process with several threads.
    """
    forks = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    if not forks or threading.active_count() > 1:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def open_executor(jobs: int, scheduler: str = "") -> Iterator[Executor]:
    """Yield an executor with ``jobs`` processes, or on the Dask cluster at the address ``scheduler``.

    With one job and no cluster, each call is made in this process at once. Temporary folders that killed builds left
    more than a day ago are deleted first.

    Raises RenderError if the cluster does not answer, or if its package is missing. When the block ends, for any
    reason, local processes are killed with their unfinished calls. Calls on a cluster are awaited. Temporary files made
    in the block are deleted.
    """
    _sweep()
    usual = tempfile.tempdir
    # A signal may interrupt deleting folders in this one; the rest is deleted with this one.
    with tempfile.TemporaryDirectory(prefix=TEMPORARY, ignore_cleanup_errors=True) as folder:
        tempfile.tempdir = folder
        try:
            if scheduler:
                with _cluster(scheduler) as executor:
                    yield executor
            elif jobs > 1:
                with _processes(jobs) as executor:
                    yield executor
            else:
                yield _SameProcess()
        finally:
            tempfile.tempdir = usual


class _SameProcess(Executor):
    """An executor that makes each call in this process at once."""

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(call(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whatever it raises is the result
            future.set_exception(error)
        return future


class _Processes(ProcessPoolExecutor):
    """Local processes that begin to work one after another, each when a call finds the others busy.

    The process that has imported the layout engine gets the next call. No process imports the engine without need.
    """

    def __init__(self, jobs: int) -> None:
        context = multiprocessing.get_context("fork")
        self._needed, self._last = context.Semaphore(0), Future[Any]()
        super().__init__(jobs, context, initializer=_begin, initargs=(self._needed,))

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if not self._last.done():  # calls start in order, so a free process has always finished the last call
            self._needed.release()
        self._last = super().submit(call, *args, **kwargs)
        return self._last


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    executor = _Processes(jobs)
    try:
        yield executor
    finally:
        for process in multiprocessing.active_children():
            process.kill()
        # A child may end within its answer. The reader waits for the rest as long as anyone can write.
        executor._result_queue._writer.close()  # type: ignore[attr-defined] # noqa: SLF001 - no public way
        executor.shutdown(cancel_futures=True)


def _begin(needed: Semaphore) -> None:
    """Set up a child: it ignores Ctrl+C, but not SIGTERM and SIGHUP, and it ends with its parent.

    It waits until the parent releases ``needed``.
    """
    # A terminal sends SIGINT to parent and children; only the parent handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    needed.acquire()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise missing_package("--scheduler", "distributed", "cluster") from None
    try:
        client: Any = Client(address, timeout="10s")  # type: ignore[no-untyped-call] # its types are partial
    except (OSError, ValueError) as error:
        raise RenderError(f"no Dask scheduler answers at {address}: {error}") from None
    with client, client.get_executor(retries=_RETRIES, pure=False) as executor:
        yield executor


def _sweep() -> None:
    """Delete the temporary folders that builds made, if the folders have not changed for a day.

    Killed builds leave such folders. A folder that cannot be deleted stays.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            status = folder.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_mtime < time() - _DAY:
                shutil.rmtree(folder)
