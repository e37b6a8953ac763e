"""Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): a request that counts once."""

import json
import re
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

import msgspec
from arvel.http.request import Request

from app.controllers.api.operation import Answer
from app.controllers.api.problems import Problem
from app.models import failures
from app.models.queries import idempotency as queries
from app.models.queries.idempotency import Kept

HEADER = "idempotency-key"
KEY = re.compile(r"[ -~]{1,255}")

PATIENCE = 2.0
"""Seconds that a repeated request waits for the end of the first one."""

HEADERS = {
    "Idempotency-Key": "Any text of yours with up to 255 characters, such as the id of the event"
    " that causes the message. A repeated request with the same key and body is answered as the"
    " first one was, and sends nothing. Keys are remembered for a week, or as configured; never"
    " for less than a day."
}
PROBLEMS = ("still-running", "key-reused")


@dataclass(frozen=True, slots=True)
class Key:
    """A key of one user's, with the digest of the request that it came with."""

    owner: UUID
    text: str
    digest: str


def read_key(request: Request, owner: UUID, digest: str) -> Key | None:
    """``None`` without the header; raises :class:`Problem` for what can't be a key."""
    name = HEADER.encode()
    given = [value for header, value in request.raw.scope["headers"] if header.lower() == name]
    if not given:
        return None
    text = unquote(given[0].decode("latin-1").strip())
    if len(given) > 1 or not KEY.fullmatch(text):
        raise Problem("malformed", "Idempotency-Key must be one text of 1 to 255 ASCII characters.")
    return Key(owner, text, digest)


def unquote(text: str) -> str:
    """The draft writes keys in quotes (a string of RFC 8941), most callers don't."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    return re.sub(r'\\(["\\])', r"\1", text[1:-1])


async def find_answer(key: Key) -> Answer | None:
    """What the first request with this key was answered with; ``None`` when there was none.

    Raises :class:`Problem` when it was another request.
    """
    kept = await queries.find(key.owner, key.text)
    return None if kept is None else replay(kept, key)


def replay(kept: Kept, key: Key) -> Answer:
    if kept.digest != key.digest:
        raise Problem("key-reused")
    body = cast("dict[str, Any]", json.loads(kept.answer))
    headers = {**location_of(body), "idempotency-replayed": "true"}
    return Answer(body, kept.status, headers)


def location_of(body: dict[str, Any]) -> dict[str, str]:
    return {"location": body["links"]["self"]} if "links" in body else {}


async def claim(key: Key, answer: Answer) -> Answer | None:
    """Keep the answer in the open transaction; what was answered before when somebody was first.

    Raises :class:`Problem` when that request still runs, or was another one.
    """
    kept = Kept(key.digest, answer.status, msgspec.json.encode(answer.body).decode())
    try:
        if await queries.claim(key.owner, key.text, kept, PATIENCE):
            return None
    except Exception as error:
        if failures.is_lock_timeout(error):
            raise Problem("still-running", headers={"retry-after": "1"}) from None
        raise
    return await find_answer(key)
