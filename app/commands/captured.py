"""A webhook request as somebody captured it: an address and two files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from app.commands.answers import BadInput
from app.transports.contract import RawRequest


def read_captured(url: str | None, headers: str | None, body: str | None) -> RawRequest:
    """The request as it came in; raises :class:`BadInput`."""
    if not url or not headers or not body:
        raise BadInput("--url, --headers and --body are needed, all three.")
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise BadInput("--url must be the full address that the provider called.")
    return RawRequest(
        method="POST",
        urls=(url.partition("#")[0],),
        query_string=parts.query.encode("utf-8", "surrogateescape"),
        headers=read_header_file(headers),
        body=read_bytes("--body", body),
    )


def read_header_file(path: str) -> Mapping[str, str]:
    """Names in lower case. A header that came several times may be a list."""
    try:
        content: object = json.loads(read_bytes("--headers", path))
    except ValueError, RecursionError:
        content = None
    if not isinstance(content, dict):
        raise BadInput("--headers must be a file with a JSON object: names and values of headers.")
    given = cast("dict[str, object]", content)
    return {name.lower(): read_value(value) for name, value in given.items()}


def read_value(value: object) -> str:
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    if not all(isinstance(one, str | int | float) for one in values):
        raise BadInput("--headers must hold texts: one for each header.")
    return ", ".join(map(str, values))


def read_bytes(option: str, path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"{option}: the file can't be read ({error.strerror}).") from None
