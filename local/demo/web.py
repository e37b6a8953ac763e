"""The web process with its embedded worker, for as long as a block runs."""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from unittest import mock

import httpx

from local.keeper import Keeper
from local.ports import HOST

ROOT = Path(__file__).resolve().parents[2]
INTO_ROOT = 'cd "$0" && exec "$@"'


@contextlib.contextmanager
def web_process(folder: Path, port: int, environment: Mapping[str, str]) -> Iterator[None]:
    """Serve the application on ``port``; its output goes to ``folder/log``."""
    folder.mkdir(parents=True, exist_ok=True)
    keeper = Keeper("The web process", folder)
    command = [
        *("/bin/sh", "-c", INTO_ROOT, str(ROOT), sys.executable, "-m", "granian"),
        *("--interface", "asgi", "--host", HOST, "--port", str(port)),
        *("--pid-file", str(folder / "granian.pid"), "--workers-kill-timeout", "60"),
        *("--no-ws", "--log-level", "warning", "asgi:asgi_app"),
    ]
    with mock.patch.dict(os.environ, {"EMBEDDED_WORKER": "true", **environment}):
        keeper.start(command, lambda _: answers(port))
    try:
        yield
    finally:
        keeper.stop()


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://{HOST}:{port}/livez", timeout=1, trust_env=False).is_success
    except httpx.HTTPError:
        return False
