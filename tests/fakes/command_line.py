"""``arvel …`` in a process of its own, as somebody types it."""

import asyncio
import os
from collections.abc import Mapping
from typing import NamedTuple

from tests.fakes.processes import ARVEL, ROOT

LIMIT_S = 60.0


class Said(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        return self.out + self.err


async def type_in(*arguments: str, environment: Mapping[str, str]) -> Said:
    """What a command says and its exit code, with exactly this environment (and a PATH)."""
    process = await asyncio.create_subprocess_exec(
        ARVEL,
        *arguments,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHON_DOTENV_DISABLED": "1", **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), LIMIT_S)
    finally:
        if process.returncode is None:
            process.kill()
    return Said(process.returncode or 0, out.decode(), err.decode())
