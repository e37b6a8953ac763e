"""From the bytes of a request to the messages in it, and to what the request is known by."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

import msgspec
from arvel.http.request import Request
from msgspec import Struct

from app.controllers.api.problems import Problem
from app.controllers.api.reading import (
    PATIENCE,
    convert,
    decode_leniently,
    read_bytes,
    require_few_values,
    require_media_type,
)
from app.controllers.api.sending.forms import Form, Part
from app.controllers.body import BodyTooLarge, BodyTooSlow, feed_body
from app.items.limits import SizeSettings

ROOM = 2_000_000
"""Bytes beside texts and files: addresses, headers, and what encoding takes."""

MESSAGE = "message"

JSON = "application/json"
FORM = "multipart/form-data"


@dataclass(frozen=True, slots=True, repr=False)
class Received:
    """A body that was read: as plain Python, the files beside it, and a digest of the request."""

    content: object
    digest: str
    files: tuple[Part, ...] = ()


async def receive(request: Request) -> Received:
    """A JSON body; files in it take a third more as base64. Raises :class:`Problem`."""
    require_media_type(request, JSON)
    raw = await read_bytes(request, SizeSettings().max_message_bytes * 4 // 3 + ROOM)
    return Received(decode(raw), digest(request, [raw]))


async def receive_with_files(request: Request) -> Received:
    """A JSON body, or a form whose part ``message`` is one. Raises :class:`Problem`."""
    if require_media_type(request, JSON, FORM) == JSON:
        return await receive(request)
    form = await read_form(request)
    message, files = split(form.parts)
    # The boundary is made anew for each request, also for a repeated one.
    pieces = [piece for part in form.parts for piece in (*encoded(part), bytes(part.content))]
    return Received(decode(bytes(message.content)), digest(request, pieces), files)


async def read_form(request: Request) -> Form:
    limit = SizeSettings().max_message_bytes + ROOM
    form = Form(request.header("content-type") or "", limit)
    try:
        await feed_body(request, limit, PATIENCE, form.feed)
    except BodyTooLarge:
        text = f"The body may have {limit} bytes."
        raise Problem("too-large", text, headers={"connection": "close"}) from None
    except BodyTooSlow:
        raise Problem("timeout", headers={"connection": "close"}) from None
    form.end()
    return form


def split(parts: Iterable[Part]) -> tuple[Part, tuple[Part, ...]]:
    """The part that is the message, and the files."""
    messages = [part for part in parts if part.name == MESSAGE]
    files = tuple(part for part in parts if part.name != MESSAGE)
    if len(messages) != 1:
        raise Problem.invalid({MESSAGE: ["There must be one part of this name, with the JSON."]})
    errors = {
        f"parts.{position}": ["A part that isn't the message must be a file with a name."]
        for position, part in enumerate(parts)
        if part.name != MESSAGE and not part.file_name
    }
    if errors:
        raise Problem.invalid(errors)
    return messages[0], files


def encoded(part: Part) -> list[bytes]:
    return [fact.encode("utf-8", "surrogatepass") for fact in part.facts()]


def digest(request: Request, pieces: Iterable[bytes]) -> str:
    """The same for the same method, path and content, and for nothing else."""
    total = hashlib.sha256()
    scope = request.raw.scope
    for piece in (str(scope["method"]).encode(), str(scope["path"]).encode(), *pieces):
        total.update(len(piece).to_bytes(8))
        total.update(piece)
    return total.hexdigest()


def decode(raw: bytes) -> object:
    """JSON as plain Python; texts may hold lone surrogates, which the check of a field refuses."""
    require_few_values(raw)
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError:
        pass
    return decode_leniently(raw)


def require_object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise Problem.invalid({"": ["Expected an object."]})
    return cast("Mapping[str, object]", value)


def read_as[S: Struct](value: object, into: type[S]) -> S:
    """Raises :class:`Problem` with all fields that are wrong."""
    return convert(require_object(value), into)
