"""What a form or an address says: fields with one value or several."""

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode

from arvel.http.request import Request

from app.controllers.api.problems import Problem
from app.controllers.body import BodyTooLarge, BodyTooSlow, read_body

LIMIT = 1_000_000
PATIENCE = 30.0
MOST_FIELDS = 1_100
"""A thousand selected items, and the fields beside them."""

UNREADABLE = "What the browser sent can't be read."


class Form:
    """Fields in their order. What isn't there reads as an empty text."""

    def __init__(self, pairs: list[tuple[str, str]] | None = None) -> None:
        self._pairs = pairs or []

    def __getitem__(self, name: str) -> str:
        return next((value for key, value in self._pairs if key == name), "")

    def __contains__(self, name: str) -> bool:
        return any(key == name for key, _ in self._pairs)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._pairs)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self._pairs if key == name and value]

    def filled(self, *names: str) -> dict[str, str]:
        """Those of these fields that hold something besides spaces."""
        return {name: text for name in names if (text := self[name].strip())}

    def having(self, **changes: str | list[str] | None) -> str:
        """The same as a query string, with some fields changed; ``None`` leaves one out."""
        pairs = [(k, v) for k, v in self._pairs if k not in changes and v]
        for name, value in changes.items():
            values = value if isinstance(value, list) else [value] if value else []
            pairs += [(name, one) for one in values]
        return f"?{urlencode(pairs)}" if pairs else "?"


async def read_form(request: Request) -> Form:
    """Raises :class:`Problem` for what no form of ours sends."""
    media_type = (request.header("content-type") or "").partition(";")[0].strip().lower()
    if media_type != "application/x-www-form-urlencoded":
        raise Problem("unsupported-media-type", "Forms are sent by the pages of the console.")
    try:
        raw = await read_body(request, LIMIT, PATIENCE)
    except BodyTooLarge:
        raise Problem("too-large", f"A form may have {LIMIT} bytes.") from None
    except BodyTooSlow:
        raise Problem("timeout") from None
    return parse(raw)


def read_query(request: Request) -> Form:
    return parse(bytes(request.raw.scope.get("query_string", b"")))


def parse(raw: bytes) -> Form:
    try:
        text = raw.decode("ascii")
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Problem("malformed", UNREADABLE) from None
    if any("\0" in part for pair in pairs for part in pair):
        # PostgreSQL has no such character.
        raise Problem("malformed", UNREADABLE)
    return Form([(name, value.replace("\r\n", "\n")) for name, value in pairs])
