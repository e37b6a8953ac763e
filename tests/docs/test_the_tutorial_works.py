"""The tutorial's commands, run as they stand there, print what it says they print."""

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from local.dev import NAME
from local.folders import BASE
from tests.fakes.processes import ROOT
from tests.fakes.waiting import patience
from tests.fakes.web import Web, serving

TUTORIAL = ROOT / "docs" / "tutorial" / "first-messages.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
END = "the end of a block"


class Step(NamedTuple):
    """Commands, and the lines that they must print among others."""

    commands: str
    printed: list[str]


def steps() -> Iterator[Step]:
    blocks = BLOCK.findall(TUTORIAL.read_text())
    for position, (kind, text) in enumerate(blocks):
        if kind == "sh":
            following = blocks[position + 1] if position + 1 < len(blocks) else ("", "")
            yield Step(text, following[1].splitlines() if following[0] == "text" else [])


def test_it_reads_the_environment_where_dev_writes_it() -> None:
    said = TUTORIAL.read_text().replace("$(id -u)", str(os.geteuid()))
    assert f". {(BASE / NAME / 'environment').relative_to(ROOT)} &&" in said


@pytest.fixture
async def web(database_url: str, redis_url: str, tmp_path: Path) -> AsyncIterator[Web]:
    settings = {"SANDBOX_REPORT_DELAY": "0.1", "EMBEDDED_WORKER": "true"}
    async with serving(STORAGE_PATH=str(tmp_path / "storage"), **settings) as running:
        yield running


@pytest.mark.skipif(shutil.which("curl") is None, reason="the tutorial is written for curl")
async def test_every_command_prints_what_the_tutorial_says(web: Web, tmp_path: Path) -> None:
    walk = list(steps())
    assert len(walk) > 10
    script = f"\necho; echo '{END}'\n".join(step.commands for step in walk)
    output = await run(in_the_repository(script), tmp_path, PUBLIC_URL=web.url)
    printed = output.split(END)
    assert len(printed) == len(walk), output[-2000:]
    for step, text in zip(walk, printed, strict=True):
        for line in step.printed:
            assert line in text, f"{step.commands}\nprinted\n{text}"


def in_the_repository(script: str) -> str:
    """``arvel`` runs where the application is; what the reader writes goes elsewhere."""
    return f'set -e\narvel() {{ (cd "{ROOT}" && command arvel "$@"); }}\n{script}'


async def run(script: str, folder: Path, **environment: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = await asyncio.create_subprocess_exec(
        "bash",
        "-c",
        script,
        cwd=folder,
        env={**os.environ, **environment, "PATH": path},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(patience(120)):
        output, _ = await process.communicate()
    return output.decode()
