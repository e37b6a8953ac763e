"""Pictures that travel with a message, put into its HTML where it names them (RFC 2392).

Within the text, since the frame that shows it is nobody's and gets no file from us.
"""

import asyncio
import re
from base64 import b64encode
from collections.abc import Sequence
from html import unescape
from typing import Any
from urllib.parse import unquote
from uuid import UUID

from app.items import file_store
from app.items.file_store import FileMissing
from app.models.queries import downloads as queries

SHOWN = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
MOST = 8_000_000
"""Letters that they add, each as often as it is named; what is beyond stays missing."""

NAMED = re.compile(r"(?<=[\"'(=])cid:([^\"'()<>\s]{1,998})", re.IGNORECASE)


async def put_in(html: str, files: Sequence[Any]) -> str:
    """``files`` as the API shows them."""
    wanted = {_plain(name) for name in NAMED.findall(html)}
    pictures: dict[str, str] = {}
    for file in files:
        kind = file.content_type.lower()
        if file.content_id in wanted and kind in SHOWN and file.size <= MOST:
            content = await _read(file.id)
            pictures[file.content_id] = f"data:{kind};base64,{b64encode(content).decode()}"
    left = MOST

    def place(found: re.Match[str]) -> str:
        nonlocal left
        picture = pictures.get(_plain(found[1]), found[0])
        left -= len(picture)
        return picture if left >= 0 else found[0]

    return NAMED.sub(place, html)


def _plain(name: str) -> str:
    return unquote(unescape(name))


async def _read(key: UUID) -> bytes:
    row = await queries.find(key)
    if row is None or row["removed"]:
        return b""
    try:
        return await asyncio.to_thread(file_store.read, row["path"])
    except FileMissing:
        return b""
