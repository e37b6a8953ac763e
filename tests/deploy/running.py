"""Runs what the files start: from the files of the image alone, with the variables that they name.

Ports, and folders that only an installed system has, are others; nothing else is.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

from local.ports import HOST, free_port
from tests.deploy.started import ROOT, Probe, Started
from tests.fakes.waiting import patience, until

PROGRAMS = Path(sys.executable).parent
PORTS = ("--port", "--metrics-port")


def image(folder: Path, copied: list[str]) -> Path:
    """What the last stage of the Dockerfile copies, and no other file of the repository."""
    for name in copied:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy2(source, folder / name)
    return folder


@dataclass
class Running:
    """A process, and what stands in its place for each port and folder that the file names."""

    started: Started
    process: asyncio.subprocess.Process
    places: Mapping[str, str]
    log: Path

    def replaced(self, text: str) -> str:
        for there, here in self.places.items():
            text = text.replace(there, here)
        return text

    @property
    def port(self) -> int:
        words = self.started.words
        (flag,) = [flag for flag in PORTS if flag in words]
        return int(self.places[words[words.index(flag) + 1]])

    async def answers(self, probe: Probe) -> bool:
        """Whether the probe of some file, of the same kind of process, is content."""
        if probe.path:
            return await self._answers_at(probe.path)
        words = [self.replaced(word) for word in probe.command]
        environment = {"PATH": f"{PROGRAMS}:{os.environ['PATH']}"}
        nowhere = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*words, env=environment, stderr=nowhere)
        return await process.wait() == 0

    async def _answers_at(self, path: str) -> bool:
        async with httpx.AsyncClient(trust_env=False, timeout=5) as client:
            with contextlib.suppress(httpx.HTTPError):
                return (await client.get(f"http://{HOST}:{self.port}{path}")).is_success
        return False

    async def until_it_answers(self, probe: Probe) -> None:
        async def content() -> bool:
            assert self.process.returncode is None, self.log.read_text()
            return await self.answers(probe)

        await until(content, seconds=60, every=0.2)

    async def stop(self) -> float:
        """Tell it as the platform does; the seconds until it had ended, in good order."""
        told = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(self.process.wait(), patience(self.started.grace)) == 0
        return time.monotonic() - told


@contextlib.asynccontextmanager
async def running(
    started: Started, folder: Path, environment: Mapping[str, str], scratch: Path
) -> AsyncIterator[Running]:
    """The process, killed at the end of the block if it still runs."""
    places = _places(started, scratch)
    log = scratch / f"{started}.log"
    words = [places.get(word, word) for word in started.words[1:]]
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(str(PROGRAMS / started.words[0]), *words),
            cwd=folder,
            env=_environment(started, environment, scratch),
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield Running(started, process, places, log)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _places(started: Started, scratch: Path) -> dict[str, str]:
    words = started.words
    places = {words[words.index(flag) + 1]: str(free_port()) for flag in PORTS if flag in words}
    if "--health-check-file" in words:
        file = words[words.index("--health-check-file") + 1]
        places[file] = str(scratch / f"{started}.health")
    return places


def _environment(started: Started, environment: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """The file's own, over which the operator's file of settings wins."""
    own = {name: value for name, value in started.environment.items() if name != "PATH"}
    kept = {"PATH": f"{PROGRAMS}:{os.environ['PATH']}", "STORAGE_PATH": str(scratch / "storage")}
    return {**own, **environment, **kept}
