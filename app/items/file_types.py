"""What kind of file some bytes are."""

from mimetypes import MimeTypes
from typing import Any, cast

import puremagic
from puremagic import PureError

from app.items.refusals import Refused
from app.items.texts import check_line
from app.transports.email.files import CONTENT_TYPE

UNKNOWN = "application/octet-stream"
LEAST_CONFIDENCE = 0.3
"""A match of three bytes; two of them, as in ``BM``, also begin ordinary text."""

ENDINGS = MimeTypes()
"""Python's own table, not the machine's, so that every installation says the same."""


def detect_type(name: str, content: bytes) -> str:
    """The media type by the content where that is clear, else by the name's ending.

    Many types look alike inside (a .docx and a .zip): then the name decides between them.
    """
    named = type_by_ending(name)
    found = types_by_content(content)
    likely = surest(found)
    if named is not None and (named in found or likely is None):
        return named
    return likely or UNKNOWN


def type_by_ending(name: str) -> str | None:
    kind, encoding = ENDINGS.guess_type(name)
    return None if encoding else kind


def types_by_content(content: bytes) -> dict[str, float]:
    """Each type that the content may be, with how sure that is, from 0 to 1."""
    found: dict[str, float] = {}
    for match in match_signatures(content) if content else []:
        kind = str(match.mime_type).lower()
        if is_type(kind):
            found[kind] = max(float(match.confidence), found.get(kind, 0.0))
    return found


def match_signatures(content: bytes) -> list[Any]:
    try:
        return cast("Any", puremagic).magic_string(content)
    except PureError:
        return []


def surest(found: dict[str, float]) -> str | None:
    """The one type that is surer than all others; ``None`` when none is, or none is sure.

    A vendor's format that begins like a general one doesn't count against it: .fdf against .pdf.
    """
    best = max(found.values(), default=0.0)
    leaders = [kind for kind, sure in found.items() if sure == best]
    if len(leaders) > 1:
        leaders = [kind for kind in leaders if not kind.startswith("application/vnd.")]
    return leaders[0] if best >= LEAST_CONFIDENCE and len(leaders) == 1 else None


def is_type(value: str) -> bool:
    return CONTENT_TYPE.fullmatch(value) is not None


def check_type(value: object) -> str:
    """A media type that the caller names, such as ``image/png``."""
    if not is_type(check_line(value, 255)):
        raise Refused("Must be a media type such as image/png.")
    return str(value)
