"""The processes that are measured, in the environment of the bench."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import psutil

from local.ports import HOST

ROOT = Path(__file__).resolve().parent.parent
ARVEL = Path(sys.executable).with_name("arvel")
PATIENCE_S = 60.0
POLL_S = 0.02


class DidNotWork(RuntimeError):
    """A process ended, or was not ready in time; the text holds the end of its output."""


@contextlib.contextmanager
def running(
    command: list[str],
    log: Path,
    ready: Callable[[str], bool],
    environment: Mapping[str, str] | None = None,
) -> Iterator[psutil.Process]:
    """A process from when ``ready``, asked with its output, says so; asked to stop at the end.

    Raises :class:`DidNotWork`.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        _wait(process, log, ready)
        yield psutil.Process(process.pid)
    finally:
        _stop(process)


def listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1):
        return True
    return False


def module(name: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", name, *arguments]


def _wait(process: subprocess.Popen[bytes], log: Path, ready: Callable[[str], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not ready(log.read_text(errors="replace")):
        if process.poll() is not None or time.monotonic() > until:
            raise DidNotWork(f"{process.args}: {log.read_text(errors='replace')[-2000:]}")
        time.sleep(POLL_S)


def _stop(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
