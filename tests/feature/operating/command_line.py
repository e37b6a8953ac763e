"""Pillarbox's commands as a person types them, in a process of their own."""

import asyncio
import os
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]


class Said(NamedTuple):
    """The exit code, and what was printed where."""

    code: int
    out: str
    err: str


async def start(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("arvel"),
        *arguments,
        cwd=ROOT,
        # Wide enough that no line of help or of an error is folded.
        env=os.environ | {"COLUMNS": "400"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def arvel(*arguments: object) -> Said:
    process = await start(*map(str, arguments))
    out, err = await process.communicate()
    return Said(process.returncode or 0, out.decode(), err.decode())
