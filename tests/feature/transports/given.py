"""The commands about transports, run in this process, and what they say."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from arvel.console import ConsoleOutput

from app.commands.answers import Answer


class Said(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


async def run(command: type[Answer], **given: Any) -> Said:
    out, err = io.StringIO(), io.StringIO()
    instance = command(ConsoleOutput(out, err))
    instance.bind_parsed(given)
    return Said(await instance.handle(), out.getvalue(), err.getvalue())


def write(folder: Path, headers: Mapping[str, str] | str, body: bytes) -> dict[str, str]:
    """A captured request as files; the options that name them. Headers may be any text."""
    text = headers if isinstance(headers, str) else json.dumps(headers)
    (folder / "headers.json").write_text(text)
    (folder / "body").write_bytes(body)
    return {"headers": str(folder / "headers.json"), "body": str(folder / "body")}
