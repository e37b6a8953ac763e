"""Sends a stored file, piece by piece, so that no browser takes it for a part of this site."""

import asyncio
import os
from collections.abc import AsyncIterator
from typing import BinaryIO
from urllib.parse import quote

from arvel.http.response import StreamValue

from app.items import file_store
from app.items.file_store import FileMissing
from app.items.texts import BIDI, is_control

PIECE = 262_144

HEADERS = {
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "accept-ranges": "none",
}

ANY = "application/octet-stream"
"""Whatever it is: what a file claims to be is for the person who saved it, not for a browser."""


async def send_file(path: str, name: str) -> StreamValue:
    """The answer that saves a file of the storage; raises :class:`FileMissing`.

    An open file stays whole when it is cleaned away meanwhile.
    """
    file = await asyncio.to_thread(_open, path)
    size = os.fstat(file.fileno()).st_size
    headers = {**HEADERS, "content-length": str(size), "content-disposition": save_as(name)}
    return StreamValue(_pieces(file, size), ANY, headers)


def save_as(name: str) -> str:
    """``Content-Disposition`` for a file of any name (RFC 6266, RFC 8187)."""
    shown = "".join("_" if is_control(c) or c in BIDI else c for c in name) or "_"
    plain = "".join(c if c.isascii() and (c.isalnum() or c in " .-_()") else "_" for c in shown)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(shown, safe='')}"


def _open(path: str) -> BinaryIO:
    try:
        return (file_store.root() / path).open("rb")
    except FileNotFoundError:
        raise FileMissing(path) from None


async def _pieces(file: BinaryIO, size: int) -> AsyncIterator[bytes]:
    with file:
        while size > 0 and (piece := await asyncio.to_thread(file.read, min(PIECE, size))):
            size -= len(piece)
            yield piece
